/* The lists of questions and methods. */
#include "agree/roster.h"

#include <assert.h>
#include <float.h>

void zi_roster_ask(ziRoster *r, const char *name, const char *meaning, size_t width, ziSizes sizes) {
    assert(r->questions < ZI_ROSTER_QUESTIONS);
    r->question[r->questions] = (zvAgreeQuestion){.name = name, .meaning = meaning, .method = (int)r->methods};
    r->contest[r->questions++] = (ziContest){width, sizes, DBL_EPSILON};
}

ziContender *zi_roster_add(ziRoster *r, const char *name, ziAnswer answer, const void *row) {
    zvAgreeQuestion *question = &r->question[r->questions - 1];
    assert(r->methods < ZI_ROSTER_METHODS && question->methods < ZI_JUDGE_MOST);
    question->methods++;
    r->method[r->methods] = (zvAgreeMethod){.name = name};
    r->contender[r->methods] = (ziContender){.answer = answer, .row = row};
    return &r->contender[r->methods++];
}

void zi_roster_excuse(ziRoster *r, const char *name, const char *why) {
    zi_roster_add(r, name, NULL, NULL);
    r->method[r->methods - 1].why = why;
}

void zi_roster_add_recorded(ziRoster *r, const ziRecordedSet *set, ziRecordedKind kind, ziAnswer answer) {
    if (!set) return;
    if (set->program[kind])
        zi_roster_add(r, "generated", answer, set->program[kind])->untimed = true; /* compiled it is another matter */
    else
        zi_roster_excuse(r, "generated", set->why[kind]);
}
