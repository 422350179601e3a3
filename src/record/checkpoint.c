/* Checkpoints: a small file, replaced in one step, with a sum at its end.
 *
 *   "zvcheck\n", u32 version, u32 byte order, u64 bytes, rows and events of the spool that count, u64 length of the
 *   fingerprint, fingerprint, u64 count, count f64, u64 checksum of all that */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/require.h"
#include "record/channels.h"
#include "record/output.h"
#include "zveno/record.h"

enum { VERSION = 1, BYTE_ORDER_MARK = 0x01020304, MAGIC_SIZE = 8, SUM_SIZE = 8 };
static const char MAGIC[MAGIC_SIZE + 1] = "zvcheck\n";

/* Replaced in one step: a kill leaves the old one or the new one. */
zvStatus zv_checkpoint_write(const char *path, const char *fingerprint, zvSpoolMark mark, size_t count,
                             const double *values, zvError *error) {
    ZI_REQUIRE(path && (values || !count));
    ziBytes bytes = {0};
    zi_bytes_add(&bytes, MAGIC, MAGIC_SIZE);
    zi_bytes_add_u32(&bytes, VERSION);
    zi_bytes_add_u32(&bytes, BYTE_ORDER_MARK);
    zi_bytes_add_u64(&bytes, mark.bytes);
    zi_bytes_add_u64(&bytes, mark.rows);
    zi_bytes_add_u64(&bytes, mark.events);
    zi_bytes_add_text(&bytes, fingerprint ? fingerprint : "");
    zi_bytes_add_u64(&bytes, count);
    zi_bytes_add(&bytes, values, count * sizeof *values);
    if (!bytes.failed) zi_bytes_add_u64(&bytes, zi_checksum(bytes.data, bytes.size));
    char *name = zi_path_with(path, ".checkpoint");
    zvStatus status = name && !bytes.failed ? zv_output_write(name, bytes.data, bytes.size, error)
                                            : zi_output_fail(error, path, ENOMEM, "written");
    free(name);
    zi_bytes_free(&bytes);
    return status;
}

/* Reading ----------------------------------------------------------------------------------------------- */

static zvStatus load_open(int file, const char *path, ziBytes *bytes, zvError *error) {
    unsigned char chunk[4096];
    for (;;) {
        ssize_t got = read(file, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return zi_output_fail(error, path, errno, "read");
        if (got == 0) break;
        zi_bytes_add(bytes, chunk, (size_t)got);
    }
    return bytes->failed ? zi_output_fail(error, path, ENOMEM, "read") : ZV_OK;
}

/* The whole file, which is small. */
static zvStatus load(const char *path, ziBytes *bytes, zvError *error) {
    int file = zi_open_own(path, O_RDONLY);
    if (file < 0 && errno == ENOENT)
        return zv_fail(error, ZV_IO, (zvMark){path, 0, 0}, path,
                       "expected a checkpoint of an earlier run, found none; start from the beginning");
    if (file < 0) return zi_output_fail(error, path, errno, "read");
    zvStatus status = load_open(file, path, bytes, error);
    close(file);
    return status;
}

/* The sum at the end covers all before it. */
static zvStatus check_whole(const char *path, const ziBytes *bytes, zvError *error) {
    uint64_t sum = 0;
    bool whole = bytes->size >= MAGIC_SIZE + 8 + SUM_SIZE && memcmp(bytes->data, MAGIC, MAGIC_SIZE) == 0;
    if (whole) memcpy(&sum, bytes->data + bytes->size - SUM_SIZE, SUM_SIZE);
    if (!whole || sum != zi_checksum(bytes->data, bytes->size - SUM_SIZE))
        return zv_fail(
            error, ZV_SYNTAX, (zvMark){path, 0, 0}, path,
            "expected a whole checkpoint, found a damaged one (its sum is wrong); remove it and start from the "
            "beginning");
    uint32_t kind[2];
    memcpy(kind, bytes->data + MAGIC_SIZE, sizeof kind);
    if (kind[0] != VERSION || kind[1] != BYTE_ORDER_MARK)
        return zv_fail(error, ZV_SYNTAX, (zvMark){path, 0, 0}, path,
                       "expected a checkpoint of this version and machine, found another; start from the beginning");
    return ZV_OK;
}

static zvStatus check_fingerprint(const char *path, const unsigned char *text, uint64_t size, const char *wanted,
                                  zvError *error) {
    if (!text || (size == strlen(wanted) && memcmp(text, wanted, (size_t)size) == 0)) return ZV_OK;
    return zv_fail(
        error, ZV_SCHEMA, (zvMark){path, 0, 0}, path,
        "expected the checkpoint of this run, found that of another: scenario, model or settings have changed "
        "since; undo the changes, or start from the beginning");
}

/* Spool mark and values of a checkpoint, whose sizes must agree; one of another scenario is refused by its fingerprint.
 */
static zvStatus decode(const char *path, const ziBytes *bytes, const char *fingerprint, zvSpoolMark *mark,
                       size_t *count, double **values, zvError *error) {
    ziByteReader reader = {bytes->data + MAGIC_SIZE + 8, bytes->size - MAGIC_SIZE - 8 - SUM_SIZE, false};
    zvSpoolMark counted;
    counted.bytes = zi_take_u64(&reader);
    counted.rows = zi_take_u64(&reader);
    counted.events = zi_take_u64(&reader);
    uint64_t length = zi_take_u64(&reader);
    const unsigned char *text = zi_take(&reader, length);
    zvStatus status = check_fingerprint(path, text, length, fingerprint ? fingerprint : "", error);
    if (status < 0) return status;
    uint64_t number = zi_take_u64(&reader);
    if (reader.failed || reader.left % sizeof **values != 0 || number != reader.left / sizeof **values)
        return zv_fail(
            error, ZV_SYNTAX, (zvMark){path, 0, 0}, path,
            "expected a whole checkpoint, found a damaged one (its sizes disagree); remove it and start from the "
            "beginning");
    double *copy = malloc(reader.left ? reader.left : 1);
    if (!copy) return zi_output_fail(error, path, ENOMEM, "read");
    memcpy(copy, reader.at, reader.left);
    *mark = counted;
    *count = (size_t)number;
    *values = copy;
    return ZV_OK;
}

/* Values are the caller's to free; NULL on failure. */
zvStatus zv_checkpoint_read(const char *path, const char *fingerprint, zvSpoolMark *mark, size_t *count,
                            double **values, zvError *error) {
    ZI_REQUIRE(path && mark && count && values);
    *values = NULL;
    *count = 0;
    ziBytes bytes = {0};
    char *name = zi_path_with(path, ".checkpoint");
    zvStatus status = name ? load(name, &bytes, error) : zi_output_fail(error, path, ENOMEM, "read");
    if (status >= 0) status = check_whole(name, &bytes, error);
    if (status >= 0) status = decode(name, &bytes, fingerprint, mark, count, values, error);
    free(name);
    zi_bytes_free(&bytes);
    return status;
}
