/* Help texts: the overview, a page per verb, and the conventions both end with. */
#include <stdio.h>

#include "verb.h"
#include "zveno/version.h"

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
