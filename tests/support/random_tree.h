/* Seeded random robots: a description that a test may change before it is frozen.
 *
 *   rtOptions options = rt_options_default(12);
 *   rtTree *tree = rt_tree_create(seed, &options);
 *   zvModel *model = rt_tree_freeze(tree);
 *
 * Joint i hangs link i+1 on link rtTree.parent[i]; link 0 is the root. Names are "link7", "joint7", "frame7". */
#ifndef ZV_TEST_RANDOM_TREE_H
#define ZV_TEST_RANDOM_TREE_H

#include "support/random_tree_numbers.h"
#include "zveno/builder.h"

enum { RT_MAX_JOINTS = 80, RT_MAX_LINKS = RT_MAX_JOINTS + 1, RT_MAX_FRAMES = 8, RT_MAX_POINTS = 7 };

typedef enum rtShape {
    RT_CHAIN, /* each link on the one before */
    RT_DEEP,  /* on one of the last three */
    RT_BUSHY  /* on any */
} rtShape;

enum { RT_LINE = 1, RT_CIRCLE = 2, RT_OPEN_SPLINE = 4, RT_CLOSED_SPLINE = 8, RT_ALL_CURVES = 15 };

#define RT_TYPE(name) (1u << ZV_JOINT_##name)
enum { RT_ALL_TYPES = (1 << ZV_JOINT_TYPES) - 1 };

typedef struct rtOptions {
    int joints;
    rtShape shape;
    unsigned types;  /* RT_TYPE bits */
    unsigned curves; /* RT_LINE ... bits */
    bool wild;       /* masses over five decades, lengths over two and a half */
    bool free_base;  /* a free root joint made by the builder */
    bool massless;   /* some links without mass where the motion stays determined */
    double armature; /* share of the freedoms that have some */
    int mimics;      /* how many joints are asked to follow others */
    bool coupled;    /* whether they do */
    int frames;      /* extra frames */
    bool weightless; /* no gravity */
} rtOptions;

typedef struct rtTree {
    uint64_t seed;
    int nlink, njoint, nframe;
    int parent[RT_MAX_JOINTS];
    zvLink links[RT_MAX_LINKS];
    zvJoint joints[RT_MAX_JOINTS];
    zvFrame frames[RT_MAX_FRAMES];
    double gravity[3];
    bool free_base, coupled;
    char link_names[RT_MAX_LINKS][20], joint_names[RT_MAX_JOINTS][20], frame_names[RT_MAX_FRAMES][20];
    double points[RT_MAX_JOINTS][3 * RT_MAX_POINTS];
} rtTree;

/* A tame deep tree of all joint types with armature, massless links and two frames; fixed base, no mimics. */
rtOptions rt_options_default(int joints);

rtTree *rt_tree_create(uint64_t seed, const rtOptions *options);
/* Prints seed and error, and returns NULL, when the description is refused. */
zvModel *rt_tree_freeze(const rtTree *tree);
/* The pose that takes x back. */
zvPose rt_pose_inverse(const zvPose *x);
/* Its links, joints and frames. */
zvStatus rt_tree_add(const rtTree *tree, zvBuilder *builder, zvError *error);

/* Pieces a test may use to change a description. */
void rt_inertia(rtRandom *random, bool wild, zvInertia *inertia);
void rt_origin(rtRandom *random, bool wild, zvPose *pose);

#endif
