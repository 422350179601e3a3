/* The command: finds the verb, reads the words after it, runs it and writes what it answered. The same in both programs
 * it consists of (quick.c and full.c). */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "verb.h"
#include "zveno/version.h"

/* Reads the words after the verb and refuses what no verb could answer, so that verbs need not. */
static Code run_verb(const Verb *verb, int count, char *const *words, Text *out) {
    Args args;
    const Code code = args_read(verb->name, verb->options, count, words, &args);
    if (code != CODE_DONE) return code;
    if (args.given & OPTION_HELP) {
        help_verb(verb, out);
        return CODE_DONE;
    }
    if (args.given & options_elsewhere) return CODE_ELSEWHERE;
    if ((verb->needs_model || verb->file) && !args.operand)
        return complain(CODE_USAGE, "expected the %s, found none: zveno %s %s", verb->file ? verb->file : "model file",
                        verb->name, verb->form);
    if (args.operand && args.state && !strcmp(args.operand, "-") && !strcmp(args.state, "-"))
        return complain(CODE_USAGE, "expected the model or the state from standard input, found both");
    return verb->run(&args, out);
}

/* The answer of this program; when it is for the other one, that takes over and nothing comes back but a complaint. */
static Code run_command(int count, char *const *words, Text *out) {
    const char *name = count < 2 ? "" : words[1];
    if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
        text_printf(out, "zveno %s (kernels: %s)\n", zv_version(), zv_isa_name());
        return CODE_DONE;
    }
    if (!strcmp(name, "--help") || !strcmp(name, "-h")) name = "help";
    const Verb *verb = verb_find(name);
    const Code code = verb ? run_verb(verb, count - 2, words + 2, out) : CODE_ELSEWHERE;
    return code == CODE_ELSEWHERE ? verb_elsewhere(count, words) : code;
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

/* Ends without the destructors of shared libraries: that of OpenBLAS joins threads which, on a busy machine, may not
 * come. Sanitized builds and those that count what runs say good-bye, for they look for leaks and write counts then. */
static int leave(Code code) {
#if !defined ZV_SANITIZED && !defined ZI_COVERAGE
    fflush(NULL);
    _exit(code);
#endif
    return code;
}

/* Streams and signals first, so that whatever happens later ends in a message and an exit code. */
int main(int count, char **words) {
    hold_streams();
#ifdef SIGPIPE
    signal(SIGPIPE, SIG_IGN); /* a closed pipe then is a failed write, with a message */
#endif
#ifdef SIGXFSZ
    signal(SIGXFSZ, SIG_IGN); /* and so is a limit of the size of files */
#endif
    Text out = {0};
    const Code fits = check_starter();
    const Code answer = fits == CODE_DONE ? run_command(count, words, &out) : fits;
    const Code code = deliver(&out, answer);
    text_free(&out);
    return leave(code);
}

const Verb *verb_find(const char *name) {
    for (const Verb *const *verb = verbs; *verb; verb++)
        if (!strcmp((*verb)->name, name)) return *verb;
    return NULL;
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
    "  fext   {link or frame: [fx, fy, fz, mx, my, mz]}  force and moment about its origin, world axes, N and N m;\n"
    "         {link or frame: {axes: local, wrench: [...]}}   the same in its own axes\n"
    "  given  nv words, tau | a | locked                 what \"zveno mixed\" takes as known; all tau when missing\n"
    "  Numbers may be written pi/2 or -3*pi/4, angles and their rates also 30 deg.\n";

static const char codes[] = "Exit codes\n"
                            "  0 done   1 the input is wrong   2 wrong usage   3 numerical failure   130 interrupted\n"
                            "Results go to standard output, errors and warnings to standard error.\n";

void help_usage(Text *out) {
    text_puts(out, "usage: zveno VERB MODEL [options]\n");
    for (const Verb *const *verb = verbs; *verb; verb++)
        text_printf(out, "  %-8s  %s\n", (*verb)->name, (*verb)->summary);
    text_puts(out, "zveno help VERB tells more; zveno --version tells the version.\n");
}

/* What "zveno help" prints: all verbs in a line each, and what they have in common. */
void help_overview(Text *out) {
    text_printf(out, "zveno %s: dynamics of manipulators\n\n", zv_version());
    help_usage(out);
    text_puts(out,
              "\nMODEL is a robot file: native (YAML), URDF, xacro, MJCF or SDF; - is standard input. zveno simulate\n"
              "takes a scenario, zveno plot and report a recording (.h5 or .csv); info, convert and view take several "
              "kinds.\n\n");
    text_printf(out, "%s\n%s\n%s", states, conventions, codes);
}

/* Where a line of help goes on: below what stands behind the last gap of two blanks or more in its first half, as the
 * second column of a list does; else below its beginning, two further unless it stands in that column. */
static size_t hanging_indent(const char *line, size_t length) {
    const size_t start = strspn(line, " ");
    size_t indent = start < 20 ? start + 2 : start;
    for (size_t i = start; i + 2 < length && i < length / 2; i++)
        if (line[i] == ' ' && line[i + 1] == ' ' && line[i + 2] != ' ') indent = i + 2;
    return indent;
}

/* Breaks lines that are too long for a screen. Those a little longer than WIDTH stay: a word alone reads worse. */
static void put_broken(const char *text, Text *out) {
    enum { WIDTH = 100, BEARABLE = 108 };
    while (*text) {
        const size_t length = strcspn(text, "\n");
        const size_t indent = hanging_indent(text, length);
        const bool usage = strncmp(text, "usage: ", 7) == 0; /* options stay whole */
        size_t from = 0, room = WIDTH;
        while (length - from > room && length > BEARABLE) {
            size_t at = from + room;
            while (at > from && !(text[at] == ' ' && (!usage || text[at + 1] == '['))) at--;
            if (at == from) break;
            text_put(out, text + from, at - from);
            text_puts(out, "\n");
            text_repeat(out, " ", indent);
            from = at + strspn(text + at, " ");
            room = WIDTH - indent;
        }
        text_put(out, text + from, length - from);
        text += length;
        if (*text) text_puts(out, "\n"), text++;
    }
}

/* The page of a verb, lines as long as they are. */
static void put_verb(const Verb *verb, Text *out) {
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

/* What "zveno help VERB" and "zveno VERB --help" print. */
void help_verb(const Verb *verb, Text *out) {
    Text page = {0};
    put_verb(verb, &page);
    if (page.bytes) put_broken(page.bytes, out);
    out->failed |= page.failed;
    text_free(&page);
}
