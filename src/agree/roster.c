/* The lists of questions and methods. */
#include "agree/roster.h"

#include <assert.h>
#include <float.h>

void zv_roster_ask(zvRoster *r, const char *name, const char *meaning, size_t width, zvSizes sizes) {
    assert(r->questions < ZV_ROSTER_QUESTIONS);
    r->question[r->questions] = (zvAgreeQuestion){.name = name, .meaning = meaning, .method = (int)r->methods};
    r->contest[r->questions++] = (zvContest){width, sizes, DBL_EPSILON};
}

zvContender *zv_roster_add(zvRoster *r, const char *name, zvAnswer answer, const void *row) {
    zvAgreeQuestion *question = &r->question[r->questions - 1];
    assert(r->methods < ZV_ROSTER_METHODS && question->methods < ZV_JUDGE_MOST);
    question->methods++;
    r->method[r->methods] = (zvAgreeMethod){.name = name};
    r->contender[r->methods] = (zvContender){.answer = answer, .row = row};
    return &r->contender[r->methods++];
}

void zv_roster_excuse(zvRoster *r, const char *name, const char *why) {
    zv_roster_add(r, name, NULL, NULL);
    r->method[r->methods - 1].why = why;
}

void zv_roster_add_recorded(zvRoster *r, const zvRecordedSet *set, zvRecordedKind kind, zvAnswer answer) {
    if (!set) return;
    if (set->program[kind])
        zv_roster_add(r, "generated", answer, set->program[kind])->untimed = true; /* compiled it is another matter */
    else
        zv_roster_excuse(r, "generated", set->why[kind]);
}
