/* libzveno: dynamics of manipulators. This header includes all the others. */
#ifndef ZVENO_ZVENO_H
#define ZVENO_ZVENO_H

#include "zveno/actuate.h"
#include "zveno/agree.h"
#include "zveno/batch.h"
#include "zveno/beam.h"
#include "zveno/builder.h"
#include "zveno/check.h"
#include "zveno/codegen.h"
#include "zveno/derive.h"
#include "zveno/document.h"
#include "zveno/dynamics.h"
#include "zveno/integrate.h"
#include "zveno/kinematics.h"
#include "zveno/loops.h"
#include "zveno/mesh.h"
#include "zveno/model.h"
#include "zveno/modes.h"
#include "zveno/motion.h"
#include "zveno/opspace.h"
#include "zveno/read.h"
#include "zveno/record.h"
#include "zveno/simulate.h"
#include "zveno/status.h"
#include "zveno/version.h"
#include "zveno/work.h"

#endif
