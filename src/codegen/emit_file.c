#define _POSIX_C_SOURCE 200809L
#include "codegen/emit_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "record/output.h"

zvStatus zi_code_directory(const char *directory, zvError *error) {
    const zvMark mark = {directory, 0, 0};
    struct stat info;
    if (mkdir(directory, 0777) == 0) return ZV_OK;
    const int reason = errno;
    if (stat(directory, &info) != 0)
        return zv_fail(error, ZV_IO, mark, directory, "the directory could not be made: %s; check the path",
                       reason == ENOENT    ? "the one it would lie in does not exist"
                       : reason == EACCES  ? "no permission"
                       : reason == ENOTDIR ? "a file stands in the way"
                       : reason == EROFS   ? "the disk is read-only"
                                           : "the system refused");
    if (S_ISDIR(info.st_mode)) return ZV_OK;
    return zv_fail(error, ZV_IO, mark, directory, "this is a file, not a directory; name another place");
}

static zvStatus write_at(const ziCodeText *text, const char *path, zvError *error) {
    ziOutput output;
    zvStatus status = zi_output_open(&output, path, error);
    if (status < 0) return status;
    if (zi_write_all(output.file, text->bytes, text->size, -1) != text->size)
        status = zi_output_fail(error, path, errno, "written");
    return zi_output_close(&output, status, error);
}

zvStatus zi_code_file(const ziCodeText *text, const char *directory, const char *name, const char *ending,
                      zvGenerateSummary *summary, zvError *error) {
    char *file = summary->files[summary->file_count];
    const size_t room = sizeof summary->files[0], length = strlen(directory) + strlen(name) + strlen(ending) + 2;
    char *path = malloc(length);
    if (text->failed || !path) {
        free(path);
        return zv_fail(error, ZV_MEMORY, (zvMark){0}, name, "out of memory; generate fewer functions");
    }
    snprintf(path, length, "%s/%s%s", directory, name, ending);
    const zvStatus status = write_at(text, path, error);
    free(path);
    if (status < 0) return status;
    snprintf(file, room, "%s%s", name, ending);
    summary->file_count++;
    summary->bytes += (long long)text->size;
    return ZV_OK;
}
