/* zveno check: the physics linter. */
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "loops.h"
#include "robot.h"
#include "verb.h"
#include "verbs/check_mesh.h"
#include "verbs/sarif.h"
#include "zveno/check.h"
#include "zveno/dynamics.h"

/* Findings are written as they come. */
typedef struct Findings {
    Text *out;
    Json *json;       /* NULL: for people */
    Sarif *sarif;     /* for code hosts instead; NULL: not */
    const char *file; /* where findings stand that know no place */
    bool all;         /* none of them grouped */
    int count[ZV_SEVERITY_ERROR + 1];
    int fatal;
} Findings;

/* A finding with its place in the file and what to do, by keys. */
static void finding_json(Json *json, const zvFinding *f) {
    json_map(json, JSON_BLOCK);
    json_key(json, "severity"), json_text(json, zv_severity_word(f->severity));
    json_key(json, "fatal"), json_bool(json, f->fatal);
    json_key(json, "rule"), json_text(json, f->rule ? f->rule : "");
    json_key(json, "element"), json_text(json, f->element ? f->element : "");
    json_key(json, "why"), json_text(json, f->why ? f->why : "");
    json_key(json, "repair"), json_text(json, f->repair ? f->repair : "");
    json_key(json, "file"), json_text(json, f->mark.file ? f->mark.file : "");
    json_key(json, "line"), json_integer(json, f->mark.line);
    json_key(json, "column"), json_integer(json, f->mark.column);
    json_key(json, "token"), json_text(json, f->token ? f->token : "");
    json_key(json, "count"), json_integer(json, f->count);
    json_key(json, "others"), json_text(json, f->others ? f->others : "");
    json_end(json);
}

/* The first few of those that have the same; --all has the others. */
static void others_line(Text *out, const zvFinding *f) {
    enum { NAMED = 5 };
    if (f->count < 2) return;
    text_printf(out, "    and %d more", f->count - 1);
    const char *others = f->others ? f->others : "", *end = others;
    for (int i = 0; i < NAMED && end; i++) end = strstr(end + (i > 0), ", ");
    Text names = {0};
    text_put(&names, others, end ? (size_t)(end - others) : strlen(others));
    if (names.size) text_puts(out, ": "), text_name(out, names.bytes), text_puts(out, end ? ", ..." : "");
    text_puts(out, "\n");
    text_free(&names);
}

/* file:line:column: as compilers write, so that editors jump there. */
static void finding_line(Text *out, const zvFinding *f) {
    if (f->mark.file) text_name(out, f->mark.file), text_puts(out, ":");
    if (f->mark.line > 0) text_printf(out, "%d:", f->mark.line);
    if (f->mark.line > 0 && f->mark.column > 0) text_printf(out, "%d:", f->mark.column);
    if (f->mark.file || f->mark.line > 0) text_puts(out, " ");
    text_printf(out, "%s: ", zv_severity_word(f->severity));
    if (f->element && *f->element) text_name(out, f->element), text_puts(out, ": ");
    text_name(out, f->why ? f->why : "");
    if (f->rule) text_printf(out, " [%s]", f->rule);
    text_puts(out, "\n");
    others_line(out, f);
    if (f->repair && *f->repair) text_puts(out, "    "), text_name(out, f->repair), text_puts(out, "\n");
}

/* Counts and prints one finding. */
static bool take_finding(void *context, const zvFinding *finding) {
    Findings *findings = context;
    zvFinding placed = *finding;
    if (!placed.mark.file) placed.mark.file = findings->file;
    if (placed.count < 1) placed.count = 1;
    findings->count[finding->severity] += placed.count;
    findings->fatal += finding->fatal;
    if (findings->sarif) return sarif_result(findings->sarif, &placed);
    if (findings->json)
        finding_json(findings->json, &placed);
    else
        finding_line(findings->out, &placed);
    return true;
}

/* The reader stops at the first error, so that there may be more behind it; a file that is not there has no behind. */
static void put_repair(char *repair, size_t size, const char *advice, zvStatus status) {
    const bool stopped = status != ZV_IO && status != ZV_MEMORY;
    const size_t length = strlen(advice);
    if (!stopped)
        snprintf(repair, size, "%s", advice);
    else if (length && advice[length - 1] == '?')
        snprintf(repair, size, "%s Reading stopped here; mend this and run check again", advice);
    else
        snprintf(repair, size, "%s%sreading stopped here; mend this and run check again", advice, length ? "; " : "");
}

/* A file that cannot be read is a finding too. Error texts read "what is wrong; what to do". */
static void take_error(Findings *findings, const zvError *error) {
    char why[sizeof error->text], rule[32], repair[sizeof error->text + 64];
    snprintf(why, sizeof why, "%s", error->text);
    char *advice = strstr(why, "; ");
    if (advice) *advice = '\0', advice += 2;
    put_repair(repair, sizeof repair, advice ? advice : "", error->status);
    const char *name = zv_status_name(error->status) + strlen("ZV_");
    size_t length = 0;
    for (; name[length] && length + 1 < sizeof rule; length++) {
        const char c = name[length];
        rule[length] = c == '_' ? '-' : (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    rule[length] = '\0';
    const zvFinding finding = {.severity = ZV_SEVERITY_ERROR,
                               .fatal = true,
                               .status = error->status,
                               .rule = rule,
                               .element = "",
                               .token = error->token,
                               .why = why,
                               .repair = repair,
                               .mark = {error->file[0] ? error->file : NULL, error->line, error->column}};
    take_finding(findings, &finding);
}

/* The finding that forward dynamics is singular at a position, with the remedy: an error of a robot that is otherwise
 * well described. */
static void report_singular(Findings *findings, const zvModel *model, const char *where) {
    char why[128];
    Text element = {0};
    const bool loops = zv_model_nloop(model) > 0;
    text_printf(&element, "robot \"%s\"", zv_model_name(model));
    snprintf(why, sizeof why, "forward dynamics is singular at %s: a part without inertia can move freely", where);
    const zvFinding finding = {
        .severity = ZV_SEVERITY_ERROR,
        .status = ZV_SINGULAR,
        .rule = "singular",
        .element = element.bytes ? element.bytes : "robot",
        .token = "",
        .why = why,
        .repair = loops ? "give its links mass and moments of inertia, or its joint an armature; or cut another joint"
                        : "give its links mass and moments of inertia, or its joint an armature; inverse dynamics "
                          "still works"};
    take_finding(findings, &finding);
    text_free(&element);
}

/* The same position in every run: the steps of a linear congruential generator, within +-1 rad or m. Elastic links stay
 * undeformed: a metre may be far beyond what they bear. */
static void random_position(const zvModel *model, double *v, double *q) {
    unsigned long long seed = 1;
    for (int i = 0; i < zv_model_nv(model); i++) {
        seed = (seed * 6364136223846793005ULL + 1442695040888963407ULL) & 0xFFFFFFFFFFFFFFFFULL;
        v[i] = (double)(seed >> 40) / (double)(1ULL << 23) - 1;
    }
    for (int link = 0; link < zv_model_nlink(model); link++) {
        const zvElasticPlace place = zv_model_elastic_place(model, link);
        for (int k = 0; k < place.count; k++) v[place.v_index + k] = 0;
    }
    zv_position_add(model, q, v, q);
}

enum { MOST_FOLLOWERS = 500 }; /* the cube of their number is the cost of coupled dynamics */

static int count_followers(const zvModel *model) {
    int count = 0;
    for (int i = 0; i < zv_model_njoint(model); i++) count += zv_model_joint_place(model, i).mimic >= 0;
    return count;
}

/* Whether the mass matrix has an inverse, which no rule sees link by link: at the neutral position and at a random one.
 */
static zvStatus try_dynamics(Findings *findings, const zvModel *model) {
    const size_t nq = (size_t)zv_model_nq(model), nv = (size_t)zv_model_nv(model);
    double *q = calloc(nq + 2 * nv + 1, sizeof *q), *v = q ? q + nq : NULL, *a = q ? v + nv : NULL;
    zvWork *work = q ? zv_work_create(model, NULL) : NULL;
    if (work) {
        zv_neutral(model, q);
        if (zv_mass_inverse_times(model, work, q, v, a) == ZV_SINGULAR) {
            report_singular(findings, model, "the neutral position");
        } else {
            random_position(model, v, q);
            if (zv_mass_inverse_times(model, work, q, v, a) == ZV_SINGULAR)
                report_singular(findings, model, "a position away from the neutral one");
        }
    }
    const zvStatus status = work ? ZV_OK : ZV_MEMORY;
    zv_work_destroy(work);
    free(q);
    return status;
}

/* A finding about all loops together stands where the first is described. */
static void report_loops(Findings *findings, const zvModel *model, zvSeverity severity, const char *rule,
                         const char *why, const char *repair) {
    Text element = {0};
    text_printf(&element, "robot \"%s\"", zv_model_name(model));
    const zvFinding finding = {.severity = severity,
                               .status = ZV_CLOSURE,
                               .rule = rule,
                               .element = element.bytes ? element.bytes : "robot",
                               .token = "",
                               .why = why,
                               .repair = repair,
                               .mark = zv_model_loop(model, 0)->mark};
    take_finding(findings, &finding);
    text_free(&element);
}

/* What only a look at positions can tell: whether the loops close, and what they leave free. */
static void try_loops(Findings *findings, const zvModel *model) {
    char why[160];
    if (!zv_model_nloop(model)) return;
    const LoopMobility mobility = loop_mobility(model);
    const zvLoopMobility *m = mobility.singular ? &mobility.nearby : &mobility.mobility;
    if (!mobility.known) return;
    if (mobility.place == PLACE_OPEN) {
        report_loops(findings, model, ZV_SEVERITY_WARNING, "closure", mobility.error.text,
                     "check the lengths of the links and where the loop's frames sit; zveno assemble --guesses tries "
                     "harder");
        return;
    }
    if (m->freedoms == 0)
        report_loops(findings, model, ZV_SEVERITY_WARNING, "immobile", "its loops leave no degree of freedom",
                     "nothing to do if a frame is meant; else loosen a joint");
    if (m->redundant == 0) return;
    snprintf(why, sizeof why,
             "only %d of the %d conditions of its loops are independent: loop forces are those of least norm", m->rank,
             m->rows);
    report_loops(
        findings, model, ZV_SEVERITY_NOTE, "redundant", why,
        "nothing to do if that is meant, as in a planar mechanism; else loosen a joint (spherical, universal)");
}

/* The rules first; then, if they let the robot pass, the robot itself. */
static Code check_robot(Findings *findings, Robot *robot) {
    zvError error = {0};
    const zvStatus status = findings->all ? zv_check(robot->builder, take_finding, findings, &error)
                                          : zv_check_grouped(robot->builder, take_finding, findings, &error);
    if (status < 0) return complain_error(&error);
    if (findings->fatal) return CODE_DONE;
    if (zv_builder_freeze(robot->builder, &robot->model, &error) < 0) {
        take_error(findings, &error);
        return CODE_DONE;
    }
    if (findings->count[ZV_SEVERITY_ERROR] || count_followers(robot->model) > MOST_FOLLOWERS) return CODE_DONE;
    if (try_dynamics(findings, robot->model) < 0) return complain_memory();
    try_loops(findings, robot->model);
    return CODE_DONE;
}

/* All findings of a file, one that cannot be read among them. */
static Code find_all(const Args *args, Findings *findings) {
    Robot robot;
    zvError error = {0};
    Code code = CODE_DONE;
    findings->file = strcmp(args->operand, "-") ? args->operand : "<stdin>";
    if (robot_describe(args, &robot, &error) < 0)
        take_error(findings, &error);
    else
        code = check_robot(findings, &robot);
    if (code == CODE_DONE && robot.builder && !findings->fatal)
        code = check_meshes(args, &robot, take_finding, findings);
    robot_free(&robot);
    return code;
}

static const char *plural(int count) { return count == 1 ? "" : "s"; }

/* What follows the list of findings. */
static void put_counts(const Findings *findings) {
    const int errors = findings->count[ZV_SEVERITY_ERROR], warnings = findings->count[ZV_SEVERITY_WARNING],
              notes = findings->count[ZV_SEVERITY_NOTE];
    Json *json = findings->json;
    if (!json) {
        text_printf(findings->out, "%d error%s, %d warning%s, %d note%s\n", errors, plural(errors), warnings,
                    plural(warnings), notes, plural(notes));
        return;
    }
    json_end(json);
    json_key(json, "errors"), json_integer(json, errors);
    json_key(json, "warnings"), json_integer(json, warnings);
    json_key(json, "notes"), json_integer(json, notes);
    json_end(json);
}

/* By the least severity that --fail-on names. */
static Code exit_code(const Findings *findings, FailOn fail_on) {
    bool fails = fail_on != FAIL_ON_NOTHING && findings->count[ZV_SEVERITY_ERROR];
    if (fail_on == FAIL_ON_WARNING || fail_on == FAIL_ON_NOTE) fails |= findings->count[ZV_SEVERITY_WARNING] > 0;
    if (fail_on == FAIL_ON_NOTE) fails |= findings->count[ZV_SEVERITY_NOTE] > 0;
    return fails ? CODE_INPUT : CODE_DONE;
}

/* Findings are printed as they come; the exit code follows from their severities. */
static Code run(const Args *args, Text *out) {
    Json json = json_start(out);
    Sarif sarif = {.json = &json};
    const char *format = args->format ? args->format : args->given & OPTION_JSON ? "json" : "text";
    Findings findings = {.out = out, .all = (args->given & OPTION_ALL) != 0};
    if (strcmp(format, "sarif") == 0)
        findings.sarif = &sarif, sarif_start(&sarif);
    else if (strcmp(format, "json") == 0)
        findings.json = &json;
    else if (strcmp(format, "text") != 0)
        return complain(CODE_USAGE, "expected --format text, json or sarif, found \"%s\"", format);
    if (findings.json) {
        json_map(&json, JSON_BLOCK);
        json_key(&json, "findings"), json_list(&json, JSON_BLOCK);
    }
    const Code code = find_all(args, &findings);
    if (findings.sarif)
        sarif_end(&sarif);
    else
        put_counts(&findings);
    if (code != CODE_DONE) text_clear(out);
    return code != CODE_DONE ? code : exit_code(&findings, args->fail_on);
}

const Verb verb_check = {
    .name = "check",
    .run = run,
    .options = OPTIONS_MODEL | OPTION_ALL | OPTION_FORMAT | OPTION_FAIL_ON | OPTION_MESHES,
    .needs_model = true,
    .form = "MODEL",
    .summary = "everything wrong or doubtful in a robot file",
    .help =
        "Prints every finding: severity, element, why, likely repair, rule, place in the file.\n"
        "What repeats is one finding with a count; --all prints each.\n"
        "JSON: {findings: [{severity, fatal, rule, element, why, repair, file, line, column, token, count, others}],\n"
        "errors, warnings, notes}. Exit code 1 when there are errors (--fail-on); a file that cannot be read is one "
        "too.\n"
        "\n"
        "Formats\n"
        "  text    for people (unless told)\n"
        "  json    the same as --json\n"
        "  sarif   SARIF 2.1.0, which code hosts show beside the lines of the file\n"
        "\n"
        "Example\n"
        "  zveno check arm.urdf\n",
};
