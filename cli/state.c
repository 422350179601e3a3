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
    double *numbers = calloc(nq + 7 * nv + (size_t)zv_model_nexternal(model) + 1, sizeof *numbers);
    state->given = calloc(nv + 1, 1);
    state->q = numbers;
    if (!numbers || !state->given) return state_free(state), false;
    state->v = numbers + nq;
    state->a = state->v + nv;
    state->tau = state->a + nv;
    state->jerk = state->tau + nv;
    state->snap = state->jerk + nv;
    state->theta = state->snap + nv;
    state->theta_rate = state->theta + nv;
    state->wrenches = state->theta_rate + nv;
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
    memset(state->v, 0, (7 * nv + external) * sizeof *state->v);
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
    if (any(state->jerk, nv)) state->beside |= STATE_JERK;
    if (any(state->snap, nv)) state->beside |= STATE_SNAP;
    if (given_value(map, "theta")) state->beside |= STATE_THETA;
    if (given_value(map, "theta_rate")) state->beside |= STATE_RATE;
    if (given_value(map, "given")) state->beside |= STATE_GIVEN;
}

/* Motors stand where their joints do, and go with them. */
static void rest_motors(const zvModel *model, State *state) {
    memcpy(state->theta_rate, state->v, (size_t)zv_model_nv(model) * sizeof *state->v);
    for (int j = 0; j < zv_model_njoint(model); j++) {
        const zvJointPlace place = zv_model_joint_place(model, j);
        if (zv_model_joint(model, j)->flexible) state->theta[place.v_index] = state->q[place.q_index];
    }
}

static zvStatus refuse_other_kind(const zvNode *node, zvError *error) {
    return zv_fail(error, ZV_SCHEMA, node->mark, "",
                   "expected a state, a map with any of q, v, a, tau, fext, given, found %s", node_kind(node));
}

/* Everything that a map leaves out is neutral or zero; unknown keys are errors, since a misspelt key would be silence.
 * */
zvStatus state_read(const zvNode *node, const zvModel *model, zvWork *work, State *state, zvError *error) {
    static const char *const keys[] = {
        "q",          "v",    "a",     "tau",      "jerk", "snap",         "theta",
        "theta_rate", "fext", "given", "residual", "gear", "theta_second", "passive"}; /* the last four: answers */
    state_reset(model, state);
    rest_motors(model, state);
    if (!node) return ZV_OK;
    state->mark = node->mark;
    if (node->kind != ZV_NODE_MAP) return refuse_other_kind(node, error);
    const int nq = zv_model_nq(model), nv = zv_model_nv(model);
    double *const motion[] = {state->v, state->a, state->tau, state->jerk, state->snap};
    static const char *const motion_keys[] = {"v", "a", "tau", "jerk", "snap"};
    zvStatus status = refuse_synonyms(node, error);
    if (status >= 0) status = zv_node_only(node, "a state", keys, sizeof keys / sizeof keys[0], error);
    if (status >= 0) status = read_numbers(node, model, "q", nq, true, state->q, error);
    if (status >= 0) status = check_quaternions(node, model, state, error);
    for (int i = 0; status >= 0 && i < 5; i++)
        status = read_numbers(node, model, motion_keys[i], nv, false, motion[i], error);
    if (status >= 0) rest_motors(model, state);
    if (status >= 0) status = read_numbers(node, model, "theta", nv, false, state->theta, error);
    if (status >= 0) status = read_numbers(node, model, "theta_rate", nv, false, state->theta_rate, error);
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
