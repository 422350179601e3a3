/* zveno count: operations of the methods. */
#include <string.h>

#include "json.h"
#include "robot.h"
#include "table.h"
#include "verb.h"
#include "verbs/count_table.h"

/* -- one model ---------------------------------------------------------------------------------------------------- */

static void operations_json(Json *json, const char *key, const zvOperations *x) {
    json_key(json, key), json_map(json, JSON_LINE);
    json_key(json, "mul"), json_number(json, (double)x->mul);
    json_key(json, "add"), json_number(json, (double)x->add);
    json_key(json, "div"), json_number(json, (double)x->div);
    json_key(json, "trig"), json_number(json, (double)x->trig);
    json_end(json);
}

/* "12+7+1/, 2 sc", or "-" when there is none. */
static void operations_cells(Table *table, const zvOperations *x) {
    char text[64];
    if (!x) {
        table_text(table, "-");
        return;
    }
    snprintf(text, sizeof text, "%lld+%lld", x->mul, x->add);
    if (x->div) snprintf(text + strlen(text), sizeof text - strlen(text), "+%lld/", x->div);
    if (x->trig) snprintf(text + strlen(text), sizeof text - strlen(text), ", %lld sc", x->trig);
    table_text(table, text);
}

/* Rows are printed to the table, or to json when it is not NULL. */
typedef struct CountSheet {
    const zvModel *model;
    Json *json;
    Table *table;
} CountSheet;

/* One row, or one map: printed formula, kinematics, method, folded; a refusal keeps its row. */
static void show_method(const CountSheet *sheet, const char *question, const char *method, const zvOperations *printed,
                        const zvCount *count, const zvError *refused) {
    if (!sheet->json) {
        table_text(sheet->table, question);
        table_text(sheet->table, method);
        operations_cells(sheet->table, printed);
        operations_cells(sheet->table, count ? &count->kinematics : NULL);
        operations_cells(sheet->table, count ? &count->method : NULL);
        operations_cells(sheet->table, count ? &count->folded : NULL);
        return;
    }
    json_map(sheet->json, JSON_BLOCK);
    json_key(sheet->json, "question"), json_text(sheet->json, question);
    json_key(sheet->json, "method"), json_text(sheet->json, method);
    if (printed) operations_json(sheet->json, "printed", printed);
    if (count) {
        operations_json(sheet->json, "kinematics", &count->kinematics);
        operations_json(sheet->json, "written", &count->method);
        operations_json(sheet->json, "folded", &count->folded);
    } else {
        json_key(sheet->json, "refused"), json_text(sheet->json, refused->text);
    }
    json_end(sheet->json);
}

/* Printed formulas are about chains of at least two revolute joints and rigid links: every moving joint sits on the
 * body of the one before. */
static bool revolute_chain(const zvModel *model) {
    int body = 0;
    for (int j = 0; j < zv_model_njoint(model); j++) {
        const zvJointType type = zv_model_joint(model, j)->type;
        if (type == ZV_JOINT_FIXED) continue;
        const zvJointPlace place = zv_model_joint_place(model, j);
        if ((type != ZV_JOINT_REVOLUTE && type != ZV_JOINT_CONTINUOUS) ||
            zv_model_frame_body(model, place.parent) != body)
            return false;
        body = zv_model_frame_body(model, place.child);
    }
    return zv_model_nv(model) >= 2 && !zv_model_nloop(model) && !zv_model_nelastic(model);
}

/* Counts the rows of one table. *shown counts those that are defined for the robot; refused keeps the last refusal. */
static Code show_table(const CountSheet *sheet, zvQuestion question, const char *wanted, int *shown, zvError *refused) {
    size_t count;
    const zvMethod *rows = zv_methods(question, &count);
    for (size_t i = 0; i < count; i++) {
        if (wanted && strcmp(wanted, rows[i].name)) continue;
        zvError error = {0};
        zvCount found;
        zvOperations printed;
        const zvStatus status = zv_count(sheet->model, question, &rows[i], true, &found, &error);
        if (status < 0 && status != ZV_NOT_SUPPORTED) return complain_error(&error);
        if (status < 0) *refused = error;
        const bool formula = revolute_chain(sheet->model) &&
                             zv_printed_operations(question, &rows[i], zv_model_nv(sheet->model), &printed);
        show_method(sheet, zv_question_name(question), rows[i].name, formula ? &printed : NULL,
                    status < 0 ? NULL : &found, &error);
        *shown += status >= 0;
    }
    return CODE_DONE;
}

/* When no method is defined for the robot, the last refusal is told. */
static Code show_methods(const CountSheet *sheet, const char *wanted) {
    int shown = 0;
    zvError refused = {0};
    for (int question = 0; question < ZV_QUESTIONS; question++) {
        const Code code = show_table(sheet, (zvQuestion)question, wanted, &shown, &refused);
        if (code != CODE_DONE) return code;
    }
    return refused.status < 0 && !shown ? complain_error(&refused) : CODE_DONE;
}

/* Generated code has a folded count only: it is straight-line from the start. */
static void show_generated_row(const CountSheet *sheet, zvGenerated function, const zvOperations *found,
                               const zvError *refused) {
    if (!sheet->json) {
        table_text(sheet->table, zv_generated_name(function));
        table_text(sheet->table, "generated");
        for (int k = 0; k < 3; k++) table_text(sheet->table, "");
        operations_cells(sheet->table, found);
        return;
    }
    json_map(sheet->json, JSON_BLOCK);
    json_key(sheet->json, "question"), json_text(sheet->json, zv_generated_name(function));
    json_key(sheet->json, "method"), json_text(sheet->json, "generated");
    if (found)
        operations_json(sheet->json, "folded", found);
    else
        json_key(sheet->json, "refused"), json_text(sheet->json, refused->text);
    json_end(sheet->json);
}

/* The functions that answer the same questions as the methods above them. */
static Code show_generated(const CountSheet *sheet, const char *wanted) {
    static const zvGenerated functions[] = {ZV_GENERATED_MASS,
                                            ZV_GENERATED_BIAS,
                                            ZV_GENERATED_INVERSE,
                                            ZV_GENERATED_FORWARD,
                                            ZV_GENERATED_INVERSE_DERIVATIVES,
                                            ZV_GENERATED_FORWARD_DERIVATIVES};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        zvOperations found;
        zvError error = {0};
        const zvStatus status = zv_count_generated(sheet->model, functions[i], 0, &found, &error);
        if (status < 0 && (wanted || status == ZV_MEMORY)) return complain_error(&error);
        show_generated_row(sheet, functions[i], status < 0 ? NULL : &found, &error);
    }
    return CODE_DONE;
}

/* All countable methods in the order of their table, then generated code. */
static Code count_model(const Args *args, const zvModel *model, const char *wanted, Text *out) {
    Table table = table_start(6);
    Json json = json_start(out);
    const CountSheet sheet = {model, args->given & OPTION_JSON ? &json : NULL, &table};
    if (sheet.json) {
        json_map(&json, JSON_BLOCK);
        json_key(&json, "model"), json_text(&json, zv_model_name(model));
        json_key(&json, "n"), json_integer(&json, zv_model_nv(model));
        json_key(&json, "methods"), json_list(&json, JSON_BLOCK);
    } else {
        text_printf(out, "%s: multiplications+additions+divisions/, sines and cosines sc\n", zv_model_name(model));
        const char *const heading[] = {"question", "method", "printed", "kinematics", "method as written", "folded"};
        for (size_t i = 0; i < 6; i++) table_text(&table, heading[i]);
    }
    Code code = show_methods(&sheet, wanted);
    if (code == CODE_DONE && (!wanted || !strcmp(wanted, "generated"))) code = show_generated(&sheet, wanted);
    if (sheet.json) json_end(&json), json_end(&json);
    table_finish(&table, out);
    if (code != CODE_DONE) text_clear(out); /* no half of a result */
    return code;
}

/* Adds the names of a table's rows that are not in the list yet; returns their number. */
static size_t add_names(zvQuestion question, const char **names, size_t known, size_t most) {
    size_t count;
    const zvMethod *rows = zv_methods(question, &count);
    for (size_t i = 0; i < count && known < most; i++) {
        bool seen = false;
        for (size_t k = 0; k < known; k++) seen |= !strcmp(names[k], rows[i].name);
        if (!seen) names[known++] = rows[i].name;
    }
    return known;
}

/* The name after --method; NULL: all. */
static Code choose_method(const Args *args, const char **wanted) {
    enum { MOST = 64 };
    const char *names[MOST] = {"all", "generated"};
    size_t known = 2;
    for (int question = 0; question < ZV_QUESTIONS; question++)
        known = add_names((zvQuestion)question, names, known, MOST);
    *wanted = args->method && strcmp(args->method, "all") ? args->method : NULL;
    if (!*wanted) return CODE_DONE;
    for (size_t k = 0; k < known; k++)
        if (!strcmp(names[k], *wanted)) return CODE_DONE;
    return complain_unknown(CODE_USAGE, "method", *wanted, names, known);
}

/* Refuses what does not go together, then counts a table of chains or one robot. */
static Code run(const Args *args, Text *out) {
    if (!zv_can_count())
        return complain(CODE_INPUT, "expected a build that counts operations, found one that does not; build with "
                                    "-DZVENO_CODEGEN=ON (needs a C++ compiler)");
    if (args->given & OPTION_TABLE) {
        if (args->operand)
            return complain(CODE_USAGE,
                            "expected no model with --table, which counts chains of its own, found %s; leave it out",
                            args->operand);
        if (args->given & OPTIONS_MODEL & ~OPTION_JSON)
            return complain(CODE_USAGE, "expected --plot, --method and --json only with --table, which counts chains "
                                        "of its own, found others");
        if (args->method && (strcmp(args->method, "yaskevich") || args->plot))
            return complain(CODE_USAGE,
                            "expected --table alone or with --method yaskevich, whose sums it counts one by one and "
                            "does not draw, found --method %s%s",
                            args->method, args->plot ? " and --plot" : "");
        return count_table(args, out);
    }
    if (args->plot)
        return complain(CODE_USAGE, "expected --table with --plot, found none: zveno count --table 2:12 --plot %s",
                        args->plot);
    if (!args->operand)
        return complain(CODE_USAGE, "expected the model file, found none: zveno count MODEL, or --table N1:N2");
    const char *wanted;
    Robot robot;
    Code code = choose_method(args, &wanted);
    if (code == CODE_DONE) code = robot_read(args, &robot);
    if (code != CODE_DONE) return code;
    if (!zv_model_nv(robot.model))
        code =
            complain(CODE_INPUT, "%s: expected joints that move, found none: there is nothing to count", args->operand);
    else
        code = count_model(args, robot.model, wanted, out);
    robot_free(&robot);
    return code;
}

static void methods(Text *out) {
    text_puts(out, "Methods (all unless told; generated: generated code only)\n");
    for (int question = 0; question < ZV_QUESTIONS; question++) {
        size_t count;
        const zvMethod *rows = zv_methods((zvQuestion)question, &count);
        text_printf(out, "  %-12s", zv_question_name((zvQuestion)question));
        for (size_t i = 0; i < count; i++) text_printf(out, " %s", rows[i].name);
        text_puts(out, "\n");
    }
}

const Verb verb_count = {
    .name = "count",
    .run = run,
    .options = OPTIONS_MODEL | OPTION_METHOD | OPTION_TABLE | OPTION_PLOT,
    .form = "MODEL [--method all|NAME] | --table N1:N2 [--plot FILE.svg | --method yaskevich]",
    .summary = "operations of every method, and of generated code",
    .help =
        "Runs the methods on numbers that write down what is done with them. Prints (JSON key)\n"
        "  printed     the formula of the publication for as many revolute joints in a chain, where there is one\n"
        "  kinematics  as the code is written: sines and cosines, and in base axes rotations, offsets, inertias\n"
        "  written     as the code is written: what follows\n"
        "  folded      all of it for this robot: constants folded, common subexpressions once\n"
        "each {mul, add, div, trig}; \"generated\", what zveno codegen writes, has folded only. auto is the row that\n"
        "runs by default (zveno info says which). A method that is not defined for the robot is shown by - (refused: "
        "why).\n"
        "--table prints the mass matrix of chains, --plot draws it; table [{n, method, printed, counted}] of {mul, "
        "add}.\nWith --method yaskevich the rows of his table 1: sums [{n, row, sum, printed, corrected, counted}].\n"
        "\n"
        "Example\n"
        "  zveno count models/ssrms7.yaml\n"
        "  zveno count --table 2:12 --plot counts.svg\n",
    .more = methods,
};
