/* Questions to a frozen model. */
#include <string.h>

#include "base/require.h"
#include "model/tree.h"

const char *zv_model_name(const zvModel *m) {
    ZI_REQUIRE(m);
    return m->name;
}
int zv_model_nq(const zvModel *m) {
    ZI_REQUIRE(m);
    return m->nq;
}
int zv_model_nv(const zvModel *m) {
    ZI_REQUIRE(m);
    return m->nv;
}
int zv_model_nbody(const zvModel *m) {
    ZI_REQUIRE(m);
    return m->tree.nb;
}
int zv_model_nlink(const zvModel *m) {
    ZI_REQUIRE(m);
    return m->nlink;
}
int zv_model_njoint(const zvModel *m) {
    ZI_REQUIRE(m);
    return m->njoint;
}
int zv_model_nframe(const zvModel *m) {
    ZI_REQUIRE(m);
    return m->nlink + m->nframe;
}
int zv_model_nshape(const zvModel *m) {
    ZI_REQUIRE(m);
    return m->nshape;
}
double zv_model_mass(const zvModel *m) {
    ZI_REQUIRE(m);
    return m->mass;
}
void zv_model_gravity(const zvModel *m, double g[3]) {
    ZI_REQUIRE(m && g);
    memcpy(g, m->tree.gravity, sizeof m->tree.gravity);
}

int zv_model_nelastic(const zvModel *m) {
    ZI_REQUIRE(m);
    return m->tree.ne;
}
int zv_model_nexternal(const zvModel *m) {
    ZI_REQUIRE(m);
    return 6 * m->nlink + m->tree.ne;
}

static const ziElastic *elastic_of(const zvModel *m, int link) { return m->tree.body[m->link_elastic[link]].elastic; }

zvElasticPlace zv_model_elastic_place(const zvModel *m, int link) {
    ZI_REQUIRE(m);
    ZI_REQUIRE_INDEX(link, zv_model_nlink(m));
    const ziElastic *el = elastic_of(m, link);
    if (!el) return (zvElasticPlace){0};
    return (zvElasticPlace){el->n, m->coupling.q_master[el->q], m->coupling.v_master[el->v]};
}

const char *zv_model_elastic_part(const zvModel *m, int link, int k) {
    ZI_REQUIRE(m);
    ZI_REQUIRE_INDEX(link, zv_model_nlink(m));
    return elastic_of(m, link)->parts[k];
}

void zv_model_elastic_matrices(const zvModel *m, int link, double *M, double *K, double *D) {
    ZI_REQUIRE(m);
    ZI_REQUIRE_INDEX(link, zv_model_nlink(m));
    const ziElastic *el = elastic_of(m, link);
    size_t size = el ? (size_t)el->n * (size_t)el->n * sizeof(double) : 0;
    if (M && size) memcpy(M, el->M, size);
    if (K && size) memcpy(K, el->K, size);
    if (D && size) memcpy(D, el->D, size);
}

const zvLink *zv_model_link(const zvModel *m, int link) {
    ZI_REQUIRE(m);
    ZI_REQUIRE_INDEX(link, zv_model_nlink(m));
    return &m->links[link];
}
const zvJoint *zv_model_joint(const zvModel *m, int joint) {
    ZI_REQUIRE(m);
    ZI_REQUIRE_INDEX(joint, zv_model_njoint(m));
    return &m->joints[joint];
}
zvJointPlace zv_model_joint_place(const zvModel *m, int joint) {
    ZI_REQUIRE(m);
    ZI_REQUIRE_INDEX(joint, zv_model_njoint(m));
    return m->joint_places[joint];
}
const zvShape *zv_model_shape(const zvModel *m, int shape) {
    ZI_REQUIRE(m);
    ZI_REQUIRE_INDEX(shape, zv_model_nshape(m));
    return &m->shapes[shape];
}
int zv_model_link_joint(const zvModel *m, int link) {
    ZI_REQUIRE(m);
    ZI_REQUIRE_INDEX(link, zv_model_nlink(m));
    return m->link_places[link].joint;
}

zvFrame zv_model_frame(const zvModel *m, int frame) {
    ZI_REQUIRE(m);
    ZI_REQUIRE_INDEX(frame, zv_model_nframe(m));
    if (frame >= m->nlink) return m->frames[frame - m->nlink];
    const zvLink *link = &m->links[frame];
    return (zvFrame){.name = link->name, .link = link->name, .pose = zv_pose_identity(), .mark = link->mark};
}

static int link_of_frame(const zvModel *m, int frame) {
    return frame < m->nlink ? frame : m->frame_links[frame - m->nlink];
}

int zv_model_frame_body(const zvModel *m, int frame) {
    ZI_REQUIRE(m);
    ZI_REQUIRE_INDEX(frame, zv_model_nframe(m));
    return m->link_places[link_of_frame(m, frame)].body;
}

static const char *frame_name(const zvModel *m, int frame) {
    return frame < m->nlink ? m->links[frame].name : m->frames[frame - m->nlink].name;
}

static const char *joint_name(const zvModel *m, int joint) { return m->joints[joint].name; }
static const char *loop_name(const zvModel *m, int loop) { return m->loops[loop].name; }

/* Binary search among indices sorted by name. */
static int find_name(const zvModel *m, const int *sorted, int count, const char *(*name_of)(const zvModel *, int),
                     const char *name) {
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = strcmp(name, name_of(m, sorted[middle]));
        if (order == 0) return sorted[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}

int zv_model_find_frame(const zvModel *m, const char *name) {
    ZI_REQUIRE(m && name);
    return find_name(m, m->frames_by_name, m->nlink + m->nframe, frame_name, name);
}

int zv_model_find_joint(const zvModel *m, const char *name) {
    ZI_REQUIRE(m && name);
    return find_name(m, m->joints_by_name, m->njoint, joint_name, name);
}

int zv_model_find_loop(const zvModel *m, const char *name) {
    ZI_REQUIRE(m && name);
    return find_name(m, m->loops_by_name, m->nloop, loop_name, name);
}

int zv_model_nloop(const zvModel *m) {
    ZI_REQUIRE(m);
    return m->nloop;
}
int zv_model_nloop_rows(const zvModel *m) {
    ZI_REQUIRE(m);
    return m->tree.closed ? m->tree.closed->loop_rows : 0;
}
const zvLoop *zv_model_loop(const zvModel *m, int loop) {
    ZI_REQUIRE(m);
    ZI_REQUIRE_INDEX(loop, zv_model_nloop(m));
    return &m->loops[loop];
}
void zi_model_open_loop(zvModel *m, int loop, bool open) {
    ((zvLoop *)m->loops)[loop].open = open;
    ((unsigned char *)m->tree.closed->open)[loop] = open;
}
zvLoopPlace zv_model_loop_place(const zvModel *m, int loop) {
    ZI_REQUIRE(m);
    ZI_REQUIRE_INDEX(loop, zv_model_nloop(m));
    return m->loop_places[loop];
}

int zi_frame_attachment(const zvModel *m, int frame) {
    return frame < m->nlink ? -1 : m->frame_attachments[frame - m->nlink];
}

zvPose zi_frame_in_body(const zvModel *m, int frame) {
    const zvPose *link = &m->link_places[link_of_frame(m, frame)].pose;
    if (frame < m->nlink) return *link;
    zvPose pose = zv_pose_compose(link, &m->frames[frame - m->nlink].pose);
    int attachment = zi_frame_attachment(m, frame);
    for (int i = 0; i < 3 && attachment >= 0; i++) pose.p[i] -= m->tree.attachment[attachment].at[i];
    return pose;
}
