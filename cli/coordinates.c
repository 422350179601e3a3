/* Walks over the entries of q and v, and how they are called in tables. */
#include "coordinates.h"

static int joint_entries(const Entry *entry) {
    const zvJointPlace place = zv_model_joint_place(entry->model, entry->joint);
    return entry->of_q ? place.nq : place.nv;
}

/* The link whose elastic coordinates follow those of the joint. */
static int moved_link(const Entry *entry) { return zv_model_joint_place(entry->model, entry->joint).child; }

static int entries_of(const Entry *entry) {
    return joint_entries(entry) + zv_model_elastic_place(entry->model, moved_link(entry)).count;
}

/* Which elastic coordinate of the link the entry is; below 0: it belongs to the joint. */
static int elastic_part(const Entry *entry) { return entry->part - joint_entries(entry); }

/* On to a joint that has the entry. */
static void entry_settle(Entry *entry) {
    while (entry->joint < zv_model_njoint(entry->model) && entry->part >= entries_of(entry)) {
        entry->joint++;
        entry->part = 0;
    }
}

Entry entry_first(const zvModel *model, bool of_q) {
    Entry entry = {.model = model, .of_q = of_q};
    entry_settle(&entry);
    return entry;
}

void entry_next(Entry *entry) {
    entry->part++;
    entry_settle(entry);
}

Entry entry_at(const zvModel *model, bool of_q, int index) {
    Entry entry = entry_first(model, of_q);
    while (index--) entry_next(&entry);
    return entry;
}

static zvJointType type_of(const Entry *entry) { return zv_model_joint(entry->model, entry->joint)->type; }

static void elastic_label(const Entry *entry, Text *out) {
    text_name(out, zv_model_link(entry->model, moved_link(entry))->name);
    text_printf(out, ".%s", zv_model_elastic_part(entry->model, moved_link(entry), elastic_part(entry)));
}

void entry_label(const Entry *entry, Text *out) {
    if (elastic_part(entry) >= 0) {
        elastic_label(entry, out);
        return;
    }
    const zvJointType type = type_of(entry);
    const char *part = entry->of_q ? zv_joint_type_q_part(type, entry->part) : zv_joint_type_v_part(type, entry->part);
    text_name(out, zv_model_joint(entry->model, entry->joint)->name);
    if (part) text_printf(out, ".%s", part);
}

const char *entry_unit(const Entry *entry, Quantity quantity) {
    if (elastic_part(entry) >= 0)
        return zv_model_elastic_unit(entry->model, moved_link(entry), elastic_part(entry), (zvQuantity)quantity);
    return zv_joint_type_v_unit(type_of(entry), entry->part, (zvQuantity)quantity);
}

const char *entry_position_unit(const Entry *entry) {
    if (elastic_part(entry) >= 0) return entry_unit(entry, QUANTITY_POSITION);
    return zv_joint_type_q_unit(type_of(entry), entry->part);
}

const char *joint_coordinates(zvJointType type) {
    static const char *const texts[ZV_JOINT_TYPES] = {
        [ZV_JOINT_FIXED] = "",
        [ZV_JOINT_REVOLUTE] = "angle [rad]",
        [ZV_JOINT_CONTINUOUS] = "angle [rad]",
        [ZV_JOINT_PRISMATIC] = "displacement [m]",
        [ZV_JOINT_HELICAL] = "angle [rad]",
        [ZV_JOINT_CURVE] = "distance [m]",
        [ZV_JOINT_CYLINDRICAL] = "displacement [m], angle [rad]",
        [ZV_JOINT_UNIVERSAL] = "angle1, angle2 [rad]",
        [ZV_JOINT_PLANAR] = "x, y [m], angle [rad]",
        [ZV_JOINT_SPHERICAL] = "qx, qy, qz, qw",
        [ZV_JOINT_FREE] = "x, y, z [m], qx, qy, qz, qw",
    };
    return texts[type];
}
