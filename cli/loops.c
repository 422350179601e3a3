/* A look at the loops of a robot: where they close, and what they leave free there. */
#include <stdlib.h>
#include <string.h>

#include "dofs.h"
#include "loops.h"
#include "table.h"

static const double closed = 1e-9;  /* residual of a position that closes its loops */
static const double patience = 2e9; /* operations that a rank may cost */

/* To the neutral position, or where the loops close near it. */
static void find_place(const zvModel *model, zvWork *work, double *q, LoopMobility *mobility) {
    enum { RESTARTS = 20 };
    zvAssembly options = zv_assembly_default();
    options.restarts = RESTARTS;
    zv_neutral(model, q);
    zv_loop_residual(model, work, NULL, q, NULL, -1, &mobility->gap, NULL);
    mobility->place = PLACE_NEUTRAL;
    if (mobility->gap <= closed) return;
    const bool assembled = zv_assemble(model, work, NULL, &options, q, &mobility->error) >= 0;
    mobility->place = assembled ? PLACE_ASSEMBLED : PLACE_OPEN;
    if (!assembled) zv_neutral(model, q);
}

/* A step away in no special direction, and to where the loops close there; false: they do not. */
static bool step_aside(const zvModel *model, zvWork *work, double *q) {
    const int nv = zv_model_nv(model);
    unsigned long long seed = 1;
    double *step = calloc((size_t)nv + 1, sizeof *step);
    if (!step) return false;
    for (int i = 0; i < nv; i++) {
        seed = (seed * 6364136223846793005ULL + 1442695040888963407ULL) & 0xFFFFFFFFFFFFFFFFULL;
        step[i] = 0.3 * ((double)(seed >> 40) / (double)(1ULL << 23) - 1);
    }
    for (int link = 0; link < zv_model_nlink(model); link++) { /* elastic links bear no such steps */
        const zvElasticPlace place = zv_model_elastic_place(model, link);
        for (int k = 0; k < place.count; k++) step[place.v_index + k] = 0;
    }
    zv_position_add(model, q, step, q);
    free(step);
    return zv_assemble(model, work, NULL, NULL, q, NULL) >= 0;
}

static void look_around(const zvModel *model, zvWork *work, double *q, LoopMobility *mobility) {
    mobility->known = zv_loop_mobility(model, work, q, &mobility->mobility) >= 0;
    if (!mobility->known || mobility->place == PLACE_OPEN || !step_aside(model, work, q)) return;
    if (zv_loop_mobility(model, work, q, &mobility->nearby) < 0) return;
    mobility->singular = mobility->nearby.freedoms < mobility->mobility.freedoms;
}

static void come_to(const zvModel *model, zvWork *work, const double *from, double *q, LoopMobility *mobility) {
    memcpy(q, from, (size_t)zv_model_nq(model) * sizeof *q);
    zv_loop_residual(model, work, NULL, q, NULL, -1, &mobility->gap, NULL);
    mobility->place = mobility->gap <= closed ? PLACE_ASSEMBLED : PLACE_OPEN;
}

/* from NULL: to the neutral position, or near it. */
static LoopMobility mobility_at(const zvModel *model, const double *from) {
    const double rows = zv_model_nloop_rows(model);
    LoopMobility mobility = {0};
    if (rows * rows * zv_model_nv(model) > patience) return mobility;
    double *q = calloc((size_t)zv_model_nq(model) + 1, sizeof *q);
    zvWork *work = q ? zv_work_create(model, NULL) : NULL;
    if (work && from) come_to(model, work, from, q, &mobility);
    if (work && !from) find_place(model, work, q, &mobility);
    if (work) look_around(model, work, q, &mobility);
    zv_work_destroy(work);
    free(q);
    return mobility;
}

LoopMobility loop_mobility(const zvModel *model) { return mobility_at(model, NULL); }
LoopMobility loop_mobility_at(const zvModel *model, const double *q) { return mobility_at(model, q); }

/* Loops of a robot and the forces in them, for people and for programs. */

static bool is_coupling(const zvModel *model, int loop) { return zv_model_loop(model, loop)->kind == ZV_LOOP_COUPLING; }

const char *loop_word(const zvLoop *loop) {
    if (loop->kind == ZV_LOOP_ROD) return "rod";
    return loop->kind == ZV_LOOP_COUPLING ? "coupling" : zv_joint_type_word(loop->type);
}

/* Multipliers by rows, then per loop its wrench, or the force of a coupling, which has no place. */
void loop_forces_json(const zvModel *model, const double *lambda, const double *wrenches, Json *json) {
    const int count = zv_model_nloop(model);
    if (!count) return;
    json_key(json, "lambda"), json_numbers(json, lambda, (size_t)zv_model_nloop_rows(model));
    json_key(json, "loops"), json_list(json, JSON_BLOCK);
    for (int i = 0; i < count; i++) {
        json_map(json, JSON_LINE);
        json_key(json, "name"), json_text(json, zv_model_loop(model, i)->name);
        if (is_coupling(model, i))
            json_key(json, "multiplier"), json_number(json, wrenches[6 * i]);
        else
            json_key(json, "wrench"), json_numbers(json, wrenches + 6 * i, 6);
        json_end(json);
    }
    json_end(json);
}

static void coupling_lines(const zvModel *model, const double *wrenches, Text *out) {
    for (int i = 0; i < zv_model_nloop(model); i++) {
        if (!is_coupling(model, i)) continue;
        text_puts(out, "multiplier of coupling ");
        text_name(out, zv_model_loop(model, i)->name);
        text_puts(out, ": ");
        text_number_short(out, wrenches[6 * i]);
        text_puts(out, "\n");
    }
}

/* Wrenches as a table; couplings follow in words, since six components mean nothing for them. */
void loop_forces_table(const zvModel *model, const double *wrenches, Text *out) {
    static const char *const headings[6] = {"fx [N]", "fy [N]", "fz [N]", "mx [N m]", "my [N m]", "mz [N m]"};
    const int count = zv_model_nloop(model);
    size_t shown = 0;
    if (!count) return;
    Six *rows = malloc((size_t)count * sizeof *rows);
    if (!rows) {
        out->failed = true;
        return;
    }
    for (int i = 0; i < count; i++)
        if (!is_coupling(model, i))
            rows[shown++] = (Six){.name = zv_model_loop(model, i)->name, .values = wrenches + 6 * i};
    text_puts(out, "\n");
    if (shown) {
        text_puts(out, "loop forces of parent on child, in the loop's child frame\n");
        table_of_sixes("loop", headings, rows, shown, out);
    }
    coupling_lines(model, wrenches, out);
    free(rows);
}

/* null where the ranks were too expensive to find. */
void mobility_json(const char *key, const zvLoopMobility *mobility, Json *json) {
    json_key(json, key);
    if (!mobility) {
        json_text(json, NULL);
        return;
    }
    json_map(json, JSON_LINE);
    json_key(json, "freedoms"), json_integer(json, mobility->freedoms);
    json_key(json, "conditions"), json_integer(json, mobility->rows);
    json_key(json, "rank"), json_integer(json, mobility->rank);
    json_key(json, "redundant"), json_integer(json, mobility->redundant);
    json_end(json);
}

void mobility_line(const zvModel *model, const zvLoopMobility *mobility, Text *out) {
    text_printf(out, "%d degree%s of freedom: %d of the tree less %d condition%s", mobility->freedoms,
                mobility->freedoms == 1 ? "" : "s", zv_model_nv(model), mobility->rows, mobility->rows == 1 ? "" : "s");
    if (mobility->redundant) text_printf(out, " of rank %d (%d redundant)", mobility->rank, mobility->redundant);
    text_puts(out, "\n");
}

/* What "zveno info" tells of loops: where they close, the loop matrix, and what they leave free. */

static const char *const place_words[] = {
    [PLACE_NEUTRAL] = "neutral", [PLACE_ASSEMBLED] = "assembled", [PLACE_OPEN] = "open"};

/* For programs -------------------------------------------------------------------------------------- */

static const char *link_name(const zvModel *model, int link) {
    return link < 0 ? NULL : zv_model_link(model, link)->name;
}

/* One loop: what closes it, between which links, and where its conditions lie among all. */
static void loop_json(const zvModel *model, int index, Json *json) {
    const zvLoop *loop = zv_model_loop(model, index);
    const zvLoopPlace place = zv_model_loop_place(model, index);
    json_map(json, JSON_LINE);
    json_key(json, "name"), json_text(json, loop->name);
    json_key(json, "type"), json_text(json, loop_word(loop));
    json_key(json, "parent"), json_text(json, link_name(model, place.parent));
    json_key(json, "child"), json_text(json, link_name(model, place.child));
    json_key(json, "conditions"), json_integer(json, place.rows);
    json_key(json, "row"), json_integer(json, place.row);
    json_key(json, "common_ancestor"), json_text(json, link_name(model, place.ancestor));
    json_key(json, "driven"), json_bool(json, loop->driven);
    json_key(json, "open"), json_bool(json, loop->open);
    json_key(json, "was_joint"), json_bool(json, loop->was_joint);
    json_end(json);
}

/* njoint rows of nloop signs; false: no memory. */
static bool matrix_of(const zvModel *model, int **signs) {
    const size_t joints = (size_t)zv_model_njoint(model), loops = (size_t)zv_model_nloop(model);
    int *column = malloc((joints + 1) * sizeof *column);
    *signs = malloc((joints * loops + 1) * sizeof **signs);
    const bool done = column && *signs;
    for (size_t j = 0; done && j < loops; j++) {
        zv_loop_signs(model, (int)j, column);
        for (size_t i = 0; i < joints; i++) (*signs)[i * loops + j] = column[i];
    }
    free(column);
    return done;
}

/* Dense as the theory has it; null where that would be a file of many megabytes. */
static void matrix_json(const zvModel *model, Json *json) {
    const double largest = 1e7; /* entries that are written */
    const int joints = zv_model_njoint(model), loops = zv_model_nloop(model);
    int *signs = NULL;
    json_key(json, "loop_matrix");
    if ((double)joints * loops > largest) {
        json_text(json, NULL);
        return;
    }
    json_list(json, JSON_BLOCK);
    if (!matrix_of(model, &signs)) json->out->failed = true;
    for (int i = 0; !json->out->failed && i < joints; i++) {
        json_list(json, JSON_LINE);
        for (int j = 0; j < loops; j++) json_integer(json, signs[i * loops + j]);
        json_end(json);
    }
    json_end(json);
    free(signs);
}

/* Nothing for robots without loops: their JSON stays as short as it was. */
void info_loops_json(const zvModel *model, Json *json) {
    const int count = zv_model_nloop(model);
    if (!count) return;
    const LoopMobility mobility = loop_mobility(model);
    json_key(json, "loops"), json_list(json, JSON_BLOCK);
    for (int i = 0; i < count; i++) loop_json(model, i, json);
    json_end(json);
    matrix_json(model, json);
    mobility_json("mobility", mobility.known ? &mobility.mobility : NULL, json);
    if (mobility.singular) mobility_json("nearby", &mobility.nearby, json);
    json_key(json, "position"), json_text(json, mobility.known ? place_words[mobility.place] : NULL);
}

/* For people ---------------------------------------------------------------------------------------- */

/* "gears", "arm3 -> arm4" or "2 joints" */
static void ends_cell(const zvModel *model, int index, Table *table) {
    const zvLoop *loop = zv_model_loop(model, index);
    const zvLoopPlace place = zv_model_loop_place(model, index);
    Text cell = {0};
    if (loop->kind == ZV_LOOP_COUPLING) {
        for (int i = 0; i < loop->term_count; i++)
            text_printf(&cell, "%s%s", i ? ", " : "joints ", loop->terms[i].joint);
    } else {
        text_printf(&cell, "%s -> %s", link_name(model, place.parent), link_name(model, place.child));
    }
    table_text(table, cell.bytes ? cell.bytes : "");
    text_free(&cell);
}

static const char *origin_word(const zvLoop *loop) {
    if (loop->open) return loop->driven ? "loop, driven, open at first" : "loop, open at first";
    if (loop->was_joint) return loop->driven ? "cut joint, driven" : "cut joint";
    return loop->driven ? "loop, driven" : "loop";
}

/* One row per loop; the last column says whether the file described a loop or a joint was cut. */
static void loops_table(const zvModel *model, Text *out) {
    static const char *const headings[] = {"loop",        "type", "parent -> child", "conditions", "common ancestor",
                                           "described as"};
    enum { COLUMNS = sizeof headings / sizeof headings[0] };
    Table table = table_start(COLUMNS);
    for (int i = 0; i < COLUMNS; i++) table_text(&table, headings[i]);
    for (int i = 0; i < zv_model_nloop(model); i++) {
        const zvLoop *loop = zv_model_loop(model, i);
        const zvLoopPlace place = zv_model_loop_place(model, i);
        const char *ancestor = link_name(model, place.ancestor);
        table_text(&table, loop->name);
        table_text(&table, loop_word(loop));
        ends_cell(model, i, &table);
        table_integer(&table, place.rows);
        table_text(&table, ancestor ? ancestor : "");
        table_text(&table, origin_word(loop));
    }
    table_finish(&table, out);
}

/* Rows of joints that are in no loop are left out. */
static bool is_in_a_loop(const int *row, int loops) {
    for (int j = 0; j < loops; j++)
        if (row[j]) return true;
    return false;
}

/* Signs instead of numbers: the matrix has no other entries. */
static void matrix_rows(const zvModel *model, const int *signs, Text *out) {
    const int loops = zv_model_nloop(model);
    Table table = table_start((size_t)loops + 1);
    table_text(&table, "U");
    for (int j = 0; j < loops; j++) table_text(&table, zv_model_loop(model, j)->name);
    for (int i = 0; i < zv_model_njoint(model); i++) {
        const int *row = signs + (size_t)i * (size_t)loops;
        if (!is_in_a_loop(row, loops)) continue;
        table_text(&table, zv_model_joint(model, i)->name);
        for (int j = 0; j < loops; j++) table_text(&table, row[j] > 0 ? "+" : row[j] < 0 ? "-" : ".");
    }
    table_finish(&table, out);
}

/* Left out where it would not fit on a screen. */
static void print_matrix(const zvModel *model, Text *out) {
    enum { MOST_LOOPS = 8, MOST_JOINTS = 50 };
    int *signs = NULL;
    if (zv_model_nloop(model) > MOST_LOOPS || zv_model_njoint(model) > MOST_JOINTS) {
        text_puts(out, "the loop matrix does not fit here: --json has it\n");
        return;
    }
    text_puts(out, "loop matrix: + joints on the way to the child's side, - to the parent's\n");
    if (matrix_of(model, &signs))
        matrix_rows(model, signs, out);
    else
        out->failed = true;
    free(signs);
}

/* Counts freedoms where the loops close; a singular position also shows the count a step away from it. */
static void print_mobility(const zvModel *model, Text *out) {
    const LoopMobility mobility = loop_mobility(model);
    if (!mobility.known) {
        text_printf(out, "%d conditions; too many for their rank to be found here\n", zv_model_nloop_rows(model));
        return;
    }
    if (mobility.place == PLACE_OPEN)
        text_printf(
            out, "at the neutral position, where the loops are open by %.3g and do not close near it: ", mobility.gap);
    else
        text_puts(out, mobility.place == PLACE_NEUTRAL ? "at the neutral position: "
                                                       : "where the loops close near the neutral position: ");
    mobility_line(model, &mobility.mobility, out);
    if (!mobility.singular) return;
    text_puts(out, "that position is singular; nearby: ");
    mobility_line(model, &mobility.nearby, out);
}

void info_loops_table(const zvModel *model, Text *out) {
    if (!zv_model_nloop(model)) return;
    text_puts(out, "\n");
    loops_table(model, out);
    text_puts(out, "\n");
    print_matrix(model, out);
    text_puts(out, "\n");
    print_mobility(model, out);
}
