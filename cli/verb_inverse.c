/* zveno inverse: the forces that give an acceleration, and the reactions in the joints. */
#include <stdlib.h>
#include <string.h>

#include "dof_table.h"
#include "question.h"
#include "verb.h"

static bool reactions_wanted(const Case *at) { return at->args->given & OPTION_REACTIONS; }
static bool is_elastic(const Case *at) { return zv_model_nelastic(at->model) > 0; }
static double *accelerations_of(const Case *at) { return at->answer + zv_model_nv(at->model); }
static double *reactions_of(const Case *at) { return accelerations_of(at) + zv_model_nv(at->model); }

static size_t room(const zvModel *model) { return 2 * (size_t)zv_model_nv(model) + 6 * (size_t)zv_model_njoint(model); }

static zvStatus solve(const Case *at) {
    const State *s = at->state;
    double *a = accelerations_of(at);
    zvStatus status = ZV_OK;
    memcpy(a, s->a, (size_t)zv_model_nv(at->model) * sizeof *a);
    if (is_elastic(at))
        status = zv_flexible_inverse_dynamics(at->model, at->work, s->q, s->v, s->fext, a, at->answer);
    else
        zv_inverse_dynamics(at->model, at->work, s->q, s->v, a, s->fext, at->answer);
    if (reactions_wanted(at)) zv_joint_reactions(at->model, at->work, s->q, s->v, a, s->fext, reactions_of(at));
    return status;
}

static void print_json(const Case *at, Json *json) {
    json_key(json, "tau");
    json_numbers(json, at->answer, (size_t)zv_model_nv(at->model));
    if (is_elastic(at)) {
        json_key(json, "a");
        json_numbers(json, accelerations_of(at), (size_t)zv_model_nv(at->model));
    }
    if (!reactions_wanted(at)) return;
    json_key(json, "reactions");
    json_map(json, JSON_BLOCK);
    for (int i = 0; i < zv_model_njoint(at->model); i++) {
        json_key(json, zv_model_joint(at->model, i)->name);
        json_numbers(json, reactions_of(at) + 6 * i, 6);
    }
    json_end(json);
}

static void print_reactions(const Case *at, Text *out) {
    static const char *const headings[6] = {"fx [N]", "fy [N]", "fz [N]", "mx [N m]", "my [N m]", "mz [N m]"};
    const size_t count = (size_t)zv_model_njoint(at->model);
    Six *rows = malloc((count + 1) * sizeof *rows);
    if (!rows) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < count; i++)
        rows[i] = (Six){.name = zv_model_joint(at->model, (int)i)->name, .values = reactions_of(at) + 6 * i};
    text_puts(out, "\nreactions of parent on child, in the child's joint frame\n");
    table_of_sixes("joint", headings, rows, count, out);
    free(rows);
}

static void print_table(const Case *at, Text *out) {
    const Column columns[] = {
        {.name = "tau", .quantity = QUANTITY_FORCE, .values = at->answer},
        {.name = "a", .quantity = QUANTITY_ACCELERATION, .values = accelerations_of(at)},
    };
    table_of_dofs(at->model, columns, is_elastic(at) ? 2 : 1, out);
    if (reactions_wanted(at)) print_reactions(at, out);
}

static Code run(const Args *args, Text *out) {
    static const Question question = {room, solve, print_json, print_table};
    return question_answer(&question, args, NULL, out);
}

const Verb verb_inverse = {
    .name = "inverse",
    .run = run,
    .options = OPTIONS_STATE | OPTION_REACTIONS,
    .needs_model = true,
    .form = "MODEL [--state FILE] [--reactions]",
    .summary = "forces that give an acceleration (inverse dynamics)",
    .help = "Takes q, v, a, fext. Prints (JSON keys)\n"
            "  tau        nv joint forces, N m or N, that give the acceleration a\n"
            "  reactions  with --reactions: {joint: [fx, fy, fz, mx, my, mz]}, all joints, fixed ones too;\n"
            "             force and moment of parent on child, drive included, in the child's joint frame\n"
            "  a          when links are elastic: accelerations, those of the elastic coordinates computed\n"
            "             (what the state says of them is not looked at; tau of them is 0)\n"
            "tau is the whole force in the joint: springs, damping and friction of the file are not added to it.\n"
            "\n"
            "Example\n"
            "  echo '{q: [0.3, -1.2], a: [1, 0]}' | zveno inverse arm.urdf --state - --json\n",
};
