/* The rules of the linter. Each file of rules appends findings through zv_report. */
#ifndef ZV_MODEL_CHECK_H
#define ZV_MODEL_CHECK_H

#include "model/order.h"
#include "zveno/check.h"

typedef struct zvChecker {
    const zvBuilder *builder;
    const zvOrder *order;
    zvFindingSink sink;
    void *context;
    bool stopped;
    bool out_of_memory;
    int suggested; /* names looked up for "did you mean" so far */
} zvChecker;

/* What a finding is about: kind ("link", "joint", ...) and name. */
typedef struct zvAbout {
    const char *kind;
    const char *name;
    zvMark mark;
} zvAbout;

typedef enum zvWeight { ZV_WEIGH_NOTE, ZV_WEIGH_WARNING, ZV_WEIGH_ERROR, ZV_WEIGH_FATAL } zvWeight;

/* repair may be empty; why is a format. */
void zv_report(zvChecker *c, zvWeight weight, zvStatus status, const char *rule, zvAbout about, const char *token,
               const char *repair, const char *why, ...) __attribute__((format(printf, 8, 9)));

zvAbout zv_about_link(const zvBuilder *b, size_t link);
zvAbout zv_about_joint(const zvBuilder *b, size_t joint);
zvAbout zv_about_loop(const zvBuilder *b, size_t loop);
/* The same, but at one part of it when it is known where that stands. */
zvAbout zv_about_spot(zvAbout about, zvSpot spot);

void zv_check_names(zvChecker *c);
void zv_check_topology(zvChecker *c);
void zv_check_numbers(zvChecker *c);
void zv_check_joints(zvChecker *c);
void zv_check_mimic(zvChecker *c);
void zv_check_loops(zvChecker *c);
void zv_check_cuts(zvChecker *c);
void zv_check_curve(zvChecker *c, const zvJoint *joint, zvAbout about);
void zv_check_elastic(zvChecker *c);
void zv_check_inertia(zvChecker *c);
void zv_check_proportions(zvChecker *c);
void zv_check_massless(zvChecker *c);

/* The joint of one degree of freedom, other than `not`, whose name is nearest; NULL: none is near. */
const char *zv_nearest_joint(const zvBuilder *builder, size_t not, const char *word);

/* The first rule that freeze would refuse. */
zvStatus zv_first_fatal(const zvBuilder *builder, const zvOrder *order, zvError *error);

#endif
