/* Serial chains of revolute joints, built in memory. */
#ifndef BENCH_CHAIN_H
#define BENCH_CHAIN_H

#include "zveno/builder.h"
#include "zveno/model.h"

/* count joints about z, y and x in turn, origins and inertias without zeros to profit from. */
zvStatus chain_describe(zvBuilder *builder, int count, zvError *error);
zvStatus chain_create(int count, zvModel **model, zvError *error);

#endif
