/* Chooses the form of a recording and writes it in one step. */
#define _POSIX_C_SOURCE 200809L
#include "record/form.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "record/output.h"

zvStatus zi_form_of(const char *path, ziForm *form, zvError *error) {
    const char *name = strrchr(path, '/');
    const char *dot = strrchr(name ? name : path, '.');
    zvMark mark = {path, 0, 0};
    *form = ZI_FORM_CSV;
    if (dot && strcasecmp(dot, ".csv") == 0) return ZV_OK;
    if (!dot || (strcasecmp(dot, ".h5") != 0 && strcasecmp(dot, ".hdf5") != 0))
        return zv_fail(error, ZV_NOT_SUPPORTED, mark, path,
                       "the ending of a recording's name tells its form; end it with .h5, .hdf5 or .csv");
    *form = ZI_FORM_HDF5;
#ifdef ZI_WITH_HDF5
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

zvStatus zi_form_check(const char *path, zvError *error) {
    ziForm form;
    zvStatus status = zi_form_of(path, &form, error);
    if (status >= 0) status = zi_output_check(path, error);
    if (status < 0 || form == ZI_FORM_CSV) return status;
    struct stat old;
    return stat(path, &old) == 0 && !S_ISREG(old.st_mode) ? fail_direct(path, error) : ZV_OK;
}

static zvStatus write_form(const ziFeed *feed, ziForm form, const ziOutput *output, zvError *error) {
    if (form == ZI_FORM_CSV) return zi_csv_write(feed, output->file, output->path, error);
#ifdef ZI_WITH_HDF5
    if (!output->direct) return zi_hdf5_write(feed, output->file, output->path, error);
#endif
    return fail_direct(output->path, error);
}

zvStatus zi_form_write(const ziFeed *feed, const char *path, zvError *error) {
    ziForm form;
    zvStatus status = zi_form_of(path, &form, error);
    if (status < 0) return status;
    ziOutput output;
    status = zi_output_open(&output, path, error);
    if (status < 0) return status;
    return zi_output_close(&output, write_form(feed, form, &output, error), error);
}
