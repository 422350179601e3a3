/* The reading of a scenario: one reader goes through the sections of the document and fills the scenario. Functions
 * return a status, or NULL where they make an object; the reason then stands in reader->error. */
#ifndef ZV_SIMULATE_SCENARIO_READ_H
#define ZV_SIMULATE_SCENARIO_READ_H

#include <stdint.h>

#include "read/native_element.h"
#include "read/source.h"
#include "simulate/scenario.h"

typedef struct zvScenarioReader {
    zvScenario *scenario;
    zvReading reading; /* for the zv_element_ functions: no builder, the error below */
    zvError *error;    /* never NULL */
    const zvNode *root;
    zvArena scratch; /* ends with the reading */
    uint64_t hash;   /* of everything read so far */
    zvWork *work;
    zvTaskWork *task_work; /* made when it is needed first */
    /* of the model: labels as in the tables of the command; coordinate of each freedom in q, or -1; joint of each */
    const char *const *q_labels, *const *v_labels;
    int *coordinates, *owners;
    bool *q_given; /* (nq) positions that initial.q names */
    /* (nv) whose initial position or velocity is given by name: what closes the loops must not move it */
    unsigned char *q_held, *v_held;
    bool assemble;       /* the initial state is moved until its loops are closed */
    bool passive[3];     /* springs, damping, friction of the model count */
    double smoothing;    /* of friction, unless a joint says otherwise */
    unsigned char *skip; /* (nv) freedoms whose own springs, dampers and friction are replaced */
} zvScenarioReader;

#define ZV_KEYS(keys) (keys), sizeof(keys) / sizeof *(keys)

/* Sections, in the order in which they are read. -------------------------------------------------------- */

zvStatus zv_scenario_model_section(zvScenarioReader *reader, const zvElement *root);
zvStatus zv_scenario_initial(zvScenarioReader *reader, const zvElement *root);
zvStatus zv_scenario_joints(zvScenarioReader *reader, const zvElement *root);
zvStatus zv_scenario_drive_list(zvScenarioReader *reader, const zvElement *root);
/* Moves the initial state until its loops are closed: once what initial says is known, as well as it goes, and, last,
 * when motions are known too. */
zvStatus zv_scenario_assemble(zvScenarioReader *reader, const zvElement *root, bool last);
/* How loops are kept closed; after the integrator. */
zvStatus zv_scenario_loops(zvScenarioReader *reader, const zvElement *root);
/* Refuses prescribed motions that jump. */
zvStatus zv_scenario_continuity(zvScenarioReader *reader, const zvElement *root);
zvStatus zv_scenario_loads(zvScenarioReader *reader, const zvElement *root);
zvStatus zv_scenario_springs(zvScenarioReader *reader, const zvElement *root);
zvStatus zv_scenario_motors(zvScenarioReader *reader, const zvElement *root);
zvStatus zv_scenario_integrator(zvScenarioReader *reader, const zvElement *root);
zvStatus zv_scenario_events(zvScenarioReader *reader, const zvElement *root);
zvStatus zv_scenario_output_section(zvScenarioReader *reader, const zvElement *root);
/* passive, read with the model, since it decides what of the model counts. */
zvStatus zv_scenario_passive(zvScenarioReader *reader, const zvElement *root);

/* Shared by sections. ----------------------------------------------------------------------------------- */

zvStatus zv_scenario_no_memory(zvScenarioReader *reader);
/* Room that ends with the reading; NULL with the error set. */
void *zv_scenario_scratch(zvScenarioReader *reader, size_t count, size_t size);
/* Gives a failure that knows no place, such as one of a constructor, the place of a node and says what it is about. */
zvStatus zv_scenario_blame(zvScenarioReader *reader, const zvElement *element, const zvNode *node, zvStatus status);
/* Loads the file that the text of a node names, seen from the scenario file, and reckons it into the fingerprint. */
zvStatus zv_scenario_load(zvScenarioReader *reader, const zvNode *node, const char *what, const char **path,
                          zvSource *source);
/* path of an input as seen from the scenario file, kept in the arena and noted; NULL when out of memory. */
const char *zv_scenario_beside(zvScenarioReader *reader, const char *path);
void zv_scenario_hash(zvScenarioReader *reader, const char *bytes, size_t size);

/* Fails with NUMBER at the value of a key: "kp of drive "hold" is -3; REASON". */
zvStatus zv_scenario_bad_number(zvScenarioReader *reader, const zvElement *element, const char *key, double value,
                                const char *reason);
/* A number that must be positive, or not negative; left alone when the key is absent. */
zvStatus zv_scenario_positive(zvScenarioReader *reader, const zvElement *element, const char *key, double *value);
zvStatus zv_scenario_not_negative(zvScenarioReader *reader, const zvElement *element, const char *key, double *value);

/* Names. ------------------------------------------------------------------------------------------------ */

typedef struct zvFreedoms {
    int count;
    int *dofs; /* indices into v, in the scratch arena */
} zvFreedoms;

/* Labels, coordinates and joints of the freedoms of the model. */
zvStatus zv_scenario_label(zvScenarioReader *reader);
/* Freedoms called by one name: those of a joint, or one of them by its label. what is what the name belongs to. */
zvStatus zv_scenario_freedom(zvScenarioReader *reader, const char *name, zvMark mark, const char *what,
                             zvFreedoms *freedoms);
/* The keys joint and joints of an element. optional: neither means all. */
zvStatus zv_scenario_freedoms(zvScenarioReader *reader, const zvElement *element, bool optional, zvFreedoms *freedoms);
/* Refuses freedoms without a coordinate of their own: those of quaternions. */
zvStatus zv_scenario_need_positions(zvScenarioReader *reader, const zvElement *element, const zvFreedoms *freedoms);
zvStatus zv_scenario_frame(zvScenarioReader *reader, const zvElement *element, const char *key, int *frame);
zvStatus zv_scenario_loop(zvScenarioReader *reader, const char *name, zvMark mark, int *loop);
/* Fails: no NAME of this kind; suggests the nearest of count names. */
zvStatus zv_scenario_unknown(zvScenarioReader *reader, zvMark mark, const char *kind, const char *name,
                             const char *const *names, int count);
/* Names that users give in a list of this kind must differ, so that accounts can be told apart. */
zvStatus zv_scenario_distinct(zvScenarioReader *reader, const zvNode *list, const char *kind);
/* A position that only degrees or millimetres explain is refused. */
zvStatus zv_scenario_check_position(zvScenarioReader *reader, const zvNode *node, int dof, double value);
/* A channel by its text "word", "word frame"; entry: a "." and the label of an entry may follow, *label is where it
 * begins, or NULL. */
zvStatus zv_scenario_channel(zvScenarioReader *reader, const zvNode *node, bool entry, zvChannelSpec *spec,
                             const char **label);
/* Names with commas between them, as far as they fit. */
const char *zv_scenario_names(const char *const *names, int count, char *buffer, size_t size);

/* Laws. ------------------------------------------------------------------------------------------------- */

/* What a law is wanted for. */
typedef struct zvLawPlace {
    const char *kind, *name;    /* "reference of drive", "hold" */
    int width;                  /* entries */
    const double *from;         /* where motions begin when the law does not say, or NULL */
    const zvFreedoms *freedoms; /* joints: entries are called by their labels, or NULL */
    bool positions;             /* of the freedoms: checked, and lines and arcs of frames are allowed */
    bool strict;                /* a constant needs all its numbers: one does not stand for all */
} zvLawPlace;

/* A law of exactly the width wanted. */
zvLaw *zv_scenario_law(zvScenarioReader *reader, const zvNode *node, const zvLawPlace *place);
/* width numbers under a key; spread: one number may stand for all. Left alone when the key is absent. */
zvStatus zv_scenario_vector(zvScenarioReader *reader, const zvElement *element, const char *key,
                            const zvLawPlace *place, bool spread, double *values);

/* One law being read: a map with its type. */
typedef struct zvLawText {
    zvScenarioReader *reader;
    zvElement element;
    const zvLawPlace *place;
    int depth; /* laws around it */
} zvLawText;

zvLaw *zv_scenario_law_nested(zvScenarioReader *reader, const zvNode *node, const zvLawPlace *place, int depth);
zvStatus zv_scenario_law_need(const zvLawText *law, const char *key, const char *advice);
zvStatus zv_scenario_law_rows(const zvLawText *law, const char *key, int least, int *count, double **values);
zvStatus zv_scenario_law_times(const zvLawText *law, int *count, double **times);

/* One kind of law, of the tables in scenario_law_*.c. */
typedef struct zvLawKind {
    const char *word;
    zvLaw *(*make)(const zvLawText *law);
    const char *keys[10]; /* besides type */
} zvLawKind;

enum { ZV_CURVE_LAWS = 9, ZV_TABLE_LAWS = 5, ZV_PATH_LAWS = 2 };
extern const zvLawKind zv_curve_laws[ZV_CURVE_LAWS]; /* constant ... harmonic */
extern const zvLawKind zv_table_laws[ZV_TABLE_LAWS]; /* spline, table, csv, sequence, sum */
extern const zvLawKind zv_path_laws[ZV_PATH_LAWS];   /* line, arc: joints so that a frame follows a route */

/* Routes. ----------------------------------------------------------------------------------------------- */

/* The directions under the key task: full, xyz, rot or a list; all six when it is absent. */
zvStatus zv_scenario_task_rows(zvScenarioReader *reader, const zvElement *element, unsigned *rows);
/* A route from the pose of a frame in the initial position, from *start to *end: the time it takes, or the whole run
 * when a progress law is given. The element has the keys of a line or an arc, which is checked. */
zvRoute *zv_scenario_route(zvScenarioReader *reader, const zvElement *element, bool is_arc, int frame, double *start,
                           double *end);
/* Keys of routes, besides type. */
#define ZV_PROGRESS_KEYS "duration", "profile", "start", "progress"
#define ZV_LINE_KEYS "to", ZV_PROGRESS_KEYS
#define ZV_ARC_KEYS "center", "axis", "angle", "turn", ZV_PROGRESS_KEYS

/* The joint motion along a route from start to end; takes the route over. */
zvLaw *zv_scenario_march(const zvLawText *law, const zvTask *task, zvRoute *route, double start, double end);

#endif
