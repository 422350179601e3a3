/* zveno: finds the verb, reads the words after it, runs it and writes what it answered. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "verb.h"
#include "zveno/version.h"

static Code run_verb(const Verb *verb, int count, char *const *words, Text *out) {
    Args args;
    const Code code = args_read(verb->name, verb->options, count, words, &args);
    if (code != CODE_DONE) return code;
    if (args.given & OPTION_HELP) {
        help_verb(verb, out);
        return CODE_DONE;
    }
    if ((verb->needs_model || verb->file) && !args.operand)
        return complain(CODE_USAGE, "the %s is missing: zveno %s %s", verb->file ? verb->file : "model file",
                        verb->name, verb->form);
    if (args.operand && args.state && !strcmp(args.operand, "-") && !strcmp(args.state, "-"))
        return complain(CODE_USAGE, "the model and the state cannot both come from standard input");
    return verb->run(&args, out);
}

static Code run(int count, char *const *words, Text *out) {
    if (count < 2) {
        Text usage = {0};
        help_usage(&usage);
        text_write(&usage, stderr);
        text_free(&usage);
        return CODE_USAGE;
    }
    const char *name = words[1];
    if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
        text_printf(out, "zveno %s (kernels: %s)\n", zv_version(), zv_isa_name());
        return CODE_DONE;
    }
    if (!strcmp(name, "--help") || !strcmp(name, "-h")) name = "help";
    const Verb *verb = verb_find(name);
    if (verb) return run_verb(verb, count - 2, words + 2, out);
    if (name[0] == '-')
        return complain(CODE_USAGE, "\"%s\" stands before the verb; options follow it: zveno VERB MODEL %s", name,
                        name);
    return verb_unknown(name);
}

/* Everything at once, and closed, so that a full disk or a closed pipe is noticed. */
static Code deliver(const Text *out, Code code) {
    if (out->failed) return complain_memory();
    if (!out->size) return code;
    errno = 0;
    const bool written = text_write(out, stdout);
    const bool closed = !fclose(stdout);
    if (written && closed) return code;
    return complain(CODE_INPUT, "the result could not be written: %s", errno ? strerror(errno) : "unknown reason");
}

/* A file that is opened must not get the number of a stream that was closed (2>&-): messages would go into it. What
 * takes the place fails as a closed stream does: it cannot be read as standard input, nor written to as the others. */
static void hold_streams(void) {
    for (int i = 0; i <= 2; i++) {
        if (fcntl(i, F_GETFD) < 0 && open("/dev/null", i == 0 ? O_WRONLY : O_RDONLY) < 0) return;
    }
}

/* Ends without the farewells of shared libraries: that of OpenBLAS joins threads which, on a busy machine, may not
 * come. Sanitized builds say good-bye, for they look for leaks then. */
static int leave(Code code) {
#ifndef ZV_SANITIZED
    fflush(NULL);
    _exit(code);
#endif
    return code;
}

int main(int count, char **words) {
    hold_streams();
#ifdef SIGPIPE
    signal(SIGPIPE, SIG_IGN); /* a closed pipe then is a failed write, with a message */
#endif
#ifdef SIGXFSZ
    signal(SIGXFSZ, SIG_IGN); /* and so is a limit of the size of files */
#endif
    Text out = {0};
    const Code answer = run(count, words, &out);
    const Code code = deliver(&out, answer);
    text_free(&out);
    return leave(code);
}
