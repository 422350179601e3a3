/* One run of a scenario: the pieces, and where it stands. */
#ifndef ZI_SIMULATE_RUN_H
#define ZI_SIMULATE_RUN_H

#include "simulate/bend.h"
#include "simulate/event_set.h"
#include "simulate/spin.h"

enum { ZI_EVENT_RECORDS_KEPT = 10000 }; /* in memory and checkpoints; the recording has all */

typedef struct ziRun {
    const zvScenario *scenario;
    zvRunOptions options;
    ziSystem *system;
    ziLedger ledger;
    ziSpin spin;
    ziBend bend;
    ziObserver observer;
    ziEventSet event_set;
    zvIntegrator *integrator;
    zvRecorder *recorder; /* NULL: nothing is recorded */

    double t, end, *y, *inside, *row;
    double next_sample, last_sample; /* numbers of rows start + k interval; whole */
    uint64_t rows;
    ziEventRecord *event_records;
    size_t event_record_count, event_record_room;
    double happened;                 /* all event records */
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
} ziRun;

double zi_wall_clock(void); /* s */
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
/* To the end, an event that stops (done), or until progress says stop (ZV_INTERRUPTED). */
zvStatus zi_run_march(ziRun *run, zvError *error);
zvStatus zi_run_record(ziRun *run, double t, const double *y, zvError *error);
/* Brings all rows to the disk and then what the run is. */
zvStatus zi_run_checkpoint(ziRun *run, zvError *error);
/* Refuses an output that is a file the scenario was read from (spare.c). */
zvStatus zi_run_spare_inputs(const ziRun *run, zvError *error);
/* Refuses to replace what an earlier run of the same scenario left to be resumed. */
zvStatus zi_run_spare(const ziRun *run, zvError *error);
zvIntegrationStatistics zi_run_total(const ziRun *run); /* of all processes */

/* summary.c: NULL when out of memory. failure is the text of a failure, or NULL. */
zvRunSummary *zi_run_summarize(const ziRun *run, zvStatus status, const char *failure);
zvStatus zi_run_summary_output(zvRunSummary *summary, const char *path);
/* notes.c: writes the recording to path. */
zvStatus zi_run_finish(ziRun *run, const zvRunSummary *summary, const char *path, zvError *error);

#endif
