/* Reads states. Errors say where the value stands, what was expected, and which joints the numbers belong to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "dofs.h"
#include "kinds.h"
#include "loops.h"
#include "robot.h"
#include "state.h"
#include "zveno/loops.h"

static const double quaternion_refused = 1e-3; /* farther than this from unit length it is a mistake, not rounding */

/* One block for all numbers: a state is freed by one pointer and can be copied whole. */
bool state_create(const zvModel *model, State *state) {
    const size_t nq = (size_t)zv_model_nq(model), nv = (size_t)zv_model_nv(model);
    *state = (State){0};
    double *numbers = calloc(nq + 3 * nv + (size_t)zv_model_nexternal(model) + 1, sizeof *numbers);
    state->given = calloc(nv + 1, 1);
    state->q = numbers;
    if (!numbers || !state->given) return state_free(state), false;
    state->v = numbers + nq;
    state->a = state->v + nv;
    state->tau = state->a + nv;
    state->wrenches = state->tau + nv;
    return true;
}

void state_free(State *state) {
    free(state->q);
    free(state->given);
    *state = (State){0};
}

static void state_reset(const zvModel *model, State *state) {
    const size_t nv = (size_t)zv_model_nv(model), external = (size_t)zv_model_nexternal(model);
    zv_neutral(model, state->q);
    memset(state->v, 0, (3 * nv + external) * sizeof *state->v);
    memset(state->given, ZV_GIVEN_FORCE, nv);
    state->fext = NULL;
    state->mark = (zvMark){0};
    state->deviation = 0;
    state->beside = 0;
}

/* "q: expected 6 entries, found 5; in the order shoulder, elbow, ..." */
static zvStatus wrong_size(const zvNode *node, const zvModel *model, const char *key, int count, bool of_q,
                           zvError *error) {
    enum { FITS = 300 };
    Text order = {0};
    text_puts(&order, "");
    EntryCursor entry = entry_first(model, of_q);
    for (int i = 0; i < count; i++, entry_next(&entry)) {
        if (order.size > FITS) {
            text_puts(&order, ", ... (all in zveno info)");
            break;
        }
        if (i) text_puts(&order, ", ");
        entry_label(&entry, &order);
    }
    zv_fail(error, ZV_SIZE, node->mark, key, "%s: expected %d entries, found %d%s%s", key, count, node->count,
            count ? "; in the order " : "", order.bytes ? order.bytes : "");
    text_free(&order);
    return ZV_SIZE;
}

static const char *node_kind(const zvNode *node) {
    return node->kind == ZV_NODE_LIST ? "a list" : node->kind == ZV_NODE_MAP ? "a map" : "a single value";
}

static zvStatus need_list(const zvNode *node, const zvModel *model, const char *key, int count, bool of_q,
                          zvError *error) {
    if (node->kind != ZV_NODE_LIST)
        return zv_fail(error, ZV_SCHEMA, node->mark, key, "%s: expected a list of %d entries in [ ], found %s", key,
                       count, node_kind(node));
    return node->count == count ? ZV_OK : wrong_size(node, model, key, count, of_q, error);
}

/* Whether an entry of q, v or a is an angle, which may be written in deg. */
static bool entry_turns(const EntryCursor *entry, const char *key) {
    if (entry->of_q) return strcmp(entry_position_unit(entry), "rad") == 0;
    return strcmp(key, "tau") != 0 && strcmp(entry_unit(entry, QUANTITY_VELOCITY), "rad/s") == 0;
}

/* What is no plain number: degrees, or an error. The long name of an entry is composed only here, for the text. */
static zvStatus read_entry(const zvNode *node, const zvModel *model, const char *key, int index, bool of_q,
                           double *value, zvError *error) {
    Text what = {0};
    text_printf(&what, "%s[%d], ", key, index);
    const EntryCursor entry = entry_at(model, of_q, index);
    entry_label(&entry, &what);
    const char *name = what.bytes ? what.bytes : key;
    const zvStatus status = (entry_turns(&entry, key) ? zv_node_angle : zv_node_number)(node, name, value, error);
    text_free(&what);
    return status;
}

/* The value under a key; NULL where there is none and where null is written, as programs do for "none". */
static const zvNode *given_value(const zvNode *map, const char *key) {
    static const char *const nulls[] = {"null", "Null", "NULL", "~", ""};
    const zvNode *node = zv_node_get(map, key);
    if (!node || node->kind != ZV_NODE_SCALAR || node->quoted) return node;
    for (size_t i = 0; i < sizeof nulls / sizeof nulls[0]; i++)
        if (strcmp(node->text, nulls[i]) == 0) return NULL;
    return node;
}

/* count numbers under key, or nothing when the key is missing. */
static zvStatus read_numbers(const zvNode *map, const zvModel *model, const char *key, int count, bool of_q,
                             double *values, zvError *error) {
    const zvNode *node = given_value(map, key);
    if (!node) return ZV_OK;
    const zvStatus status = need_list(node, model, key, count, of_q, error);
    if (status < 0) return status;
    for (int i = 0; i < count; i++)
        if (zv_node_number(node->items[i], key, &values[i], NULL) < 0 &&
            read_entry(node->items[i], model, key, i, of_q, &values[i], error) < 0)
            return error->status;
    return ZV_OK;
}

/* Where in q the quaternion of a joint begins; -1 when it has none. */
static int quaternion_at(const zvModel *model, int joint) {
    const zvJointPlace place = zv_model_joint_place(model, joint);
    if (!place.nq) return -1;
    const int at = zv_joint_type_quaternion(zv_model_joint(model, joint)->type);
    return at >= 0 ? place.q_index + at : -1;
}

/* Small deviations from unit length are scaled away and told; large ones are an error in the file. */
static zvStatus check_quaternions(const zvNode *map, const zvModel *model, State *state, zvError *error) {
    const zvNode *node = given_value(map, "q");
    for (int joint = 0; node && joint < zv_model_njoint(model); joint++) {
        const int at = quaternion_at(model, joint);
        if (at < 0) continue;
        const double *x = state->q + at;
        const double length = hypot(hypot(x[0], x[1]), hypot(x[2], x[3]));
        if (!(fabs(length - 1) <= quaternion_refused))
            return zv_fail(error, ZV_NUMBER, node->items[at]->mark, "q",
                           "quaternion of joint \"%s\" (q[%d..%d]: x, y, z, w): expected length 1, found %.6g",
                           zv_model_joint(model, joint)->name, at, at + 3, length);
    }
    state->deviation = zv_position_normalize(model, state->q);
    return ZV_OK;
}

/* Six numbers in world axes, or {axes: local, wrench: [...]} in those of the frame. */
static zvStatus read_wrench(const zvNode *node, const char *what, double wrench[6], bool *local, zvError *error) {
    static const char *const keys[] = {"axes", "wrench"};
    if (node->kind != ZV_NODE_MAP) return zv_node_numbers(node, what, 6, wrench, error);
    const zvNode *axes = zv_node_get(node, "axes"), *numbers = zv_node_get(node, "wrench");
    zvStatus status = zv_node_only(node, what, keys, 2, error);
    if (status < 0) return status;
    if (!numbers)
        return zv_fail(error, ZV_SCHEMA, node->mark, "wrench",
                       "%s: expected {axes: local, wrench: [...]}, found no wrench", what);
    *local = axes && axes->kind == ZV_NODE_SCALAR && !strcmp(axes->text, "local");
    if (axes && !*local && (axes->kind != ZV_NODE_SCALAR || strcmp(axes->text, "world")))
        return zv_fail(error, ZV_SCHEMA, axes->mark, "axes", "axes of %s: expected world or local, found %s", what,
                       axes->kind == ZV_NODE_SCALAR ? axes->text : node_kind(axes));
    return zv_node_numbers(numbers, what, 6, wrench, error);
}

/* Wrenches on frames are carried to the origins of their links, and add up there. */
static zvStatus read_wrenches(const zvNode *map, const zvModel *model, zvWork *work, State *state, zvError *error) {
    const zvNode *node = given_value(map, "fext");
    if (!node) return ZV_OK;
    if (node->kind != ZV_NODE_MAP)
        return zv_fail(error, ZV_SCHEMA, node->mark, "fext",
                       "fext: expected a map from link or frame names to [fx, fy, fz, mx, my, mz], found %s",
                       node_kind(node));
    for (int i = 0; i < node->count; i++) {
        double wrench[6];
        char what[128];
        const int frame = robot_frame(model, node->keys[i], node->key_marks[i], error);
        if (frame < 0) return ZV_NAME;
        bool local = false;
        snprintf(what, sizeof what, "the wrench (fx, fy, fz, mx, my, mz) on \"%.64s\"", node->keys[i]);
        const zvStatus status = read_wrench(node->items[i], what, wrench, &local, error);
        if (status < 0) return status;
        (local ? zv_add_local_wrench : zv_add_wrench)(model, work, state->q, frame, wrench, state->wrenches);
        state->fext = state->wrenches;
    }
    return ZV_OK;
}

/* A word per degree of freedom; without it all forces are known. */
static zvStatus read_given(const zvNode *map, const zvModel *model, State *state, zvError *error) {
    static const char *const words[] = {
        [ZV_GIVEN_FORCE] = "tau", [ZV_GIVEN_ACCELERATION] = "a", [ZV_GIVEN_LOCKED] = "locked"};
    enum { WORDS = sizeof words / sizeof words[0] };
    const zvNode *node = given_value(map, "given");
    if (!node) return ZV_OK;
    zvStatus status = need_list(node, model, "given", zv_model_nv(model), false, error);
    for (int i = 0; status >= 0 && i < node->count; i++) {
        const char *word;
        int choice = 0;
        status = zv_node_text(node->items[i], "an entry of given", &word, error);
        if (status < 0) return status;
        while (choice < WORDS && strcmp(word, words[choice])) choice++;
        if (choice == WORDS)
            return zv_fail(error, ZV_NAME, node->items[i]->mark, word,
                           "given[%d]: expected tau, a or locked, found \"%s\"", i, word);
        state->given[i] = (unsigned char)choice;
    }
    return status;
}

/* What other programs call the keys of a state; names that are only misspelt are found by zv_node_only. */
static zvStatus refuse_synonyms(const zvNode *map, zvError *error) {
    static const char *const synonyms[][2] = {
        {"position", "q"},      {"positions", "q"}, {"pos", "q"},        {"angles", "q"},
        {"joints", "q"},        {"qd", "v"},        {"dq", "v"},         {"qdot", "v"},
        {"vel", "v"},           {"velocity", "v"},  {"velocities", "v"}, {"qdd", "a"},
        {"ddq", "a"},           {"qddot", "a"},     {"acc", "a"},        {"acceleration", "a"},
        {"u", "tau"},           {"torque", "tau"},  {"force", "tau"},    {"effort", "tau"},
        {"accelerations", "a"}, {"forces", "tau"},  {"wrench", "fext"},  {"torques", "tau"},
        {"efforts", "tau"}};
    for (int i = 0; i < map->count; i++)
        for (size_t k = 0; k < sizeof synonyms / sizeof *synonyms; k++)
            if (!strcmp(map->keys[i], synonyms[k][0]))
                return zv_fail(error, ZV_SCHEMA, map->key_marks[i], map->keys[i],
                               "expected a key of a state, found \"%s\"; did you mean \"%s\"?", map->keys[i],
                               synonyms[k][1]);
    return ZV_OK;
}

static bool any(const double *x, int count) {
    int i = 0;
    while (i < count && x[i] == 0) i++;
    return i < count;
}

/* Zeros are what is taken without them. */
static void note_beside(const zvNode *map, int nv, State *state) {
    if (any(state->a, nv)) state->beside |= STATE_A;
    if (any(state->tau, nv)) state->beside |= STATE_TAU;
    if (state->fext) state->beside |= STATE_FEXT;
    if (given_value(map, "given")) state->beside |= STATE_GIVEN;
}

static zvStatus refuse_other_kind(const zvNode *node, zvError *error) {
    return zv_fail(error, ZV_SCHEMA, node->mark, "",
                   "expected a state, a map with any of q, v, a, tau, fext, given, found %s", node_kind(node));
}

/* Everything that a map leaves out is neutral or zero; unknown keys are errors, since a misspelt key would be silence.
 * */
zvStatus state_read(const zvNode *node, const zvModel *model, zvWork *work, State *state, zvError *error) {
    static const char *const keys[] = {"q", "v", "a", "tau", "fext", "given", "residual"};
    state_reset(model, state);
    if (!node) return ZV_OK;
    state->mark = node->mark;
    if (node->kind != ZV_NODE_MAP) return refuse_other_kind(node, error);
    const int nq = zv_model_nq(model), nv = zv_model_nv(model);
    zvStatus status = refuse_synonyms(node, error);
    if (status >= 0) status = zv_node_only(node, "a state", keys, sizeof keys / sizeof keys[0], error);
    if (status >= 0) status = read_numbers(node, model, "q", nq, true, state->q, error);
    if (status >= 0) status = check_quaternions(node, model, state, error);
    if (status >= 0) status = read_numbers(node, model, "v", nv, false, state->v, error);
    if (status >= 0) status = read_numbers(node, model, "a", nv, false, state->a, error);
    if (status >= 0) status = read_numbers(node, model, "tau", nv, false, state->tau, error);
    if (status >= 0) status = read_wrenches(node, model, work, state, error);
    if (status >= 0) status = read_given(node, model, state, error);
    if (status >= 0) note_beside(node, nv, state);
    return status;
}

/* Keeps the document open: states are read from it one by one. */
zvStatus state_file_open(const char *path, StateFile *file, zvError *error) {
    *file = (StateFile){.count = 1};
    if (!path) return ZV_OK;
    if (zv_document_read_file(path, &file->document, error) < 0) {
        file_blame_kind(path, FILE_STATE, error);
        return error->status;
    }
    file->root = zv_document_root(file->document);
    const zvMark mark = {.file = strcmp(path, "-") ? path : "<stdin>"};
    if (file->root && file->root->kind == ZV_NODE_SCALAR) { /* a table, for example */
        refuse_other_kind(file->root, error);
        file_blame_kind(path, FILE_STATE, error);
        return error->status;
    }
    if (document_blame_kind(mark.file, file->root, FILE_STATE, error)) return error->status;
    if (!file->root)
        return zv_fail(error, ZV_SCHEMA, mark, "",
                       "expected a state in the file, found none; write {} for the neutral state");
    file->list = file->root->kind == ZV_NODE_LIST;
    if (file->list) file->count = file->root->count;
    return ZV_OK;
}

const zvNode *state_file_node(const StateFile *file, int index) {
    return file->list ? file->root->items[index] : file->root;
}

void state_file_close(StateFile *file) {
    zv_document_destroy(file->document);
    *file = (StateFile){0};
}

/* Quaternions that were scaled, positions beyond the limits of joints, loops that are not closed: answers are given all
 * the same. */

static const double quaternion_rounding = 1e-9; /* a deviation from unit length that is not worth a word */
static const double limit_rounding = 1e-9;      /* of a position, likewise */
static const double loop_rounding = 1e-6;       /* of a loop's residual */
static const double patience = 2e9;             /* operations on singular positions in a run */

void state_warnings_note_scaling(StateWarnings *warnings, const State *state) {
    if (state->deviation <= quaternion_rounding) return;
    if (!warnings->scaled++) warnings->first_scaled = state->mark;
    if (state->deviation > warnings->deviation) warnings->deviation = state->deviation;
}

static bool is_outside(const zvDof *dof, double q) {
    const double slack = limit_rounding * (1 + fabs(q));
    return dof->has_limits && (q < dof->lower - slack || q > dof->upper + slack);
}

/* Which entry of a joint's coordinates is beyond its limits, or -1; quaternions have none. */
static int entry_outside(const zvModel *model, int joint, const double *q) {
    const zvJointPlace place = zv_model_joint_place(model, joint);
    if (place.nq != place.nv) return -1;
    for (int i = 0; i < place.nq; i++)
        if (is_outside(&zv_model_joint(model, joint)->dof[i], q[place.q_index + i])) return i;
    return -1;
}

/* Counts positions beyond limits and keeps the first: one warning tells of all states. */
void state_warnings_note_limits(StateWarnings *warnings, const zvModel *model, const double *q) {
    const int index = warnings->looked++;
    for (int joint = 0; joint < zv_model_njoint(model); joint++) {
        const int entry = entry_outside(model, joint, q);
        if (entry < 0) continue;
        if (warnings->outside++) return;
        const zvDof *dof = &zv_model_joint(model, joint)->dof[entry];
        warnings->first_state = index;
        warnings->first_joint = joint;
        warnings->first_entry = zv_model_joint_place(model, joint).q_index + entry;
        warnings->value = q[warnings->first_entry];
        warnings->lower = dof->lower;
        warnings->upper = dof->upper;
        return;
    }
}

/* Counts states that do not close the loops, and keeps the loop that is worst in the first of them. */
void state_warnings_note_loops(StateWarnings *warnings, const zvModel *model, zvWork *work, const State *state,
                               int index) {
    double gap = 0, rate = 0, worst = -1;
    if (!zv_model_nloop(model)) return;
    zv_loop_residual(model, work, NULL, state->q, state->v, -1, &gap, &rate);
    if (gap <= loop_rounding && rate <= loop_rounding) return;
    if (warnings->open++) return;
    warnings->first_open = index;
    for (int i = 0; i < zv_model_nloop(model); i++) {
        zv_loop_residual(model, work, NULL, state->q, state->v, i, &gap, &rate);
        if (fmax(gap, rate) <= worst) continue;
        worst = fmax(gap, rate);
        warnings->first_loop = i;
        warnings->gap = gap;
        warnings->rate = rate;
    }
}

/* Only the first singular position is told, and not at any price. */
void state_warnings_note_redundant(StateWarnings *warnings, const zvModel *model, const double *q, int index) {
    const double rows = zv_model_nloop_rows(model);
    warnings->redundant++;
    warnings->spent += rows * rows * zv_model_nv(model);
    if (warnings->singular || warnings->spent > patience) return;
    const LoopMobility mobility = loop_mobility_at(model, q);
    if (!mobility.singular) return;
    warnings->singular = index + 1;
    warnings->freedoms = mobility.mobility.freedoms;
    warnings->nearby = mobility.nearby.freedoms;
}

/* Open loops, conditions that repeat each other, singular positions: each in one line. */
static void warn_of_loops(const StateWarnings *warnings, const zvModel *model, int states) {
    const char *const plural = states == 1 ? "" : "s";
    if (warnings->open)
        warn("the loops are not closed in %d of %d state%s, first state %d: loop \"%s\" has a gap of %.3g (of the "
             "robot's "
             "size, or rad) and a rate of %.3g 1/s; zveno assemble closes them",
             warnings->open, states, plural, warnings->first_open + 1, zv_model_loop(model, warnings->first_loop)->name,
             warnings->gap, warnings->rate);
    if (warnings->redundant)
        remark("conditions of the loops repeat each other in %d of %d state%s: the loop forces are those of least norm",
               warnings->redundant, states, plural);
    if (warnings->singular)
        remark("state %d is at a singular position: %d degree%s of freedom there, %d nearby", warnings->singular,
               warnings->freedoms, warnings->freedoms == 1 ? "" : "s", warnings->nearby);
}

/* "the state has a, tau, which zveno mass does not take": silence would look like an answer for them. */
static void tell_ignored(const StateWarnings *warnings, const char *verb) {
    static const char *const names[] = {"a", "tau", "fext", "given"};
    Text list = {0};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (warnings->ignored >> i & 1) text_printf(&list, "%s%s", list.size ? ", " : "", names[i]);
    if (list.size)
        remark("the state has %s, which zveno %s does not take; zveno help %s tells what it takes", list.bytes, verb,
               verb);
    text_free(&list);
}

/* One warning per kind, with how many states it concerns and where the first one is. */
void state_warnings_warn(const StateWarnings *warnings, const zvModel *model, int states, const char *verb,
                         const char *what) {
    const zvMark *mark = &warnings->first_scaled;
    if (warnings->scaled)
        warn("%s:%d:%d: quaternions were scaled to unit length in %d of %d states; they were off by up to %.3g",
             mark->file, mark->line, mark->column, warnings->scaled, states, warnings->deviation);
    if (warnings->outside)
        warn("%d of %d %s%s outside joint limits, first %s %d: q[%d] of joint \"%s\" is %.6g, not in [%.6g, %.6g]",
             warnings->outside, warnings->looked, what, warnings->looked == 1 ? " lies" : "s lie", what,
             warnings->first_state + 1, warnings->first_entry, zv_model_joint(model, warnings->first_joint)->name,
             warnings->value, warnings->lower, warnings->upper);
    if (warnings->unchosen)
        remark("%d of %d state%s a, but no given, which says where it is known: all forces were taken as known, and a "
               "was found; write given: [a, ...]",
               warnings->unchosen, states, states == 1 ? " has" : "s have");
    warn_of_loops(warnings, model, states);
    tell_ignored(warnings, verb);
}
