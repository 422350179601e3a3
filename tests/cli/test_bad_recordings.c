/* Recordings on which the HDF5 library itself fails or runs for ever, through the command: a message, exit 1, no
 * output, and no process that is left behind. The files are one of format 1, whose texts lie in the heap of HDF5, with
 * sizes of that heap changed: 1.10.8 copies as many bytes as they say, and does not get on where they are zero.
 * Libraries that find such damage themselves must end as well. */
#define _DEFAULT_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <sys/prctl.h>

#include "process.h"
#include "support/run_tests.h"

enum { MOST_BYTES = 1 << 16, TEXTS_HEAD = 16, OBJECT_HEAD = 16, SIZE_AT = 8 };

typedef struct OldRecording {
    unsigned char bytes[MOST_BYTES];
    size_t size, texts;
} OldRecording;

/* A recording of version 0.1; texts is where those begin. */
static void load_old(OldRecording *old) {
    FILE *file = fopen(ZV_SOURCE_DIR "/tests/record/format1.h5", "rb");
    assert_non_null(file);
    old->size = fread(old->bytes, 1, MOST_BYTES, file);
    fclose(file);
    assert_true(old->size > 4 && old->size < MOST_BYTES);
    for (old->texts = 0; memcmp(old->bytes + old->texts, "GCOL", 4) != 0; old->texts++)
        assert_true(old->texts + 4 < old->size);
}

static void put_bytes(const char *name, const OldRecording *old) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(old->bytes, 1, old->size, file), old->size);
    assert_int_equal(fclose(file), 0);
}

static bool without_hdf5(void) { return strcmp(ZV_RECORDING, ".h5") != 0; }

/* Objects of the heap lie one after the other at multiples of eight bytes, each with a head that has its size; that of
 * one in turn gets another byte. */
static void sizes_of_texts(void **state) {
    (void)state;
    if (without_hdf5()) skip();
    static OldRecording good, bad;
    load_old(&good);
    size_t at = good.texts + TEXTS_HEAD;
    for (int i = 0; i < (SANITIZED ? 4 : 12); i++) {
        uint64_t size = 0;
        memcpy(&size, good.bytes + at + SIZE_AT, sizeof size); /* little-endian, as the machine */
        if (size == 0 || size > good.size) break;
        bad = good;
        bad.bytes[at + SIZE_AT + 3 + (size_t)i % 3] = 0x80;
        put_bytes("bad.h5", &bad);
        const Transcript t = zveno(i % 2 ? "report bad.h5 -o out.html" : "convert bad.h5 -o out.csv");
        expect_failure(t, 1, "bad.h5: ");
        expect_part(t.err, "record again or take a copy");
        assert_false(has_file("out.csv") || has_file("out.html"));
        at += OBJECT_HEAD + (size_t)(size + 7) / 8 * 8;
    }
    assert_true(at > good.texts + TEXTS_HEAD + 3 * OBJECT_HEAD);
    put_bytes("good.h5", &good);
    expect_code(zveno("convert good.h5 -o good.csv"), 0);
}

/* The child of a process, or 0. */
static pid_t child_of(pid_t parent) {
    DIR *processes = opendir("/proc");
    pid_t found = 0;
    assert_non_null(processes);
    for (struct dirent *entry; !found && (entry = readdir(processes));) {
        char path[300], line[300] = "";
        if (!isdigit((unsigned char)entry->d_name[0])) continue;
        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        FILE *file = fopen(path, "r");
        if (!file) continue;
        const char *end = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL; /* ") STATE PARENT ..." */
        fclose(file);
        if (end && strlen(end) > 4 && strtol(end + 4, NULL, 10) == parent) found = (pid_t)atoi(entry->d_name);
    }
    closedir(processes);
    return found;
}

/* The library runs for ever in a process of its own. Who asked is killed while he waits; orphans come to this test. */
static void readers_end_with_those_who_asked(void **state) {
    (void)state;
    if (without_hdf5()) skip();
    static OldRecording old;
    load_old(&old);
    memset(old.bytes + old.texts + TEXTS_HEAD, 0, OBJECT_HEAD);
    put_bytes("endless.h5", &old);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    const pid_t asker = start_zveno((const char *const[]){"convert", "endless.h5", "-o", "endless.csv", NULL});
    pid_t reader = 0;
    int status = 0;
    while (!(reader = child_of(asker))) {
        if (waitpid(asker, &status, WNOHANG) == asker) { /* a library that refuses */
            assert_int_equal(WEXITSTATUS(status), 1);
            return;
        }
        sleep_for(0.01);
    }
    kill(asker, SIGKILL);
    wait_for(asker);
    const double begin = clock_now();
    while (waitpid(reader, &status, WNOHANG) == 0) {
        if (clock_now() - begin > PATIENCE) {
            kill(reader, SIGKILL);
            fail_msg("the reader goes on although nobody waits for it");
        }
        sleep_for(0.01);
    }
    assert_true(WIFEXITED(status));
}

TESTS_BETWEEN(make_folder, remove_folder, sizes_of_texts, readers_end_with_those_who_asked)
