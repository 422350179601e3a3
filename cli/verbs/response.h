/* What zveno response found of a linear model, and how it is told and drawn. */
#ifndef ZVENO_CLI_VERBS_RESPONSE_H
#define ZVENO_CLI_VERBS_RESPONSE_H

#include "plant.h"
#include "zveno/response.h"

typedef enum Part {
    PART_POLES,
    PART_ZEROS,
    PART_FREQUENCY,
    PART_NICHOLS,
    PART_SIGMA,
    PART_STEP,
    PART_IMPULSE,
    PART_MARGINS,
    PART_LOCUS,
    PARTS
} Part;

/* Zeros of one input and one output. */
typedef struct PairZeros {
    int count, right; /* right: those with positive real parts */
    bool moves;       /* the input moves the output at all */
    double *real, *imag;
} PairZeros;

typedef struct BrokenLoop {
    const char *name; /* "pd elbow" */
    zvMargins margins;
} BrokenLoop;

typedef struct SystemResponse {
    const Args *args;
    Plant plant;
    zvStateSpace system;
    bool parts[PARTS];
    int points;          /* of frequencies, or of times */
    double *real, *imag; /* poles, nx */
    PairZeros *zeros;    /* ny x nu */
    double *omega;       /* points, rad/s */
    double *frequency;   /* points x ny x nu x 2 */
    double *sigma;       /* points x min(ny, nu) */
    double step;         /* s, from one time to the next */
    double *times[2];    /* points x ny x nu: after a step, after an impulse */
    int loops;
    BrokenLoop *broken;
    Plant loop_plant;
    int values;                      /* of the root locus */
    char *key;                       /* what is changed */
    double *value;                   /* values */
    int locus_nx;                    /* poles for each */
    double *locus_real, *locus_imag; /* values x locus_nx */
} SystemResponse;

/* "tau.elbow -> q.elbow" */
void response_pair(const SystemResponse *r, int pair, Text *out);
/* Phase of a pair at all frequencies, rad, without jumps of a turn; phase is (points). */
void response_phase(const SystemResponse *r, int pair, double *phase);
double response_size(const SystemResponse *r, int pair, int point);

void response_json(const SystemResponse *r, Text *out);
void response_tables(const SystemResponse *r, Text *out);
/* Draws the part that has a picture. Complains. */
Code response_plot(const SystemResponse *r, const char *path, Text *out);

#endif
