/* Closes the loops of a robot whose joints a page moves. */
#define _POSIX_C_SOURCE 200809L
#include "view_assembler.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "coordinates.h"
#include "json.h"
#include "server.h"
#include "zveno/document.h"
#include "zveno/loops.h"

enum { RESTARTS = 20 }; /* guesses beside the page's position before a loop is said not to close, as zveno assemble */

struct ViewAssembler {
    const zvModel *model;
    zvWork *work;
    pthread_mutex_t lock; /* of all below */
    double *q, *guess;
    unsigned char *held;
};

ViewAssembler *view_assembler_create(const zvModel *model) {
    ViewAssembler *scratch = calloc(1, sizeof *scratch);
    if (!scratch) return NULL;
    *scratch = (ViewAssembler){.model = model, .work = zv_work_create(model, NULL)};
    scratch->q = calloc(2 * (size_t)zv_model_nq(model) + 1, sizeof *scratch->q);
    scratch->held = calloc((size_t)zv_model_nv(model) + 1, 1);
    if (scratch->work && scratch->q && scratch->held && !pthread_mutex_init(&scratch->lock, NULL)) {
        scratch->guess = scratch->q + zv_model_nq(model);
        return scratch;
    }
    free(scratch->held);
    free(scratch->q);
    zv_work_destroy(scratch->work);
    free(scratch);
    return NULL;
}

void view_assembler_destroy(ViewAssembler *scratch) {
    if (!scratch) return;
    pthread_mutex_destroy(&scratch->lock);
    free(scratch->held);
    free(scratch->q);
    zv_work_destroy(scratch->work);
    free(scratch);
}

/* What stays where it is ------------------------------------------------------------------------------ */

static int hold_joint(ViewAssembler *scratch, const char *label) {
    for (int i = 0; i < zv_model_njoint(scratch->model); i++) {
        const zvJointPlace place = zv_model_joint_place(scratch->model, i);
        if (!place.nv || strcmp(zv_model_joint(scratch->model, i)->name, label) != 0) continue;
        memset(scratch->held + place.v_index, 1, (size_t)place.nv);
        return 1;
    }
    return 0;
}

/* The degree of freedom that an entry of q is moved by; of a joint with a quaternion all of them. */
static void hold_entry(ViewAssembler *scratch, const Entry *entry, bool of_q) {
    const zvJointPlace place = zv_model_joint_place(scratch->model, entry->joint);
    const int own = of_q ? place.nq : place.nv;
    if (of_q && place.nq != place.nv && entry->part < own)
        memset(scratch->held + place.v_index, 1, (size_t)place.nv);
    else
        scratch->held[place.v_index + entry->part + (entry->part < own ? 0 : place.nv - own)] = 1;
}

static int hold_label(ViewAssembler *scratch, const char *label, bool of_q) {
    const int count = of_q ? zv_model_nq(scratch->model) : zv_model_nv(scratch->model);
    int found = 0;
    Entry entry = entry_first(scratch->model, of_q);
    for (int i = 0; i < count && !found; i++, entry_next(&entry)) {
        Text name = {0};
        entry_label(&entry, &name);
        found = name.bytes && !strcmp(name.bytes, label);
        if (found) hold_entry(scratch, &entry, of_q);
        text_free(&name);
    }
    return found;
}

static zvStatus hold(ViewAssembler *scratch, const zvNode *list, zvError *error) {
    memset(scratch->held, 0, (size_t)zv_model_nv(scratch->model));
    if (!list) return ZV_OK;
    if (list->kind != ZV_NODE_LIST) return zv_fail(error, ZV_SCHEMA, list->mark, "held", "held must be a list");
    for (int i = 0; i < list->count; i++) {
        const char *label = NULL;
        const zvStatus status = zv_node_text(list->items[i], "an entry of held", &label, error);
        if (status < 0) return status;
        if (!hold_joint(scratch, label) && !hold_label(scratch, label, false) && !hold_label(scratch, label, true))
            return zv_fail(error, ZV_NAME, list->items[i]->mark, label, "there is no joint or coordinate \"%s\"",
                           label);
    }
    return ZV_OK;
}

/* Requests -------------------------------------------------------------------------------------------- */

static zvStatus read_request(ViewAssembler *scratch, const zvNode *root, zvError *error) {
    static const char *const keys[] = {"q", "held"};
    const double FAR = 0.5; /* from unit length a quaternion is none */
    const zvMark mark = {0};
    if (!root || root->kind != ZV_NODE_MAP)
        return zv_fail(error, ZV_SCHEMA, mark, "", "a request is {\"q\": [...], \"held\": [...]}");
    zvStatus status = zv_node_only(root, "a request", keys, sizeof keys / sizeof keys[0], error);
    const zvNode *q = zv_node_get(root, "q");
    if (status >= 0 && !q) return zv_fail(error, ZV_SCHEMA, root->mark, "q", "the request has no q");
    if (status >= 0) status = zv_node_numbers(q, "q", zv_model_nq(scratch->model), scratch->guess, error);
    if (status >= 0 && !(zv_position_normalize(scratch->model, scratch->guess) <= FAR))
        return zv_fail(error, ZV_NUMBER, q->mark, "q", "quaternions in q must have length 1");
    return status < 0 ? status : hold(scratch, zv_node_get(root, "held"), error);
}

/* From where the page is first: a motion of a slider should not turn the machine over. */
static zvStatus close_loops(ViewAssembler *scratch, zvError *error) {
    const size_t bytes = (size_t)zv_model_nq(scratch->model) * sizeof *scratch->q;
    zvAssembly options = zv_assembly_default();
    options.held = scratch->held;
    zvStatus status = ZV_OK;
    for (int i = 0; i < 2; i++) {
        options.restarts = i ? RESTARTS : 0;
        memcpy(scratch->q, scratch->guess, bytes);
        status = zv_assemble(scratch->model, scratch->work, NULL, &options, scratch->q, error);
        if (status != ZV_CLOSURE) break;
    }
    return status;
}

static void put_answer(ViewAssembler *scratch, zvStatus status, const zvError *error, Text *out) {
    double residual = 0;
    zv_loop_residual(scratch->model, scratch->work, NULL, scratch->q, NULL, -1, &residual, NULL);
    Json json = json_start(out);
    json_map(&json, JSON_LINE);
    json_key(&json, "q"), json_numbers(&json, scratch->q, (size_t)zv_model_nq(scratch->model));
    json_key(&json, "residual"), json_number(&json, residual);
    json_key(&json, "closed"), json_bool(&json, status >= 0);
    json_key(&json, "message"), json_text(&json, status < 0 ? error->text : NULL);
    json_end(&json);
}

static int put_refusal(const zvError *error, Text *out) {
    Json json = json_start(out);
    json_map(&json, JSON_LINE);
    json_key(&json, "closed"), json_bool(&json, false);
    json_key(&json, "message"), json_text(&json, error->text);
    json_end(&json);
    return error->status == ZV_MEMORY ? SERVER_BROKEN : SERVER_BAD_REQUEST;
}

int view_assembler_assemble(ViewAssembler *scratch, const char *body, size_t size, Text *out) {
    zvError error = {0};
    zvDocument *document = NULL;
    if (zv_document_read_memory("the request", body, size, &document, &error) < 0) return put_refusal(&error, out);
    pthread_mutex_lock(&scratch->lock);
    int code = SERVER_OK;
    if (read_request(scratch, zv_document_root(document), &error) < 0)
        code = put_refusal(&error, out);
    else
        put_answer(scratch, close_loops(scratch, &error), &error, out);
    pthread_mutex_unlock(&scratch->lock);
    zv_document_destroy(document);
    return code;
}
