/* The linear model that a command line asks for: of a scenario, or of a model by itself, at one time or several. */
#ifndef ZVENO_CLI_PLANT_H
#define ZVENO_CLI_PLANT_H

#include "args.h"
#include "zveno/linear.h"

typedef struct Plant {
    const Args *args;
    zvScenario *scenario;
    zvLinear *linear;
    int count;      /* of states to look at */
    double *times;  /* (count) */
    double *states; /* (count x (nq + nv + nz)), or NULL: as the scenario begins */
    bool has_z;     /* states have z */
} Plant;

/* Names of a list with commas between them; to be freed. */
typedef struct NameList {
    int count;
    char *text;
    const char **names;
} NameList;

bool name_list(const char *text, NameList *list);
void name_list_free(NameList *list);

/* Reads the operand: a scenario, or a model, of which a scenario without drives is made. extra: changes besides --set.
 * Complains. */
Code plant_scenario(const Args *args, int extra_count, const char *const *extra, zvScenario **scenario);
/* The scenario, the states that --at and --state name, and a linear model with these inputs and outputs (NULL: as
 * --inputs and --outputs say). Complains; to be freed in any case. */
Code plant_open(const Args *args, const char *inputs, const char *outputs, Plant *plant);
void plant_free(Plant *plant);
/* Finds the matrices at state `index`; complains. */
Code plant_at(Plant *plant, int index);
/* Warns of inputs that move nothing. */
Code plant_warn(const Plant *plant);
/* A matrix of them with its size. */
const double *plant_matrix(const Plant *plant, zvLinearMatrix which, size_t *rows, size_t *columns);

#endif
