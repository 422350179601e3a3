/* Signatures of questions: what they say of arrays, and the docstrings and types of results made of them. */
#include "ask.h"

#include <stdlib.h>
#include <string.h>

typedef struct KindLetters {
    char kind;
    const char *shape;
} KindLetters;

static const KindLetters letters[] = {
    {'q', "nq"},       {'v', "nv"},          {'V', "nv, nv"},   {'f', "nlink, 6"},    {'r', "rows"},
    {'G', "rows, nv"}, {'3', "3"},           {'6', "6"},        {'J', "6, nv"},       {'H', "4, 4"},
    {'s', ""},         {'L', "nlink, 4, 4"}, {'W', "nlink, 6"}, {'X', "njoint, 6"},   {'Y', "nloop, 6"},
    {'T', "nloop, 3"}, {'g', "nv"},          {'c', "loop.nq"},  {'e', "loop.nv"},     {'x', "m"},
    {'Z', "m, m"},     {'K', "m, nv"},       {'N', "nv, m"},    {'B', "nbody, 4, 4"}, {'U', "nlink, 6, nv"},
};

const char *zp_shape_letters(char kind) {
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].kind == kind) return letters[i].shape;
    return "?";
}

static int axes_of(npy_intp *shape, int count, npy_intp first, npy_intp second, npy_intp third) {
    shape[0] = first;
    shape[1] = second;
    shape[2] = third;
    return count;
}

/* Coordinates of a loop: those of a joint of its type; a rod or a coupling has one. */
static int loop_width(const Call *c, bool velocity) {
    const zvLoop *loop = zv_model_loop(c->model, c->loop);
    if (loop->kind != ZV_LOOP_JOINT) return 1;
    return velocity ? zv_joint_type_nv(loop->type) : zv_joint_type_nq(loop->type);
}

int zp_shape(const Call *c, char kind, npy_intp shape[3]) {
    const zvModel *m = c->model;
    switch (kind) {
    case 'q': shape[0] = zv_model_nq(m); return 1;
    case 'v':
    case 'g': shape[0] = zv_model_nv(m); return 1;
    case 'V': return axes_of(shape, 2, zv_model_nv(m), zv_model_nv(m), 0);
    case 'f':
        if (!zv_model_nelastic(m)) return axes_of(shape, 2, zv_model_nlink(m), 6, 0);
        return axes_of(shape, 1, zv_model_nexternal(m), 0, 0);
    case 'r': return axes_of(shape, 1, zv_model_nloop_rows(m), 0, 0);
    case 'G': return axes_of(shape, 2, zv_model_nloop_rows(m), zv_model_nv(m), 0);
    case '3': return axes_of(shape, 1, 3, 0, 0);
    case '6': return axes_of(shape, 1, 6, 0, 0);
    case 'J': return axes_of(shape, 2, 6, zv_model_nv(m), 0);
    case 'H': return axes_of(shape, 2, 4, 4, 0);
    case 'L': return axes_of(shape, 3, zv_model_nlink(m), 4, 4);
    case 'B': return axes_of(shape, 3, zv_model_nbody(m), 4, 4);
    case 'U': return axes_of(shape, 3, zv_model_nlink(m), 6, zv_model_nv(m));
    case 'W': return axes_of(shape, 2, zv_model_nlink(m), 6, 0);
    case 'X': return axes_of(shape, 2, zv_model_njoint(m), 6, 0);
    case 'Y': return axes_of(shape, 2, zv_model_nloop(m), 6, 0);
    case 'T': return axes_of(shape, 2, zv_model_nloop(m), 3, 0);
    case 'c': return axes_of(shape, 1, loop_width(c, false), 0, 0);
    case 'e': return axes_of(shape, 1, loop_width(c, true), 0, 0);
    case 'x': return axes_of(shape, 1, zv_task_width(&c->task), 0, 0);
    case 'Z': return axes_of(shape, 2, zv_task_width(&c->task), zv_task_width(&c->task), 0);
    case 'K': return axes_of(shape, 2, zv_task_width(&c->task), zv_model_nv(m), 0);
    case 'N': return axes_of(shape, 2, zv_model_nv(m), zv_task_width(&c->task), 0);
    default: return 0; /* a number */
    }
}

/* One word of a signature: NAME, NAME? or NAME=DEFAULT, then : and its letter. */
static void read_slot(const char *word, size_t size, Slot *slot) {
    const char *colon = memchr(word, ':', size), *end = colon;
    const char *equals = memchr(word, '=', size), *mark = memchr(word, '?', size);
    if (equals) end = equals;
    if (mark) end = mark;
    memcpy(slot->name, word, (size_t)(end - word));
    if (equals) memcpy(slot->by_default, equals + 1, (size_t)(colon - equals - 1));
    slot->optional = equals || mark;
    slot->kind = colon[1];
    slot->option = strchr("FAPRMdib", slot->kind) != NULL;
    if (mark) strcpy(slot->by_default, "None");
}

static bool read_signature(Question *q) {
    bool answers = false;
    for (const char *word = q->signature; *word;) {
        const size_t size = strcspn(word, " ");
        if (strncmp(word, "->", size) == 0) {
            answers = true;
        } else {
            Slot *slot = &q->slot[q->slots];
            read_slot(word, size, slot);
            if (!(slot->key = PyUnicode_InternFromString(slot->name))) return false;
            q->of_task |= slot->kind == 'R';
            if (!slot->option) q->arrays[answers ? q->inputs + q->outputs++ : q->inputs++] = q->slots;
            q->slots++;
        }
        word += size + strspn(word + size, " ");
    }
    return true;
}

/* "q (..., nq)\n" of the arrays from the first to the last. */
static void tell_arrays(const Question *q, int first, int end, char *text, size_t size) {
    for (int k = first; k < end; k++) {
        const Slot *slot = &q->slot[q->arrays[k]];
        const char *shape = zp_shape_letters(slot->kind);
        char line[96];
        snprintf(line, sizeof line, "%s%s (...%s%s)%s", k > first ? ", " : "", slot->name, *shape ? ", " : "", shape,
                 slot->kind == 'g' ? " of bytes" : "");
        strncat(text, line, size - strlen(text) - 1);
    }
}

static bool make_doc(Question *q) {
    char text[4096];
    snprintf(text, sizeof text, "%s($self", q->name);
    for (int i = 0; i < q->slots - q->outputs; i++) {
        const Slot *slot = &q->slot[i];
        char part[64];
        const bool quoted = slot->option && strchr("ARM", slot->kind) && slot->optional;
        snprintf(part, sizeof part, ", %s%s%s%s%s", slot->name, slot->optional ? "=" : "", quoted ? "'" : "",
                 slot->optional ? slot->by_default : "", quoted ? "'" : "");
        strncat(text, part, sizeof text - strlen(text) - 1);
    }
    strncat(text, ", *, out=None, status=None)\n--\n\n", sizeof text - strlen(text) - 1);
    strncat(text, q->about, sizeof text - strlen(text) - 1);
    strncat(text, "\n\nTakes ", sizeof text - strlen(text) - 1);
    tell_arrays(q, 0, q->inputs, text, sizeof text);
    strncat(text, ".\nGives ", sizeof text - strlen(text) - 1);
    tell_arrays(q, q->inputs, q->inputs + q->outputs, text, sizeof text);
    strncat(text, ".", sizeof text - strlen(text) - 1);
    return (q->doc = strdup(text)) != NULL;
}

/* inverse_derivatives gives InverseDerivatives(dq, dv, da). */
static bool make_result(Question *q) {
    char *name = calloc(1, 128);
    PyStructSequence_Field *fields = calloc(ASK_ARRAYS + 1, sizeof *fields);
    if (!name || !fields) return false;
    strcpy(name, "zveno.");
    bool capital = true;
    size_t size = strlen(name);
    for (const char *from = q->name; *from && size < 100; from++) {
        if (*from != '_') name[size++] = capital && *from >= 'a' ? (char)(*from - 32) : *from;
        capital = *from == '_';
    }
    for (int k = 0; k < q->outputs; k++) fields[k].name = q->slot[q->arrays[q->inputs + k]].name;
    PyStructSequence_Desc desc = {.name = name, .fields = fields, .n_in_sequence = q->outputs};
    q->result_name = name;
    q->result = PyStructSequence_NewType(&desc);
    return q->result != NULL; /* its name and fields live as long as it does: for ever */
}

int zp_question_prepare(Question *q) {
    if (q->doc) return 0;
    if (!read_signature(q) || !make_doc(q) || (q->outputs > 1 && !make_result(q))) return -1;
    q->spare = calloc(ASK_ARRAYS, sizeof *q->spare);
    return q->spare ? 0 : -1;
}
