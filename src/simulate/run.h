/* One run of a scenario: its warnings, its pieces, and how far it is. */
#ifndef ZI_SIMULATE_RUN_H
#define ZI_SIMULATE_RUN_H

#include "simulate/event_set.h"
#include "simulate/system.h"

/* Beams that are bent beyond what their functions can describe: docs/elastic.md, section 9. */

/* A section of a beam that is looked at: its tip, or where a joint or a frame sits. */
typedef struct ziBendSection {
    int q, n;        /* the link's coordinates in y */
    const double *d; /* n x 3: displacement per unit of each, in lengths of the beam */
    const double *r; /* n x 3: rotation, rad */
    bool tip;
} ziBendSection;

typedef struct ziBend {
    int count;
    ziBendSection *sections;
    double shift, turn; /* largest displacement of a tip over its length, largest rotation of a section, seen so far */
} ziBend;

/* Lays its arrays into the system's arena; false when out of memory. */
bool zi_bend_create(ziBend *bend, ziSystem *system);
void zi_bend_look(ziBend *bend, const double *y);
/* A sentence when a beam was bent too far, else NULL. The text is constant. */
const char *zi_bend_advice(const ziBend *bend);

/* Elastic links that bend without stiffening (beams where it is off, modal data) and spin fast enough to need it:
 * docs/elastic.md (E.14). */

typedef struct ziSpin {
    int count; /* such links */
    int *links;
    double *frequency; /* first of the clamped link, rad/s */
    double *axes;      /* count x 3: unit vectors along the beams, link frames; zero for modal data */
    zvPose *poses;     /* nlink */
    double *rates;     /* nlink x 6 */
    double worst;      /* largest ratio of spin to frequency seen */
} ziSpin;

/* Lays its arrays into the system's arena; false when out of memory. */
bool zi_spin_create(ziSpin *spin, ziSystem *system);
/* At the state shown in the system. */
void zi_spin_look(ziSpin *spin, ziSystem *system);
/* A sentence when stiffening is missing, else NULL. The text is constant. */
const char *zi_spin_advice(const ziSpin *spin);

/* limits.c: limits of the model's joints, and how far they were passed. */

enum { ZI_LIMIT_KINDS = ZV_LIMIT_EFFORT + 1 };

typedef struct ziLimitPass {
    double first, t, value, limit; /* times of the first and of the furthest passing; what was found there */
    double excess;                 /* 0: it was not passed */
} ziLimitPass;

typedef struct ziLimit {
    int joint, part;      /* whose numbers these are */
    int dof, coordinate;  /* the coordinate that moves it: index into v, and into q or -1 */
    double ratio, offset; /* of a coupled follower; else 1 and 0 */
    bool follows;
    double own; /* limit of its drives themselves, where it is below that of the model; INFINITY: none */
    ziLimitPass passes[ZI_LIMIT_KINDS];
} ziLimit;

typedef struct ziLimits {
    int count;
    ziLimit *list;
    bool efforts, solves; /* forces of drives are looked at; the dynamics must be solved for them */
} ziLimits;

/* Lays its arrays into the system's arena; false when out of memory. */
bool zi_limits_create(ziLimits *limits, ziSystem *system);

/* One run of a scenario: the pieces, and where it stands. */

enum { ZI_EVENT_RECORDS_KEPT = 10000 }; /* in memory and checkpoints; the recording has all */

typedef struct ziRun {
    const zvScenario *scenario;
    zvRunOptions options;
    ziSystem *system;
    ziLedger ledger;
    ziSpin spin;
    ziBend bend;
    ziLimits limits;
    ziObserver observer;
    ziEventSet event_set;
    zvIntegrator *integrator;
    zvRecorder *recorder; /* NULL: nothing is recorded; without an output it keeps rows in memory */

    double t, end, *y, *inside, *row;
    double until;                    /* where the caller wants to look; INFINITY: at the end alone */
    double *before;                  /* (nv) velocities before a jump; NULL: no rotor has an axis */
    double next_sample, last_sample; /* numbers of rows start + k interval; whole */
    uint64_t rows;
    ziEventRecord *event_records;
    size_t event_record_count, event_record_capacity;
    double event_total;              /* all events, those not kept too */
    bool done;                       /* the end or an event that stops was reached */
    bool condemned;                  /* it was, but its energy is wrong */
    int stopped_by;                  /* event, or -1 */
    bool existed;                    /* an output of that name stood there before the run */
    bool beside;                     /* so this run, when interrupted, wrote OUT.partial.h5 */
    zvIntegrationStatistics earlier; /* of the processes before this one */
    double *memory;                  /* what its integrator remembered; NULL: there was none */
    size_t memory_count;

    double resumed_at;
    double began, told, saved; /* wall clock: start, last progress, last checkpoint */
    double asked;              /* when progress or row said stop; 0: they did not */
    bool at_event;             /* the last step ended in one, without a jump */
    double short_step;         /* the next one, to end it without an event; 0: as long as it likes */
    long creeping;             /* steps in a row that are next to nothing of the duration */
} ziRun;

double zi_wall_clock(void); /* s */
/* functions.c: gives the efforts the functions of the program; all of them must be there, and no others. */
zvStatus zi_run_bind(ziRun *run, zvError *error);
/* When a function of the program has stopped the run: true, and *status and the text tell of it. */
bool zi_run_is_stopped(const ziRun *run, zvStatus *status, zvError *error);

/* Opens everything but recorder and integrator. */
zvStatus zi_run_create(ziRun *run, const zvScenario *scenario, const zvRunOptions *options, zvError *error);
void zi_run_free(ziRun *run);
/* From the start of the scenario, or from a checkpoint. */
zvStatus zi_run_begin(ziRun *run, zvError *error);
zvStatus zi_run_resume(ziRun *run, zvError *error);
/* Creates the integrator and starts it at (t, y). */
zvStatus zi_run_engage(ziRun *run, zvError *error);
/* Channels of the recording, laid into the system's arena; count is that of the scenario and one. */
zvStatus zi_run_channels(ziRun *run, zvChannel **channels, zvError *error);
/* Tells the caller of them (zvRunOptions.begin). */
void zi_run_announce(const ziRun *run, const zvChannel *channels);
/* To the end or an event that stops (done), to `until`, or until progress says stop (ZV_INTERRUPTED). */
zvStatus zi_run_march(ziRun *run, zvError *error);
/* After a change of y or of forces from outside: modes, stops and loops as they are then, and a new start. */
zvStatus zi_run_start_anew(ziRun *run, zvError *error);
/* Functions bound, then from the start or from a checkpoint, as the options say; the status and text of a function that
 * stopped it. */
zvStatus zi_run_open(ziRun *run, zvError *error);
/* What a status of marching means to the caller: who stopped it, or why it failed. */
zvStatus zi_run_explain(ziRun *run, zvStatus status, zvError *error);
/* Summary and recording of what went on until now; status is that of the run. */
zvStatus zi_run_complete(ziRun *run, zvStatus status, zvRunSummary **summary, zvError *error);
zvStatus zi_run_record(ziRun *run, double t, const double *y, zvError *error);
/* Brings all rows to the disk and then what the run is. */
zvStatus zi_run_checkpoint(ziRun *run, zvError *error);
/* Refuses an output that is a file the scenario was read from. */
zvStatus zi_run_spare_inputs(const ziRun *run, zvError *error);
/* Refuses to replace what an earlier run of the same scenario left to be resumed. */
zvStatus zi_run_spare(const ziRun *run, zvError *error);
zvIntegrationStatistics zi_run_total(const ziRun *run); /* of all processes */

/* limits.c: at the state shown in the system; how many were passed; all of them, with texts in the arena. */
void zi_limits_look(ziRun *run);
int zi_limits_passed(const ziRun *run);
bool zi_limits_list(const ziRun *run, ziArena *arena, zvLimitPass *list);

/* judge.c: whether the numbers of the run can be believed. */

/* The largest gap of the ledger over the energy it is measured by; NaN without a ledger. */
double zi_judge_error(const ziRun *run);
zvEnergyJudgement zi_judge_energy(const ziRun *run);
/* What is wrong with the energy and what to do, in buffer. */
const char *zi_judge_words(const ziRun *run, char *buffer, size_t size);
/* After a step: fails when the state is not finite or the motion has run away. */
zvStatus zi_run_watch(const ziRun *run, zvError *error);
/* At the end: fails when the energy is wrong and that is not accepted. */
zvStatus zi_run_judge(ziRun *run, zvError *error);

/* summary.c, notes.c: NULL when out of memory. failure is the text of a failure, or NULL. */
zvRunSummary *zi_run_summarize(const ziRun *run, zvStatus status, const char *failure);
/* Takes the recorder over, copies the notes; destroys the recorder when out of memory. */
zvStatus zi_run_summary_keep(zvRunSummary *summary, zvRecorder *recorder, int count, const zvNote *notes);
/* What the run keeps in memory becomes the summary's. */
zvStatus zi_run_keep(ziRun *run, zvRunSummary *summary, zvError *error);
zvStatus zi_run_summary_output(zvRunSummary *summary, const char *path);
/* Writes the recording to path. */
zvStatus zi_run_finish(ziRun *run, const zvRunSummary *summary, const char *path, zvError *error);

/* Whether the loops cannot be closed a little later than the last step, at one of the first `looks` of three times
 * ahead of it. Steps that choose their length creep up to the end of a machine's reach, where velocities grow without
 * bound, and never try what lies behind it. */
bool zi_run_out_of_reach(ziRun *run, int looks, zvError *why);

#endif
