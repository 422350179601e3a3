/* Names of functions, known to builds that cannot generate them as well. */
#include "zveno/codegen.h"

#include "base/require.h"

/* As in the names of generated functions and the options of the command. */
const char *zv_generated_name(zvGenerated function) {
    ZI_REQUIRE_INDEX((int)function, (int)ZV_GENERATED);
    static const char *const names[ZV_GENERATED] = {[ZV_GENERATE_INVERSE] = "inverse",
                                                    [ZV_GENERATE_FORWARD] = "forward",
                                                    [ZV_GENERATE_MASS] = "mass",
                                                    [ZV_GENERATE_MINV] = "minv",
                                                    [ZV_GENERATE_BIAS] = "bias",
                                                    [ZV_GENERATE_GRAVITY] = "gravity",
                                                    [ZV_GENERATE_POSE] = "pose",
                                                    [ZV_GENERATE_JACOBIAN] = "jacobian",
                                                    [ZV_GENERATE_INVERSE_DERIVATIVES] = "inverse_derivatives",
                                                    [ZV_GENERATE_FORWARD_DERIVATIVES] = "forward_derivatives"};
    return names[function];
}
