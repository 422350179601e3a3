/* Files that are written by one run only and replaced in one step. */
#ifndef ZI_RECORD_OUTPUT_H
#define ZI_RECORD_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zveno/status.h"

/* Says why a file could not be "created", "written" or "read" (errno) and what to do. */
zvStatus zi_output_fail(zvError *error, const char *path, int reason, const char *what);

/* Moves a descriptor above those of the standard streams, which a program may have closed and still uses; -1 stays -1.
 */
int zi_descriptor_raise(int file);
/* Whether there is something to read, or an end of it, within so many milliseconds, however many signals come. */
bool zi_descriptor_wait(int file, int patience);
/* Opens a file that a run of ours has left: regular, of this user, with one name; a link is not followed. flags as of
 * open, without O_CREAT. -1 with errno, EEXIST when it is anything else. */
int zi_open_own(const char *path, int flags);
/* The same for one writer: the advisory lock on it ends when it is closed or the process dies. -1 with errno,
 * EWOULDBLOCK when another writer has it. */
int zi_open_locked(const char *path);
/* Makes a new, empty file for one writer, its mode by mode and the umask; one that a killed run of ours left is removed
 * first. -1 with errno: EWOULDBLOCK, EEXIST as above. */
int zi_create_locked(const char *path, unsigned mode);
/* path with an ending; NULL when out of memory. */
char *zi_path_with(const char *path, const char *ending);
/* Writes at offset, or at the file's own position when offset is negative. Returns how much; short means errno. */
size_t zi_write_all(int file, const void *bytes, size_t size, int64_t offset);

/* A file PATH.partial that takes the name PATH when it is complete and on the disk. A link keeps pointing at the file
 * that is replaced. What is no regular file (a pipe, a device) is written to directly. */
typedef struct ziOutput {
    const char *path; /* as the user wrote it */
    char *target, *partial;
    int file;
    int reason; /* errno, when it could not be opened */
    bool direct;
} ziOutput;

zvStatus zi_output_open(ziOutput *output, const char *path, zvError *error);
/* Ends the output: puts it in place when status is no failure, else removes what was written of it. */
zvStatus zi_output_close(ziOutput *output, zvStatus status, zvError *error);
/* Whether path could be replaced, told before a long run. */
zvStatus zi_output_check(const char *path, zvError *error);

#endif
