/* Rules about flexible joints: their type, numbers of gear and rotor, the law of the gear, and rotors with an axis of
 * their own, whose inertia has to be found in the link that carries them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/check.h"
#include "model/gear.h"
#include "model/measure.h"

/* At the value of a key of the gear. */
static ziAbout at_key(const ziChecker *c, ziAbout about, const char *key) {
    about.mark = zi_builder_key_mark(c->builder, about.name, key, about.mark);
    return about;
}

static void report_flexible(ziChecker *c, ziAbout about, const char *key, const char *what, const char *expected,
                            double found) {
    char token[32];
    snprintf(token, sizeof token, "%.6g", found);
    zi_report(c, ZI_WEIGH_FATAL, ZV_PHYSICS, "flexible-number", at_key(c, about, key), token,
              "give the numbers of gear and rotor, or leave flexible out for a rigid joint",
              "expected %s for the %s of its flexible joint, found %.6g", expected, what, found);
}

/* Stiffness, inertia and ratio are divided by. */
static void check_numbers(ziChecker *c, const zvFlexibleJoint *f, ziAbout about) {
    const struct {
        const char *key, *what;
        double value;
        bool positive;
    } numbers[] = {{"stiffness", "stiffness", f->stiffness, true},
                   {"inertia", "rotor inertia", f->inertia, true},
                   {"damping", "damping", f->damping, false},
                   {"motor_damping", "motor damping", f->motor_damping, false},
                   {"cubic", "cubic stiffness", f->cubic, false}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const double x = numbers[i].value;
        if (!isfinite(x) || x < 0 || (numbers[i].positive && x == 0))
            report_flexible(c, about, numbers[i].key, numbers[i].what,
                            numbers[i].positive ? "more than zero" : "zero or more", x);
    }
    if (!isfinite(f->ratio) || f->ratio == 0)
        report_flexible(c, about, "ratio", "gear ratio", "motor turns per link turn, other than 0,", f->ratio);
}

/* Only a torque that rises can be carried at one deflection alone. */
static void check_law(ziChecker *c, const zvFlexibleJoint *f, ziAbout about) {
    const int at = zi_gear_law_fault(f);
    char token[32];
    if (at < 0) return;
    if (f->points < 0 || f->points > ZV_GEAR_POINTS) {
        report_flexible(c, about, "law", "number of points of the law", "0 to 8", f->points);
        return;
    }
    snprintf(token, sizeof token, "%.6g", f->law[at].torque);
    if (at == 0 && f->law[0].deflection > 0 && f->law[0].torque > 0) {
        const double most = 3 * f->law[0].torque / f->law[0].deflection;
        zi_report(c, ZI_WEIGH_FATAL, ZV_PHYSICS, "flexible-law", at_key(c, about, "law"), token,
                  "give a point nearer to zero, or the stiffness that the points begin with",
                  "expected a stiffness of at most %.6g for a law through [%.6g, %.6g], or the curve between would "
                  "fall, found %.6g",
                  most, f->law[0].deflection, f->law[0].torque, f->stiffness);
        return;
    }
    zi_report(c, ZI_WEIGH_FATAL, ZV_PHYSICS, "flexible-law", at_key(c, about, "law"), token,
              "give points of positive deflections in their order, each with more torque than the one before",
              "expected a law that rises from [0, 0] in deflection and torque, found [%.6g, %.6g] as point %d",
              f->law[at].deflection, f->law[at].torque, at + 1);
}

/* What the rotors of a link take of its moments of inertia about its centre of mass; whether any does. */
static bool take_rotors(const zvBuilder *b, const char *link, double moment[6]) {
    bool any = false;
    for (size_t j = 0; j < b->njoint; j++) {
        const zvJoint *joint = &b->joints[j];
        if (!joint->flexible || !zi_rotor_couples(joint->flexible) || !joint->parent ||
            strcmp(joint->parent, link) != 0)
            continue;
        zi_rotor_take(joint, moment);
        any = true;
    }
    return any;
}

static const double slack = 1e-9; /* of the largest moment: rounding */

/* The rotor has to be part of a link that is rigid. */
static void check_rotor(ziChecker *c, const zvJoint *joint, ziAbout about) {
    const zvFlexibleJoint *f = joint->flexible;
    const int at = zi_names_find(&c->builder->link_names, joint->parent);
    const zvLink *link = at < 0 ? NULL : &c->builder->links[at];
    double moment[6], p[3];
    char token[32];
    if (!zi_rotor_couples(f)) return;
    if (!isfinite(zi_rotor_length(f))) {
        report_flexible(c, about, "rotor_axis", "rotor_axis", "three finite numbers", zi_rotor_length(f));
        return;
    }
    if (!link || (link->inertia.mass == 0 && c->order && c->order->root == at)) return;
    snprintf(token, sizeof token, "%.6g", f->inertia);
    if (link->beam || link->modal) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_NOT_SUPPORTED, "flexible-rotor", at_key(c, about, "rotor_axis"), link->name,
                  "leave rotor_axis out, or fix a rigid link to the elastic one and put the joint there",
                  "expected a rigid link to carry a rotor with an axis of its own, found elastic link \"%s\"",
                  link->name);
        return;
    }
    memcpy(moment, link->inertia.moment, sizeof moment);
    const double most = fmax(fabs(moment[0]), fmax(fabs(moment[3]), fabs(moment[5])));
    if (!take_rotors(c->builder, joint->parent, moment)) return;
    zi_principal_moments(moment, p);
    if (fmin(p[0], fmin(p[1], p[2])) >= -slack * most) return;
    zi_report(
        c, ZI_WEIGH_FATAL, ZV_PHYSICS, "flexible-rotor", at_key(c, about, "inertia"), token,
        "count the rotor into the inertia of the link that carries it, or leave rotor_axis out",
        "expected the inertia of its rotor, %.6g kg m^2, within that of link \"%s\" about the rotor's axis, found "
        "less there",
        f->inertia, link->name);
}

/* The rules of one joint. */
void zi_check_flexible(ziChecker *c, const zvJoint *joint, ziAbout about) {
    const zvFlexibleJoint *f = joint->flexible;
    if (!f) return;
    if (zv_joint_type_nv(joint->type) != 1 || joint->mimic) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_SCHEMA, "flexible-type", about, zv_joint_type_word(joint->type),
                  "remove flexible, or give it to a joint with one freedom that follows none",
                  "expected one freedom of its own behind a flexible joint, found a %s joint%s",
                  zv_joint_type_word(joint->type), joint->mimic ? " that follows another" : "");
        return;
    }
    check_numbers(c, f, about);
    check_law(c, f, about);
    check_rotor(c, joint, about);
}
