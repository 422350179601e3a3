/* Drives of a scenario whose force is a function of the program: which function it is in a run, and when one stops it.
 */
#include <string.h>

#include "simulate/run.h"

/* The drives of type function, for error texts. */
static const char *list_drives(const zvDrives *drives, char *text, size_t size) {
    text[0] = '\0';
    for (int i = 0; i < zv_drives_nfunction(drives); i++) {
        if (i > 0) strncat(text, ", ", size - strlen(text) - 1);
        strncat(text, zv_drives_function(drives, i).name, size - strlen(text) - 1);
    }
    return text;
}

/* Every function that is given belongs to a drive. */
static zvStatus check_given(const ziRun *r, zvError *error) {
    const zvDrives *drives = r->system->drives;
    char names[256];
    for (int k = 0; k < r->options.function_count; k++) {
        const char *drive = r->options.functions[k].drive;
        bool known = false;
        for (int i = 0; i < zv_drives_nfunction(drives); i++)
            known |= strcmp(zv_drives_function(drives, i).name, drive) == 0;
        if (known) continue;
        if (zv_drives_nfunction(drives) == 0)
            return zv_fail(error, ZV_NAME, (zvMark){0}, drive,
                           "functions of the run: expected none, since the scenario has no drive of type function, "
                           "found one for \"%.60s\"; add {type: function, name: ...} to its drives",
                           drive);
        return zv_fail(error, ZV_NAME, (zvMark){0}, drive,
                       "functions of the run: expected one of the drives of type function: %s, found \"%.60s\"",
                       list_drives(drives, names, sizeof names), drive);
    }
    return ZV_OK;
}

/* Every drive of type function has one. */
zvStatus zi_run_bind(ziRun *r, zvError *error) {
    const zvDrives *drives = r->system->drives;
    const zvStatus status = check_given(r, error);
    for (int i = 0; i < zv_drives_nfunction(drives) && status >= 0; i++) {
        const char *name = zv_drives_function(drives, i).name;
        const zvRunFunction *given = NULL;
        for (int k = 0; k < r->options.function_count; k++)
            if (strcmp(r->options.functions[k].drive, name) == 0) given = &r->options.functions[k];
        if (!given || !given->function)
            return zv_fail(error, ZV_SCHEMA, (zvMark){0}, name,
                           "drive \"%.60s\": expected a function of the program that runs the scenario, found none; "
                           "give it in C by zvRunOptions.functions, in Python by zveno.simulate(..., drives=...)",
                           name);
        zv_efforts_set_function(r->system->efforts, i, given->function, given->context);
    }
    return status;
}

/* The time is that of the evaluation, which lies ahead of the last step. */
bool zi_run_is_stopped(const ziRun *r, zvStatus *status, zvError *error) {
    const ziSystem *s = r->system;
    const zvStatus stopped = s->efforts->stopped;
    if (stopped == ZV_OK) return false;
    const double t = s->trouble < 0 && s->trouble_t > r->t ? s->trouble_t : r->t;
    const char *name = zv_drives_function(s->drives, s->efforts->stopped_by).name;
    *status = stopped;
    if (stopped == ZV_INTERRUPTED) return true;
    zv_fail(error, stopped, (zvMark){0}, name, "drive \"%.60s\" stopped the run at t = %.9g s: %s", name, t,
            stopped == ZV_NUMBER ? "its force is not finite" : zv_status_sentence(stopped));
    return true;
}
