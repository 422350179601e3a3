/* Robots of models/ against numbers known from elsewhere.
 *
 * PUMA 560: printed digits are those of the tests of P. Corke's Robotics Toolbox for Python (4 to 6 digits, parameters
 * of Corke and Armstrong-Helouvry 1994); longer ones were computed by a Kane-type assembly that shares nothing with
 * this engine. The other numbers were computed with formulations of their own (recursions after Yaskevich against brute
 * force, Lagrange equations in 128 bits, absolute coordinates, screw matrices) and agree between two of them to 1e-12.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/run_tests.h"
#include "zveno/zveno.h"

enum { MAX = 16 };
static const double pi = 3.14159265358979323846;

typedef struct Robot {
    zvModel *model;
    zvWork *work;
    int nv;
} Robot;

static Robot open_robot(const char *file) {
    char path[512], line[1024];
    snprintf(path, sizeof path, "%s/models/%s", ZV_SOURCE_DIR, file);
    zvError error = {0};
    Robot robot = {0};
    if (zv_model_read(path, &robot.model, &error) < 0) fail_msg("%s", zv_error_line(&error, line, sizeof line));
    robot.work = zv_work_create(robot.model, &error);
    assert_non_null(robot.work);
    robot.nv = zv_model_nv(robot.model);
    assert_true(robot.nv <= MAX);
    return robot;
}

static void close_robot(Robot *robot) {
    zv_work_destroy(robot->work);
    zv_model_destroy(robot->model);
}

/* PUMA 560 ---------------------------------------------------------------------------------------- */

static void puma_nominal(double q[6]) {
    const double qn[6] = {0, pi / 4, pi, 0, pi / 4, 0};
    for (int i = 0; i < 6; i++) q[i] = qn[i];
}

static void puma_gravity_and_inverse(void **state) {
    (void)state;
    static const double zero[6] = {0}, one[6] = {1, 1, 1, 1, 1, 1};
    static const double printed_g[6] = {0, 31.6399, 6.0351, 0, 0.0283, 0};
    static const double printed_a[6] = {3.35311, 36.0025, 7.42596, 0.190043, 0.203441, 0.194133};
    static const double own_g[6] = {0, 31.639880378357137, 6.035138023010516, 0, 0.0282528, 0};
    static const double own_a[6] = {3.353110858063025,   36.00251124397572,   7.425964077350273,
                                    0.19004303456689678, 0.20344093111341474, 0.1941327899392475};
    static const double own_va[6] = {1.9620364869799023, 37.78542983331132,   6.673937322392123,
                                     0.1912661163825566, 0.20582040960248657, 0.19428107421049498};
    Robot puma = open_robot("puma560.yaml");
    double q[6], tau[6];
    puma_nominal(q);
    zv_gravity_force(puma.model, puma.work, q, tau);
    assert_all_near("printed gravity", 6, tau, printed_g, 1e-4);
    assert_all_near("gravity", 6, tau, own_g, 1e-9);
    zv_inverse_dynamics(puma.model, puma.work, q, zero, one, NULL, tau);
    assert_all_near("printed inverse dynamics at rest", 6, tau, printed_a, 1e-4);
    assert_all_near("inverse dynamics at rest", 6, tau, own_a, 1e-9);
    zv_inverse_dynamics(puma.model, puma.work, q, one, one, NULL, tau);
    assert_all_near("inverse dynamics", 6, tau, own_va, 1e-9);
    close_robot(&puma);
}

static void puma_inertia(void **state) {
    (void)state;
    static const double printed[6][6] = {
        {3.6594, -0.4044, 0.1006, -0.0025, 0, 0}, {-0.4044, 4.4137, 0.3509, 0, 0.0024, 0},
        {0.1006, 0.3509, 0.9378, 0, 0.0015, 0},   {-0.0025, 0, 0, 0.1925, 0, 0},
        {0, 0.0024, 0.0015, 0, 0.1713, 0},        {0, 0, 0, 0, 0, 0.1941}};
    static const double own_diagonal[6] = {3.659375412152791, 4.413741933635791,   0.9378415752150397,
                                           0.19253170612368,  0.17134845165700002, 0.19410450566800005};
    Robot puma = open_robot("puma560.yaml");
    double q[6], M[6][6];
    puma_nominal(q);
    zv_mass_matrix(puma.model, puma.work, q, M[0]);
    assert_all_near("printed mass matrix", 36, (const double *)M, (const double *)printed, 1e-4);
    for (int i = 0; i < 6; i++) assert_all_near("diagonal of the mass matrix", 1, &M[i][i], &own_diagonal[i], 1e-9);
    close_robot(&puma);
}

/* The arm presses with (1, 2, 3) N and (1, 2, 3) N m in the axes of the last frame: the world presses back. */
static void puma_loaded(void **state) {
    (void)state;
    static const double zero[6] = {0};
    static const double printed[6] = {0.642756, 29.0866, 4.70321, 2.82843, -1.97175, 3};
    Robot puma = open_robot("puma560.yaml");
    int tip = zv_model_find_frame(puma.model, "link6_dh");
    assert_true(tip >= 0);
    double q[6], tau[6], fext[8 * 6] = {0}, wrench[6] = {0};
    assert_true(zv_model_nbody(puma.model) <= 8);
    zvPose pose;
    puma_nominal(q);
    zv_frame_pose(puma.model, puma.work, q, tip, &pose);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 3; k++) wrench[i] -= pose.R[3 * (i % 3) + k] * (k + 1);
    }
    zv_add_wrench(puma.model, puma.work, q, tip, wrench, fext);
    zv_inverse_dynamics(puma.model, puma.work, q, zero, zero, fext, tau);
    assert_all_near("printed torques under load", 6, tau, printed, 1e-4);
    close_robot(&puma);
}

static void puma_anywhere(void **state) {
    (void)state;
    static const double q[6] = {1.32, -1.165, -1.154, -0.322, -0.94, -1.687};
    static const double v[6] = {-0.136, 1.381, 0.405, -0.49, -1.187, 1.471};
    static const double a[6] = {2.667, 2.692, 1.808, 0.03, -2.251, 1.598};
    static const double own[6] = {8.721060188949554,     38.7462071534914,     10.39246210045795,
                                  -0.003338769898705622, -0.38329371123059824, 0.310183905075773};
    Robot puma = open_robot("puma560.yaml");
    double tau[6];
    zv_inverse_dynamics(puma.model, puma.work, q, v, a, NULL, tau);
    assert_all_near("inverse dynamics", 6, tau, own, 1e-9);
    close_robot(&puma);
}

/* Space arms -------------------------------------------------------------------------------------- */

static const double ssrms_q[7] = {2.54098, 1.651376, 2.085246, 0.179675, 2.163845, -0.156803, -2.442515};

static void ssrms7_mass_matrix(void **state) {
    (void)state;
    static const double A[7][7] = {
        {16070.974576314811, 899.2265295632519, 16617.94510645413, 7464.373766262505, -8.386072709666493,
         10.472465525140256, 0.009446641665899758},
        {0, 11489.655324284666, 339.4206227967937, 199.73761299035687, 18.138254771212264, -182.62563550943736,
         -0.05035311729522536},
        {0, 0, 17269.98574704692, 7780.651828591815, 6.062250467720514, 21.116434669191523, 0.008292161429072964},
        {0, 0, 0, 3812.1512101367066, 34.66279785942654, 8.3753902817539, 0.008292161429072936},
        {0, 0, 0, 0, 28.00768558214667, -1.8251344011730841, 0.008292161429072964},
        {0, 0, 0, 0, 0, 14.184350000000004, 0},
        {0, 0, 0, 0, 0, 0, 0.0531}};
    Robot arm = open_robot("ssrms7.yaml");
    double M[7][7];
    zv_mass_matrix(arm.model, arm.work, ssrms_q, M[0]);
    for (int i = 0; i < 7; i++) assert_all_near("row of the mass matrix", 7 - i, &M[i][i], &A[i][i], 1e-10);
    close_robot(&arm);
}

static void ssrms7_motion(void **state) {
    (void)state;
    static const double v[7] = {0.120825, 0.338584, 0.007038, -0.085845, -0.18343, -0.610065, 0.996948};
    static const double minus_bias[7] = {-751.3988931009601,   -245.78623318574353, -850.2053950350127,
                                         -478.5466975749419,   -45.32670425967488,  6.690367131946075,
                                         0.0009039405802540174};
    static const double tau[7] = {-36.468, 41.7661, -32.2304, -31.5981, -33.0535, 49.3491, 45.6464};
    static const double qdd[7] = {0.635102949595554,   0.033079656845387974, -0.6337538266034323, -0.07617740353825972,
                                  -2.3536303024908167, 4.593408359889647,    860.0446998345067};
    Robot arm = open_robot("ssrms7.yaml");
    double bias[7], a[7];
    zv_bias(arm.model, arm.work, ssrms_q, v, bias);
    for (int i = 0; i < 7; i++) bias[i] = -bias[i];
    assert_all_near("velocity terms", 7, bias, minus_bias, 1e-10);
    assert_int_equal(zv_forward_dynamics(arm.model, arm.work, ssrms_q, v, tau, NULL, a), ZV_OK);
    assert_all_near("accelerations", 7, a, qdd, 1e-9);
    close_robot(&arm);
}

static void ssrms_free_invariants(void **state) {
    (void)state;
    static const double q[14] = {0, 0, 0, 0, 0, 0, 1, 0.2, -0.4, 0.6, -1.1, 0.5, 0.3, -0.2};
    static const double v[13] = {0.01, -0.02, 0.015, 0.02, -0.01, 0.03, 0.05, -0.04, 0.03, 0.06, -0.05, 0.08, 0.1};
    static const double momentum[6] = {41.09852919804048, 167.4896336421093, -741.141170711514,
                                       4421.816227954203, 8395.573927511954, 1845.3904199395847};
    static const double energy = 388.77118498723644;
    Robot arm = open_robot("ssrms_free.yaml");
    double h[6], c[3], kinetic, potential;
    zv_momentum(arm.model, arm.work, q, v, h, c);
    for (int i = 0; i < 3; i++) { /* from the centre of mass to the origin */
        int j = (i + 1) % 3, k = (i + 2) % 3;
        h[3 + i] += c[j] * h[k] - c[k] * h[j];
    }
    zv_energy(arm.model, arm.work, q, v, &kinetic, &potential);
    assert_all_near("momentum", 6, h, momentum, 1e-8);
    assert_all_near("kinetic energy", 1, &kinetic, &energy, 1e-9);
    close_robot(&arm);
}

/* Small chains ------------------------------------------------------------------------------------ */

/* The state half a second after the start of the swing; its energy is the one at the start, -49.05 sin 1. */
static void chain10_energy(void **state) {
    (void)state;
    static const double q[10] = {
        -1.6924060166248538,  -0.001609157856180441, -0.014617580727610466, -0.02825669402846164, 0.007817849169140488,
        -0.01595119188904637, -0.04705715227542808,  -0.014747118212424998, 0.04947801918699196,  -0.11187844515799454};
    static const double v[10] = {-0.8217927426528141,  -0.7301353676044873, -0.07510229292954977, 0.4358899849593446,
                                 -0.24131400502035616, -0.7989403562235007, -1.2151272247286935,  1.61385994625719,
                                 -3.1228076835245178,  -10.466875586915016};
    static const double expected[2] = {7.153062621695645, -48.427214426522966};
    Robot chain = open_robot("chain10.yaml");
    double energy[2];
    zv_energy(chain.model, chain.work, q, v, &energy[0], &energy[1]);
    assert_all_near("kinetic and potential energy", 2, energy, expected, 1e-11);
    close_robot(&chain);
}

/* On the quintic trajectory of the reference run, half a second after its start. */
static void two_link_inverse(void **state) {
    (void)state;
    static const double q[2] = {-0.34472656249999994, 0.14472656249999993};
    static const double v[2] = {0.7910156250000004, -0.7910156250000004};
    static const double a[2] = {2.109375000000001, -2.109375000000001};
    static const double full[2] = {44.67446220098251, 8.167079779645954}; /* with viscous friction */
    static const double M[4] = {2.5049696361564773, 0.6091514847449053, 0.6091514847449053, 0.21333333333333337};
    static const double tip[3] = {0.8626105776755466, -0.24843740196240954, 0};
    Robot arm = open_robot("two_link.yaml");
    double tau[2], matrix[4];
    zvPose pose;
    zv_inverse_dynamics(arm.model, arm.work, q, v, a, NULL, tau);
    for (int i = 0; i < 2; i++) tau[i] += zv_model_joint(arm.model, i)->dof[0].damping * v[i];
    assert_all_near("torques", 2, tau, full, 1e-11);
    zv_mass_matrix(arm.model, arm.work, q, matrix);
    assert_all_near("mass matrix", 4, matrix, M, 1e-13);
    zv_frame_pose(arm.model, arm.work, q, zv_model_find_frame(arm.model, "link2_dh"), &pose);
    assert_all_near("tip", 3, pose.p, tip, 1e-13);
    close_robot(&arm);
}

static double joint_force(const zvModel *model, int joint, double q, double v) {
    const zvDof *dof = &zv_model_joint(model, joint)->dof[0];
    return -dof->stiffness * (q - dof->rest) - dof->damping * v;
}

/* Start of the run of the open chain: drives 3, -1 (on theta2 = pi/2 - q2) and 8, springs and dampers of the file. */
static void rrp_reactions(void **state) {
    (void)state;
    static const double q[3] = {0.2, 1.5707963267948966 - 0.9, 0.9}, v[3] = {0.3, 0.2, 0.1}, drive[3] = {3, 1, 8};
    static const double tip[3] = {0.7807303179248047, -0.0968228407660641, 0.060007708447019886};
    static const double screws[18] = {1.7040822407850023,
                                      3.5024238804457255,
                                      310.76736350506076,
                                      -19.00896833215212,
                                      -9.84,
                                      2.25,
                                      72.55106866865967,
                                      88.68442429096284,
                                      -3.502423880445719,
                                      8.431724188367753,
                                      -4.871344166554865,
                                      9.84,
                                      22.518211367342197,
                                      -3.3944238804457227,
                                      -28.2,
                                      -0.7745668599561034,
                                      -10.045147352276384,
                                      -0.01003459228100386};
    Robot arm = open_robot("rrp.yaml");
    double tau[3], a[3], reactions[18];
    zvPose pose;
    assert_int_equal(zv_model_njoint(arm.model), 3);
    zv_frame_pose(arm.model, arm.work, q, zv_model_find_frame(arm.model, "O4"), &pose);
    assert_all_near("end of the arm", 3, pose.p, tip, 1e-13);
    for (int i = 0; i < 3; i++) tau[i] = drive[i] + joint_force(arm.model, i, q[i], v[i]);
    assert_int_equal(zv_forward_dynamics(arm.model, arm.work, q, v, tau, NULL, a), ZV_OK);
    zv_joint_reactions(arm.model, arm.work, q, v, a, NULL, reactions);
    assert_all_near("joint screw", 18, reactions, screws, 1e-11);
    close_robot(&arm);
}

/* Closed forms: point masses on rods, and uniform rods (masses m, lengths l, half-lengths and central moments). */
static void double_pendulums(void **state) {
    (void)state;
    static const double q[2] = {0.4, 0.7}, g = 9.81;
    static const struct {
        const char *file;
        double m[2], l, c[2], J[2];
    } row[2] = {{"double_pendulum.yaml", {1, 1}, 1, {1, 1}, {0, 0}},
                {"double_pendulum_rods.yaml", {1, 2}, 1, {0.5, 0.25}, {1. / 12, 1. / 24}}};
    for (int i = 0; i < 2; i++) {
        const double *m = row[i].m, *c = row[i].c, *J = row[i].J, l = row[i].l;
        double m22 = J[1] + m[1] * c[1] * c[1], m12 = m22 + m[1] * l * c[1] * cos(q[1]);
        double m11 = J[0] + m[0] * c[0] * c[0] + m[1] * l * l + 2 * m12 - m22;
        double g2 = m[1] * g * c[1] * sin(q[0] + q[1]);
        const double M[4] = {m11, m12, m12, m22};
        const double G[2] = {(m[0] * c[0] + m[1] * l) * g * sin(q[0]) + g2, g2};
        Robot pendulum = open_robot(row[i].file);
        double matrix[4], gravity[2];
        zv_mass_matrix(pendulum.model, pendulum.work, q, matrix);
        zv_gravity_force(pendulum.model, pendulum.work, q, gravity);
        assert_all_near(row[i].file, 4, matrix, M, 1e-13);
        assert_all_near(row[i].file, 2, gravity, G, 1e-12);
        close_robot(&pendulum);
    }
}

TESTS(puma_gravity_and_inverse, puma_inertia, puma_loaded, puma_anywhere, ssrms7_mass_matrix, ssrms7_motion,
      ssrms_free_invariants, chain10_energy, two_link_inverse, rrp_reactions, double_pendulums)
