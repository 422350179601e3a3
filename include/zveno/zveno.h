/* libzveno: dynamics of manipulators. This header includes all the others: those of the core (core.h), which programs
 * that link zveno-core can use, and those of the application tier, which are in zveno alone. The first word of each
 * header tells its tier. */
#ifndef ZVENO_ZVENO_H
#define ZVENO_ZVENO_H

#include "zveno/actuate.h"
#include "zveno/agree.h"
#include "zveno/codegen.h"
#include "zveno/core.h"
#include "zveno/document.h"
#include "zveno/integrate.h"
#include "zveno/linear.h"
#include "zveno/map.h"
#include "zveno/mesh.h"
#include "zveno/modes.h"
#include "zveno/motion.h"
#include "zveno/read.h"
#include "zveno/record.h"
#include "zveno/response.h"
#include "zveno/simulate.h"

#endif
