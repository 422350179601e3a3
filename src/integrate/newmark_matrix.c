/* The full iteration matrix of a structural step: mass, damping and stiffness tangents at once, since the balance as a
 * function of the accelerations moves q and v with them. Dense, column by column, by central differences. */
#include <math.h>
#include <string.h>

#include "integrate/newmark.h"
#include "linalg/lu.h"

static const double NUDGE = 1e-5; /* of q (rad, m), v or z */

/* A change of an unknown that moves neither q nor v by more than a nudge; the balance is linear in a itself. */
static double change_of(const ziNewmark *nm, double h, const double *u, int j) {
    if (j >= nm->nv) return NUDGE * (1 + fabs(u[j]));
    const double share = (1 - nm->af) / (1 - nm->am);
    return NUDGE / fmax(share * h * fmax(nm->gamma, nm->beta * h), NUDGE);
}

static ziTry column(zvIntegrator *in, double h, const double *u, int j) {
    ziNewmark *nm = zi_newmark(in);
    const double change = change_of(nm, h, u, j), middle = nm->x[j];
    nm->x[j] = middle + change;
    int answer = zi_newmark_balance(in, h, nm->x, nm->high);
    nm->x[j] = middle - change;
    if (!answer) answer = zi_newmark_balance(in, h, nm->x, nm->low);
    nm->x[j] = middle;
    for (int i = 0; i < nm->nu; i++)
        nm->matrix[(size_t)i * (size_t)nm->nu + (size_t)j] = (nm->high[i] - nm->low[i]) / (2 * change);
    return answer == 0 ? ZI_TRY_DONE : answer > 0 ? ZI_TRY_REFUSED : ZI_TRY_GIVE_UP;
}

/* Prescribed degrees of freedom have no balance: they get a row of their own. */
static void close_rows(ziNewmark *nm) {
    for (int i = 0; i < nm->nv; i++) {
        double *row = nm->matrix + (size_t)i * (size_t)nm->nu;
        bool empty = true;
        for (int j = 0; empty && j < nm->nu; j++) empty = row[j] == 0;
        if (empty) row[i] = 1;
    }
}

bool zi_newmark_factor(ziNewmark *nm) {
    memcpy(nm->factor, nm->matrix, (size_t)nm->nu * (size_t)nm->nu * sizeof *nm->factor);
    return lu_factor(nm->nu, nm->factor, nm->order, nm->high);
}

ziTry zi_newmark_prepare(zvIntegrator *in, double h, const double *u) {
    ziNewmark *nm = zi_newmark(in);
    ziTry outcome = ZI_TRY_DONE;
    memcpy(nm->x, u, (size_t)nm->nu * sizeof *u);
    for (int j = 0; outcome == ZI_TRY_DONE && j < nm->nu; j++) outcome = column(in, h, u, j);
    nm->preparations++;
    *nm->matrix_h = outcome == ZI_TRY_DONE ? h : 0;
    if (outcome != ZI_TRY_DONE) return outcome;
    close_rows(nm);
    if (zi_newmark_factor(nm)) return ZI_TRY_DONE;
    *nm->matrix_h = 0;
    return ZI_TRY_SINGULAR;
}
