/* Roll, pitch and yaw of more than a turn: nobody writes them in radians. The description keeps rotation matrices, so
 * this can be seen only while reading. */
#include "read/degrees.h"

#include <math.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;
static const double whole_turn = 6.3; /* rad; 2 pi however it was rounded is less */

zvStatus zi_degrees_remark(zvBuilder *builder, const char *kind, const char *name, zvMark mark, const double rpy[3],
                           zvError *error) {
    int suspect = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(rpy[i]) > fabs(rpy[suspect])) suspect = i;
    if (!(fabs(rpy[suspect]) > whole_turn)) return ZV_OK;
    char token[32], why[160], repair[96];
    snprintf(token, sizeof token, "%.6g", rpy[suspect]);
    snprintf(why, sizeof why, "rpy %.6g %.6g %.6g has an angle of more than a turn and looks like degrees", rpy[0],
             rpy[1], rpy[2]);
    snprintf(repair, sizeof repair, "write radians: %.6g degrees are %.6g rad", rpy[suspect], rpy[suspect] * pi / 180);
    const zvRemark remark = {ZV_SEVERITY_WARNING, ZV_NUMBER, "degrees", kind, name, token, why, repair, mark};
    return zv_builder_add_remark(builder, &remark, error);
}
