/* A map as the command has it: its axes, its poses and its values. */
#ifndef ZVENO_CLI_VERBS_MAP_H
#define ZVENO_CLI_VERBS_MAP_H

#include "args.h"
#include "zveno/map.h"

enum { MAP_AXES = 6, MAP_VALUES = 32 };

/* A coordinate, or a velocity, and the values that it takes. */
typedef struct MapAxis {
    char name[128];
    const char *unit;
    bool rate; /* a velocity: index is an entry of v, else of q */
    int index; /* of the entry */
    int count;
    double *at; /* count */
} MapAxis;

typedef struct MapColumn {
    char name[128];
    const char *unit;
    zvMapValue value;
    bool least_is_best; /* forces that hold the weight */
} MapColumn;

typedef struct Map {
    const Args *args;
    const zvModel *model;
    int axis_count, column_count;
    MapAxis axes[MAP_AXES]; /* the last one runs fastest */
    MapColumn columns[MAP_VALUES];
    size_t count;     /* of poses */
    double *q, *v;    /* count x nq, nv; v NULL: at rest */
    double *values;   /* count x column_count */
    zvStatus *status; /* count */
    size_t failed;
} Map;

/* --over and --show; complain. */
Code map_read_axes(Map *map);
Code map_read_columns(Map *map);

/* How an axis stands at a pose. */
double map_axis_at(const Map *map, int axis, size_t pose);

void map_json(const Map *map, Text *out);
void map_table(const Map *map, Text *out);
/* -o: rows of all poses, .csv or .h5; --plot: a picture. */
Code map_write(const Map *map);
Code map_plot(const Map *map);

#endif
