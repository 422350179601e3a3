#include "simulate/bend.h"

#include <math.h>

#include "beam/modes.h"

static const double greatest_shift = 0.3; /* of the tip, in lengths of the beam */
static const double greatest_turn = 1;    /* of a section, rad */

/* The beam of a link that is elastic, else NULL. */
static const zvBeam *beam_of(const zvModel *model, int link) {
    return zv_model_elastic_place(model, link).count > 0 ? zv_model_link(model, link)->beam : NULL;
}

static bool add_section(ziBend *b, ziSystem *system, int link, double x, bool tip) {
    const zvBeam *beam = beam_of(system->model, link);
    const zvElasticPlace place = zv_model_elastic_place(system->model, link);
    double *d = zi_arena_alloc(&system->arena, 6 * (size_t)place.count * sizeof *d), *r = d + 3 * place.count;
    if (!d) return false;
    zi_beam_shape(beam, x, d, r);
    for (int i = 0; i < 3 * place.count; i++) d[i] /= beam->length;
    b->sections[b->count++] = (ziBendSection){place.q_index, place.count, d, r, tip};
    return true;
}

/* Where something sits on a link, if that is a beam. */
static bool add_seat(ziBend *b, ziSystem *system, const char *link_name, const double at[3]) {
    const int link = link_name ? zv_model_find_frame(system->model, link_name) : -1;
    const zvBeam *beam = link >= 0 && link < zv_model_nlink(system->model) ? beam_of(system->model, link) : NULL;
    if (!beam) return true;
    const double x = zi_beam_along(beam, at);
    return !(x > 0 && x < beam->length) || add_section(b, system, link, x, false);
}

bool zi_bend_create(ziBend *b, ziSystem *system) {
    const zvModel *model = system->model;
    const int nlink = zv_model_nlink(model), njoint = zv_model_njoint(model), nframe = zv_model_nframe(model);
    *b = (ziBend){0};
    if (zv_model_nelastic(model) == 0) return true;
    b->sections = zi_arena_alloc(&system->arena, (size_t)(njoint + nframe) * sizeof *b->sections);
    bool good = b->sections != NULL;
    for (int i = 0; good && i < nlink; i++) { /* links are frames as well: there is room */
        const zvBeam *beam = beam_of(model, i);
        if (beam) good = add_section(b, system, i, beam->length, true);
    }
    for (int i = 0; good && i < njoint; i++) {
        const zvJoint *joint = zv_model_joint(model, i);
        good = add_seat(b, system, joint->parent, joint->origin.p);
    }
    for (int i = nlink; good && i < nframe; i++) {
        const zvFrame frame = zv_model_frame(model, i);
        good = add_seat(b, system, frame.link, frame.pose.p);
    }
    return good;
}

static double size_of(int n, const double *shapes, const double *e) {
    double u[3] = {0};
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 3; i++) u[i] += shapes[3 * k + i] * e[k];
    return sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}

void zi_bend_look(ziBend *b, const double *y) {
    for (int k = 0; k < b->count; k++) {
        const ziBendSection *s = &b->sections[k];
        b->turn = fmax(b->turn, size_of(s->n, s->r, y + s->q));
        if (s->tip) b->shift = fmax(b->shift, size_of(s->n, s->d, y + s->q));
    }
}

const char *zi_bend_advice(const ziBend *b) {
    if (!(b->shift > greatest_shift || b->turn > greatest_turn)) return NULL;
    return "an elastic link was bent beyond what its functions can describe (more than 0.3 of its length): cut it into "
           "several links with shapes: cubic";
}
