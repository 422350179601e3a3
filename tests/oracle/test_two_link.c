/* The two-link arm on its quintic path: every term in joint space and in the space of the tip.
 *
 * The numbers come from a Newton-Euler computation checked against a Kane assembly with jets (1.4e-14), both apart from
 * this engine. */
#include "robot.h"
#include "support/run_tests.h"

typedef struct PathState {
    double t, q[2], v[2], a[2], inertial[2], coriolis[2], gravity[2], viscous[2], M[4], momentum[2];
    double base_force[3], base_moment[3];
    double x[2], lambda[4], mu[2], rho[2], xdd[2], force[2]; /* of the tip: lambda xdd + mu + rho = force */
} PathState;

static const PathState path_states[] = {
    {0.05,
     {-0.499774326171875, 0.299774326171875},
     {0.01336816406250001, -0.01336816406250001},
     {0.5210156250000003, -0.5210156250000003},
     {0.980635426474781, 0.19911198897478039},
     {2.1109295722679882e-05, 2.1109295722679882e-05},
     {37.82707383209239, 7.691562502898065},
     {0.010694531250000009, -0.006684082031250005},
     {2.4776558581128167, 0.5954945957230751, 0.5954945957230751, 0.21333333333333337},
     {0.025161040547708197, 0.005108794453958181},
     {0.8733485400132608, 99.7008167968827, 0.0},
     {0.0, 0.0, 38.80773036786289},
     {0.8308719978059931, -0.3190814718087207},
     {40.16946935336028, -5.715598434568135, -5.715598434568136, 2.054722068787052},
     {0.0032381910087197602, -0.00045058959314687064},
     {142.87817194420785, -9.342839308224598},
     {0.1247640771447498, 0.22868811384038853},
     {146.5860274830125, -9.586500747459494}},
    {0.5,
     {-0.34472656249999994, 0.14472656249999993},
     {0.7910156250000004, -0.7910156250000004},
     {2.109375000000001, -2.109375000000001},
     {3.998991413133786, 0.8349289131337848},
     {0.03609617611410478, 0.03609617611410478},
     {40.006562111734624, 7.691562502898065},
     {0.6328125000000004, -0.3955078125000002},
     {2.5049696361564773, 0.6091514847449053, 0.6091514847449053, 0.21333333333333337},
     {1.49962177992517, 0.3130983424251694},
     {0.43381331202865425, 105.78854310604696, 0.0},
     {0.0, 0.0, 44.04164970098251},
     {0.8626105776755466, -0.24843740196240954},
     {158.32689582989173, -27.24998932192109, -27.249989321921078, 5.929947181349628},
     {48.91100889665357, -8.439174221226416},
     {313.7116255078087, -43.97249474617131},
     {0.06197333028980806, 1.0983633008638514},
     {342.5042911933584, -47.58720519598342}},
    {1.35,
     {0.7034693652343749, -0.903469365234375},
     {1.0828212890625002, -1.0828212890625002},
     {-1.7275781250000044, 1.7275781250000044},
     {-3.019038540401425, -0.4276713529014187},
     {-0.3683901600600327, -0.3683901600600327},
     {33.87552148000583, 7.691562502898066},
     {0.8662570312500002, -0.5414106445312501},
     {2.2084442017942516, 0.4608887675637926, 0.4608887675637926, 0.21333333333333337},
     {1.8922902280016027, 0.26805829440785284},
     {0.7817629679456104, 90.83431956043268, 0.0},
     {0.0, 0.0, 30.48809277954437},
     {0.7733279122943204, 0.24396592855759036},
     {7.598934803320508, -1.7953753252495444, -1.7953753252495448, 1.8037524490029413},
     {1.8222980653840688, -0.8770923955613827},
     {-46.67221285437795, 29.080925924979283},
     {0.11168042399223171, -1.0379543485096212},
     {-42.13774490222008, 26.131112553791365}},
    {1.75,
     {0.9759216308593741, -1.1759216308593734},
     {0.2691650390624982, -0.2691650390624982},
     {-1.845703125, 1.845703125},
     {-3.0525659698323557, -0.284011282332356},
     {-0.026749770479704824, -0.026749770479704827},
     {26.93306748178395, 7.691562502898066},
     {0.21533203124999858, -0.1345825195312491},
     {2.021087357786595, 0.36721034555996435, 0.36721034555996435, 0.21333333333333337},
     {0.4451658706005489, 0.04141831200680165},
     {5.208156283758349, 94.26979068509368, 0.0},
     {0.0, 0.0, 23.853751741471893},
     {0.6722291209994047, 0.3346416308635235},
     {6.263736062301808, -1.2772852829823325, -1.277285282982332, 1.6485734774040977},
     {0.04823518107346924, -0.036473233054793844},
     {-29.185948264330612, 25.536284609016718},
     {0.7440223262511922, -0.5471727592723323},
     {-23.77845789449249, 23.647428109936605}},
};

static void expect_joint_space(const Robot *arm, const PathState *s) {
    static const double zero[2] = {0};
    double x[2], M[4], C[4], coriolis[2], y[2];
    zv_mass_matrix(arm->model, arm->work, s->q, M);
    assert_all_near("mass matrix", 4, M, s->M, 1e-14);
    zv_mass_times(arm->model, arm->work, s->q, s->a, x);
    assert_all_near("inertial torque", 2, x, s->inertial, 1e-13);
    zv_mass_times(arm->model, arm->work, s->q, s->v, x);
    assert_all_near("momentum", 2, x, s->momentum, 1e-13);
    zv_coriolis_matrix(arm->model, arm->work, s->q, s->v, C);
    for (int i = 0; i < 2; i++) coriolis[i] = C[2 * i] * s->v[0] + C[2 * i + 1] * s->v[1];
    assert_all_near("centrifugal and Coriolis torque", 2, coriolis, s->coriolis, 1e-13);
    zv_gravity_force(arm->model, arm->work, s->q, x);
    assert_all_near("weight", 2, x, s->gravity, 1e-12);
    zv_bias(arm->model, arm->work, s->q, s->v, x);
    zv_bias(arm->model, arm->work, s->q, zero, y);
    for (int i = 0; i < 2; i++) x[i] -= y[i];
    assert_all_near("bias without weight", 2, x, s->coriolis, 1e-13);
    for (int i = 0; i < 2; i++) x[i] = zv_model_joint(arm->model, i)->dof[0].damping * s->v[i];
    assert_all_near("viscous friction", 2, x, s->viscous, 1e-14);
}

static void expect_base_reaction(const Robot *arm, const PathState *s) {
    double reactions[12], world[6] = {0};
    zvPose pose;
    zv_joint_reactions(arm->model, arm->work, s->q, s->v, s->a, NULL, reactions);
    zv_frame_pose(arm->model, arm->work, s->q, zv_model_joint_place(arm->model, 0).child, &pose);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 3; k++) world[i] += pose.R[3 * (i % 3) + k] * reactions[i / 3 * 3 + k];
    }
    assert_all_near("force of the base", 3, world, s->base_force, 1e-12);
    assert_all_near("moment of the base", 3, world + 3, s->base_moment, 1e-12);
}

/* y = J^-T x for J = (J[0] J[1]; J[2] J[3]) */
static void to_task(const double J[4], const double x[2], double y[2]) {
    const double det = J[0] * J[3] - J[1] * J[2];
    y[0] = (J[3] * x[0] - J[2] * x[1]) / det;
    y[1] = (J[0] * x[1] - J[1] * x[0]) / det;
}

static void expect_task_space(const Robot *arm, const PathState *s, double bound) {
    const int tip = zv_model_find_frame(arm->model, "link2_dh");
    double J6[12], bias[6], xdd[6], M[4], half[4], lambda[4], c[2], mu[2], rho[2], tau[2], force[2];
    zvPose pose;
    zv_frame_pose(arm->model, arm->work, s->q, tip, &pose);
    assert_all_near("tip", 2, pose.p, s->x, 1e-13);
    zv_frame_acceleration(arm->model, arm->work, s->q, s->v, s->a, tip, ZV_AXES_WORLD, xdd);
    assert_all_near("acceleration of the tip", 2, xdd, s->xdd, 1e-13);
    zv_frame_jacobian(arm->model, arm->work, s->q, tip, ZV_AXES_WORLD, J6);
    zv_frame_bias(arm->model, arm->work, s->q, s->v, tip, ZV_AXES_WORLD, bias);
    zv_mass_matrix(arm->model, arm->work, s->q, M);
    for (int i = 0; i < 2; i++) to_task(J6, M + 2 * i, half + 2 * i); /* rows of M J^-1 */
    for (int i = 0; i < 2; i++) {
        const double column[2] = {half[i], half[2 + i]};
        double back[2];
        to_task(J6, column, back);
        lambda[i] = back[0];
        lambda[2 + i] = back[1];
    }
    assert_all_near("inertia felt at the tip", 4, lambda, s->lambda, bound);
    zv_gravity_force(arm->model, arm->work, s->q, tau);
    to_task(J6, tau, rho);
    assert_all_near("weight felt at the tip", 2, rho, s->rho, bound);
    zv_bias(arm->model, arm->work, s->q, s->v, c);
    for (int i = 0; i < 2; i++) c[i] -= tau[i];
    to_task(J6, c, mu);
    for (int i = 0; i < 2; i++) mu[i] -= lambda[2 * i] * bias[0] + lambda[2 * i + 1] * bias[1];
    assert_all_near("velocity force at the tip", 2, mu, s->mu, bound);
    zv_inverse_dynamics(arm->model, arm->work, s->q, s->v, s->a, NULL, tau);
    to_task(J6, tau, force);
    assert_all_near("force at the tip", 2, force, s->force, bound);
}

static void two_link_path(void **state) {
    (void)state;
    Robot arm = open_robot("two_link.yaml");
    for (size_t i = 0; i < sizeof path_states / sizeof *path_states; i++) {
        expect_joint_space(&arm, &path_states[i]);
        expect_base_reaction(&arm, &path_states[i]);
        expect_task_space(&arm, &path_states[i], 1e-11 * 350); /* forces up to 350 N near the stretched arm */
    }
    close_robot(&arm);
}

TESTS(two_link_path)
