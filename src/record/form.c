/* Chooses the form of a recording and writes it in one step. */
#define _POSIX_C_SOURCE 200809L
#include "record/form.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "record/output.h"

zvStatus zv_form_of(const char *path, zvForm *form, zvError *error) {
    const char *name = strrchr(path, '/');
    const char *dot = strrchr(name ? name : path, '.');
    zvMark mark = {path, 0, 0};
    *form = ZV_FORM_CSV;
    if (dot && strcasecmp(dot, ".csv") == 0) return ZV_OK;
    if (!dot || (strcasecmp(dot, ".h5") != 0 && strcasecmp(dot, ".hdf5") != 0))
        return zv_fail(error, ZV_NOT_SUPPORTED, mark, path,
                       "the ending of a recording's name tells its form; end it with .h5, .hdf5 or .csv");
    *form = ZV_FORM_HDF5;
#ifdef ZV_WITH_HDF5
    return ZV_OK;
#else
    return zv_fail(error, ZV_NOT_SUPPORTED, mark, path,
                   "this build cannot write HDF5; choose a name ending with .csv, or build with ZVENO_HDF5=ON");
#endif
}

static zvStatus fail_direct(const char *path, zvError *error) {
    return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){path, 0, 0}, path,
                   "HDF5 can be written to regular files only; choose another path, or CSV");
}

zvStatus zv_form_check(const char *path, zvError *error) {
    zvForm form;
    zvStatus status = zv_form_of(path, &form, error);
    if (status >= 0) status = zv_output_check(path, error);
    if (status < 0 || form == ZV_FORM_CSV) return status;
    struct stat old;
    return stat(path, &old) == 0 && !S_ISREG(old.st_mode) ? fail_direct(path, error) : ZV_OK;
}

static zvStatus write_form(const zvFeed *feed, zvForm form, const zvOutput *output, zvError *error) {
    if (form == ZV_FORM_CSV) return zv_csv_write(feed, output->file, output->path, error);
#ifdef ZV_WITH_HDF5
    if (!output->direct) return zv_hdf5_write(feed, output->file, output->path, error);
#endif
    return fail_direct(output->path, error);
}

zvStatus zv_form_write(const zvFeed *feed, const char *path, zvError *error) {
    zvForm form;
    zvStatus status = zv_form_of(path, &form, error);
    if (status < 0) return status;
    zvOutput output;
    status = zv_output_open(&output, path, error);
    if (status < 0) return status;
    return zv_output_close(&output, write_form(feed, form, &output, error), error);
}
