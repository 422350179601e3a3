/* The tutorial's questions in C: what holds the loader, how it falls, and what happens when only the slew is driven. */
#include <stdio.h>
#include <stdlib.h>
#include <zveno/zveno.h>

enum { NV = 3 }; /* nq = nv = 3 for this robot: zv_model_nq, zv_model_nv in general */

static void show(const char *what, const double *x) { printf("%-22s %10.3f %10.3f %10.3f\n", what, x[0], x[1], x[2]); }

int main(int argc, char **argv) {
    zvError error;
    zvModel *model;
    char line[1024];
    if (zv_model_read(argc > 1 ? argv[1] : "loader.yaml", &model, &error) < 0) {
        fprintf(stderr, "%s\n", zv_error_line(&error, line, sizeof line));
        return 1;
    }
    zvWork *work = zv_work_create(model, &error);
    double *fext = calloc((size_t)zv_model_nexternal(model), sizeof *fext);
    double *reactions = calloc((size_t)zv_model_njoint(model) * 6, sizeof *reactions);
    int load = zv_model_find_frame(model, "load"); /* -1 when there is no such frame */
    if (!work || !fext || !reactions || load < 0 || zv_model_nq(model) != NV || zv_model_nv(model) != NV) return 1;

    /* 15 kg on the frame "load", as a force */
    const double q[NV] = {0, 0.52359877559829882, 0.3}, rest[NV] = {0};
    const double weight[6] = {0, 0, -147.15, 0, 0, 0};
    zv_add_wrench(model, work, q, load, weight, fext);

    double tau[NV], a[NV];
    zv_inverse_dynamics(model, work, q, rest, rest, fext, tau);
    show("holding forces", tau);

    if (zv_forward_dynamics(model, work, q, rest, rest, fext, a) < 0) return 1;
    show("falling", a);

    /* mixed: the slew has a known acceleration, the boom is locked, the ram moves freely */
    const double v[NV] = {0.8, 0, 0};
    const unsigned char given[NV] = {ZV_GIVEN_ACCELERATION, ZV_GIVEN_LOCKED, ZV_GIVEN_FORCE};
    double force[NV] = {0}, motion[NV] = {0.5, 0, 0};
    if (zv_mixed_dynamics(model, work, q, v, given, NULL, force, motion) < 0) return 1;
    show("mixed: forces", force);
    show("mixed: accelerations", motion);

    /* what the bearings carry in that motion */
    zv_joint_reactions(model, work, q, v, motion, NULL, reactions);
    for (int i = 0; i < zv_model_njoint(model); i++) {
        const double *r = reactions + 6 * i;
        printf("%-6s force %8.2f %8.2f %8.2f N  moment %8.2f %8.2f %8.2f N m\n", zv_model_joint(model, i)->name, r[0],
               r[1], r[2], r[3], r[4], r[5]);
    }
    free(reactions);
    free(fext);
    zv_work_destroy(work);
    zv_model_destroy(model);
    return 0;
}
