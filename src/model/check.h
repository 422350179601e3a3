/* The rules of the linter. Each file of rules appends findings through zi_report. */
#ifndef ZI_MODEL_CHECK_H
#define ZI_MODEL_CHECK_H

#include "model/order.h"
#include "zveno/check.h"

typedef struct ziChecker {
    const zvBuilder *builder;
    const ziOrder *order;
    double *held; /* njoint: zi_held_values */
    zvFindingSink sink;
    void *context;
    bool stopped;
    bool out_of_memory;
    int suggested; /* names looked up for "did you mean" so far */
} ziChecker;

/* What a finding is about: kind ("link", "joint", ...) and name. */
typedef struct ziAbout {
    const char *kind;
    const char *name;
    zvMark mark;
} ziAbout;

typedef enum ziWeight { ZI_WEIGH_NOTE, ZI_WEIGH_WARNING, ZI_WEIGH_ERROR, ZI_WEIGH_FATAL } ziWeight;

/* repair may be empty; why is a format. */
void zi_report(ziChecker *c, ziWeight weight, zvStatus status, const char *rule, ziAbout about, const char *token,
               const char *repair, const char *why, ...) __attribute__((format(printf, 8, 9)));

ziAbout zi_about_robot(const zvBuilder *b);
ziAbout zi_about_gravity(const zvBuilder *b);
ziAbout zi_about_link(const zvBuilder *b, size_t link);
ziAbout zi_about_joint(const zvBuilder *b, size_t joint);
ziAbout zi_about_loop(const zvBuilder *b, size_t loop);
/* The same, but at one part of it when it is known where that stands. */
ziAbout zi_about_spot(ziAbout about, zvSpot spot);

void zi_check_names(ziChecker *c);
void zi_check_topology(ziChecker *c);
void zi_check_numbers(ziChecker *c);
void zi_check_joints(ziChecker *c);
/* The stiffness and damping matrix of one joint, or of one that closes a loop, and the gear that gives way. */
void zi_check_matrices(ziChecker *c, const zvJoint *joint, ziAbout about);
/* The same of its gear and rotor. */
void zi_check_flexible(ziChecker *c, const zvJoint *joint, ziAbout about);
void zi_check_mimic(ziChecker *c);
void zi_check_loops(ziChecker *c);
void zi_check_cuts(ziChecker *c);
void zi_check_elastic(ziChecker *c);
void zi_check_inertia(ziChecker *c);
void zi_check_proportions(ziChecker *c);
void zi_check_massless(ziChecker *c);
void zi_check_whole(ziChecker *c);

/* The joint of one degree of freedom, other than `not`, whose name is nearest; NULL: none is near. */
const char *zi_nearest_joint(const zvBuilder *builder, size_t not, const char *word);

/* The first rule that freeze would refuse. */
zvStatus zi_first_fatal(const zvBuilder *builder, const ziOrder *order, zvError *error);

#endif
