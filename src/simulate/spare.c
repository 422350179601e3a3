/* A recording must not replace what the run is made of. */
#define _POSIX_C_SOURCE 200809L
#include <sys/stat.h>

#include "simulate/run.h"

static bool is_file(const struct stat *file, const char *path) {
    struct stat other;
    return path && stat(path, &other) == 0 && other.st_dev == file->st_dev && other.st_ino == file->st_ino;
}

zvStatus zi_run_spare_inputs(const ziRun *r, zvError *error) {
    const zvScenario *scenario = r->scenario;
    const char *output = r->options.output;
    struct stat there;
    if (!output || stat(output, &there) != 0) return ZV_OK;
    bool taken = is_file(&there, scenario->file);
    for (const ziInput *input = scenario->inputs; input; input = input->next) taken |= is_file(&there, input->path);
    if (!taken) return ZV_OK;
    return zv_fail(error, ZV_IO, (zvMark){output, 0, 0}, output,
                   "the recording would replace a file that this scenario is read from; choose another output");
}
