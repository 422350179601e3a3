/* One run of a scenario: the pieces, and where it stands. */
#ifndef ZV_SIMULATE_RUN_H
#define ZV_SIMULATE_RUN_H

#include "simulate/bend.h"
#include "simulate/spin.h"
#include "simulate/triggers.h"

enum { ZV_OCCURRENCES_KEPT = 10000 }; /* in memory and checkpoints; the recording has all */

typedef struct zvRun {
    const zvScenario *scenario;
    zvRunOptions options;
    zvSystem *system;
    zvLedger ledger;
    zvSpin spin;
    zvBend bend;
    zvObserver observer;
    zvTriggers triggers;
    zvIntegrator *integrator;
    zvRecorder *recorder; /* NULL: nothing is recorded */

    double t, end, *y, *inside, *row;
    double next_sample, last_sample; /* numbers of rows start + k interval; whole */
    uint64_t rows;
    zvOccurrence *occurrences;
    size_t occurrence_count, occurrence_room;
    double happened;                 /* all occurrences */
    bool done;                       /* the end or an event that stops was reached */
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
} zvRun;

double zv_wall_clock(void); /* s */
/* Opens everything but recorder and integrator. */
zvStatus zv_run_create(zvRun *run, const zvScenario *scenario, const zvRunOptions *options, zvError *error);
void zv_run_free(zvRun *run);
/* From the start of the scenario, or from a checkpoint. */
zvStatus zv_run_begin(zvRun *run, zvError *error);
zvStatus zv_run_resume(zvRun *run, zvError *error);
/* Creates the integrator and starts it at (t, y). */
zvStatus zv_run_engage(zvRun *run, zvError *error);
/* Channels of the recording, laid into the system's arena; count is that of the scenario and one. */
zvStatus zv_run_channels(zvRun *run, zvChannel **channels, zvError *error);
/* Tells the caller of them (zvRunOptions.begin). */
void zv_run_announce(const zvRun *run, const zvChannel *channels);
/* To the end, an event that stops (done), or until progress says stop (ZV_INTERRUPTED). */
zvStatus zv_run_march(zvRun *run, zvError *error);
zvStatus zv_run_record(zvRun *run, double t, const double *y, zvError *error);
/* Brings all rows to the disk and then what the run is. */
zvStatus zv_run_checkpoint(zvRun *run, zvError *error);
/* Refuses an output that is a file the scenario was read from (spare.c). */
zvStatus zv_run_spare_inputs(const zvRun *run, zvError *error);
/* Refuses to replace what an earlier run of the same scenario left to be resumed. */
zvStatus zv_run_spare(const zvRun *run, zvError *error);
zvIntegrationStatistics zv_run_total(const zvRun *run); /* of all processes */

/* summary.c: NULL when out of memory. failure is the text of a failure, or NULL. */
zvRunSummary *zv_run_summarize(const zvRun *run, zvStatus status, const char *failure);
zvStatus zv_run_summary_output(zvRunSummary *summary, const char *path);
/* notes.c: writes the recording to path. */
zvStatus zv_run_finish(zvRun *run, const zvRunSummary *summary, const char *path, zvError *error);

#endif
