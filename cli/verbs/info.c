/* zveno info: what a robot consists of and in which order its coordinates come. */
#include <stdlib.h>

#include "dofs.h"
#include "json.h"
#include "kinds.h"
#include "loops.h"
#include "parameters.h"
#include "recordings.h"
#include "robot.h"
#include "table.h"
#include "text.h"
#include "verb.h"
#include "zveno/dynamics.h"
#include "zveno/model.h"

/* The tree of links as a drawing. */

static void tree_draw(const zvModel *model, Text *out);

/* Place in the tree and in q and v; fixed joints too, since files name them. */
static void joint_json(const zvModel *model, int index, Json *json) {
    const zvJoint *joint = zv_model_joint(model, index);
    const zvJointPlace place = zv_model_joint_place(model, index);
    json_map(json, JSON_LINE);
    json_key(json, "name"), json_text(json, joint->name);
    json_key(json, "type"), json_text(json, zv_joint_type_word(joint->type));
    json_key(json, "parent"), json_text(json, zv_model_link(model, place.parent)->name);
    json_key(json, "child"), json_text(json, zv_model_link(model, place.child)->name);
    json_key(json, "q_index"), json_integer(json, place.q_index);
    json_key(json, "nq"), json_integer(json, place.nq);
    json_key(json, "v_index"), json_integer(json, place.v_index);
    json_key(json, "nv"), json_integer(json, place.nv);
    if (place.mimic >= 0) json_key(json, "follows"), json_text(json, zv_model_joint(model, place.mimic)->name);
    json_end(json);
}

/* The elastic coordinates of one link; nothing for rigid ones. */
static void elastic_json(const zvModel *model, int link, Json *json) {
    const zvElasticPlace place = zv_model_elastic_place(model, link);
    if (place.count == 0) return;
    json_map(json, JSON_LINE);
    json_key(json, "link"), json_text(json, zv_model_link(model, link)->name);
    json_key(json, "q_index"), json_integer(json, place.q_index);
    json_key(json, "v_index"), json_integer(json, place.v_index);
    json_key(json, "count"), json_integer(json, place.count);
    json_key(json, "coordinates"), json_list(json, JSON_LINE);
    for (int k = 0; k < place.count; k++) json_text(json, zv_model_elastic_part(model, link, k));
    json_end(json);
    json_end(json);
}

/* What the library runs by itself for a question about this robot; external forces may change it. */
typedef struct ChosenMethod {
    const zvMethod *free, *loaded; /* without and with external forces */
    char why[160], why_loaded[160];
} ChosenMethod;

static ChosenMethod chosen_method(zvQuestion question, const zvModel *model) {
    ChosenMethod x;
    x.free = zv_method_chosen(question, model, false, x.why, sizeof x.why);
    x.loaded = zv_method_chosen(question, model, true, x.why_loaded, sizeof x.why_loaded);
    return x;
}

/* What runs when the loops of a robot are closed; the tables of questions are of its spanning tree. */
typedef struct ClosedQuestion {
    const char *name, *method, *why;
} ClosedQuestion;

enum { CLOSED_QUESTIONS = 3 };

static void closed_questions(ClosedQuestion list[CLOSED_QUESTIONS]) {
    size_t count;
    const char *method = zv_closed_methods(&count)[0].name;
    list[0] = (ClosedQuestion){"closed-forward", method, "one sweep of joints and loops, O(n); the first of its table"};
    list[1] = (ClosedQuestion){"closed-mixed", method, "the same sweep; the only method"};
    list[2] = (ClosedQuestion){"closed-inverse", "least-norm", "drive forces of least norm, dense; the only method"};
}

/* The row of each table that runs by default, as a list. */
static void methods_json(const zvModel *model, Json *json) {
    ClosedQuestion closed[CLOSED_QUESTIONS];
    json_key(json, "methods"), json_list(json, JSON_BLOCK);
    for (int question = 0; question < ZV_QUESTIONS; question++) {
        const ChosenMethod x = chosen_method((zvQuestion)question, model);
        json_map(json, JSON_LINE);
        json_key(json, "question"), json_text(json, zv_question_name((zvQuestion)question));
        json_key(json, "method"), json_text(json, x.free->name);
        json_key(json, "why"), json_text(json, x.why);
        if (x.loaded != x.free) json_key(json, "with_external_forces"), json_text(json, x.loaded->name);
        json_end(json);
    }
    closed_questions(closed);
    for (int i = 0; i < CLOSED_QUESTIONS && zv_model_nloop(model) > 0; i++) {
        json_map(json, JSON_LINE);
        json_key(json, "question"), json_text(json, closed[i].name);
        json_key(json, "method"), json_text(json, closed[i].method);
        json_key(json, "why"), json_text(json, closed[i].why);
        json_end(json);
    }
    json_end(json);
}

/* The same for people: a second line where external forces change the choice. */
static void methods_table(const zvModel *model, Text *out) {
    Table table = table_start(3);
    ClosedQuestion closed[CLOSED_QUESTIONS];
    const int loops = zv_model_nloop(model);
    table_text(&table, "question"), table_text(&table, "method"), table_text(&table, "why");
    for (int question = 0; question < ZV_QUESTIONS; question++) {
        const ChosenMethod x = chosen_method((zvQuestion)question, model);
        table_text(&table, zv_question_name((zvQuestion)question));
        table_text(&table, x.free->name);
        table_text(&table, x.why);
        if (x.loaded == x.free) continue;
        table_text(&table, "");
        table_text(&table, x.loaded->name);
        table_text(&table, x.why_loaded);
    }
    closed_questions(closed);
    for (int i = 0; i < CLOSED_QUESTIONS && loops > 0; i++) {
        table_text(&table, closed[i].name);
        table_text(&table, closed[i].method);
        table_text(&table, closed[i].why);
    }
    text_puts(out, "\n");
    table_finish(&table, out);
    if (loops > 0)
        text_puts(out,
                  "Questions closed-... are of the robot with its loops closed, the others of its spanning tree.\n");
}

/* The keys that zveno help info lists. */
static void print_json(const Robot *robot, Text *out) {
    const zvModel *model = robot->model;
    double g[3];
    zv_model_gravity(model, g);
    Json json = json_start(out);
    json_map(&json, JSON_BLOCK);
    json_key(&json, "name"), json_text(&json, zv_model_name(model));
    json_key(&json, "nq"), json_integer(&json, zv_model_nq(model));
    json_key(&json, "nv"), json_integer(&json, zv_model_nv(model));
    json_key(&json, "nbody"), json_integer(&json, zv_builder_nlink(robot->builder));
    json_key(&json, "nlink"), json_integer(&json, zv_model_nlink(model));
    json_key(&json, "mass"), json_number(&json, zv_model_mass(model));
    json_key(&json, "gravity"), json_numbers(&json, g, 3);
    json_key(&json, "joints"), json_list(&json, JSON_BLOCK);
    for (int i = 0; i < zv_model_njoint(model); i++) joint_json(model, i, &json);
    json_end(&json);
    json_key(&json, "elastic"), json_list(&json, JSON_BLOCK);
    for (int i = 0; i < zv_model_nlink(model); i++) elastic_json(model, i, &json);
    json_end(&json);
    info_loops_json(model, &json);
    json_key(&json, "frames"), json_list(&json, JSON_LINE);
    for (int i = 0; i < zv_model_nframe(model); i++) json_text(&json, zv_model_frame(model, i).name);
    json_end(&json);
    methods_json(model, &json);
    json_end(&json);
}

/* "3", "0..6", or nothing. */
static void range_cell(Table *table, int first, int count) {
    char range[32] = "";
    if (count == 1) snprintf(range, sizeof range, "%d", first);
    if (count > 1) snprintf(range, sizeof range, "%d..%d", first, first + count - 1);
    table_text(table, range);
}

static void coordinates_cell(Table *table, const zvModel *model, const zvJoint *joint, zvJointPlace place) {
    char follows[80];
    if (place.mimic < 0) {
        table_text(table, zv_joint_type_coordinates(joint->type));
        return;
    }
    snprintf(follows, sizeof follows, "follows %.64s", zv_model_joint(model, place.mimic)->name);
    table_text(table, follows);
}

/* Ranges of q and v beside the words for them: the order is what people look for here. */
static void joint_table(const zvModel *model, Text *out) {
    static const char *const headings[] = {"joint", "type", "parent", "child", "q", "v", "coordinates"};
    enum { COLUMNS = sizeof headings / sizeof headings[0] };
    Table table = table_start(COLUMNS);
    for (int i = 0; i < COLUMNS; i++) table_text(&table, headings[i]);
    for (int i = 0; i < zv_model_njoint(model); i++) {
        const zvJoint *joint = zv_model_joint(model, i);
        const zvJointPlace place = zv_model_joint_place(model, i);
        table_text(&table, joint->name);
        table_text(&table, zv_joint_type_word(joint->type));
        table_text(&table, zv_model_link(model, place.parent)->name);
        table_text(&table, zv_model_link(model, place.child)->name);
        range_cell(&table, place.q_index, place.nq);
        range_cell(&table, place.v_index, place.nv);
        coordinates_cell(&table, model, joint, place);
    }
    table_finish(&table, out);
}

/* What an elastic link is made of and where its coordinates lie; nothing without such links. */
static void elastic_table(const zvModel *model, Text *out) {
    static const char *const headings[] = {"elastic link", "made of", "q", "v", "coordinates"};
    enum { COLUMNS = sizeof headings / sizeof headings[0] };
    if (zv_model_nelastic(model) == 0) return;
    Table table = table_start(COLUMNS);
    for (int i = 0; i < COLUMNS; i++) table_text(&table, headings[i]);
    for (int i = 0; i < zv_model_nlink(model); i++) {
        const zvElasticPlace place = zv_model_elastic_place(model, i);
        const zvLink *link = zv_model_link(model, i);
        Text parts = {0};
        if (place.count == 0) continue;
        table_text(&table, link->name);
        table_text(&table, link->beam ? zv_shapes_word(link->beam->shapes) : "modal data");
        range_cell(&table, place.q_index, place.count);
        range_cell(&table, place.v_index, place.count);
        for (int k = 0; k < place.count; k++)
            text_printf(&parts, "%s%s [%s]", k ? ", " : "", zv_model_elastic_part(model, i, k),
                        zv_model_elastic_unit(model, i, k, ZV_QUANTITY_POSITION));
        table_text(&table, parts.bytes ? parts.bytes : "");
        text_free(&parts);
    }
    text_puts(out, "\n");
    table_finish(&table, out);
}

/* Frames that are no links, with the link they are fixed to. */
static void named_frames(const zvModel *model, Text *out) {
    const int first = zv_model_nlink(model), end = zv_model_nframe(model);
    if (first == end) return;
    text_puts(out, "\nframes besides the links\n");
    for (int i = first; i < end; i++) {
        const zvFrame frame = zv_model_frame(model, i);
        text_name(out, frame.name);
        text_puts(out, " on ");
        text_name(out, frame.link);
        text_puts(out, "\n");
    }
}

/* One line of totals, then joints, elastic links, the tree, loops, frames and the methods that run. */
static void print_table(const Robot *robot, Text *out) {
    const zvModel *model = robot->model;
    double g[3];
    zv_model_gravity(model, g);
    text_puts(out, "robot ");
    text_name(out, zv_model_name(model));
    const int links = zv_builder_nlink(robot->builder);
    text_printf(out, ": nq %d, nv %d, %d link%s, moving mass %.6g kg, gravity (%.6g, %.6g, %.6g) m/s^2\n\n",
                zv_model_nq(model), zv_model_nv(model), links, links == 1 ? "" : "s", zv_model_mass(model), g[0] + 0.0,
                g[1] + 0.0, g[2] + 0.0);
    joint_table(model, out);
    elastic_table(model, out);
    text_puts(out, "\n");
    tree_draw(model, out);
    info_loops_table(model, out);
    named_frames(model, out);
    methods_table(model, out);
}

/* A recording by its suffix, else a model. */
static Code run(const Args *args, Text *out) {
    if (is_recording(args->operand)) return recording_info(args, out);
    if ((args->given & OPTION_PARAMETERS) && file_kind(args->operand) == FILE_SCENARIO)
        return parameters_of_scenario(args, out);
    Robot robot;
    const Code code = robot_read(args, &robot);
    if (code != CODE_DONE) return code;
    Code done = CODE_DONE;
    if (args->given & OPTION_PARAMETERS)
        done = parameters_of_robot(args, &robot, out);
    else if (args->given & OPTION_JSON)
        print_json(&robot, out);
    else
        print_table(&robot, out);
    robot_free(&robot);
    return done;
}

const Verb verb_info = {
    .name = "info",
    .run = run,
    .options = OPTIONS_MODEL | OPTION_PARAMETERS,
    .needs_model = true,
    .coordinates = true,
    .form = "MODEL|RECORDING|SCENARIO --parameters",
    .summary = "what a robot or a recording consists of, and the order of its coordinates",
    .help =
        "Prints a table of the joints and a drawing of the tree, and the loops that close it. JSON keys\n"
        "  name, gravity  of the robot; m/s^2\n"
        "  nq, nv         lengths of q and of v, a, tau\n"
        "  nbody          number of links in the file\n"
        "  nlink          number of links in the model: one more with a free base, its ground link\n"
        "  mass           of all moving bodies, kg\n"
        "  joints         [{name, type, parent, child, q_index, nq, v_index, nv}] in the order of the coordinates,\n"
        "                 fixed joints too (nq = nv = 0); follows: the master of a coupled mimic joint\n"
        "  elastic        [{link, q_index, v_index, count, coordinates}] of the elastic links\n"
        "  loops          of robots with loops: [{name, type, parent, child, conditions, row, common_ancestor, driven, "
        "open, was_joint}]; open: at first\n"
        "  loop_matrix    a row per joint, a column per loop: 1 on the way to the child's side, -1 to the parent's\n"
        "  mobility       {freedoms, conditions, rank, redundant} at position: neutral; assembled, where the loops\n"
        "                 close near it; or open, neutral although they do not. nearby: the same a step away,\n"
        "                 when that position is singular\n"
        "  frames         names for --frame and fext: the links, then the named frames\n"
        "  methods        [{question, method, why}]: which row of each table of methods answers by default; where\n"
        "                 external forces change that, with_external_forces; of robots with loops also the questions\n"
        "                 closed-forward, closed-mixed and closed-inverse, the others are of the spanning tree\n"
        "Of a recording (.h5, .hdf5, .csv) it prints the channels, events and notes. JSON keys\n"
        "  recording, rows, span  file, number of rows, first and last time\n"
        "  channels               [{name, unit, width, about, labels, units}]\n"
        "  events, notes          [{t, name, text}], {name: text}\n"
        "\n"
        "Example\n"
        "  zveno info arm.urdf\n",
};

/* The tree of links as a drawing, a line per link. Links come depth-first, so one flag per level is enough to know
 * which vertical strokes go on; very deep levels are not indented further. */

enum { DEEPEST_INDENT = 32 };

typedef struct Branch {
    int depth;       /* 0 for the root */
    bool last;       /* no sibling follows */
    bool child_seen; /* a later child of this link was met, going backwards */
} Branch;

static int parent_of(const zvModel *model, int link) {
    const int joint = zv_model_link_joint(model, link);
    return joint < 0 ? -1 : zv_model_joint_place(model, joint).parent;
}

/* Depths downwards, last children upwards: what the lines of the drawing need. */
static void measure_branches(const zvModel *model, Branch *branches) {
    const int count = zv_model_nlink(model);
    for (int link = 0; link < count; link++) {
        const int parent = parent_of(model, link);
        branches[link].depth = parent < 0 ? 0 : branches[parent].depth + 1;
    }
    for (int link = count - 1; link > 0; link--) {
        const int parent = parent_of(model, link);
        if (parent < 0) continue;
        branches[link].last = !branches[parent].child_seen;
        branches[parent].child_seen = true;
    }
}

/* The joint above a link, behind its name. */
static void draw_joint(const zvModel *model, int link, Text *out) {
    const int joint = zv_model_link_joint(model, link);
    if (joint < 0) return;
    const zvJoint *above = zv_model_joint(model, joint);
    const zvJointPlace place = zv_model_joint_place(model, joint);
    text_puts(out, "  <- ");
    text_name(out, above->name);
    text_printf(out, ", %s", zv_joint_type_word(above->type));
    if (place.nq == 1) text_printf(out, ", q[%d]", place.q_index);
    if (place.nq > 1) text_printf(out, ", q[%d..%d]", place.q_index, place.q_index + place.nq - 1);
    if (place.mimic >= 0) {
        text_puts(out, ", follows ");
        text_name(out, zv_model_joint(model, place.mimic)->name);
    }
}

static void draw_link(const zvModel *model, int link, const Branch *branch, const bool *open, Text *out) {
    for (int level = 1; level < branch->depth && level < DEEPEST_INDENT; level++)
        text_puts(out, open[level] ? "│  " : "   ");
    if (branch->depth) text_puts(out, branch->last ? "└─ " : "├─ ");
    if (branch->depth > DEEPEST_INDENT) text_printf(out, "(level %d) ", branch->depth);
    text_name(out, zv_model_link(model, link)->name);
    draw_joint(model, link, out);
    text_puts(out, "\n");
}

/* Links in model order, which is depth-first: each line needs only the branches that are open above it. */
static void tree_draw(const zvModel *model, Text *out) {
    const int count = zv_model_nlink(model);
    bool open[DEEPEST_INDENT] = {false};
    Branch *branches = calloc((size_t)count + 1, sizeof *branches);
    if (!branches) {
        out->failed = true;
        return;
    }
    measure_branches(model, branches);
    for (int link = 0; link < count; link++) {
        draw_link(model, link, &branches[link], open, out);
        if (branches[link].depth < DEEPEST_INDENT) open[branches[link].depth] = !branches[link].last;
    }
    free(branches);
}
