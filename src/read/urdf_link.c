/* Links of a URDF robot. The inertia of a link is given in a frame of its own at the centre of mass; it is turned into
 * the axes of the link: J_link = R J R^T with R = Rz(yaw) Ry(pitch) Rx(roll) of the inertial <origin>. */
#include <string.h>

#include "read/urdf_part.h"
#include "spatial/vec3.h"

/* ixx, iyy, izz must be there; a product of inertia that is not written is zero. */
static zvStatus read_moments(const ziUrdf *urdf, const ziXmlElement *inertia, double moment[6]) {
    static const char *const names[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    zvStatus status = ZV_OK;
    for (int i = 0; i < 6 && status == ZV_OK; i++) {
        const bool diagonal = names[i][1] == names[i][2];
        status = zi_urdf_numbers(urdf, inertia, names[i], diagonal, 1, &moment[i]);
    }
    return status;
}

static void turn_moments(const double R[9], double moment[6]) {
    const double *I_ = moment; /* xx xy xz yy yz zz; below by columns of four */
    const double J[12] = {I_[0], I_[1], I_[2], 0, I_[1], I_[3], I_[4], 0, I_[2], I_[4], I_[5], 0};
    const mat3 columns = m3(v3(R[0], R[3], R[6]), v3(R[1], R[4], R[7]), v3(R[2], R[5], R[8]));
    const mat3 T = m3_rotatep12(columns, J);
    const double turned[6] = {v3_x(T.x), v3_x(T.y), v3_x(T.z), v3_y(T.y), v3_y(T.z), v3_z(T.z)};
    memcpy(moment, turned, sizeof turned);
}

static zvStatus read_inertial(const ziUrdf *urdf, const ziXmlElement *inertial, zvLink *link) {
    zvInertia *inertia = &link->inertia;
    const ziXmlElement *mass, *moments;
    zvPose pose = zv_pose_identity();
    zvStatus status = zi_urdf_origin(urdf, inertial, &pose);
    if (status == ZV_OK) status = zi_urdf_need_child(urdf, inertial, "mass", &mass);
    if (status == ZV_OK) status = zi_urdf_numbers(urdf, mass, "value", true, 1, &inertia->mass);
    if (status == ZV_OK) status = zi_urdf_need_child(urdf, inertial, "inertia", &moments);
    if (status == ZV_OK) status = read_moments(urdf, moments, inertia->moment);
    if (status != ZV_OK) return status;
    link->mass_spot = zi_urdf_spot(mass, "value");
    link->inertia_spot = (zvSpot){moments->mark.line, moments->mark.column};
    memcpy(inertia->com, pose.p, sizeof inertia->com);
    turn_moments(pose.R, inertia->moment);
    return ZV_OK;
}

static zvStatus add_shapes(ziUrdf *urdf, const ziXmlElement *element, const char *link) {
    zvStatus status = ZV_OK;
    for (const ziXmlElement *e = element->first; e && status == ZV_OK; e = e->next)
        if (strcmp(e->name, "visual") == 0 || strcmp(e->name, "collision") == 0)
            status = zi_urdf_add_shape(urdf, e, link);
    return status;
}

zvStatus zi_urdf_add_link(ziUrdf *urdf, const ziXmlElement *element) {
    const ziXmlElement *inertial;
    const char *name;
    zvStatus status = zi_urdf_name(urdf, element, "name", &name);
    if (status != ZV_OK) return status;
    zvLink link = zv_link_default(name);
    link.mark = zi_urdf_mark(element);
    status = zi_urdf_child(urdf, element, "inertial", &inertial);
    if (status != ZV_OK) return status;
    if (inertial) {
        link.has_inertia = true;
        status = read_inertial(urdf, inertial, &link);
    }
    if (status == ZV_OK) status = zv_builder_add_link(urdf->builder, &link, urdf->error);
    return status != ZV_OK ? status : add_shapes(urdf, element, name);
}
