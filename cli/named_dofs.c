/* Degrees of freedom by name. */
#include "named_dofs.h"

#include <stdlib.h>
#include <string.h>

#include "coordinates.h"

static bool same(const char *name, const char *word, size_t length) {
    return strlen(name) == length && !strncmp(name, word, length);
}

/* A joint that moves on its own; -1: there is none of that name. */
static int joint_named(const zvModel *model, const char *word, size_t length) {
    for (int i = 0; i < zv_model_njoint(model); i++)
        if (zv_model_joint_place(model, i).nv && same(zv_model_joint(model, i)->name, word, length)) return i;
    return -1;
}

static int dof_named(const zvModel *model, const char *word, size_t length) {
    int found = -1;
    Entry dof = entry_first(model, false);
    for (int i = 0; i < zv_model_nv(model) && found < 0; i++, entry_next(&dof)) {
        Text label = {0};
        entry_label(&dof, &label);
        if (label.bytes && same(label.bytes, word, length)) found = i;
        text_free(&label);
    }
    return found;
}

/* Degrees of freedom of the joint or link in front of the last dot of word, into names; the caller frees them. */
static size_t parts_near(const zvModel *model, const char *word, const char **names) {
    const char *const dot = strrchr(word, '.');
    size_t count = 0;
    Entry dof = entry_first(model, false);
    for (int i = 0; dot && i < zv_model_nv(model); i++, entry_next(&dof)) {
        Text label = {0};
        entry_label(&dof, &label);
        const char *const end = label.bytes ? strrchr(label.bytes, '.') : NULL;
        if (end && end - label.bytes == dot - word && !strncmp(label.bytes, word, (size_t)(dot - word)))
            names[count++] = label.bytes;
        else
            text_free(&label);
    }
    return count;
}

static Code list_unknown(const zvModel *model, const char *word, const char **names) {
    const size_t parts = parts_near(model, word, names);
    size_t count = parts;
    for (int i = 0; !parts && i < zv_model_njoint(model); i++)
        if (zv_model_joint_place(model, i).nv) names[count++] = zv_model_joint(model, i)->name;
    complain_unknown(CODE_INPUT, "joint or degree of freedom", word, names, count);
    for (size_t i = 0; i < parts; i++) free((char *)names[i]);
    return CODE_INPUT;
}

/* What the word names if it is something else: a joint that does not move on its own, or a loop. */
static const char *what_else(const zvModel *model, const char *word) {
    for (int i = 0; i < zv_model_njoint(model); i++)
        if (!strcmp(zv_model_joint(model, i)->name, word))
            return zv_model_joint(model, i)->type == ZV_JOINT_FIXED
                       ? "is a fixed joint: it has nothing to hold or to drive"
                       : "follows another joint: name that one";
    for (int i = 0; i < zv_model_nloop(model); i++)
        if (!strcmp(zv_model_loop(model, i)->name, word)) return "is a loop, not a joint of the tree";
    return NULL;
}

static Code unknown(const zvModel *model, const char *text, size_t length) {
    const size_t most = (size_t)zv_model_njoint(model) + (size_t)zv_model_nv(model) + 1;
    const char **names = malloc(most * sizeof *names);
    char *word = calloc(length + 1, 1);
    if (word) memcpy(word, text, length);
    const char *const other = word ? what_else(model, word) : NULL;
    if (!names || !word)
        complain_memory();
    else if (other)
        complain(CODE_INPUT, "\"%s\" %s", word, other);
    else
        list_unknown(model, word, names);
    free(names);
    free(word);
    return CODE_INPUT;
}

Code named_dofs(const zvModel *model, const char *list, unsigned char *chosen) {
    for (;; list++) {
        const size_t length = strcspn(list, ",");
        const int joint = joint_named(model, list, length), dof = joint < 0 ? dof_named(model, list, length) : -1;
        if (joint >= 0) {
            const zvJointPlace place = zv_model_joint_place(model, joint);
            memset(chosen + place.v_index, 1, (size_t)place.nv);
        } else if (dof >= 0) {
            chosen[dof] = 1;
        } else {
            return unknown(model, list, length);
        }
        list += length;
        if (!*list) return CODE_DONE;
    }
}
