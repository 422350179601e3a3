/* Which parameters have letters, and which of them are chosen. */
#include "codegen/letters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "codegen/derivation.h"
#include "codegen/letter_names.h"
#include "model/joint_spring.h"

static const char *const axis[] = {"x", "y", "z"};
static const char *const pairs[] = {"xx", "xy", "xz", "yy", "yz", "zz"};
/* Parameters below this share of the largest beside them are zero: the rounding of turned axes. */
static const double nothing = 1e-14;

/* -- collecting ------------------------------------------------------------------------------------------------- */

typedef struct Collection {
    ziLetters *letters;
    const zvModel *model;
    size_t capacity;
    bool full;
} Collection;

static ziLetter *add_letter(Collection *c, ziLetterKind kind, int element, int component, double value) {
    ziLetters *s = c->letters;
    if (!zi_grow(&s->letter, (size_t)s->count, &c->capacity, sizeof *s->letter)) {
        c->full = true;
        return NULL;
    }
    ziLetter *letter = &s->letter[s->count++];
    *letter = (ziLetter){.kind = kind, .element = element, .component = component, .value = value, .sign = 1};
    return letter;
}

/* Entries that are not zero; the suffix is left out of a vector that has but one. */
static void add_group(Collection *c, ziLetterKind kind, int element, int count, const double *value,
                      const char *const *suffix, const char *name, const char *about, const char *whose) {
    double largest = 0;
    int entries = 0;
    for (int k = 0; k < count; k++) largest = fmax(largest, fabs(value[k]));
    for (int k = 0; k < count; k++) entries += fabs(value[k]) > nothing * largest;
    for (int k = 0; k < count; k++) {
        if (!(fabs(value[k]) > nothing * largest)) continue;
        ziLetter *letter = add_letter(c, kind, element, k, value[k]);
        if (!letter) return;
        const bool alone = !suffix || (entries == 1 && kind != ZI_LETTER_MOMENT);
        snprintf(letter->family, sizeof letter->family, "%s", name);
        snprintf(letter->name, sizeof letter->name, "%.24s%s", name, alone ? "" : suffix[k]);
        snprintf(letter->about, sizeof letter->about, "%s%s%s%s%.48s", about, suffix ? " " : "",
                 suffix ? suffix[k] : "", whose[0] ? " of " : "", whose);
    }
}

static void add_single(Collection *c, ziLetterKind kind, int element, int component, double value, const char *name,
                       const char *about, const char *whose) {
    const int before = c->letters->count;
    add_group(c, kind, element, 1, &value, NULL, name, about, whose);
    if (c->letters->count > before) c->letters->letter[before].component = component;
}

/* xx xy xz yy yz zz; about the origin m (c.c 1 - c c^T) more */
void zi_link_moment(const zvInertia *i, bool origin, double moment[6]) {
    const double *c = i->com, square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    for (int a = 0, k = 0; a < 3; a++)
        for (int b = a; b < 3; b++, k++)
            moment[k] = i->moment[k] + (origin ? i->mass * ((a == b ? square : 0) - c[a] * c[b]) : 0);
}

/* Mass, centre of mass and moments of a link that moves. */
static void add_link(Collection *c, int link) {
    const zvLink *l = zv_model_link(c->model, link);
    char name[ZI_LETTER_SIZE];
    double moment[6];
    if (link == 0) return; /* the ground has no part in the equations */
    snprintf(name, sizeof name, "m%d", link);
    add_single(c, ZI_LETTER_MASS, link, 0, l->inertia.mass, name, "mass", l->name);
    snprintf(name, sizeof name, "lc%d", link);
    add_group(c, ZI_LETTER_CENTRE, link, 3, l->inertia.com, axis, name, "centre of mass", l->name);
    zi_link_moment(&l->inertia, c->letters->origin, moment);
    snprintf(name, sizeof name, "J%d", link);
    add_group(c, ZI_LETTER_MOMENT, link, 6, moment, pairs, name, "moment", l->name);
}

/* A place on a link at which something sits; a link with several gives them the letters a, b, ... */
typedef struct Point {
    int link, id;
    double p[3];
    const char *name;
} Point;

static int link_of_frame(const zvModel *m, int frame) { return zv_model_find_frame(m, zv_model_frame(m, frame).link); }

static void put_point(Point *point, int *count, int link, int id, const double *p, const char *name) {
    if (p[0] == 0 && p[1] == 0 && p[2] == 0) return;
    Point *x = &point[(*count)++];
    *x = (Point){.link = link, .id = id, .name = name};
    memcpy(x->p, p, sizeof x->p);
}

/* Joints first, then loops, then the frame. */
static int find_points(const zvModel *m, int frame, Point *point) {
    int count = 0;
    for (int j = 0; j < zv_model_njoint(m); j++) {
        const zvJoint *joint = zv_model_joint(m, j);
        put_point(point, &count, zv_model_joint_place(m, j).parent, zi_point_of_joint(j), joint->origin.p, joint->name);
    }
    for (int r = 0; r < zv_model_nloop(m); r++) {
        const zvLoopPlace place = zv_model_loop_place(m, r);
        if (place.parent_frame < 0) continue;
        for (int child = 0; child < 2; child++) {
            const zvFrame f = zv_model_frame(m, child ? place.child_frame : place.parent_frame);
            put_point(point, &count, child ? place.child : place.parent, zi_point_of_loop(r, child), f.pose.p,
                      zv_model_loop(m, r)->name);
        }
    }
    if (frame >= 0)
        put_point(point, &count, link_of_frame(m, frame), ZI_POINT_OF_FRAME, zv_model_frame(m, frame).pose.p,
                  zv_model_frame(m, frame).name);
    return count;
}

/* The places of joints, loops and the frame, in letters of the links they are on. */
static bool add_points(Collection *c, int frame) {
    const zvModel *m = c->model;
    Point *point = calloc((size_t)(zv_model_njoint(m) + 2 * zv_model_nloop(m) + 1), sizeof *point);
    const int count = point ? find_points(m, frame, point) : 0;
    for (int link = 0; link < zv_model_nlink(m); link++) {
        int together = 0, number = 0;
        for (int i = 0; i < count; i++) together += point[i].link == link;
        for (int i = 0; i < count; i++) {
            if (point[i].link != link) continue;
            char name[ZI_LETTER_SIZE], mark[2] = {(char)('a' + number % 26), '\0'};
            snprintf(name, sizeof name, "l%d%s", link, together > 1 ? mark : "");
            add_group(c, ZI_LETTER_LENGTH, point[i].id, 3, point[i].p, axis, name, "place", point[i].name);
            number++;
        }
    }
    free(point);
    return point != NULL;
}

/* What belongs to a single freedom has the number of its coordinate. sprung: something measures from its rest. */
static void add_freedom(Collection *c, int element, int k, int coordinate, const zvDof *d, bool sprung,
                        const char *whose) {
    static const struct {
        ziLetterKind kind;
        const char *word, *about;
    } part[] = {{ZI_LETTER_ARMATURE, "Im", "armature"},
                {ZI_LETTER_STIFFNESS, "k", "stiffness"},
                {ZI_LETTER_REST, "r", "rest"},
                {ZI_LETTER_DAMPING, "d", "damping"},
                {ZI_LETTER_FRICTION, "f", "dry friction"}};
    const double value[] = {d->armature, d->stiffness, sprung ? d->rest : 0, d->damping, d->friction};
    for (int i = 0; i < 5; i++) {
        char name[ZI_LETTER_SIZE];
        snprintf(name, sizeof name, "%s%d", part[i].word, coordinate + 1);
        add_single(c, part[i].kind, element, k, value[i], name, part[i].about, whose);
    }
}

/* The upper half of a symmetric matrix over the freedoms of a joint: k1_2. */
static void add_matrix(Collection *c, ziLetterKind kind, int joint, const double *A, const char *word,
                       const char *about) {
    const zvJointPlace place = zv_model_joint_place(c->model, joint);
    for (int i = 0; i < place.nv; i++)
        for (int k = i; k < place.nv; k++) {
            char name[ZI_LETTER_SIZE];
            snprintf(name, sizeof name, "%s%d_%d", word, place.v_index + i + 1, place.v_index + k + 1);
            add_single(c, kind, joint, zi_matrix_entry(i, k), A[i * place.nv + k], name, about,
                       zv_model_joint(c->model, joint)->name);
        }
}

/* Followers are told in numbers. */
static void add_joint(Collection *c, int joint) {
    const zvJoint *j = zv_model_joint(c->model, joint);
    const zvJointPlace place = zv_model_joint_place(c->model, joint);
    const ziJointSpring spring = zi_joint_spring_of(c->model, joint);
    for (int k = 0; k < place.nv; k++) {
        bool sprung = j->dof[k].stiffness != 0;
        for (int i = 0; spring.sprung && i < place.nv; i++) sprung |= spring.K[i * place.nv + k] != 0;
        add_freedom(c, joint, k, place.v_index + k, &j->dof[k], sprung, j->name);
    }
    if (spring.sprung) add_matrix(c, ZI_LETTER_SPRINGS, joint, spring.K, "k", "stiffness matrix");
    if (spring.damped) add_matrix(c, ZI_LETTER_DAMPERS, joint, spring.D, "d", "damping matrix");
}

static void add_loop(Collection *c, int loop) {
    const zvLoop *l = zv_model_loop(c->model, loop);
    char name[ZI_LETTER_SIZE];
    if (l->kind == ZV_LOOP_ROD) {
        snprintf(name, sizeof name, "L%d", loop + 1);
        add_single(c, ZI_LETTER_ROD, loop, 0, l->length, name, "length", l->name);
    }
    const int arc = zi_loop_arc(c->model, loop); /* numbered behind the joints, as its coordinate is */
    if (arc >= 0)
        add_freedom(c, zv_model_njoint(c->model) + loop, 0, arc, &l->dof[0], l->dof[0].stiffness != 0, l->name);
}

/* By kind, so that products read m l cos(q). */
static int by_kind(const void *a, const void *b) {
    const ziLetter *x = a, *y = b;
    if (x->kind != y->kind) return (int)x->kind - (int)y->kind;
    return x->input - y->input;
}

/* Everything that has a letter, in the order in which products are read. */
static bool collect(Collection *c, int frame) {
    const zvModel *m = c->model;
    double g[3];
    for (int i = 0; i < zv_model_nlink(m); i++) add_link(c, i);
    if (!add_points(c, frame)) return false;
    for (int j = 0; j < zv_model_njoint(m); j++) add_joint(c, j);
    for (int r = 0; r < zv_model_nloop(m); r++) add_loop(c, r);
    zv_model_gravity(m, g);
    add_group(c, ZI_LETTER_GRAVITY, 0, 3, g, axis, "g0", "gravity", "");
    for (int i = 0; i < c->letters->count; i++) {
        ziLetter *letter = &c->letters->letter[i];
        letter->input = i;
        if (!strcmp(letter->name, "g0") && letter->value < 0) letter->sign = -1, letter->value = -letter->value;
    }
    if (c->letters->count > 1)
        qsort(c->letters->letter, (size_t)c->letters->count, sizeof *c->letters->letter, by_kind);
    return !c->full;
}

zvStatus zi_letters_make(const zvModel *model, const char *symbols, bool origin, int frame, ziLetters *letters,
                         zvError *error) {
    *letters = (ziLetters){.origin = origin};
    Collection c = {.letters = letters, .model = model};
    if (!symbols) return ZV_OK;
    if (!collect(&c, frame)) return zv_fail(error, ZV_MEMORY, (zvMark){0}, NULL, "out of memory");
    const zvStatus status = zi_letters_choose(model, symbols, letters, error);
    for (int i = 0; i < letters->count; i++)
        if (letters->letter[i].chosen) letters->letter[i].input = letters->chosen++;
    return status;
}

static bool is_name(const ziLetters *s, const char *name) {
    for (int i = 0; i < s->count; i++)
        if (s->letter[i].chosen && !strcmp(s->letter[i].name, name)) return true;
    return false;
}

/* Letters that the user named keep their names, which do not begin with the family's. */
void zi_letters_shorten(ziLetters *s) {
    for (int i = 0; i < s->count; i++) {
        ziLetter *x = &s->letter[i];
        int used = 0;
        for (int k = 0; k < s->count; k++)
            used += s->letter[k].used && s->letter[k].kind == x->kind && s->letter[k].element == x->element;
        char full[ZI_LETTER_SIZE];
        snprintf(full, sizeof full, "%.28s%s", x->family, pairs[x->component % 6]);
        if (x->used && used == 1 && x->kind == ZI_LETTER_MOMENT && !strcmp(full, x->name) && !is_name(s, x->family))
            snprintf(x->name, sizeof x->name, "%s", x->family);
    }
}

void zi_letters_free(ziLetters *letters) {
    free(letters->letter);
    *letters = (ziLetters){0};
}

const ziLetter *zi_letter_of(const ziLetters *letters, ziLetterKind kind, int element, int component) {
    for (int i = 0; i < letters->count; i++) {
        const ziLetter *l = &letters->letter[i];
        if (l->chosen && l->kind == kind && l->element == element && l->component == component) return l;
    }
    return NULL;
}
