/* Published and independently computed numbers at single states.
 *
 * RBDL: qdd of the unit tests DynamicsTests and FloatingBaseTests of RBDL (after Featherstone's spatial_v1).
 * PUMA 560: printed digits are those of the tests of P. Corke's Robotics Toolbox for Python; the longer ones were
 * computed by a Kane-type assembly that shares nothing with this engine and reproduces the printed ones.
 * Space arm: recursions after Yaskevich against brute force, equal to 1e-12.
 * What tests/read/test_models_numbers.c asserts already is not repeated here. */
#include "robot.h"
#include "support/run_tests.h"

static const double pi = 3.14159265358979323846;

/* RBDL ------------------------------------------------------------------------------------------------ */

static const double X[3] = {1, 0, 0}, Y[3] = {0, 1, 0}, Z[3] = {0, 0, 1}, O[3] = {0, 0, 0}, unit[3] = {1, 1, 1};
static const double down_y[3] = {0, -9.81, 0};

/* Accelerations from rest without forces by every method; destroys the builder. */
static void expect_fall(zvBuilder *builder, const double *q, const double *expected, const char *what) {
    static const double zero[MAX] = {0};
    Robot robot = robot_from(builder);
    size_t count;
    const zvMethod *methods = zv_methods(ZV_QUESTION_FORWARD, &count);
    for (size_t i = 0; i < count; i++) {
        double a[MAX];
        assert_int_equal(methods[i].run(robot.model, robot.work, q, zero, zero, NULL, a), ZV_OK);
        assert_all_near(what, robot.nv, a, expected, 1e-12);
    }
    close_robot(&robot);
}

static void rbdl_chain(void **state) {
    (void)state;
    static const double q[3] = {0}, expected[3] = {-6.03692307692308, 3.77307692307692, 1.50923076923077};
    zvBuilder *b = new_builder(down_y);
    add_body(b, "a", "base", ZV_JOINT_CONTINUOUS, Z, O, 1, X, unit);
    add_body(b, "b", "a", ZV_JOINT_CONTINUOUS, Z, X, 1, X, unit);
    add_body(b, "c", "b", ZV_JOINT_CONTINUOUS, Z, X, 1, X, unit);
    expect_fall(b, q, expected, "chain of three");
}

static void rbdl_tree(void **state) {
    (void)state;
    static const double q[5] = {0}, left[3] = {-0.5, 0, 0}, low[3] = {0, -0.5, 0};
    static const double expected[5] = {-1.6031906614786, -0.534396887159533, 4.1034046692607, 0.267198443579767,
                                       5.30579766536965};
    zvBuilder *b = new_builder(down_y);
    add_body(b, "a", "base", ZV_JOINT_CONTINUOUS, Z, O, 1, X, unit);
    add_body(b, "b1", "a", ZV_JOINT_CONTINUOUS, Y, X, 1, Y, unit);
    add_body(b, "c1", "b1", ZV_JOINT_CONTINUOUS, X, Y, 1, Z, unit);
    add_body(b, "b2", "a", ZV_JOINT_CONTINUOUS, Y, left, 1, Y, unit);
    add_body(b, "c2", "b2", ZV_JOINT_CONTINUOUS, X, low, 1, Z, unit);
    expect_fall(b, q, expected, "tree of five");
}

/* Three axes through one point: two of the links have no mass at all. */
static void rbdl_massless_links(void **state) {
    (void)state;
    static const double q[3] = {1, 0, 0}, com[3] = {0, 0.5, 0}, expected[3] = {3.301932144386186, 0, 0};
    zvBuilder *b = new_builder(down_y);
    add_body(b, "z", "base", ZV_JOINT_CONTINUOUS, Z, O, 0, O, O);
    add_body(b, "y", "z", ZV_JOINT_CONTINUOUS, Y, O, 0, O, O);
    add_body(b, "x", "y", ZV_JOINT_CONTINUOUS, X, O, 1, com, unit);
    expect_fall(b, q, expected, "three axes in one point");
}

static void rbdl_single_body(void **state) {
    (void)state;
    static const double q[1] = {0}, com[3] = {1.5, 1, 1}, moments[3] = {1, 2, 3}, expected[1] = {-2.3544};
    zvBuilder *b = new_builder(down_y);
    add_body(b, "a", "base", ZV_JOINT_CONTINUOUS, Z, O, 1, com, moments);
    expect_fall(b, q, expected, "single body");
}

/* PUMA 560 -------------------------------------------------------------------------------------------- */

/* Friction as published, at the motors: viscous B, Coulomb Tc by the sense of the motion, ratio G. */
static void puma_friction(const double *v, double *tau) {
    static const double B[6] = {0.00148, 0.000817, 0.00138, 7.12e-05, 8.26e-05, 3.67e-05};
    static const double G[6] = {62.6111, 107.815, 53.7063, 76.0364, 71.923, 76.686};
    static const double Tc[6][2] = {{0.395, -0.435},   {0.126, -0.071},    {0.132, -0.105},
                                    {0.0112, -0.0169}, {0.00926, -0.0145}, {0.00396, -0.0105}};
    for (int i = 0; i < 6; i++) {
        const double coulomb = v[i] > 0 ? Tc[i][0] : v[i] < 0 ? Tc[i][1] : 0;
        tau[i] = G[i] * (B[i] * G[i] * v[i] + coulomb);
    }
}

static void puma_inverse(const Robot *puma, const double *q, const double *v, const double *a, double *tau) {
    double friction[6];
    zv_inverse_dynamics(puma->model, puma->work, q, v, a, NULL, tau);
    puma_friction(v, friction);
    for (int i = 0; i < 6; i++) tau[i] += friction[i];
}

static void puma_with_friction(void **state) {
    (void)state;
    static const double zero[6] = {0}, one[6] = {1, 1, 1, 1, 1, 1}, none[3] = {0};
    static const double printed_va[6] = {32.4952, 60.867, 17.7436, 1.45452, 1.29911, 0.713781};
    static const double printed_v[6] = {29.1421, 56.5044, 16.3528, 1.26448, 1.12392, 0.519648};
    static const double printed_weightless[6] = {32.4952, 29.2271, 11.7085, 1.45452, 1.27086, 0.713781};
    static const double own_va[6] = {32.4952427549307,   60.866988475136324, 17.743594912764323,
                                     1.4545190260797087, 1.2991104105378866, 0.7137808874836951};
    static const double own_weightless[6] = {32.4952427549307,   29.227108096779187, 11.708456889753807,
                                             1.4545190260797087, 1.2708576105378866, 0.7137808874836951};
    const double q[6] = {0, pi / 4, pi, 0, pi / 4, 0};
    double tau[6];
    Robot puma = open_robot("puma560.yaml");
    puma_inverse(&puma, q, one, one, tau);
    assert_all_near("printed, moving and accelerated", 6, tau, printed_va, 1e-4);
    assert_all_near("moving and accelerated", 6, tau, own_va, 1e-9);
    puma_inverse(&puma, q, one, zero, tau);
    assert_all_near("printed, moving", 6, tau, printed_v, 1e-4);
    close_robot(&puma);
    zvBuilder *builder = read_model("puma560.yaml");
    zv_builder_set_gravity(builder, none);
    puma = robot_from(builder);
    puma_inverse(&puma, q, one, one, tau);
    assert_all_near("printed, weightless", 6, tau, printed_weightless, 1e-4);
    assert_all_near("weightless", 6, tau, own_weightless, 1e-9);
    close_robot(&puma);
}

static void puma_acceleration(void **state) {
    (void)state;
    static const double v[6] = {0.1, 0.2, 0.8, 0.2, 0.5, 1.0};
    static const double drive[6] = {1.0, 3.2, 1.8, 0.1, 0.7, 4.6};
    static const double printed[6] = {-7.4102, -9.8432, -10.9694, -4.4314, -0.9881, 21.0228};
    const double q[6] = {0, pi / 4, pi, 0, pi / 4, 0};
    double tau[6], a[6];
    Robot puma = open_robot("puma560.yaml");
    puma_friction(v, tau);
    for (int i = 0; i < 6; i++) tau[i] = drive[i] - tau[i];
    assert_int_equal(zv_forward_dynamics(puma.model, puma.work, q, v, tau, NULL, a), ZV_OK);
    assert_all_near("printed acceleration", 6, a, printed, 1e-4);
    close_robot(&puma);
}

static void puma_mass_matrix(void **state) {
    (void)state;
    static const double own[36] = {3.659375412152791,
                                   -0.40436124604151863,
                                   0.10061364777978392,
                                   -0.0025169558280305933,
                                   0.0,
                                   0.0,
                                   -0.4043612460415187,
                                   4.413741933635791,
                                   0.35089066495641485,
                                   0.0,
                                   0.0023595130678948947,
                                   0.0,
                                   0.10061364777978393,
                                   0.35089066495641485,
                                   0.9378415752150397,
                                   0.0,
                                   0.001480166388519802,
                                   0.0,
                                   -0.0025169558280305933,
                                   0.0,
                                   0.0,
                                   0.19253170612368,
                                   0.0,
                                   2.8284271247461973e-05,
                                   0.0,
                                   0.0023595130678948947,
                                   0.001480166388519802,
                                   0.0,
                                   0.17134845165700002,
                                   0.0,
                                   0.0,
                                   0.0,
                                   0.0,
                                   2.828427124746197e-05,
                                   0.0,
                                   0.19410450566800005};
    const double q[6] = {0, pi / 4, pi, 0, pi / 4, 0};
    double M[36];
    Robot puma = open_robot("puma560.yaml");
    zv_mass_matrix(puma.model, puma.work, q, M);
    assert_all_near("mass matrix", 36, M, own, 1e-12);
    close_robot(&puma);
}

/* With the friction of the drives, and as rigid links without rotors. */
static void puma_anywhere(void **state) {
    (void)state;
    static const double q[6] = {1.32, -1.165, -1.154, -0.322, -0.94, -1.687};
    static const double v[6] = {-0.136, 1.381, 0.405, -0.49, -1.187, 1.471};
    static const double a[6] = {2.667, 2.692, 1.808, 0.03, -2.251, 1.598};
    static const double with_friction[6] = {-19.303816071491752, 65.44607274785173,   19.093766226558692,
                                            -1.49006009245031,   -1.9333621570809183, 0.9313364706406503};
    static const double links_only[6] = {6.63005226258134,      32.4878055907514,      9.349475116314046,
                                         -0.009062488682416022, 0.0009661512893087428, 6.882501830891456e-05};
    double tau[6];
    Robot puma = open_robot("puma560.yaml");
    puma_inverse(&puma, q, v, a, tau);
    assert_all_near("with friction", 6, tau, with_friction, 1e-9);
    close_robot(&puma);
    zvBuilder *builder = read_model("puma560.yaml");
    for (int i = 0; i < zv_builder_njoint(builder); i++) zv_builder_joint(builder, i)->dof[0].armature = 0;
    puma = robot_from(builder);
    zv_inverse_dynamics(puma.model, puma.work, q, v, a, NULL, tau);
    assert_all_near("rigid links only", 6, tau, links_only, 1e-9);
    close_robot(&puma);
}

/* Space arm on a fixed base --------------------------------------------------------------------------- */

typedef struct ArmState {
    double q[7], v[7], A[7][7], b[7], b_heavy[7], tau[7], a[7];
} ArmState;

static const ArmState arm_states[3] = {
    {{2.54098, 1.651376, 2.085246, 0.179675, 2.163845, -0.156803, -2.442515},
     {0.120825, 0.338584, 0.007038, -0.085845, -0.18343, -0.610065, 0.996948},
     {{16070.974576314811, 899.2265295632519, 16617.94510645413, 7464.373766262505, -8.386072709666493,
       10.472465525140256, 0.009446641665899758},
      {899.2265295632519, 11489.655324284666, 339.4206227967937, 199.73761299035687, 18.138254771212264,
       -182.62563550943736, -0.05035311729522536},
      {16617.94510645413, 339.4206227967937, 17269.98574704692, 7780.651828591815, 6.062250467720514,
       21.116434669191523, 0.008292161429072964},
      {7464.373766262505, 199.73761299035687, 7780.651828591815, 3812.1512101367066, 34.66279785942654, 8.3753902817539,
       0.008292161429072936},
      {-8.386072709666486, 18.138254771212264, 6.062250467720514, 34.66279785942654, 28.00768558214667,
       -1.8251344011730841, 0.008292161429072964},
      {10.472465525140256, -182.62563550943736, 21.116434669191523, 8.375390281753898, -1.8251344011730846,
       14.184350000000004, -2.3245294578089215e-16},
      {0.009446641665899782, -0.05035311729522532, 0.008292161429072973, 0.008292161429072973, 0.008292161429072971,
       -2.2432142948725087e-16, 0.053099999999999856}},
     {-751.3988931009601, -245.78623318574353, -850.2053950350127, -478.5466975749419, -45.32670425967488,
      6.690367131946075, 0.0009039405802540174},
     {-751.3988931009601, -15967.160982599633, 36.44582583758158, -43.576416932039415, -20.78056463479659,
      231.64434202980348, 0.0009039405802540174},
     {-36.468, 41.7661, -32.2304, -31.5981, -33.0535, 49.3491, 45.6464},
     {0.635102949595554, 0.033079656845387974, -0.6337538266034323, -0.07617740353825972, -2.3536303024908167,
      4.593408359889647, 860.0446998345067}},
    {{1.746903, -1.567205, -2.675726, -0.29704, -2.478945, -2.825189, 2.060802},
     {0.19693, 0.476276, 0.043704, 0.303038, -0.166799, 0.562112, 0.940326},
     {{14992.058211577581, -519.0179723772335, -15838.177188520538, -7060.760674046482, 137.01257010827956,
       -57.27466082485703, -0.016644110862132577},
      {-519.0179723772334, 1654.2118791356252, 565.6004713258527, 295.79209453725684, -1.9051260370941328,
       -48.342053855225096, -0.03728924657807689},
      {-15838.177188520538, 565.6004713258527, 16754.94970708979, 7458.656065878436, -139.45554329410075,
       58.9951591255572, 0.01652210505507723},
      {-7060.760674046481, 295.7920945372568, 7458.656065878436, 3683.1957246670795, -30.32477424790936,
       25.032947233620977, 0.01652210505507723},
      {137.01257010827956, -1.9051260370941328, -139.45554329410075, -30.324774247909364, 26.98802683710421,
       -3.6365744412658305, 0.01652210505507723},
      {-57.27466082485703, -48.342053855225096, 58.99515912555721, 25.03294723362098, -3.636574441265831,
       14.184350000000002, -1.1449174941446927e-16},
      {-0.016644110862132636, -0.03728924657807683, 0.016522105055077313, 0.016522105055077316, 0.016522105055077313,
       -8.735281378444149e-17, 0.05309999999999997}},
     {-924.9431230608874, -864.1008651159309, 984.8538663604845, 461.10270587459564, 1.325059983084125,
      46.677498685443915, 0.003301799664308852},
     {-924.9431230608874, -6950.268811962547, 920.2228270437951, 433.06295969189546, 1.5033974487639983,
      264.4294364555806, 0.003301799664308852},
     {36.0571, 35.7879, -1.7416, 6.8897, -19.3353, -27.0682, 44.6007},
     {3.1111139631866833, -0.5756236010724078, 2.826110867276302, 0.4001827135813165, -2.1007041853210233,
      -1.0161559487929852, 840.2207504469652}},
    {{-0.845807, -2.743952, -0.039183, -2.504536, 2.838693, 0.896979, 0.568386},
     {0.16879, 0.323062, -0.77476, -0.033247, -0.322412, 0.735808, 0.065286},
     {{2201.731734440431, 925.6931146436435, -1117.065064710384, 42.42850053683488, -32.90372237511147,
       19.548004096607514, -0.01315989447999738},
      {925.6931146436435, 1428.1942250974676, -36.7351105459068, 137.42467199674311, -6.6349485475697145,
       46.619267281663014, 0.009632258033938275},
      {-1117.065064710384, -36.73511054590676, 2868.3617947251764, 438.6916959640111, 63.8654001362841,
       8.239151320236534, -0.04149475362221716},
      {42.42850053683488, 137.42467199674306, 438.6916959640111, 3529.854897202846, -110.61216180686769,
       -78.04048189566818, -0.041494753622217107},
      {-32.90372237511148, -6.634948547569718, 63.86540013628411, -110.61216180686766, 19.754079183417957,
       9.133143746886303, -0.041494753622217134},
      {19.548004096607517, 46.619267281663014, 8.23915132023653, -78.04048189566818, 9.133143746886303,
       14.184350000000007, -1.3877787807814457e-17},
      {-0.013159894479997384, 0.00963225803393819, -0.04149475362221706, -0.041494753622217044, -0.041494753622217044,
       -7.37257477290143e-17, 0.05309999999999996}},
     {-359.7096011892302, 160.22226397020987, -91.40115120671828, 2148.220530681095, -106.40280222429207,
      -58.33031700216293, -0.020314953696759896},
     {-359.7096011892302, -1452.6944655981804, -4837.888066244144, 7908.0065362567, -420.59849593123846,
      -271.81389311274955, -0.020314953696759896},
     {29.0509, 42.093, 28.2841, 29.8139, -40.713, 47.0729, 20.176},
     {-0.4391161609512429, 0.09253529917820655, -0.1397680620698673, 0.5818349454996873, -7.03605438739744,
      7.3201835502012536, 374.30130156716814}},
};

/* b of the publication stands on the other side of the equation. */
static void expect_minus_bias(const Robot *arm, const ArmState *s, const double *expected) {
    size_t count;
    const zvMethod *method = zv_methods(ZV_QUESTION_BIAS, &count);
    for (size_t k = 0; k < count; k++) {
        double bias[7];
        assert_int_equal(method[k].run(arm->model, arm->work, s->q, s->v, NULL, NULL, bias), ZV_OK);
        for (int i = 0; i < 7; i++) bias[i] = -bias[i];
        assert_all_near(method[k].name, 7, bias, expected, 1e-11 * 16000);
    }
}

static void expect_mass(const Robot *arm, const ArmState *s) {
    size_t count;
    const zvMethod *method = zv_methods(ZV_QUESTION_MASS, &count);
    for (size_t k = 0; k < count; k++) {
        double M[49];
        assert_int_equal(method[k].run(arm->model, arm->work, s->q, NULL, NULL, NULL, M), ZV_OK);
        assert_all_near(method[k].name, 49, M, s->A[0], 1e-14 * 17000);
    }
}

static void expect_acceleration(const Robot *arm, const ArmState *s) {
    size_t count;
    const zvMethod *method = zv_methods(ZV_QUESTION_FORWARD, &count);
    for (size_t k = 0; k < count; k++) {
        double a[7];
        assert_int_equal(method[k].run(arm->model, arm->work, s->q, s->v, s->tau, NULL, a), ZV_OK);
        assert_all_near(method[k].name, 7, a, s->a, 1e-10);
    }
}

static void space_arm(void **state) {
    (void)state;
    static const double down[3] = {0, 0, -9.81};
    Robot arm = open_robot("ssrms7.yaml");
    zvBuilder *builder = read_model("ssrms7.yaml");
    zv_builder_set_gravity(builder, down);
    Robot heavy = robot_from(builder);
    for (const ArmState *s = arm_states; s < arm_states + 3; s++) {
        expect_mass(&arm, s);
        expect_minus_bias(&arm, s, s->b);
        expect_minus_bias(&heavy, s, s->b_heavy);
        expect_acceleration(&arm, s);
    }
    close_robot(&heavy);
    close_robot(&arm);
}

TESTS(rbdl_chain, rbdl_tree, rbdl_massless_links, rbdl_single_body, puma_with_friction, puma_acceleration,
      puma_mass_matrix, puma_anywhere, space_arm)
