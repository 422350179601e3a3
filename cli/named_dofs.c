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

static Code unknown(const zvModel *model, const char *word, size_t length) {
    size_t count = 0;
    const char **names = malloc(((size_t)zv_model_njoint(model) + 1) * sizeof *names);
    char *bare = malloc(length + 1);
    if (names && bare) {
        memcpy(bare, word, length);
        bare[length] = '\0';
        for (int i = 0; i < zv_model_njoint(model); i++)
            if (zv_model_joint_place(model, i).nv) names[count++] = zv_model_joint(model, i)->name;
        complain_unknown(CODE_INPUT, "joint or degree of freedom", bare, names, count);
    } else {
        complain_memory();
    }
    free(names);
    free(bare);
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
