/* Part of the first step of freezing: frames, joints and loops in order of their names, to find them by. */
#include <stdlib.h>
#include <string.h>

#include "model/freeze.h"

typedef struct Entry {
    const char *name;
    int index;
} Entry;

static int by_name(const void *a, const void *b) { return strcmp(((const Entry *)a)->name, ((const Entry *)b)->name); }

/* Sorts entries by name and writes their indices. */
static const int *sorted(zvModel *m, Entry *entries, int count) {
    int *indices = zi_arena_alloc(&m->arena, (size_t)count * sizeof *indices);
    if (!indices) return NULL;
    qsort(entries, (size_t)count, sizeof *entries, by_name);
    for (int i = 0; i < count; i++) indices[i] = entries[i].index;
    return indices;
}

bool zi_freeze_names(ziPlan *plan) {
    zvModel *m = plan->model;
    int nframes = m->nlink + m->nframe, most = nframes > m->nloop ? nframes : m->nloop;
    Entry *entries = malloc((size_t)most * sizeof *entries);
    if (!entries) return false;
    for (int i = 0; i < nframes; i++) {
        entries[i] = (Entry){i < m->nlink ? m->links[i].name : m->frames[i - m->nlink].name, i};
    }
    m->frames_by_name = sorted(m, entries, nframes);
    for (int i = 0; i < m->njoint; i++) entries[i] = (Entry){m->joints[i].name, i};
    m->joints_by_name = sorted(m, entries, m->njoint);
    for (int i = 0; i < m->nloop; i++) entries[i] = (Entry){m->loops[i].name, i};
    if (m->nloop > 0) m->loops_by_name = sorted(m, entries, m->nloop);
    free(entries);
    return m->frames_by_name && m->joints_by_name && (m->loops_by_name || m->nloop == 0);
}
