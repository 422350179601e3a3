/* The program of the README: torques of a robot from a file, of the Puma 560 unless another one is named. */
#include <stdio.h>
#include <zveno/zveno.h>

int main(int count, char **words) {
    zvError error;
    zvModel *model;
    zvWork *work;
    const char *file = count > 1 ? words[1] : "models/puma560.yaml";
    if (zv_model_read(file, &model, &error) < 0 || !(work = zv_work_create(model, &error))) {
        char line[1024];
        fprintf(stderr, "%s\n", zv_error_line(&error, line, sizeof line));
        return 1;
    }
    double q[6] = {0, 0.8, 3.1, 0, 0.8, 0}, v[6] = {0}, a[6] = {1, 1, 1, 1, 1, 1}, tau[6];
    const int nq = zv_model_nq(model), nv = zv_model_nv(model), fits = nq <= 6 && nv <= 6;
    if (fits) zv_inverse_dynamics(model, work, q, v, a, NULL, tau);
    for (int i = 0; fits && i < nv; i++) printf("joint %d needs %8.4f N m\n", i + 1, tau[i]);
    if (!fits) fprintf(stderr, "%s: expected a robot of at most 6 coordinates, found %d\n", file, nq);
    zv_work_destroy(work);
    zv_model_destroy(model);
    return fits ? 0 : 1;
}
