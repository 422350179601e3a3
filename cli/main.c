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

/* The table of verbs. */

const Verb *const verbs[] = {&verb_info,  &verb_check, &verb_inverse, &verb_forward,  &verb_mixed,   &verb_mass,
                             &verb_terms, &verb_frame, &verb_modes,   &verb_assemble, &verb_reduce,  &verb_simulate,
                             &verb_show,  &verb_plot,  &verb_report,  &verb_view,     &verb_convert, &verb_codegen,
                             &verb_count, &verb_agree, &verb_bench,   &verb_help,     NULL};

enum { VERB_COUNT = sizeof verbs / sizeof verbs[0] - 1 };

const Verb *verb_find(const char *name) {
    for (int i = 0; i < VERB_COUNT; i++)
        if (!strcmp(verbs[i]->name, name)) return verbs[i];
    return NULL;
}

Code verb_unknown(const char *name) {
    const char *names[VERB_COUNT];
    for (int i = 0; i < VERB_COUNT; i++) names[i] = verbs[i]->name;
    return complain_unknown(CODE_USAGE, "verb", name, names, VERB_COUNT);
}

/* Help texts: the overview, a page per verb, and the conventions both end with. */

static const char conventions[] =
    "Conventions\n"
    "  units       SI and radians; Z up; gravity (0, 0, -9.81) m/s^2 unless the file says otherwise\n"
    "  6-vectors   linear part first, angular part second\n"
    "  quaternion  x, y, z, w\n"
    "  free joint  q = position and quaternion; v = linear and angular velocity in the body's axes\n"
    "  spherical   q = quaternion; v = angular velocity in the body's axes\n"
    "  others      cylindrical: displacement, angle; planar: x, y, angle; universal: two angles; helical: angle\n"
    "  order       joints depth-first from the root, children in file order: zveno info shows it\n"
    "  matrices    lists of rows\n";

static const char states[] =
    "State (--state FILE, JSON or YAML)\n"
    "  One map, or a list of maps; the output has the same shape. All keys may be missing.\n"
    "  q      nq numbers, neutral when missing           v, a, tau  nv numbers each, zero when missing\n"
    "  fext   {link or frame: [fx, fy, fz, mx, my, mz]}  force and moment about its origin, world axes, N and N m\n"
    "  given  nv words, tau | a | locked                 what \"zveno mixed\" takes as known; all tau when missing\n"
    "  Numbers may be written pi/2, -3*pi/4 or 30 deg.\n";

static const char codes[] = "Exit codes\n"
                            "  0 done   1 the input is wrong   2 wrong usage   3 numerical failure   130 interrupted\n"
                            "Results go to standard output, errors and warnings to standard error.\n";

void help_usage(Text *out) {
    text_puts(out, "usage: zveno VERB MODEL [options]\n");
    for (const Verb *const *verb = verbs; *verb; verb++)
        text_printf(out, "  %-8s  %s\n", (*verb)->name, (*verb)->summary);
    text_puts(out, "zveno help VERB tells more; zveno --version tells the version.\n");
}

void help_overview(Text *out) {
    text_printf(out, "zveno %s: dynamics of manipulators\n\n", zv_version());
    help_usage(out);
    text_puts(
        out,
        "\nMODEL is a URDF file or a native (YAML) robot file; - is standard input. zveno simulate takes a\n"
        "scenario, zveno plot and report a recording (.h5 or .csv); info, convert and view take several kinds.\n\n");
    text_printf(out, "%s\n%s\n%s", states, conventions, codes);
}

void help_verb(const Verb *verb, Text *out) {
    text_printf(out, "zveno %s: %s\n\nusage: zveno %s %s\n\n", verb->name, verb->summary, verb->name, verb->form);
    if (verb->help) text_printf(out, "%s\n", verb->help);
    text_puts(out, "Options\n");
    args_describe(verb->options, out);
    text_puts(out, "\n");
    if (verb->more) {
        verb->more(out);
        text_puts(out, "\n");
    }
    const bool takes_state = verb->options & OPTION_STATE;
    if (takes_state) text_printf(out, "%s\n", states);
    if (takes_state || verb->coordinates) text_printf(out, "%s\n", conventions);
    text_puts(out, codes);
}

static Code run_help(const Args *args, Text *out) {
    if (!args->operand) {
        help_overview(out);
        return CODE_DONE;
    }
    const Verb *verb = verb_find(args->operand);
    if (!verb) return verb_unknown(args->operand);
    help_verb(verb, out);
    return CODE_DONE;
}

const Verb verb_help = {
    .name = "help",
    .run = run_help,
    .options = OPTION_HELP,
    .form = "[VERB]",
    .summary = "explain a verb, or all in brief",
    .help = "Example\n  zveno help inverse\n",
};
