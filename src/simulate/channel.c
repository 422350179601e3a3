/* Channels of a simulation: one row per kind, and how wide it is and what its entries are called. */
#include "simulate/scenario.h"

#include <stdio.h>
#include <string.h>

#include "model/coordinate.h"

const ziChannelRow zi_channel_rows[ZI_CHANNEL_KINDS] = {
    [ZI_CHANNEL_Q] = {"q", "positions of the joints", ZI_OF_NOTHING},
    [ZI_CHANNEL_V] = {"v", "velocities of the joints", ZI_OF_NOTHING},
    [ZI_CHANNEL_A] = {"a", "accelerations of the joints", ZI_OF_NOTHING},
    [ZI_CHANNEL_TAU] = {"tau", "the whole force in each joint", ZI_OF_NOTHING},
    [ZI_CHANNEL_STATES] = {"states", "states of the drives: motors of flexible joints, integrals of controllers",
                           ZI_OF_NOTHING},
    [ZI_CHANNEL_REFERENCE] = {"reference", "where controllers and prescribed motions want the joints to be",
                              ZI_OF_NOTHING},
    [ZI_CHANNEL_FORCES] = {"forces", "force of each drive, damper and friction on its joint", ZI_OF_NOTHING},
    [ZI_CHANNEL_POWER] = {"power", "power that each account brings into the system", ZI_OF_NOTHING},
    [ZI_CHANNEL_WORK] = {"work", "work of each account since the start", ZI_OF_NOTHING},
    [ZI_CHANNEL_ENERGY] = {"energy", "energies, work of all accounts, and the gap: change of energy less work",
                           ZI_OF_NOTHING},
    [ZI_CHANNEL_MOMENTUM] = {"momentum", "linear momentum, and angular momentum about the origin of the world",
                             ZI_OF_NOTHING},
    [ZI_CHANNEL_COM] = {"com", "centre of mass", ZI_OF_NOTHING},
    [ZI_CHANNEL_TERMS] = {"terms", "terms of the equations of motion for each joint: M a, C v, g", ZI_OF_NOTHING},
    [ZI_CHANNEL_REACTIONS] = {"reactions",
                              "force and moment of parent on child at the child's origin, in the child's axes",
                              ZI_OF_JOINT},
    [ZI_CHANNEL_RESIDUAL] =
        {"residual",
         "gap of each loop and its rate, the largest of its conditions, lengths over the size of the "
         "robot",
         ZI_OF_NOTHING},
    [ZI_CHANNEL_LOOP_REACTIONS] =
        {"loop_reactions",
         "force and moment of parent on child in each loop at the child's frame, in its axes; "
         "of a coupling its multiplier",
         ZI_OF_LOOP},
    [ZI_CHANNEL_CLOSED] = {"closed", "1 for each loop that is closed, 0 where it is open", ZI_OF_NOTHING},
    [ZI_CHANNEL_LOOP_COORDINATES] = {"loop_coordinates",
                                     "coordinates of the joints that close loops, lengths of rods, sums of couplings",
                                     ZI_OF_NOTHING},
    [ZI_CHANNEL_ELASTIC] = {"elastic", "elastic coordinates of the links", ZI_OF_NOTHING},
    [ZI_CHANNEL_DEVIATION] = {"deviation",
                              "displacement of a frame from where it would be with rigid links, world axes",
                              ZI_OF_FRAME},
    [ZI_CHANNEL_POSE] = {"pose", "position and quaternion of a frame in the world", ZI_OF_FRAME},
    [ZI_CHANNEL_VELOCITY] = {"velocity", "linear and angular velocity of a frame, world axes", ZI_OF_FRAME},
    [ZI_CHANNEL_ACCELERATION] = {"acceleration", "linear and angular acceleration of a frame, world axes", ZI_OF_FRAME},
};

/* A channel being described. */
typedef struct Making {
    const zvScenario *scenario;
    ziChannelSpec spec;
    ziArena *arena;
    zvChannel *channel;
    const char **labels, **units;
} Making;

typedef struct FixedChannel {
    int width;
    const char *labels[7], *units[7];
} FixedChannel;

static const FixedChannel energy = {5, {"kinetic", "potential", "stored", "work", "gap"}, {"J", "J", "J", "J", "J"}};
static const FixedChannel momentum = {
    6, {"px", "py", "pz", "lx", "ly", "lz"}, {"N s", "N s", "N s", "N m s", "N m s", "N m s"}};
static const FixedChannel com = {3, {"x", "y", "z"}, {"m", "m", "m"}};
static const FixedChannel deviation = {3, {"dx", "dy", "dz"}, {"m", "m", "m"}};
static const FixedChannel pose = {7, {"x", "y", "z", "qx", "qy", "qz", "qw"}, {"m", "m", "m", "1", "1", "1", "1"}};
static const FixedChannel velocity = {
    6, {"vx", "vy", "vz", "wx", "wy", "wz"}, {"m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"}};
static const FixedChannel acceleration = {
    6, {"ax", "ay", "az", "alphax", "alphay", "alphaz"}, {"m/s^2", "m/s^2", "m/s^2", "rad/s^2", "rad/s^2", "rad/s^2"}};
static const FixedChannel wrench = {6, {"fx", "fy", "fz", "mx", "my", "mz"}, {"N", "N", "N", "N m", "N m", "N m"}};

/* Channels whose entries do not depend on the robot; NULL for the others. */
static const FixedChannel *fixed_of(ziChannelKind kind) {
    switch (kind) {
    case ZI_CHANNEL_ENERGY: return &energy;
    case ZI_CHANNEL_MOMENTUM: return &momentum;
    case ZI_CHANNEL_COM: return &com;
    case ZI_CHANNEL_DEVIATION: return &deviation;
    case ZI_CHANNEL_POSE: return &pose;
    case ZI_CHANNEL_VELOCITY: return &velocity;
    case ZI_CHANNEL_ACCELERATION: return &acceleration;
    default: return NULL;
    }
}

/* Coordinates of all loops. */
static int coordinates_of(const zvModel *model) {
    int count = 0;
    for (int i = 0; i < zv_model_nloop(model); i++) {
        const zvLoop *loop = zv_model_loop(model, i);
        count += loop->kind == ZV_LOOP_JOINT ? zv_joint_type_nq(loop->type) : 1;
    }
    return count;
}

/* Accounts that act on one joint: loads have no single force. */
static int forces_of(const zvDrives *drives) {
    int count = 0;
    for (int i = 0; i < zv_drives_naccount(drives); i++) count += zv_drives_account(drives, i).unit != NULL;
    return count;
}

/* Widths that follow from model and drives; known before a run, so that rows can be laid out. */
int zi_channel_width(const zvScenario *scenario, ziChannelSpec spec) {
    const FixedChannel *fixed = fixed_of(spec.kind);
    if (fixed) return fixed->width;
    switch (spec.kind) {
    case ZI_CHANNEL_Q: return zv_model_nq(scenario->model);
    case ZI_CHANNEL_STATES: return zv_drives_nstate(scenario->drives);
    case ZI_CHANNEL_FORCES: return forces_of(scenario->drives);
    case ZI_CHANNEL_POWER:
    case ZI_CHANNEL_WORK: return zv_drives_naccount(scenario->drives);
    case ZI_CHANNEL_TERMS: return 3 * zv_model_nv(scenario->model);
    case ZI_CHANNEL_ELASTIC: return zv_model_nelastic(scenario->model);
    case ZI_CHANNEL_REACTIONS: return spec.index >= 0 ? 6 : 6 * zv_model_njoint(scenario->model);
    case ZI_CHANNEL_RESIDUAL: return 2 * zv_model_nloop(scenario->model);
    case ZI_CHANNEL_CLOSED: return zv_model_nloop(scenario->model);
    case ZI_CHANNEL_LOOP_REACTIONS: return spec.index >= 0 ? 6 : 6 * zv_model_nloop(scenario->model);
    case ZI_CHANNEL_LOOP_COORDINATES: return coordinates_of(scenario->model);
    default: return zv_model_nv(scenario->model);
    }
}

static char *joined(ziArena *arena, const char *head, char between, const char *tail) {
    size_t size = strlen(head) + strlen(tail) + 2;
    char *text = zi_arena_alloc(arena, size);
    if (text) snprintf(text, size, "%s%c%s", head, between, tail);
    return text;
}

static bool label_coordinates(Making *m, bool of_q, zvQuantity quantity) {
    zi_coordinate_units(m->scenario->model, of_q, quantity, m->units);
    return zi_coordinate_labels(m->scenario->model, of_q, m->arena, m->labels);
}

/* Those of all coordinates, of which the elastic ones stay. */
static bool label_elastic(Making *m) {
    const zvModel *model = m->scenario->model;
    const char **all = zi_arena_alloc(m->arena, (size_t)zv_model_nq(model) * sizeof *all);
    if (!all || !zi_coordinate_labels(model, true, m->arena, all)) return false;
    for (int link = 0, at = 0; link < zv_model_nlink(model); link++) {
        const zvElasticPlace place = zv_model_elastic_place(model, link);
        for (int k = 0; k < place.count; k++, at++) {
            m->labels[at] = all[place.q_index + k];
            m->units[at] = zv_model_elastic_unit(model, link, k, ZV_QUANTITY_POSITION);
        }
    }
    return true;
}

static bool label_states(Making *m) {
    for (int i = 0; i < m->channel->width; i++) {
        zvDriveState state = zv_drives_state(m->scenario->drives, i);
        m->labels[i] = state.name;
        m->units[i] = state.unit;
    }
    return true;
}

static bool label_accounts(Making *m) {
    const zvDrives *drives = m->scenario->drives;
    for (int i = 0, k = 0; i < zv_drives_naccount(drives); i++) {
        zvAccount account = zv_drives_account(drives, i);
        if (m->spec.kind == ZI_CHANNEL_FORCES && !account.unit) continue;
        m->labels[k] = account.name;
        m->units[k++] = m->spec.kind == ZI_CHANNEL_FORCES ? account.unit : m->spec.kind == ZI_CHANNEL_POWER ? "W" : "J";
    }
    return true;
}

static bool label_terms(Making *m) {
    static const char *const words[3] = {"Ma", "Cv", "g"};
    if (!label_coordinates(m, false, ZV_QUANTITY_FORCE)) return false;
    for (int i = m->channel->width - 1; i >= 0; i--) { /* from the end: entry i / 3 is still the joint's */
        m->units[i] = m->units[i / 3];
        m->labels[i] = joined(m->arena, m->labels[i / 3], '.', words[i % 3]);
        if (!m->labels[i]) return false;
    }
    return true;
}

static bool label_reactions(Making *m) {
    for (int i = 0; i < m->channel->width; i++) {
        const zvJoint *joint = zv_model_joint(m->scenario->model, i / 6);
        m->units[i] = wrench.units[i % 6];
        m->labels[i] =
            m->spec.index >= 0 ? wrench.labels[i % 6] : joined(m->arena, joint->name, '.', wrench.labels[i % 6]);
        if (!m->labels[i]) return false;
    }
    return true;
}

static bool label_residuals(Making *m) {
    static const char *const words[2] = {"gap", "rate"}, *const units[2] = {"1", "1/s"};
    for (int i = 0; i < m->channel->width; i++) {
        m->units[i] = units[i % 2];
        m->labels[i] = joined(m->arena, zv_model_loop(m->scenario->model, i / 2)->name, '.', words[i % 2]);
        if (!m->labels[i]) return false;
    }
    return true;
}

static bool label_closed(Making *m) {
    for (int i = 0; i < m->channel->width; i++) {
        m->units[i] = "1";
        m->labels[i] = zv_model_loop(m->scenario->model, i)->name;
    }
    return true;
}

static bool label_loop_reactions(Making *m) {
    for (int i = 0; i < m->channel->width; i++) {
        const zvLoop *loop = zv_model_loop(m->scenario->model, m->spec.index >= 0 ? m->spec.index : i / 6);
        m->units[i] = loop->kind == ZV_LOOP_COUPLING ? "1" : wrench.units[i % 6];
        m->labels[i] =
            m->spec.index >= 0 ? wrench.labels[i % 6] : joined(m->arena, loop->name, '.', wrench.labels[i % 6]);
        if (!m->labels[i]) return false;
    }
    return true;
}

/* Loop by loop, with the units of the joint that closes it; rods and couplings have one entry. */
static bool label_loop_coordinates(Making *m) {
    const zvModel *model = m->scenario->model;
    for (int i = 0, at = 0; i < zv_model_nloop(model); i++) {
        const zvLoop *loop = zv_model_loop(model, i);
        const bool joint = loop->kind == ZV_LOOP_JOINT;
        const int count = joint ? zv_joint_type_nq(loop->type) : 1;
        for (int k = 0; k < count; k++, at++) {
            const char *part = joint ? zv_joint_type_q_part(loop->type, k) : NULL;
            m->units[at] = joint ? zv_joint_type_q_unit(loop->type, k) : loop->kind == ZV_LOOP_ROD ? "m" : "1";
            m->labels[at] = part ? joined(m->arena, loop->name, '.', part) : loop->name;
            if (!m->labels[at]) return false;
        }
    }
    return true;
}

/* One label and unit for each entry; false when out of memory. */
static bool label_entries(Making *m) {
    const FixedChannel *fixed = fixed_of(m->spec.kind);
    if (fixed) {
        memcpy(m->labels, fixed->labels, (size_t)fixed->width * sizeof *m->labels);
        memcpy(m->units, fixed->units, (size_t)fixed->width * sizeof *m->units);
        return true;
    }
    switch (m->spec.kind) {
    case ZI_CHANNEL_Q: return label_coordinates(m, true, ZV_QUANTITY_POSITION);
    case ZI_CHANNEL_REFERENCE: return label_coordinates(m, false, ZV_QUANTITY_POSITION);
    case ZI_CHANNEL_V: return label_coordinates(m, false, ZV_QUANTITY_VELOCITY);
    case ZI_CHANNEL_A: return label_coordinates(m, false, ZV_QUANTITY_ACCELERATION);
    case ZI_CHANNEL_TAU: return label_coordinates(m, false, ZV_QUANTITY_FORCE);
    case ZI_CHANNEL_ELASTIC: return label_elastic(m);
    case ZI_CHANNEL_STATES: return label_states(m);
    case ZI_CHANNEL_TERMS: return label_terms(m);
    case ZI_CHANNEL_REACTIONS: return label_reactions(m);
    case ZI_CHANNEL_RESIDUAL: return label_residuals(m);
    case ZI_CHANNEL_CLOSED: return label_closed(m);
    case ZI_CHANNEL_LOOP_REACTIONS: return label_loop_reactions(m);
    case ZI_CHANNEL_LOOP_COORDINATES: return label_loop_coordinates(m);
    default: return label_accounts(m);
    }
}

/* One unit for all where they agree. */
static void settle_unit(Making *m) {
    m->channel->unit = m->units[0];
    m->channel->units = NULL;
    for (int i = 1; i < m->channel->width; i++) {
        if (strcmp(m->units[i], m->units[0]) == 0) continue;
        m->channel->unit = "1";
        m->channel->units = m->units;
        return;
    }
}

static const char *channel_name(Making *m) {
    const char *word = zi_channel_rows[m->spec.kind].word;
    if (m->spec.index < 0) return word;
    const zvModel *model = m->scenario->model;
    const ziChannelOf of = zi_channel_rows[m->spec.kind].of;
    const char *name = of == ZI_OF_JOINT  ? zv_model_joint(model, m->spec.index)->name
                       : of == ZI_OF_LOOP ? zv_model_loop(model, m->spec.index)->name
                                          : zv_model_frame(model, m->spec.index).name;
    return joined(m->arena, word, ' ', name);
}

static bool is_of_loops(ziChannelKind kind) {
    return kind >= ZI_CHANNEL_RESIDUAL && kind <= ZI_CHANNEL_LOOP_COORDINATES;
}

static zvStatus nothing_to_show(const Making *m, zvError *error) {
    const char *word = zi_channel_rows[m->spec.kind].word;
    const char *why = m->spec.kind == ZI_CHANNEL_STATES      ? "no drive has states of its own"
                      : m->spec.kind == ZI_CHANNEL_ELASTIC   ? "all links are rigid"
                      : m->spec.kind == ZI_CHANNEL_REACTIONS ? "the robot has no joints"
                      : is_of_loops(m->spec.kind)            ? "the robot has no closed loops"
                      : m->spec.kind <= ZI_CHANNEL_TAU       ? "the robot cannot move"
                                                             : "nothing drives, brakes or loads the robot";
    return zv_fail(error, ZV_SCHEMA, (zvMark){0}, word,
                   "expected a channel with entries, found \"%s\" without: %s; leave it out", word, why);
}

/* One unit for the whole channel where all entries share it, else a list. */
zvStatus zi_channel_describe(const zvScenario *scenario, ziChannelSpec spec, ziArena *arena, zvChannel *channel,
                             zvError *error) {
    Making m = {.scenario = scenario, .spec = spec, .arena = arena, .channel = channel};
    *channel = (zvChannel){.about = zi_channel_rows[spec.kind].about, .width = zi_channel_width(scenario, spec)};
    if (channel->width == 0) return nothing_to_show(&m, error);
    m.labels = zi_arena_alloc(arena, (size_t)channel->width * sizeof *m.labels);
    m.units = zi_arena_alloc(arena, (size_t)channel->width * sizeof *m.units);
    channel->name = channel_name(&m);
    if (!m.labels || !m.units || !channel->name || !label_entries(&m)) {
        return zv_fail(error, ZV_MEMORY, (zvMark){0}, NULL, "out of memory for the channels of a recording");
    }
    channel->labels = m.labels;
    settle_unit(&m);
    return ZV_OK;
}
