/* The five-bar of [Kolyubin] 3.3: cranks 1 and 2 on one pivot, arm 4 on crank 1, arm 3 on crank 2; the arms meet.
 * Figures: independent computation in absolute angles, the equations of the lecture with its errata mended, checked
 * there against a saddle-point solution. Plane x-y, gravity along -y. */
#ifndef ZV_TEST_FIVE_BAR_H
#define ZV_TEST_FIVE_BAR_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "zveno/builder.h"
#include "zveno/loops.h"

typedef struct FiveBar {
    double l[4], lc[4], m[4], J[4]; /* of links 1 ... 4; the centre of 4 lies at -lc[3] from its hinge */
} FiveBar;

static const FiveBar general = {
    {0.3, 0.25, 0.4, 0.35}, {0.15, 0.12, 0.2, -0.16}, {2.0, 1.5, 1.8, 2.2}, {0.016, 0.009, 0.026, 0.024}};
static const FiveBar parallelogram = {
    {0.3, 0.25, 0.3, 0.25}, {0.15, 0.12, 0.15, 0.2}, {2.0, 1.5, 1.8, 2.2}, {0.016, 0.009, 0.014, 0.024}};

/* A state in absolute angles 1 ... 4; tau of the cranks, F_c on arm 4. */
typedef struct FiveBarRow {
    double q[4], qd[4], qdd[4], tau[2], F[2], D[4], bias[2];
} FiveBarRow;

static const FiveBarRow general_rows[] = {
    {{0.3, 1.9, 0.5276446560180674, 1.6331944848078541},
     {0.0, 0.0, 0.0, 0.0},
     {-0.00033593409279249583, 0.0008569827019012089, -0.0001159845664794454, 0.0005987767736129795},
     {11.439, -1.604},
     {1.126909332853787, -8.172296313469758},
     {0.3387160415880088, 0.06230652806992262, 0.062306528069922616, 0.20228698604856402},
     {11.439060390649374, -1.6041524255608812}},
    {{0.6226435161737279, 1.7223944274506475, 0.7676016640848318, 1.5525814568662888},
     {1.0723729813221707, -0.48714231399802743, 0.8393235628182353, -0.21395519272987695},
     {-3.786034989141462, 1.0878746959995245, -2.9320553948674353, 0.08595096314673673},
     {8.609054518544045, -0.5950147613251802},
     {0.06140264813948258, -7.907420387543738},
     {0.3544833191943143, 0.12036755744054589, 0.12036755744054589, 0.21547463431617322},
     {9.820195948121881, -0.3737083796000944}},
    {{0.25269882037745306, 1.6046444764604804, 0.4371657357411147, 1.388504628894263},
     {-1.33745874065563, 0.3219620061017708, -1.0642736668408002, 0.001530875240627616},
     {0.7979716045700898, 1.3610249236820453, 1.0817157607712413, 1.0266871740881034},
     {12.34190943497303, 1.4067895687831278},
     {-4.771724583641078, -11.460450893990181},
     {0.34756978132045596, 0.09140679308584224, 0.09140679308584222, 0.2096816339316522},
     {11.940151695288991, 1.0484676136164586}},
    {{0.1008104067298663, 2.1120886645354626, 0.4131140222491769, 1.7457963111728814},
     {1.1063002155024726, 0.5290984416131728, 0.9733435308927888, 0.6855230522983041},
     {1.9117720655112964, -0.8160667580613896, 1.32835096101667, -0.13029606499693305},
     {12.259202777423909, -2.8232687230377476},
     {2.840424217533039, -7.8966894350607},
     {0.3187084073519555, 0.0186817997613744, 0.0186817997613744, 0.18568455335851372},
     {11.665150542970862, -2.7074530744736593}},
};

static const FiveBarRow parallelogram_rows[] = {
    {{0.6004224831197458, 1.5996355787976826, 0.6004224831197457, 1.5996355787976826},
     {1.4002147555979239, -0.6796359632846245, 1.4002147555979239, -0.6796359632846245},
     {-0.4197316472635713, 0.06353470720750687, -0.4197316472635713, 0.06353470720750684},
     {9.847122230983576, -0.129250569598109},
     {0.46459601462934536, -8.321884668265067},
     {0.3135, -0.03489219707084916, -0.03489219707084916, 0.2551},
     {9.980924967925429, -0.16010363275993666}},
    {{-0.012849688445113635, 1.6442366861311473, -0.012849688445113671, 1.6442366861311473},
     {-0.32508941387074014, 0.6039454645380182, -0.32508941387074014, 0.6039454645380182},
     {3.6423481109121245, 0.25429879397732874, 3.6423481109121245, 0.2542987939773286},
     {13.232032431976672, -0.0584349498201453},
     {-0.8038376577174596, -9.39371650264754},
     {0.3135, 0.0055588036348380495, 0.0055588036348380495, 0.2551},
     {12.088742702145424, -0.14355367008204567}},
};

/* Drive moments along a motion of the cranks. */
static const FiveBarRow inverse_rows[] = {
    {{0.33475200000000016, 1.9231680000000002, 0.5602668542463103, 1.6588626712709782},
     {0.23040000000000052, 0.1536000000000005, 0.2163197279012326, 0.17012853389266097},
     {0.8639999999999999, 0.576, 0.8117267247159233, 0.6373575126110071},
     {11.598901700827275, -1.6431231926348968},
     {1.371362577404987, -8.228926316427996},
     {0},
     {0}},
    {{0.6000000000000004, 2.1000000000000005, 0.8096441473531618, 1.8543218724217214},
     {0.5625000000000001, 0.3750000000000003, 0.5295410665135853, 0.4136771376196652},
     {-1.3322676295501878e-15, -6.661338147750939e-16, 0.0028663070479711325, -0.0033888830426091437},
     {9.560586097027155, -3.4114086723543853},
     {4.09006306408175, -4.492570550457566},
     {0},
     {0}},
    {{0.8840328749999997, 2.28935525, 1.0773878444539995, 2.062789383151836},
     {0.14630624999999942, 0.0975375000000005, 0.13809154982823219, 0.10717441892907334},
     {-0.8032500000000002, -0.5354999999999999, -0.7579746360679139, -0.5886153744678282},
     {6.714951615237502, -5.272353526523943},
     {5.013944462002645, 0.9801639502256168},
     {0},
     {0}},
};

/* Joints in the order motor1, elbow4, motor2, elbow3; the loop's parent is arm 3. */
enum { MOTOR1, ELBOW4, MOTOR2, ELBOW3, FIVE_BAR_NV };

static inline void five_bar_relative(const double x[4], double v[FIVE_BAR_NV]) {
    v[MOTOR1] = x[0];
    v[ELBOW4] = x[3] - x[0];
    v[MOTOR2] = x[1];
    v[ELBOW3] = x[2] - x[1];
}

static inline zvLink five_bar_link(const char *name, const FiveBar *p, int i) {
    zvLink link = zv_link_default(name);
    link.has_inertia = true;
    link.inertia.mass = p->m[i];
    link.inertia.com[0] = i == 3 ? -p->lc[i] : p->lc[i];
    link.inertia.moment[0] = link.inertia.moment[3] = 0.6 * p->J[i];
    link.inertia.moment[5] = p->J[i];
    return link;
}

static inline zvModel *five_bar(const FiveBar *p, zvJointType type) {
    static const char *const names[4] = {"crank1", "arm4", "crank2", "arm3"};
    static const int links[4] = {0, 3, 1, 2};
    static const int on[4] = {-1, 0, -1, 2}; /* the link before, in names; -1: ground */
    const double gravity[3] = {0, -9.81, 0};
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *b = zv_builder_create(&error);
    zvLink ground = zv_link_default("ground");
    zvStatus status = zv_builder_add_link(b, &ground, &error);
    for (int i = 0; i < 4 && status >= 0; i++) {
        const int before = on[i];
        zvLink link = five_bar_link(names[i], p, links[i]);
        zvJoint joint =
            zv_joint_default(names[i], ZV_JOINT_CONTINUOUS, before < 0 ? "ground" : names[before], names[i]);
        if (before >= 0) joint.origin.p[0] = p->l[links[before]];
        zv_builder_add_link(b, &link, &error);
        status = zv_builder_add_joint(b, &joint, &error);
    }
    zvLoop loop = zv_loop_default("hinge", ZV_LOOP_JOINT, type, "arm3", "arm4");
    loop.origin.p[0] = p->l[2];
    loop.child_origin.p[0] = p->l[3];
    zv_builder_add_loop(b, &loop, &error);
    zv_builder_set_gravity(b, gravity);
    if (zv_builder_freeze(b, &model, &error) < 0) {
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
    zv_builder_destroy(b);
    return model;
}

/* The loop's force on arm 4 in the world from its multipliers, which lie along arm 3's axes. */
static inline void five_bar_force(const FiveBarRow *row, const double *lambda, double F[2]) {
    const double c = cos(row->q[2]), s = sin(row->q[2]);
    F[0] = c * lambda[0] - s * lambda[1];
    F[1] = s * lambda[0] + c * lambda[1];
}

#endif
