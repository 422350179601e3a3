/* zveno check: the physics linter. */
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "robot.h"
#include "verb.h"
#include "zveno/check.h"

/* Findings are written as they come. */
typedef struct Findings {
    Text *out;
    Json *json; /* NULL: for people */
    int count[ZV_ERROR + 1];
} Findings;

static void finding_json(Json *json, const zvFinding *f) {
    json_map(json, JSON_BLOCK);
    json_key(json, "severity"), json_text(json, zv_severity_word(f->severity));
    json_key(json, "rule"), json_text(json, f->rule ? f->rule : "");
    json_key(json, "element"), json_text(json, f->element ? f->element : "");
    json_key(json, "why"), json_text(json, f->why ? f->why : "");
    json_key(json, "repair"), json_text(json, f->repair ? f->repair : "");
    json_key(json, "file"), json_text(json, f->mark.file ? f->mark.file : "");
    json_key(json, "line"), json_integer(json, f->mark.line);
    json_key(json, "column"), json_integer(json, f->mark.column);
    json_key(json, "token"), json_text(json, f->token ? f->token : "");
    json_end(json);
}

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
    if (f->repair && *f->repair) text_puts(out, "    "), text_name(out, f->repair), text_puts(out, "\n");
}

static bool take_finding(void *context, const zvFinding *finding) {
    Findings *findings = context;
    findings->count[finding->severity]++;
    if (findings->json)
        finding_json(findings->json, finding);
    else
        finding_line(findings->out, finding);
    return true;
}

/* A file that cannot be read, or a robot that cannot be frozen, is a finding too. Error texts read "what is wrong;
 * what to do". */
static void take_error(Findings *findings, const zvError *error, const char *element) {
    char why[sizeof error->text], rule[32];
    snprintf(why, sizeof why, "%s", error->text);
    char *repair = strstr(why, "; ");
    if (repair) *repair = '\0', repair += 2;
    const char *name = zv_status_name(error->status) + strlen("ZV_");
    size_t length = 0;
    for (; name[length] && length + 1 < sizeof rule; length++) {
        const char c = name[length];
        rule[length] = c == '_' ? '-' : (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    rule[length] = '\0';
    const zvFinding finding = {.severity = ZV_ERROR,
                               .fatal = true,
                               .status = error->status,
                               .rule = rule,
                               .element = element,
                               .token = error->token,
                               .why = why,
                               .repair = repair,
                               .mark = {error->file[0] ? error->file : NULL, error->line, error->column}};
    take_finding(findings, &finding);
}

static Code find_all(const Args *args, Findings *findings) {
    Robot robot;
    zvError error = {0};
    Code code = CODE_DONE;
    if (robot_describe(args, &robot, &error) < 0)
        take_error(findings, &error, "file");
    else if (zv_check(robot.builder, take_finding, findings, &error) < 0)
        code = complain_error(&error);
    else if (!findings->count[ZV_ERROR] && zv_builder_freeze(robot.builder, &robot.model, &error) < 0)
        take_error(findings, &error, "robot");
    robot_free(&robot);
    return code;
}

static const char *plural(int count) { return count == 1 ? "" : "s"; }

static Code run(const Args *args, Text *out) {
    Json json = json_start(out);
    Findings findings = {.out = out, .json = args->given & OPTION_JSON ? &json : NULL};
    if (findings.json) {
        json_map(&json, JSON_BLOCK);
        json_key(&json, "findings"), json_list(&json, JSON_BLOCK);
    }
    const Code code = find_all(args, &findings);
    const int errors = findings.count[ZV_ERROR], warnings = findings.count[ZV_WARNING], notes = findings.count[ZV_NOTE];
    if (code != CODE_DONE) {
        text_clear(out);
        return code;
    }
    if (findings.json) {
        json_end(&json);
        json_key(&json, "errors"), json_integer(&json, errors);
        json_key(&json, "warnings"), json_integer(&json, warnings);
        json_key(&json, "notes"), json_integer(&json, notes);
        json_end(&json);
    } else {
        text_printf(out, "%d error%s, %d warning%s, %d note%s\n", errors, plural(errors), warnings, plural(warnings),
                    notes, plural(notes));
    }
    return errors ? CODE_INPUT : CODE_DONE;
}

const Verb verb_check = {
    .name = "check",
    .run = run,
    .options = OPTIONS_MODEL,
    .needs_model = true,
    .form = "MODEL",
    .summary = "everything wrong or doubtful in a robot file",
    .help = "Prints every finding: severity, element, why, likely repair, rule, place in the file.\n"
            "JSON: {findings: [{severity, rule, element, why, repair, file, line, column, token}], errors, warnings,\n"
            "notes}. Exit code 1 when there are errors; a file that cannot be read is an error too.\n"
            "\n"
            "Example\n"
            "  zveno check arm.urdf\n",
};
