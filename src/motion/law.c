/* What is common to all laws: the table of kinds, memory, evaluation. */
#include "motion/law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Kind {
    void (*add)(const zvLaw *law, double t, double *x, double *dx, double *ddx);
    double (*next_break)(const zvLaw *law, double t);
} Kind;

static const Kind kinds[] = {
#define ZV_X(NAME, name) [ZI_LAW_##NAME] = {zi_##name##_add, zi_##name##_next_break},
    ZI_LAW_LIST(ZV_X)
#undef ZV_X
};

static const uint64_t most_numbers = UINT64_C(1) << 30; /* 8 GiB */

zvLaw *zi_law_new(ziLawType type, int width, uint64_t rows, uint64_t extra, zvError *error) {
    const uint64_t room = extra > most_numbers ? 0 : (most_numbers - extra) / (uint64_t)width;
    if (rows > room) {
        zv_fail(error, ZV_SIZE, (zvMark){0}, "", "a law of %d entries and %llu rows is absurdly large; divide it",
                width, (unsigned long long)rows);
        return NULL;
    }
    const uint64_t bytes = (rows * (uint64_t)width + extra) * sizeof(double) + sizeof(zvLaw);
    zvLaw *law = bytes <= SIZE_MAX ? calloc(1, (size_t)bytes) : NULL;
    if (!law) {
        zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while making a law of motion");
        return NULL;
    }
    law->type = type;
    law->width = width;
    return law;
}

zvLaw *zi_law_refuse_overflow(zvLaw *law, double greatest, zvError *error) {
    if (isfinite(greatest)) return law;
    zv_fail(error, ZV_NUMBER, (zvMark){0}, "",
            "the velocities or accelerations of this law are beyond the range of numbers (about 1.8e308); give it more "
            "time or smaller numbers");
    zv_law_destroy(law);
    return NULL;
}

void zv_law_destroy(zvLaw *law) {
    if (!law) return;
    if (law->type == ZI_LAW_PARTS) {
        for (int i = 0; i < law->count; i++) free(law->parts[i].law);
        free(law->parts);
    }
    free(law);
}

int zv_law_width(const zvLaw *law) { return law->width; }

void zi_law_add(const zvLaw *law, double t, double *x, double *dx, double *ddx) {
    kinds[law->type].add(law, t, x, dx, ddx);
}

void zv_law_at(const zvLaw *law, double t, double *x, double *dx, double *ddx) {
    const size_t size = (size_t)law->width * sizeof *x;
    memset(x, 0, size);
    if (dx) memset(dx, 0, size);
    if (ddx) memset(ddx, 0, size);
    zi_law_add(law, t, x, dx, ddx);
}

double zv_law_next_break(const zvLaw *law, double t) { return kinds[law->type].next_break(law, t); }
