/* zveno codegen: straight-line code for one robot. */
#include <stdlib.h>
#include <string.h>

#include "dofs.h"
#include "json.h"
#include "robot.h"
#include "table.h"
#include "verb.h"
#include "zveno/codegen.h"

static const char *const languages[] = {"c", "latex", "maxima", "sympy"};
enum {
    LANGUAGES = sizeof languages / sizeof languages[0],
    USUAL = 1u << ZV_GENERATED_INVERSE | 1u << ZV_GENERATED_FORWARD | 1u << ZV_GENERATED_MASS
};

static const unsigned of_derivatives = 1u << ZV_GENERATED_INVERSE_DERIVATIVES | 1u << ZV_GENERATED_FORWARD_DERIVATIVES;
static const unsigned of_frames = 1u << ZV_GENERATED_POSE | 1u << ZV_GENERATED_JACOBIAN;

static Code unknown_function(const char *word) {
    const char *names[ZV_GENERATED_FUNCTIONS + 1] = {"all"};
    for (int f = 0; f < ZV_GENERATED_FUNCTIONS; f++) names[f + 1] = zv_generated_name((zvGenerated)f);
    return complain_unknown(CODE_USAGE, "function", word, names, ZV_GENERATED_FUNCTIONS + 1);
}

/* "all": those of a frame only when one is named, derivatives only without passive forces. */
static unsigned all_functions(const Args *args) {
    unsigned all = (1u << ZV_GENERATED_FUNCTIONS) - 1;
    if (!args->frame) all &= ~of_frames;
    if (args->given & OPTION_PASSIVE) all &= ~of_derivatives;
    return all;
}

/* "inverse,mass", or "all". */
static Code read_functions(const Args *args, unsigned *functions) {
    *functions = args->functions ? 0 : USUAL;
    for (const char *at = args->functions; at && *at;) {
        const size_t length = strcspn(at, ",");
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        int f = 0;
        while (f < ZV_GENERATED_FUNCTIONS && strcmp(zv_generated_name((zvGenerated)f), word)) f++;
        if (f < ZV_GENERATED_FUNCTIONS)
            *functions |= 1u << f;
        else if (!strcmp(word, "all"))
            *functions |= all_functions(args);
        else
            return unknown_function(word);
        at += length + (at[length] == ',');
    }
    if (!*functions) return unknown_function("");
    if (*functions & of_frames && !args->frame)
        return complain(CODE_USAGE,
                        "expected a frame for pose and jacobian, found none; add --frame NAME; zveno info lists them");
    return CODE_DONE;
}

/* Options that belong to the equations refuse C. */
static Code read_equations(const Args *args, zvCodegenOptions *options) {
    const OptionSet theirs = OPTION_SYMBOLS | OPTION_MOMENTS | OPTION_INDEPENDENT;
    if (options->language == ZV_LANGUAGE_C)
        return args->given & theirs
                   ? complain(
                         CODE_USAGE,
                         "expected --language latex, maxima or sympy beside --symbols, --moments and --independent, "
                         "found c")
                   : CODE_DONE;
    if (args->given & OPTION_MOMENTS && !args->symbols)
        return complain(CODE_USAGE, "expected --symbols beside --moments, found none; numbers need no choice");
    options->symbols = args->symbols;
    options->origin_moments = args->origin_moments;
    options->external = args->frame != NULL;
    return CODE_DONE;
}

/* Only C has functions to choose and precisions; equations for people refuse these options. */
static Code read_language(const Args *args, zvCodegenOptions *options) {
    int k = 0;
    while (args->language && k < LANGUAGES && strcmp(languages[k], args->language)) k++;
    if (k == LANGUAGES) return complain_unknown(CODE_USAGE, "language", args->language, languages, LANGUAGES);
    options->language = (zvLanguage)k;
    if (k && args->given & (OPTION_FLOAT | OPTION_FUNCTIONS | OPTION_LANES | OPTION_SMOOTHING))
        return complain(CODE_USAGE,
                        "expected the language c for --functions, --float, --lanes and --smoothing, found %s, which "
                        "writes the equations of motion",
                        args->language);
    if (args->given & OPTION_SMOOTHING && !(args->given & OPTION_PASSIVE && args->smoothing > 0))
        return complain(CODE_USAGE,
                        "expected --smoothing above 0 beside --passive, found %g%s; no straight-line code has a sign",
                        args->smoothing, args->given & OPTION_PASSIVE ? "" : " without it");
    options->passive = args->given & OPTION_PASSIVE;
    options->smoothing = options->passive && !k ? args->smoothing : 0;
    options->single = args->given & OPTION_FLOAT;
    options->lanes = args->lanes;
    return read_equations(args, options);
}

static bool reads_input(const Args *args) { return !strcmp(args->operand, "-"); }

/* -- answers ---------------------------------------------------------------------------------------------------- */

static void print_compile(const char *folder, const char *file, Text *out) {
    text_puts(out, "cc -std=c17 -O2 -march=native -ffp-contract=fast -c");
    Text path = {0};
    text_printf(&path, "%s/%s", folder, file);
    args_put_word(path.bytes ? path.bytes : file, out);
    text_free(&path);
}

static void print_files(const zvCodegenSummary *summary, const Args *args, Text *out) {
    text_puts(out, "wrote ");
    for (size_t i = 0; i < summary->file_count; i++) {
        if (i) text_puts(out, ", ");
        text_name(out, args->output);
        text_printf(out, "/%s", summary->files[i]);
    }
    text_printf(out, " (%lld bytes)\n", summary->bytes);
}

/* Operations of each function that was generated. */
static void print_functions(const zvCodegenSummary *summary, Text *out) {
    static const char *const heads[] = {"function", "mul", "add", "div", "sin/cos", "statements"};
    Table table = table_start(6);
    for (int k = 0; k < 6; k++) table_text(&table, heads[k]);
    for (int f = 0; f < ZV_GENERATED_FUNCTIONS; f++) {
        const zvGeneratedFunction *made = &summary->function[f];
        if (!made->statements) continue;
        table_text(&table, zv_generated_name((zvGenerated)f));
        table_integer(&table, (int)made->operations.mul);
        table_integer(&table, (int)made->operations.add);
        table_integer(&table, (int)made->operations.div);
        table_integer(&table, (int)made->operations.trig);
        table_integer(&table, (int)made->statements);
    }
    table_finish(&table, out);
    text_puts(out, "\n");
}

/* Functions so long that calling the library is as good, on standard error. */
static void advise(const zvCodegenSummary *summary) {
    Text names = {0};
    for (int f = 0; f < ZV_GENERATED_FUNCTIONS; f++)
        if (summary->function[f].library_better)
            text_printf(&names, "%s%s", names.size ? ", " : "", zv_generated_name((zvGenerated)f));
    if (names.size)
        remark("%.*s: the library is the better choice where it can be had; code this long is less than half as fast "
               "again, by measurement, and grows with the robot",
               (int)names.size, names.bytes);
    text_free(&names);
}

/* What was written where, and what the code leaves out. */
static void print_table(const zvCodegenSummary *summary, const zvModel *model, const Args *args, bool c, Text *out) {
    const int loops = zv_model_nloop(model);
    if (c) print_functions(summary, out);
    print_files(summary, args, out);
    if (loops > 0 && c)
        text_printf(out, "of the spanning tree: %d loop%s left open\n", loops, loops == 1 ? " is" : "s are");
    if (!c) return;
    if (reads_input(args))
        text_puts(out, "no test: the model came from standard input, which it could not read again\n");
    text_puts(out, "compile: ");
    print_compile(args->output, summary->files[1], out);
    text_puts(out, "\n");
}

/* Operations and statements per function that was generated. */
static void json_functions(Json *json, const zvCodegenSummary *summary) {
    json_key(json, "functions"), json_map(json, JSON_BLOCK);
    for (int f = 0; f < ZV_GENERATED_FUNCTIONS; f++) {
        const zvGeneratedFunction *made = &summary->function[f];
        if (!made->statements) continue;
        json_key(json, zv_generated_name((zvGenerated)f)), json_map(json, JSON_LINE);
        json_key(json, "mul"), json_integer(json, (int)made->operations.mul);
        json_key(json, "add"), json_integer(json, (int)made->operations.add);
        json_key(json, "div"), json_integer(json, (int)made->operations.div);
        json_key(json, "trig"), json_integer(json, (int)made->operations.trig);
        json_key(json, "statements"), json_integer(json, (int)made->statements);
        json_key(json, "library_better"), json_bool(json, made->library_better);
        json_end(json);
    }
    json_end(json);
}

/* Files, functions and how to compile them, by keys. */
static void print_json(const zvCodegenSummary *summary, const zvModel *model, const Args *args, bool c, Text *out) {
    Json json = json_start(out);
    Text line = {0};
    json_map(&json, JSON_BLOCK);
    json_key(&json, "directory"), json_text(&json, args->output);
    json_key(&json, "files"), json_list(&json, JSON_LINE);
    for (size_t i = 0; i < summary->file_count; i++) json_text(&json, summary->files[i]);
    json_end(&json);
    json_key(&json, "bytes"), json_integer(&json, (int)summary->bytes);
    if (zv_model_nloop(model) > 0 && c) json_key(&json, "of"), json_text(&json, "spanning tree");
    if (c) {
        json_functions(&json, summary);
        print_compile(args->output, summary->files[1], &line);
        json_key(&json, "compile"), json_text(&json, line.bytes);
    }
    json_end(&json);
    text_free(&line);
}

/* Marks the coordinates of a list, which may be all; NULL: without the option. */
static Code read_marks(OptionSet given, const zvModel *model, const char *list, unsigned char **marks) {
    const size_t nv = (size_t)zv_model_nv(model);
    if (!given) return CODE_DONE;
    *marks = calloc(nv + 1, 1);
    if (!*marks) return complain_memory();
    if (strcmp(list, "all") != 0) return named_dofs(model, list, *marks);
    memset(*marks, 1, nv);
    return CODE_DONE;
}

static Code generate(const Args *args, zvCodegenOptions *options, const zvModel *model, Text *out) {
    zvCodegenSummary summary;
    zvError error = {0};
    if (args->frame && (options->frame = zv_model_find_frame(model, args->frame)) < 0)
        return robot_unknown_frame(model, args->frame);
    if (zv_codegen(model, options, args->output, &summary, &error) < 0) return complain_error(&error);
    const bool c = options->language == ZV_LANGUAGE_C;
    (args->given & OPTION_JSON ? print_json : print_table)(&summary, model, args, c, out);
    advise(&summary);
    return CODE_DONE;
}

/* Checks the words, then generates all files or none. */
static Code run(const Args *args, Text *out) {
    zvCodegenOptions options = {.name = args->name};
    if (!args->output || !strcmp(args->output, "-"))
        return complain(CODE_USAGE, "expected a folder for several files, found none: zveno codegen MODEL -o DIR");
    Code code = read_language(args, &options);
    if (code == CODE_DONE && options.language == ZV_LANGUAGE_C) code = read_functions(args, &options.functions);
    if (code != CODE_DONE) return code;
    if (!reads_input(args)) options.model_file = args->operand;
    Robot robot;
    code = robot_read(args, &robot);
    if (code != CODE_DONE) return code;
    unsigned char *independent = NULL, *flexible = NULL;
    code = read_marks(args->given & OPTION_INDEPENDENT, robot.model, args->named, &independent);
    if (code == CODE_DONE) code = read_marks(args->given & OPTION_FLEXIBLE, robot.model, args->flexible, &flexible);
    options.independent = independent;
    options.flexible = flexible;
    if (code == CODE_DONE && !flexible) robot_note_flexible(robot.model, "what is written is that");
    if (code == CODE_DONE) code = generate(args, &options, robot.model, out);
    free(independent);
    free(flexible);
    robot_free(&robot);
    return code;
}

const Verb verb_codegen = {
    .name = "codegen",
    .run = run,
    .options = OPTIONS_MODEL | OPTION_FOLDER | OPTION_FUNCTIONS | OPTION_NAME | OPTION_FRAME | OPTION_FLOAT |
               OPTION_LANES | OPTION_LANGUAGE | OPTION_PASSIVE | OPTION_SMOOTHING | OPTION_SYMBOLS | OPTION_MOMENTS |
               OPTION_INDEPENDENT | OPTION_FLEXIBLE,
    .needs_model = true,
    .coordinates = true,
    .form = "MODEL -o DIR [--functions f1,f2] [--frame NAME] [--name NAME] [--float] [--lanes 4|8] [--passive "
            "[--smoothing V]] [--language c|latex|maxima|sympy] [--symbols all|LIST] [--independent j1,j2] [--flexible "
            "all|j1,j2]",
    .summary = "straight-line C for this robot; its equations in LaTeX, Maxima or SymPy",
    .help = "Writes NAME.h, NAME.c and NAME_test.c into DIR, which is made when it is not there. The code needs libm\n"
            "alone, has no loops over joints and no memory of its own; the test compares it with libzveno.\n"
            "Functions (inverse,forward,mass unless told; all: every one, those of a frame with --frame)\n"
            "  inverse   tau from q, v, a          bias      forces at a = 0 from q, v\n"
            "  forward   a from q, v, tau          gravity   forces at rest from q\n"
            "  mass      mass matrix from q        pose      rotation and origin of the frame from q\n"
            "  minv      its inverse from q        jacobian  of the frame, world axes, from q\n"
            "  inverse_derivatives   of tau by q, v, a     forward_derivatives   a, and of it by q, v, tau\n"
            "With --lanes each has a twin NAME_function_batch over arrays of states.\n"
            "With --passive inverse, forward and bias have springs, damping and friction of the file: tau is then\n"
            "M a + C v + g - spring - viscous - dry, as of zveno inverse --passive; V above 0, no derivatives.\n"
            "With --flexible the gears of the file too: gear, gear_rest, motor, motor_torque, motor_forward,\n"
            "motor_inverse along a motion up to its snap.\n"
            "With --language latex, maxima or sympy: the equations of motion of a small robot, NAME.tex, .mac or .py,\n"
            "loops included: closure, Jacobian, multipliers, the equations of the independent coordinates. --symbols\n"
            "keeps parameters as letters (m1, l1, lc1, J1zz, k1, d1, f1, g0 ...), --passive adds springs, dampers and\n"
            "friction, --frame a wrench at a frame, --independent chooses the coordinates to reduce by, --flexible\n"
            "puts springs between motors and joints.\n"
            "Prints (JSON keys)\n"
            "  directory, files, bytes   what was written\n"
            "  functions                 {name: {mul, add, div, trig, statements, library_better}}\n"
            "  compile                   a command for it\n"
            "A function that is so long that it gains less than half over the library is told by a note.\n"
            "\n"
            "Example\n"
            "  zveno codegen arm.urdf --functions inverse,mass -o generated\n"
            "  zveno codegen arm.yaml --language sympy --symbols m,l,lc,J1zz=I1 -o equations\n",
};
