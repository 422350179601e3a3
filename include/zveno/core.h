/* Core. The headers of the lower tier, for programs that link zveno-core: models built in code, kinematics, dynamics,
 * closed loops, operational space, derivatives and batches. libc, libm and threads are all it needs. */
#ifndef ZVENO_CORE_H
#define ZVENO_CORE_H

#include "zveno/batch.h"
#include "zveno/beam.h"
#include "zveno/builder.h"
#include "zveno/chain.h"
#include "zveno/check.h"
#include "zveno/derive.h"
#include "zveno/dynamics.h"
#include "zveno/flexible.h"
#include "zveno/kinematics.h"
#include "zveno/loops.h"
#include "zveno/model.h"
#include "zveno/opspace.h"
#include "zveno/passive.h"
#include "zveno/pose.h"
#include "zveno/status.h"
#include "zveno/version.h"
#include "zveno/work.h"

#endif
