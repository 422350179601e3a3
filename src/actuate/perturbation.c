/* Inputs of an evaluation that are changed a little: laws, forces of drives, forces on links and frames. */
#include "actuate/element.h"
#include "base/require.h"

void zi_element_law(const ziElement *e, const ziEffortsScratch *scratch, double t, double *x, double *dx, double *ddx) {
    const ziPerturbation *p = scratch->perturbation;
    zv_law_at(e->law, t, x, dx, ddx);
    if (!p || p->what != ZI_PERTURB_LAW || p->element != e) return;
    double *const changed[3] = {x, dx, ddx};
    if (changed[p->order]) changed[p->order][p->index] += p->size;
}

/* After the elements have pushed. */
void zi_push_perturbation(const ziInstant *now) {
    ziEffortsScratch *scratch = zi_efforts_scratch(now->out);
    const ziPerturbation *p = scratch->perturbation;
    if (!p || p->what == ZI_PERTURB_LAW) return;
    if (p->what == ZI_PERTURB_FRAME) {
        double wrench[6] = {0};
        wrench[p->order] = p->size;
        zi_push_frame(now, p->index, wrench);
    } else if (p->what == ZI_PERTURB_DRIVE && now->drives->rotor[p->index] >= 0) {
        scratch->rotor[p->index] += p->size;
    } else {
        now->out->tau[p->index] += p->size;
    }
}

bool zi_efforts_perturb(const zvDrives *d, zvEfforts *out, const ziPerturbation *p) {
    ziEffortsScratch *scratch = zi_efforts_scratch(out);
    scratch->perturbation = p;
    if (out->fext || !p || p->what != ZI_PERTURB_FRAME) return true;
    if (!scratch->fext)
        scratch->fext = zi_arena_alloc(&scratch->arena, (size_t)zv_model_nexternal(d->model) * sizeof(double));
    out->fext = scratch->fext;
    return out->fext != NULL;
}
