/* zveno: the verbs that need nothing but a robot, and no library but those that read one. Everything else is handed to
 * zveno-full, which loads some sixty libraries more: a question about a state takes a millisecond, loading them twenty
 * (docs/cli.md, "Two programs"). */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parameters.h"
#include "recordings.h"
#include "verb.h"
#include "zveno/version.h"

const Verb *const verbs[] = {&verb_info,    &verb_check, &verb_inverse,  &verb_forward, &verb_mixed,   &verb_mass,
                             &verb_terms,   &verb_frame, &verb_assemble, &verb_reduce,  &verb_convert, &verb_generate,
                             &verb_codegen, &verb_count, &verb_agree,    NULL};

const OptionSet options_elsewhere = OPTION_PLOT; /* draws with cairo */

/* Recordings need HDF5. */
Code recording_info(const Args *args, Text *out) {
    (void)args, (void)out;
    return CODE_ELSEWHERE;
}

Code recording_convert(const Args *args, Text *out) {
    (void)args, (void)out;
    return CODE_ELSEWHERE;
}

Code parameters_of_scenario(const Args *args, Text *out) {
    (void)args, (void)out;
    return CODE_ELSEWHERE;
}

/* The folder of this program; false when the system does not tell. */
static bool program_folder(char *folder, size_t size) {
    const ssize_t length = readlink("/proc/self/exe", folder, size);
    if (length <= 0 || (size_t)length >= size) return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash) *slash = '\0';
    return slash != NULL;
}

/* This program is started by users. */
Code check_starter(void) { return CODE_DONE; }

/* Becomes zveno-full, which lies in a folder near this program's, built or installed; neither PATH nor the current
 * folder has a say in which one it is. It is told the version of this program, to compare it with its own. */
Code verb_elsewhere(int count, char *const *words) {
    static const char *const places[] = {ZV_FULL_FOLDER, "libexec/zveno"};
    char program[4096], full[4352] = "";
    (void)count;
    if (!program_folder(program, sizeof program))
        return complain(CODE_INPUT, "expected the path of this program at /proc/self/exe, found none");
    if (setenv(STARTER_VERSION, zv_version(), 1)) return complain_memory();
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(full, sizeof full, "%s/%s/zveno-full", program, places[i]);
        execv(full, words);
        if (errno != ENOENT && errno != ENOTDIR) break;
    }
    return complain(CODE_INPUT, "expected the larger part of the command at %s, found: %s", full, strerror(errno));
}
