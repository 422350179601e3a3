/* Loops of a robot and the forces in them, for people and for programs. */
#include "loop_table.h"

#include <stdlib.h>

#include "dof_table.h"

static bool is_coupling(const zvModel *model, int loop) { return zv_model_loop(model, loop)->kind == ZV_LOOP_COUPLING; }

const char *loop_word(const zvLoop *loop) {
    if (loop->kind == ZV_LOOP_ROD) return "rod";
    return loop->kind == ZV_LOOP_COUPLING ? "coupling" : zv_joint_type_word(loop->type);
}

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
