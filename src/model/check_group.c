/* Findings that repeat, as one: a robot that was written by a program has the same flaw in every link, and what is said
 * once is read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/names.h"
#include "base/require.h"
#include "zveno/check.h"

enum { FEW = 3 }; /* findings of a rule that are told one by one */

/* A finding that was kept, and the next one of its group; -1: it is the last. */
typedef struct Repeat {
    zvFinding finding;
    int group, next;
} Repeat;

/* Findings of one rule, severity and, for some, word. */
typedef struct RepeatGroup {
    int first, last, count;
    size_t names; /* bytes of all elements */
} RepeatGroup;

typedef struct Repeats {
    ziArena texts;
    ziNames keys;
    Repeat *kept;
    RepeatGroup *groups;
    size_t nkept, kept_capacity, ngroup, groups_capacity;
    bool out_of_memory;
} Repeats;

static bool is_one_of(const char *rule, const char *const *rules, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(rule, rules[i]) == 0) return true;
    return false;
}

/* Rules whose token is a word of the file that tells one flaw from another. */
static bool tells_by_word(const char *rule) {
    static const char *const rules[] = {"unknown-attribute", "unknown-element", "duplicate-element", "left-out",
                                        "not-modelled",      "of-scenario",     "sentinel-limit"};
    return is_one_of(rule, rules, sizeof rules / sizeof *rules);
}

/* Rules that mean nothing where they are found once: two are a habit. */
static int most_alone(const char *rule) {
    static const char *const rules[] = {"placeholder", "sentinel-limit", "shape-size"};
    return is_one_of(rule, rules, sizeof rules / sizeof *rules) ? 1 : FEW;
}

static zvFinding copy_of(ziArena *texts, const zvFinding *f) {
    zvFinding copy = *f;
    copy.rule = zi_arena_text(texts, f->rule);
    copy.element = zi_arena_text(texts, f->element);
    copy.token = zi_arena_text(texts, f->token);
    copy.why = zi_arena_text(texts, f->why);
    copy.repair = zi_arena_text(texts, f->repair);
    return copy;
}

/* The group of a finding by its key, a new one when it is the first; -1 when out of memory. */
static int group_of(Repeats *g, const zvFinding *f) {
    char key[160];
    if (f->fatal) /* alone */
        snprintf(key, sizeof key, "%zu", g->nkept);
    else
        snprintf(key, sizeof key, "%d %s %s", f->severity, f->rule, tells_by_word(f->rule) ? f->token : "");
    const char *text = zi_arena_text(&g->texts, key);
    const int group = text ? zi_names_add(&g->keys, text, (int)g->ngroup) : -1;
    if (group != (int)g->ngroup) return group;
    if (!zi_grow(&g->groups, g->ngroup, &g->groups_capacity, sizeof *g->groups)) return -1;
    g->groups[g->ngroup++] = (RepeatGroup){.first = -1, .last = -1};
    return group;
}

/* Keeps a copy of a finding at the end of its group. */
static bool keep(void *context, const zvFinding *f) {
    Repeats *g = context;
    const zvFinding copy = copy_of(&g->texts, f);
    const int group = copy.rule && copy.element && copy.token && copy.why && copy.repair ? group_of(g, &copy) : -1;
    if (group < 0 || !zi_grow(&g->kept, g->nkept, &g->kept_capacity, sizeof *g->kept)) {
        g->out_of_memory = true;
        return false;
    }
    RepeatGroup *of = &g->groups[group];
    const int index = (int)g->nkept++;
    g->kept[index] = (Repeat){copy, group, -1};
    if (of->last >= 0)
        g->kept[of->last].next = index;
    else
        of->first = index;
    of->last = index;
    of->count++;
    of->names += strlen(copy.element) + 2;
    return true;
}

/* The elements of all but the first, each once where it is found several times in a row. */
static const char *others_of(Repeats *g, const RepeatGroup *group) {
    char *text = zi_arena_alloc(&g->texts, group->names + 1), *end = text;
    if (!text) return NULL;
    const char *last = g->kept[group->first].finding.element;
    for (int i = g->kept[group->first].next; i >= 0; i = g->kept[i].next) {
        const char *element = g->kept[i].finding.element;
        if (strcmp(element, last) == 0) continue;
        end += sprintf(end, "%s%s", end > text ? ", " : "", element);
        last = element;
    }
    return text;
}

/* In the order in which the rules found them; of a group where its first one stands. */
static void pass_on(Repeats *g, zvFindingSink sink, void *context) {
    for (size_t i = 0; i < g->nkept; i++) {
        const RepeatGroup *group = &g->groups[g->kept[i].group];
        zvFinding finding = g->kept[i].finding;
        if (group->count > most_alone(finding.rule)) {
            if (group->first != (int)i) continue;
            finding.count = group->count;
            finding.others = others_of(g, group);
            if (!finding.others) {
                g->out_of_memory = true;
                return;
            }
        }
        if (!sink(context, &finding)) return;
    }
}

/* All findings are kept, then told. */
zvStatus zv_check_grouped(const zvBuilder *builder, zvFindingSink sink, void *context, zvError *error) {
    ZI_REQUIRE(builder);
    Repeats g = {0};
    zvStatus status = zv_check(builder, keep, &g, error);
    if (status >= 0 && !g.out_of_memory) pass_on(&g, sink, context);
    if (g.out_of_memory) status = zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while checking the model");
    zi_names_free(&g.keys);
    free(g.kept);
    free(g.groups);
    zi_arena_free(&g.texts);
    return status;
}
