/* Names of functions, known to builds that cannot generate them as well. */
#include "zveno/codegen.h"

#include "base/require.h"

/* As in the names of generated functions and the options of the command. */
const char *zv_generated_name(zvGenerated function) {
    ZI_REQUIRE_INDEX((int)function, (int)ZV_GENERATED_FUNCTIONS + 1); /* the last: traced.h */
    static const char *const names[ZV_GENERATED_FUNCTIONS + 1] = {
        [ZV_GENERATED_INVERSE] = "inverse",
        [ZV_GENERATED_FORWARD] = "forward",
        [ZV_GENERATED_MASS] = "mass",
        [ZV_GENERATED_MINV] = "minv",
        [ZV_GENERATED_BIAS] = "bias",
        [ZV_GENERATED_GRAVITY] = "gravity",
        [ZV_GENERATED_POSE] = "pose",
        [ZV_GENERATED_JACOBIAN] = "jacobian",
        [ZV_GENERATED_INVERSE_DERIVATIVES] = "inverse_derivatives",
        [ZV_GENERATED_FORWARD_DERIVATIVES] = "forward_derivatives",
        [ZV_GENERATED_FUNCTIONS] = "inverse_rates"};
    return names[function];
}
