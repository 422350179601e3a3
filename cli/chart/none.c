/* Stands in for chart.c in a build without cairo. */
#include "chart/chart.h"

bool chart_available(void) { return false; }

zvStatus chart_write(const Chart *chart, const char *path, zvError *error) {
    (void)chart;
    return zv_fail(
        error, ZV_NOT_SUPPORTED, (zvMark){.file = path}, "",
        "expected a build that draws pictures, found one that does not; build with -DZVENO_PLOTS=ON (needs cairo)");
}
