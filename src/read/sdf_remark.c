/* What looks like a slip in an SDF that can be read: words that the format does not have where they stand. They are
 * left out, as by every reader, and that changes the robot (<mas> gives a kilogram, <limits> none). Words with a prefix
 * are of other tools. */
#include <string.h>

#include "read/sdf.h"

/* What may stand in an element, in words between blanks: what is read, and what is passed over on purpose. Elements
 * without a line here are leaves, or passed over with all that is in them. */
typedef struct SdfWords {
    const char *element, *children, *attributes;
} SdfWords;

#define AXIS " xyz use_parent_model_frame initial_position dynamics limit mimic "

static const SdfWords known[] = {
    {"sdf", " world model include actor light ", " version xmlns "},
    {"include", " uri name pose static placement_frame plugin ", " merge "},
    {"world",
     " model joint frame gravity include plugin actor wind audio magnetic_field atmosphere gui physics scene light "
     "road spherical_coordinates state population ",
     " name "},
    {"model", " model link joint frame pose static include plugin gripper self_collide allow_auto_disable enable_wind ",
     " name namespace canonical_link placement_frame "},
    {"link",
     " pose inertial visual collision gravity kinematic velocity_decay enable_wind self_collide must_be_base_link "
     "sensor projector audio_sink audio_source battery light particle_emitter plugin frame ",
     " name "},
    {"inertial", " pose mass inertia density auto_inertia_params fluid_added_mass frame ", " auto "},
    {"inertia", " ixx ixy ixz iyy iyz izz ", " "},
    {"velocity_decay", " linear angular ", " "},
    {"joint",
     " parent child pose axis axis2 thread_pitch screw_thread_pitch gearbox_ratio gearbox_reference_body physics "
     "sensor plugin frame ",
     " name type "},
    {"axis", AXIS, " "},
    {"axis2", AXIS, " "},
    {"xyz", " ", " expressed_in "},
    {"limit", " lower upper effort velocity stiffness dissipation ", " "},
    {"dynamics", " damping friction spring_stiffness spring_reference ", " "},
    {"mimic", " multiplier offset reference ", " joint axis "},
    {"frame", " pose ", " name attached_to "},
    {"pose", " ", " relative_to rotation_format degrees frame "},
    {"visual", " pose geometry material cast_shadows laser_retro transparency visibility_flags meta plugin frame ",
     " name "},
    {"collision", " pose geometry surface laser_retro max_contacts density auto_inertia_params frame ", " name "},
    {"geometry", " box capsule cone cylinder ellipsoid empty heightmap image mesh plane polyline sphere ", " "},
    {"box", " size ", " "},
    {"cylinder", " radius length ", " "},
    {"sphere", " radius ", " "},
    {"mesh", " uri scale submesh convex_decomposition ", " optimization "},
};

static const SdfWords *words_of(const char *element) {
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(known[k].element, element) == 0) return &known[k];
    return NULL;
}

/* The one element that the word belongs in; NULL: none, or several. */
static const char *owner_of(const char *word) {
    const char *owner = NULL;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (!zi_has_word(known[k].children, word) || strcmp(known[k].element, "axis2") == 0) continue;
        if (owner) return NULL;
        owner = known[k].element;
    }
    return owner;
}

/* Frames have their own turn. */
static bool is_frame(const ziXmlElement *e) { return zi_has_word(" world model link joint frame ", e->name); }

/* Elements that may stand several times; of all others one counts. */
static const char many[] = " world model link joint frame include plugin actor light sensor visual collision road "
                           "population projector audio_sink audio_source battery particle_emitter gripper mimic ";

/* A second one where one counts: readers take the first. */
static zvStatus look_for_double(const ziSdf *s, const ziXmlElement *element, const ziXmlElement *child) {
    const ziXmlElement *first = zi_urdf_first(element, child->name);
    if (first == child || zi_has_word(many, child->name)) return ZV_OK;
    for (const ziXmlElement *e = first->next; e != child; e = e->next)
        if (strcmp(e->name, child->name) == 0) return ZV_OK; /* told at the second one */
    return zi_urdf_remark(&s->u, ZV_SEVERITY_WARNING, "duplicate-element", child->mark, child->name,
                          "remove the one that is not meant",
                          "expected one <%.40s> in <%.40s>, found a second: that of line %d is read, this is left out",
                          child->name, element->name, first->mark.line);
}

/* Attributes, children and what is in these: six deep at most. */
static zvStatus look_through(const ziSdf *s, const ziXmlElement *element, const SdfWords *words) {
    char found[ZI_QUOTE_SIZE];
    zvStatus status = ZV_OK;
    for (int i = 0; i < element->nattribute && status == ZV_OK; i++) {
        const ziXmlAttribute *a = &element->attributes[i];
        if (strchr(a->name, ':') || zi_has_word(words->attributes, a->name)) continue;
        const char *near = zi_nearest_word(words->attributes, a->name, found);
        status = zi_urdf_unknown_attribute(&s->u, element, a, near, zi_has_word(words->children, a->name));
    }
    for (const ziXmlElement *e = element->first; e && status == ZV_OK; e = e->next) {
        if (strchr(e->name, ':')) continue;
        if (!zi_has_word(words->children, e->name)) {
            const char *near = zi_nearest_word(words->children, e->name, found);
            status = zi_urdf_unknown_element(&s->u, element, e, near, owner_of(e->name));
            continue;
        }
        status = look_for_double(s, element, e);
        if (status == ZV_OK && !is_frame(e)) {
            const SdfWords *inner = words_of(e->name);
            if (inner) status = look_through(s, e, inner);
        }
    }
    return status;
}

/* The root, the world that is read, and every frame in it. */
zvStatus zi_sdf_remarks(ziSdf *s) {
    const ziXmlElement *root = s->frames[0].element, *world = zi_urdf_first(root, "world");
    s->u.kind = "robot", s->u.name = zv_builder_name(s->u.builder);
    zvStatus status = look_through(s, root, words_of("sdf"));
    if (status == ZV_OK && world) status = look_through(s, world, words_of("world"));
    for (size_t i = 1; i < s->count && status == ZV_OK; i++) {
        const ziSdfFrame *f = &s->frames[i];
        const ziXmlAttribute *own = zi_xml_attribute(f->element, "name");
        s->u.kind = f->element->name;
        s->u.name = f->kind == ZI_SDF_MODEL && own ? own->value : f->name;
        status = look_through(s, f->element, words_of(f->element->name));
    }
    return status;
}
