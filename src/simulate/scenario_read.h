/* The reading of a scenario: one reader goes through the sections of the document and fills the scenario. Functions
 * return a status, or NULL where they make an object; the reason then stands in reader->error. */
#ifndef ZI_SIMULATE_SCENARIO_READ_H
#define ZI_SIMULATE_SCENARIO_READ_H

#include <stdint.h>

#include "read/document.h"
#include "read/native.h"
#include "read/text.h"
#include "simulate/scenario.h"

typedef struct ziScenarioReader {
    zvScenario *scenario;
    ziReading reading; /* for the zi_map_ functions: no builder, the error below */
    zvError *error;    /* never NULL */
    const zvNode *root;
    ziArena scratch; /* ends with the reading */
    uint64_t hash;   /* of everything read so far */
    zvWork *work;
    zvTaskWork *task_work; /* made when it is needed first */
    /* of the model: labels as in the tables of the command; coordinate of each freedom in q, or -1; joint of each */
    const char *const *q_labels, *const *v_labels;
    const char *const *q_units, *const *v_units; /* of q, and of the positions that v moves */
    int *coordinates, *owners;
    bool *q_given, *v_given; /* (nq), (nv) positions and velocities that initial.q and initial.v give */
    /* (nv) whose initial position or velocity is given by name: what closes the loops must not move it */
    unsigned char *q_held, *v_held;
    bool assemble;                    /* the initial state is moved until its loops are closed */
    bool passive[3];                  /* springs, damping, friction of the model count */
    double smoothing;                 /* of friction, unless a joint says otherwise */
    unsigned char *geared;            /* (nv) freedoms of which the scenario tells the gear */
    unsigned char *skip;              /* (nv) freedoms whose own springs, dampers and friction are
                                         replaced; + 2 by a spring, + 4 by a damper that is told */
    unsigned char *stops, *saturates; /* (nv) limits: stop; effort: saturate */
    const char **robot_changes;       /* the scenario's model_changes, while they are gathered */
} ziScenarioReader;

#define ZI_KEYS(keys) (keys), sizeof(keys) / sizeof *(keys)

/* Changes the document as the command line says; those of the model's file are kept for its reader. Keeps them as text
 * too, for the notes of the recording. */
zvStatus zi_scenario_change(ziScenarioReader *reader, zvDocument *document, int count, const char *const *changes);
/* Adds what the model's key `parameters` gives the file. */
zvStatus zi_scenario_give_parameters(ziScenarioReader *reader, const ziNamedMap *model);

/* Sections, in the order in which they are read. -------------------------------------------------------- */

zvStatus zi_scenario_model_section(ziScenarioReader *reader, const ziNamedMap *root);
zvStatus zi_scenario_initial(ziScenarioReader *reader, const ziNamedMap *root);
/* Of that section: whether it is the word equilibrium, which takes the place of its map, and the key equilibrium. */
bool zi_scenario_at_rest(ziScenarioReader *reader, const ziNamedMap *root);
zvStatus zi_scenario_rest(ziScenarioReader *reader, const ziNamedMap *initial);
zvStatus zi_scenario_cases(ziScenarioReader *reader, const ziNamedMap *root);
zvStatus zi_scenario_joints(ziScenarioReader *reader, const ziNamedMap *root);
zvStatus zi_scenario_drive_list(ziScenarioReader *reader, const ziNamedMap *root);
/* Moves the initial state until its loops are closed: once what initial says is known, as well as it goes, and, last,
 * when motions are known too. */
zvStatus zi_scenario_assemble(ziScenarioReader *reader, const ziNamedMap *root, bool last);
/* How loops are kept closed; after the integrator. */
zvStatus zi_scenario_loops(ziScenarioReader *reader, const ziNamedMap *root);
/* Which loops are open at first, of the section "initial"; before anything is closed. */
zvStatus zi_scenario_open_loops(ziScenarioReader *reader, const ziNamedMap *initial);
/* What a motion leads begins with the rate of its law: refuses an initial.v that gives another, at the law's place. A
 * list of all velocities beside closed loops is a guess. */
zvStatus zi_scenario_begin_rate(ziScenarioReader *reader, int dof, double rate, zvMark mark);
/* Refuses prescribed motions that jump. */
zvStatus zi_scenario_continuity(ziScenarioReader *reader, const ziNamedMap *root);
zvStatus zi_scenario_loads(ziScenarioReader *reader, const ziNamedMap *root);
zvStatus zi_scenario_springs(ziScenarioReader *reader, const ziNamedMap *root);
zvStatus zi_scenario_bushings(ziScenarioReader *reader, const ziNamedMap *root);
zvStatus zi_scenario_motors(ziScenarioReader *reader, const ziNamedMap *root);
zvStatus zi_scenario_integrator(ziScenarioReader *reader, const ziNamedMap *root);
/* The key forward of the integrator, and what iteration: mass needs; when drives and loads are known. */
zvStatus zi_scenario_forward(ziScenarioReader *reader, const ziNamedMap *integrator);
zvStatus zi_scenario_events(ziScenarioReader *reader, const ziNamedMap *root);
/* passive, read with the model, since it decides what of the model counts. */
zvStatus zi_scenario_passive(ziScenarioReader *reader, const ziNamedMap *root);
/* Damping of assembled modes, when the initial position is known. */
zvStatus zi_scenario_modal_damping(ziScenarioReader *reader, const ziNamedMap *root);
/* limits and effort, of all joints and of single ones; before the drives. */
zvStatus zi_scenario_limits(ziScenarioReader *reader, const ziNamedMap *root);

/* Shared by sections. ----------------------------------------------------------------------------------- */

zvStatus zi_scenario_no_memory(ziScenarioReader *reader);
/* Room that ends with the reading; NULL with the error set. */
void *zi_scenario_scratch(ziScenarioReader *reader, size_t count, size_t size);
/* Gives a failure that knows no place, such as one of a constructor, the place of a node and says what it is about. */
zvStatus zi_scenario_blame(ziScenarioReader *reader, const ziNamedMap *element, const zvNode *node, zvStatus status);
/* Loads the file that the text of a node names, seen from the scenario file, and reckons it into the fingerprint. */
zvStatus zi_scenario_load(ziScenarioReader *reader, const zvNode *node, const char *what, const char **path,
                          ziSource *source);
/* path of an input as seen from the scenario file, kept in the arena and noted; NULL when out of memory. */
const char *zi_scenario_beside(ziScenarioReader *reader, const char *path);

/* Fails with NUMBER at the value of a key: "kp of drive "hold": expected EXPECTED, found -3; REMEDY"; remedy NULL:
 * none. */
zvStatus zi_scenario_bad_number(ziScenarioReader *reader, const ziNamedMap *element, const char *key, double value,
                                const char *expected, const char *remedy);
/* A number that must be positive, or not negative; left alone when the key is absent. */
zvStatus zi_scenario_positive(ziScenarioReader *reader, const ziNamedMap *element, const char *key, double *value);
zvStatus zi_scenario_not_negative(ziScenarioReader *reader, const ziNamedMap *element, const char *key, double *value);
/* A rate of joints that is not negative; rad/s may be written in deg. */
zvStatus zi_scenario_rate(ziScenarioReader *reader, const ziNamedMap *element, const char *key, double *value);

/* Names. ------------------------------------------------------------------------------------------------ */

typedef struct ziFreedoms {
    int count;
    int *dofs; /* indices into v, in the scratch arena */
} ziFreedoms;

/* Labels, coordinates and joints of the freedoms of the model. */
zvStatus zi_scenario_label(ziScenarioReader *reader);
/* Freedoms called by one name: those of a joint, or one of them by its label. what is what the name belongs to. */
zvStatus zi_scenario_freedom(ziScenarioReader *reader, const char *name, zvMark mark, const char *what,
                             ziFreedoms *freedoms);
/* The keys joint and joints of an element. optional: neither means all. */
zvStatus zi_scenario_freedoms(ziScenarioReader *reader, const ziNamedMap *element, bool optional, ziFreedoms *freedoms);
/* Greatest forces (count) of freedoms whose effort saturates, so that controllers know of it; left alone when none
 * does. */
zvStatus zi_scenario_saturation(ziScenarioReader *reader, const ziFreedoms *freedoms, const double **limit);
/* The effort limits (count) of the joints in the model, infinite where one has none; refused when none has one. */
zvStatus zi_scenario_model_limit(ziScenarioReader *reader, const ziNamedMap *element, const ziFreedoms *freedoms,
                                 const double **limit);
/* Refuses freedoms without a coordinate of their own: those of quaternions. */
zvStatus zi_scenario_need_positions(ziScenarioReader *reader, const ziNamedMap *element, const ziFreedoms *freedoms);
zvStatus zi_scenario_frame(ziScenarioReader *reader, const ziNamedMap *element, const char *key, int *frame);
zvStatus zi_scenario_loop(ziScenarioReader *reader, const char *name, zvMark mark, int *loop);
/* Fails: no NAME of this kind; suggests the nearest of count names. */
zvStatus zi_scenario_unknown(ziScenarioReader *reader, zvMark mark, const char *kind, const char *name,
                             const char *const *names, int count);
/* Names that users give in a list of this kind must differ, so that accounts can be told apart. */
zvStatus zi_scenario_distinct(ziScenarioReader *reader, const zvNode *list, const char *kind);
/* A position that only degrees or millimetres explain is refused. */
zvStatus zi_scenario_check_position(ziScenarioReader *reader, const zvNode *node, int dof, double value);
/* A channel by its text "word", "word frame"; entry: a "." and the label of an entry may follow, *label is where it
 * begins, or NULL. */
zvStatus zi_scenario_channel(ziScenarioReader *reader, const zvNode *node, bool entry, ziChannelSpec *spec,
                             const char **label);
/* Names with commas between them, as far as they fit. */
const char *zi_scenario_names(const char *const *names, int count, char *buffer, size_t size);

/* Laws. ------------------------------------------------------------------------------------------------- */

/* What a law is wanted for. */
typedef struct ziLawPlace {
    const char *kind, *name;    /* "reference of drive", "hold" */
    int width;                  /* entries */
    const double *from;         /* where motions begin when the law does not say, or NULL */
    const ziFreedoms *freedoms; /* joints: entries are called by their labels, or NULL */
    bool positions;             /* of the freedoms: checked, and lines and arcs of frames are allowed */
    bool motion;                /* positions of the freedoms, if only in part, or without freedoms an angle */
    bool strict;                /* a constant needs all its numbers: one does not stand for all */
} ziLawPlace;

/* A law of exactly the width wanted. */
zvLaw *zi_scenario_law(ziScenarioReader *reader, const zvNode *node, const ziLawPlace *place);
/* width numbers under a key; spread: one number may stand for all. Left alone when the key is absent. */
zvStatus zi_scenario_vector(ziScenarioReader *reader, const ziNamedMap *element, const char *key,
                            const ziLawPlace *place, bool spread, double *values);

/* One law being read: a map with its type. */
typedef struct ziLawText {
    ziScenarioReader *reader;
    ziNamedMap element;
    const ziLawPlace *place;
    int depth; /* laws around it */
} ziLawText;

zvLaw *zi_scenario_law_nested(ziScenarioReader *reader, const zvNode *node, const ziLawPlace *place, int depth);
zvStatus zi_scenario_law_need(const ziLawText *law, const char *key, const char *advice);
zvStatus zi_scenario_law_rows(const ziLawText *law, const char *key, int least, int *count, double **values);
zvStatus zi_scenario_law_times(const ziLawText *law, int *count, double **times);

/* One kind of law, of the tables in scenario_law_*.c. */
typedef struct ziLawKind {
    const char *word;
    zvLaw *(*make)(const ziLawText *law);
    const char *keys[10]; /* besides type */
} ziLawKind;

enum { ZI_CURVE_LAWS = 10, ZI_TABLE_LAWS = 5, ZI_PATH_LAWS = 2 };
extern const ziLawKind zi_curve_laws[ZI_CURVE_LAWS]; /* constant ... exponential */
extern const ziLawKind zi_table_laws[ZI_TABLE_LAWS]; /* spline, table, csv, sequence, sum */
extern const ziLawKind zi_path_laws[ZI_PATH_LAWS];   /* line, arc: joints so that a frame follows a route */

/* Routes. ----------------------------------------------------------------------------------------------- */

/* The directions under the key task: full, xyz, rot or a list; all six when it is absent. */
zvStatus zi_scenario_task_rows(ziScenarioReader *reader, const ziNamedMap *element, unsigned *rows);
/* A route from the pose of a frame in the initial position, from *start to *end: the time it takes, or the whole run
 * when a progress law is given. The element has the keys of a line or an arc, which is checked. */
zvRoute *zi_scenario_route(ziScenarioReader *reader, const ziNamedMap *element, bool is_arc, int frame, double *start,
                           double *end);
/* A law from 0 to 1 by one of the profiles, counted in this order. */
#define ZI_PROFILES "cubic", "quintic", "septic", "cycloidal", "trapezoidal"
zvLaw *zi_scenario_profile(ziScenarioReader *reader, int profile, double start, double duration);
/* The key progress, a law, or duration with profile and start. */
zvLaw *zi_scenario_progress(ziScenarioReader *reader, const ziNamedMap *element, double *start, double *end);
/* A motion of a free or a ball joint: the keys position and orientation of a drive. */
zvStatus zi_scenario_pose_motion(ziScenarioReader *reader, const ziNamedMap *element, const char *name,
                                 const ziFreedoms *freedoms);
/* A drive of a sum of coordinates (scenario_tendon.c). */
zvStatus zi_scenario_tendon(ziScenarioReader *reader, const ziNamedMap *element, const char *name,
                            const ziFreedoms *freedoms);
/* Keys of routes, besides type. */
#define ZI_PROGRESS_KEYS "duration", "profile", "start", "progress"
#define ZI_LINE_KEYS "to", ZI_PROGRESS_KEYS
#define ZI_ARC_KEYS "center", "axis", "angle", "turn", ZI_PROGRESS_KEYS

#endif
