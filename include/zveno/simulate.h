/* Application. Simulation: a scenario file in, a recording out (docs/scenarios.md).
 *
 * A scenario is a value: read, checked, constant ever after. A run turns it into a system f(t, y) with
 * y = (q, v, z, work of each account), steps an integrator through it, locates events and fills a recording. */
#ifndef ZVENO_SIMULATE_H
#define ZVENO_SIMULATE_H

#include "zveno/actuate.h"
#include "zveno/integrate.h"
#include "zveno/read.h"
#include "zveno/record.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct zvScenario zvScenario;

/* changes is (change_count) texts "key.path=value", applied before checking: "integrator.rtol=1e-6",
 * "drives.0.kp=[10, 5]". path "-" is standard input. */
zvStatus zv_scenario_read_file(const char *path, int change_count, const char *const *changes, zvScenario **scenario,
                               zvError *error);
/* name stands in error texts; files are looked up beside it. */
zvStatus zv_scenario_read_memory(const char *name, const char *bytes, size_t size, int change_count,
                                 const char *const *changes, zvScenario **scenario, zvError *error);
void zv_scenario_destroy(zvScenario *scenario); /* NULL is let pass */

/* Writes the scenario of an MJCF file: its actuators as drives with the constant inputs of a keyframe (`key`, NULL: the
 * first one, or none), the keyframe as initial state, gravcomp as loads. `model` is how the scenario names the file,
 * seen from where it will lie. What has no counterpart is told to `lost`, which may be NULL. */
zvStatus zv_scenario_of_mjcf(const char *path, const char *model, const char *key, zvTextSink sink, void *context,
                             zvLossSink lost, void *lost_context, zvError *error);

/* What it says. Pointers hold as long as the scenario. */
const char *zv_scenario_title(const zvScenario *scenario);
const zvModel *zv_scenario_model(const zvScenario *scenario);
const zvDrives *zv_scenario_drives(const zvScenario *scenario);
double zv_scenario_start(const zvScenario *scenario);           /* s */
double zv_scenario_duration(const zvScenario *scenario);        /* s */
const char *zv_scenario_method(const zvScenario *scenario);     /* of integration */
const char *zv_scenario_output(const zvScenario *scenario);     /* file named in the scenario, or NULL */
const char *zv_scenario_model_text(const zvScenario *scenario); /* the model as a native file */
/* The absolute path of the file of its robot; NULL: it is written in place. */
const char *zv_scenario_model_file(const zvScenario *scenario);
/* What is changed in that file, by the scenario and from outside: count texts "path=value". */
const char *const *zv_scenario_model_changes(const zvScenario *scenario, int *count);
/* The same for the same scenario, model, laws and changes: 16 hexadecimal digits. */
const char *zv_scenario_fingerprint(const zvScenario *scenario);

/* A load case (key cases): changes under which the scenario is to be read anew. */
typedef struct zvLoadCase {
    const char *name;
    int count;
    const char *const *changes; /* (count) "key.path=value" */
} zvLoadCase;
/* How many load cases it has, and one of them, in the order of the file. */
int zv_scenario_ncase(const zvScenario *scenario);
zvLoadCase zv_scenario_case(const zvScenario *scenario, int index);

typedef struct zvProgress {
    double t, start, end; /* simulated, s */
    double step;          /* last, s */
    double elapsed;       /* wall clock since the run (or its resumption) began, s */
    double resumed_at;    /* simulated time at which this process took over */
    uint64_t rows;
    long steps;
    const char *advice; /* mostly NULL; after many steps what zv_integrator_advice says */
} zvProgress;

/* A drive of type function of the scenario, by its name, and the function that it is in this run. */
typedef struct zvRunFunction {
    const char *drive;
    zvDriveFunction function;
    void *context;
} zvRunFunction;

typedef struct zvRunOptions {
    const char *output;       /* recording, .h5 or .csv; NULL: none */
    bool resume;              /* go on from OUT.checkpoint */
    bool restart;             /* begin anew; else a checkpoint of this scenario that could be resumed is refused */
    double checkpoint;        /* wall-clock seconds between checkpoints; 0: the scenario's (default 5) */
    const char *command;      /* kept in the recording; may be NULL */
    bool accept_energy_error; /* a run whose energy is wrong (ZV_ENERGY_WRONG) ends with a warning */
    /* Called at the start, at the end and in between; false: stop. May be NULL. */
    bool (*progress)(void *context, const zvProgress *progress);
    double progress_interval; /* wall-clock seconds between calls; 0: 0.1 */
    /* The recording while it grows, with an output or without one; may be NULL. begin is called once, before the first
     * row: channels (channel_count) are those of the recording, time first, and stay until zv_simulate returns. row is
     * called for each row, in order, with all channels side by side; false: stop, as with progress (a few rows may
     * follow until a step has ended). A run that is resumed does not show the rows from before the checkpoint again. */
    void (*begin)(void *context, int channel_count, const zvChannel *channels);
    bool (*row)(void *context, const double *row);
    void *context; /* of all these callbacks */
    /* (function_count) for all drives of type function, on whose clock and thread they are called. */
    int function_count;
    const zvRunFunction *functions;
    bool keep; /* without an output: the recording stays in memory, with the summary (zv_run_kept, zv_run_write) */
} zvRunOptions;

/* One row of the energy ledger at the end of a run, J. */
typedef struct zvLedgerRow {
    const char *name;
    double amount; /* work since the start, or change of a store */
    bool is_store; /* kinetic, potential, springs, rotors */
} zvLedgerRow;

typedef enum zvLimitKind { ZV_LIMIT_POSITION, ZV_LIMIT_VELOCITY, ZV_LIMIT_EFFORT } zvLimitKind;

const char *zv_limit_kind_word(zvLimitKind kind); /* "position" */

/* A limit of a joint that was passed, as seen after steps: where it was passed furthest. Units of the joint. */
typedef struct zvLimitPass {
    const char *joint; /* "elbow", "wrist.angle2" */
    zvLimitKind kind;
    double limit, value; /* value: position, velocity, or the sum of the forces that drives asked for */
    double excess;       /* beyond the limit, positive */
    double first, t;     /* s: when it was passed first, and furthest */
    bool saturated;      /* effort: drives gave no more than the limit */
    const char *text;    /* a sentence */
} zvLimitPass;

typedef struct zvRunSummary zvRunSummary;

/* Whether the energy ledger closes: its largest gap during the run over the energy that was in the system (kinetic, and
 * what other stores held above their least) or was exchanged as work, whichever is more. */
typedef enum zvEnergyJudgement {
    ZV_ENERGY_NOT_JUDGED, /* the scenario keeps no ledger */
    ZV_ENERGY_BALANCED,
    ZV_ENERGY_DOUBTFUL, /* above 1e-3: zv_run_warning says what to do */
    ZV_ENERGY_WRONG     /* above 0.1, or not finite */
} zvEnergyJudgement;

const char *zv_energy_judgement_word(zvEnergyJudgement judgement); /* "balanced" */

/* Runs a scenario; options may be NULL. ZV_INTERRUPTED when progress or row said stop: the recording is valid, ends
 * there, and can be resumed. After a numerical failure (ZV_NO_CONVERGENCE and the like) the rows so far are written as
 * well. So it is of a run that came to its end (zv_run_is_over) with wrong energy (ZV_ENERGY_WRONG): ZV_NO_CONVERGENCE,
 * or whose loops moved on from a singular position where nothing told how: ZV_SINGULAR; unless that is accepted. A
 * recording that ends early does not
 * replace a file that was there before the run: it goes to "OUT.partial.h5" (or .csv) and zv_run_output tells. After a
 * failure to write the spool stays for a resumption. *summary (summary may be NULL) is to be destroyed when it is not
 * NULL, whatever the status: it is NULL when the run did not get under way.
 */
zvStatus zv_simulate(const zvScenario *scenario, const zvRunOptions *options, zvRunSummary **summary, zvError *error);

/* A run that the caller advances, looks at and changes in between. The scenario must live longer; one thread at a time
 * uses it. */
typedef struct zvSimulation zvSimulation;

/* Begins, or goes on from a checkpoint; options are those of zv_simulate and may be NULL. A drive of type function for
 * which they have none takes the forces of zv_simulation_push. *simulation is NULL after a failure. */
zvStatus zv_simulation_create(const zvScenario *scenario, const zvRunOptions *options, zvSimulation **simulation,
                              zvError *error);
void zv_simulation_destroy(zvSimulation *simulation); /* NULL is let pass */
/* To t (s; INFINITY: the end), the end of the scenario, or an event that stops. The last step ends at t; steps of fixed
 * length go on on their grid, so that a run in pieces that end on it has the bits of one in whole. A t that has passed
 * changes nothing. ZV_INTERRUPTED: progress or row said stop; it may be advanced again. After a failure it does not go
 * on: whatever is asked of it says the same. */
zvStatus zv_simulation_advance(zvSimulation *simulation, double t, zvError *error);
/* It came to the end or to an event that stops, or failed, or is finished. */
bool zv_simulation_is_over(const zvSimulation *simulation);
double zv_simulation_time(const zvSimulation *simulation); /* s */
/* q (nq), v (nv) and the states of the drives (zv_drives_nstate) there, laws imposed, loops closed; each may be NULL.
 */
void zv_simulation_state(zvSimulation *simulation, double *q, double *v, double *states);
/* Goes on from these, finite numbers each; NULL: as it stands. Quaternions are normalised, joints that follow laws keep
 * to them, loops are closed; what that brings into the energy counts as that of impacts. After a failure (loops that
 * cannot be closed, a limit that is passed) the state is as before. */
zvStatus zv_simulation_set_state(zvSimulation *simulation, const double *q, const double *v, const double *states,
                                 zvError *error);
/* The force (zvDriveOwn.count, finite) of a drive of type function without a function, from now on; of one with an
 * interval, from its next sample on. At the start it is zero. drive NULL: the first such drive. */
zvStatus zv_simulation_push(zvSimulation *simulation, const char *drive, const double *force, zvError *error);
/* Channels of the scenario's recording, time first, and the row of all of them side by side at the state that is there.
 */
int zv_simulation_channels(const zvSimulation *simulation);
const zvChannel *zv_simulation_channel(const zvSimulation *simulation, int channel);
zvStatus zv_simulation_row(zvSimulation *simulation, double *row, zvError *error);
/* What the run has come to until now; *summary is to be destroyed. */
zvStatus zv_simulation_summary(zvSimulation *simulation, zvRunSummary **summary, zvError *error);
/* Ends it as zv_simulate ends a run: the recording is written or goes to the summary, energies are judged. One that is
 * not over ends where it is, without a failure. */
zvStatus zv_simulation_finish(zvSimulation *simulation, zvRunSummary **summary, zvError *error);

void zv_run_summary_destroy(zvRunSummary *summary); /* NULL is let pass */
/* The rows of a run that kept them (zvRunOptions.keep; zv_recorder_rows), else NULL. */
const zvRecorder *zv_run_kept(const zvRunSummary *summary);
/* Writes what it kept as a recording, as it would have been written at the end of the run. */
zvStatus zv_run_write(const zvRunSummary *summary, const char *path, zvError *error);
double zv_run_time(const zvRunSummary *summary);            /* simulated time reached, s */
const double *zv_run_position(const zvRunSummary *summary); /* q (nq) there */
const double *zv_run_velocity(const zvRunSummary *summary); /* v (nv) there */
double zv_run_elapsed(const zvRunSummary *summary);         /* wall clock, s */
uint64_t zv_run_rows(const zvRunSummary *summary);          /* recorded, or shown (zvRunOptions.row) */
const char *zv_run_output(const zvRunSummary *summary);     /* file written, or NULL */
/* "end of duration", "event \"touch\"", "interrupted", or the text of a failure */
const char *zv_run_ending(const zvRunSummary *summary);
/* It came to the end of its duration or to an event that stops it, also when its energy is wrong. */
bool zv_run_is_over(const zvRunSummary *summary);
zvIntegrationStatistics zv_run_statistics(const zvRunSummary *summary);
/* Methods that auto ran, the first from the start on: how many in all, and how many of them are kept (the first, and
 * the last in the last place); of other methods none. */
long zv_run_changes(const zvRunSummary *summary, int *kept);
zvMethodChange zv_run_change(const zvRunSummary *summary, int change);
const char *zv_run_methods(const zvRunSummary *summary); /* the same in words, or NULL */
const char *zv_run_advice(const zvRunSummary *summary);  /* or NULL */
/* Located events and mode changes; of more than ten thousand only the first, the recording has all. */
int zv_run_events(const zvRunSummary *summary);
zvEvent zv_run_event(const zvRunSummary *summary, int event);
int zv_run_ledger_rows(const zvRunSummary *summary);
zvLedgerRow zv_run_ledger_row(const zvRunSummary *summary, int row);
/* sum of changes of stores - sum of works, which should be zero, and what is exchanged in all: the work of each account
 * summed from step to step without its sign (the integral of |power| but for steps in which the power changes sign),
 * and the largest change of each store; J. NaN when the scenario keeps no ledger. */
double zv_run_ledger_gap(const zvRunSummary *summary);
double zv_run_energy_exchanged(const zvRunSummary *summary);
zvEnergyJudgement zv_run_energy_judgement(const zvRunSummary *summary);
/* What is judged: the largest gap and what it is measured by, J; NaN when the scenario keeps no ledger. */
double zv_run_largest_gap(const zvRunSummary *summary);
double zv_run_energy_reference(const zvRunSummary *summary);
/* Limits of the model's joints that were passed; those that saturation kept are among them. */
int zv_run_limits(const zvRunSummary *summary);
zvLimitPass zv_run_limit(const zvRunSummary *summary, int limit);
/* What the user of the numbers must know, a sentence each with its remedy; none when all is well. */
int zv_run_warnings(const zvRunSummary *summary);
const char *zv_run_warning(const zvRunSummary *summary, int warning);
/* Closed loops: the largest residuals (zv_loop_residual) of the states looked at after steps, NaN without loops; and
 * what they leave free at the end, freedoms and redundant -1 when the model is too large to tell. */
double zv_run_loop_gap(const zvRunSummary *summary);
double zv_run_loop_rate(const zvRunSummary *summary);
zvLoopMobility zv_run_mobility(const zvRunSummary *summary);
/* Whether a loop is closed at the end; events may close and open loops. */
bool zv_run_loop_is_closed(const zvRunSummary *summary, int loop);
/* One line per fact: the text kept as note "statistics" in the recording. */
const char *zv_run_text(const zvRunSummary *summary);

/* Equilibrium of everything that a scenario says: its robot with elastic links and closed loops, weight, springs,
 * loads, flexible joints, controllers and their integrals. Laws are taken at one time. Friction is left out: what
 * sticks rests anywhere within a band about the answer. Needs LAPACK. ------------------------------------------- */

typedef struct zvRestOptions {
    double t;                  /* of laws and loads, s; NAN: the start of the scenario */
    const unsigned char *held; /* (nv): 1 = held where the guess has it, besides what follows a law; NULL: nothing */
    const double *q;           /* (nq) first guess; NULL: the initial position of the scenario */
    /* (nv): steady motion of what is held or follows a law, as of an arm that spins; NULL: that of the laws at t. All
     * else is at rest. */
    const double *v;
    int steps; /* equal parts in which the forces missing at the guess are applied; 0: at once, or as many as it takes
                */
} zvRestOptions;

/* t NAN, everything else as the scenario says. */
zvRestOptions zv_rest_default(void);

/* By the eigenvalues of the tangent stiffness on the motions that loops and what is held leave; integrals of
 * controllers stay what they are. */
typedef enum zvStability {
    ZV_STABILITY_STABLE,
    ZV_STABILITY_INDIFFERENT, /* a motion that no force answers */
    ZV_STABILITY_UNSTABLE,
    ZV_STABILITY_FLUTTER, /* complex: the forces have no potential and feed an oscillation, unless damping forbids it */
    ZV_STABILITY_FIXED    /* nothing can move */
} zvStability;

const char *zv_stability_word(zvStability stability); /* "stable" */

typedef struct zvEquilibrium zvEquilibrium;

/* ZV_SINGULAR: nothing holds a part of the robot; ZV_NO_CONVERGENCE: there is no equilibrium near the guess, or the
 * motion is not steady; ZV_CLOSURE: the loops do not close. *equilibrium is to be destroyed. */
zvStatus zv_scenario_equilibrium(const zvScenario *scenario, const zvRestOptions *options, zvEquilibrium **equilibrium,
                                 zvError *error);
void zv_equilibrium_destroy(zvEquilibrium *equilibrium); /* NULL is let pass */

const double *zv_equilibrium_position(const zvEquilibrium *equilibrium); /* q (nq) */
const double *zv_equilibrium_velocity(const zvEquilibrium *equilibrium); /* v (nv): zero but for a steady motion */
const double *zv_equilibrium_states(const zvEquilibrium *equilibrium);   /* z (zv_drives_nstate) */
/* (nv) whole force in each joint; and the part that holds what is held or follows a law, beyond drives and springs. */
const double *zv_equilibrium_tau(const zvEquilibrium *equilibrium);
const double *zv_equilibrium_holding(const zvEquilibrium *equilibrium);
const double *zv_equilibrium_multipliers(const zvEquilibrium *equilibrium); /* (zv_model_nloop_rows) of the loops */
double zv_equilibrium_residual(const zvEquilibrium *equilibrium);     /* largest force left, of those involved there */
double zv_equilibrium_acceleration(const zvEquilibrium *equilibrium); /* largest that is left, rad/s^2 or m/s^2 */
int zv_equilibrium_steps(const zvEquilibrium *equilibrium);           /* parts in which the forces were applied */
zvStability zv_equilibrium_stability(const zvEquilibrium *equilibrium);
/* The eigenvalues of the tangent stiffness beside the mass matrix, rad^2/s^2, ascending (of complex ones the real
 * part), and the motion (nv) of the softest, its largest entry 1; NULL when nothing can move. */
int zv_equilibrium_freedoms(const zvEquilibrium *equilibrium);
const double *zv_equilibrium_squares(const zvEquilibrium *equilibrium);
const double *zv_equilibrium_softest(const zvEquilibrium *equilibrium);
/* Friction at rest: degree of freedom `dof` stays where it is anywhere between q + band[0] and q + band[1], by the
 * tangent at the equilibrium, others free of friction; zero without stick-slip friction, infinite where nothing else
 * holds it. */
void zv_equilibrium_band(const zvEquilibrium *equilibrium, int dof, double band[2]);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
