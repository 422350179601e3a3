/* Short motions known to many digits, followed by Runge-Kutta steps: forward dynamics along a whole path of states.
 *
 * Pendulum (IFToMM A01): Jacobi elliptic functions. Double pendulums: extrapolation with 45 digits. Ten rods: Lagrange
 * equations in absolute angles, 128-bit extrapolation. Five rods: planar absolute coordinates. Two-link arm, Liu's arm:
 * independent formulations, Dormand-Prince of order 8 at 1e-12. Free-floating space arm: absolute coordinates, momentum
 * kept to 1e-10. Governor (IFToMM A05 with softer springs): Lagrange equations, two tolerances equal to 2e-11.
 * Bounds are those of the references or of the step, whichever is larger. */
#include "robot.h"
#include "support/run_tests.h"

static const double X[3] = {1, 0, 0}, Z[3] = {0, 0, 1}, O[3] = {0, 0, 0};
static const double down_y[3] = {0, -9.81, 0}, down_z[3] = {0, 0, -9.81};
static const double pi = 3.14159265358979323846;

static double total_energy(const Robot *robot, const double *q, const double *v) {
    double kinetic, potential;
    zv_energy(robot->model, robot->work, q, v, &kinetic, &potential);
    return kinetic + potential;
}

/* A point mass released from the horizontal. */
static void pendulum(void **state) {
    (void)state;
    static const double rows[][3] = {
        {0.5, -0.3910487915505464, -0.9203699487851922},  {1.0, 0.9862917511318753, -0.1650108531255412},
        {2.0, -0.7935661953433217, -0.6084839304437915},  {5.0, -0.9423054350437573, -0.3347543384140006},
        {9.99, -0.3164364699130323, -0.9486137045757765}, {10.0, -0.2750874625761169, -0.9614192050991252}};
    zvBuilder *builder = new_builder(down_y);
    add_body(builder, "rod", "base", ZV_JOINT_CONTINUOUS, Z, O, 1, X, O);
    Robot robot = robot_from(builder);
    double q[1] = {pi}, v[1] = {0}, t = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        run(&robot, fall, t, rows[i][0], 1e-3, q, v);
        t = rows[i][0];
        const double place[2] = {cos(q[0]), sin(q[0])};
        assert_all_near("place of the mass", 2, place, rows[i] + 1, 1e-9);
        const double energy = total_energy(&robot, q, v), zero = 0;
        assert_all_near("energy", 1, &energy, &zero, 1e-9);
    }
    close_robot(&robot);
}

/* Absolute angles and rates of a double pendulum at t = 1, 2 and 5 s. */
static void follow_double(const char *file, const double start[2], const double expected[3][4], double last_bound) {
    static const double times[4] = {0, 1, 2, 5};
    Robot robot = open_robot(file);
    double q[2] = {start[0], start[1] - start[0]}, v[2] = {0, 0};
    for (int i = 0; i < 3; i++) {
        run(&robot, fall, times[i], times[i + 1], 2e-4, q, v);
        const double y[4] = {q[0], q[0] + q[1], v[0], v[0] + v[1]};
        assert_all_near(file, 4, y, expected[i], i < 2 ? 1e-8 : last_bound);
    }
    close_robot(&robot);
}

static void double_pendulum(void **state) {
    (void)state;
    static const double expected[3][4] = {
        {-0.6250876998063907, -1.0345850856800123, -3.9222795728879767, -1.3030992486963313},
        {-0.4829715342517544, -1.3240487123023625, 3.0652881920734014, 2.949271547571619},
        {-0.6271867050665307, -1.3013155502098117, 2.1254086738429105, 3.8818887272656073}};
    const double start[2] = {pi / 2, pi / 2};
    follow_double("double_pendulum.yaml", start, expected, 1e-6);
}

static void double_pendulum_of_rods(void **state) {
    (void)state;
    static const double start[2] = {0.3, -0.2};
    static const double expected[3][4] = {
        {-0.28747624926431936, 0.1765324601768275, -0.44142728315957547, 1.1944929261384436},
        {0.249405389107954, -0.10315520899668727, 0.89756354312087, -2.4469356538638407},
        {-0.013586395610124454, -0.3376999476628213, -1.3012338771408247, 2.7234533890043946}};
    follow_double("double_pendulum_rods.yaml", start, expected, 1e-8);
}

static void ten_rods(void **state) {
    (void)state;
    static const double q_half[10] = {
        -1.6924060166248538,  -0.001609157856180441, -0.014617580727610466, -0.02825669402846164, 0.007817849169140488,
        -0.01595119188904637, -0.04705715227542808,  -0.014747118212424998, 0.04947801918699196,  -0.11187844515799454};
    static const double v_half[10] = {
        -0.8217927426528141, -0.7301353676044873, -0.07510229292954977, 0.4358899849593446,  -0.24131400502035616,
        -0.7989403562235007, -1.2151272247286935, 1.61385994625719,     -3.1228076835245178, -10.466875586915016};
    static const double energy = -41.274151804827326; /* -49.05 sin 1 */
    Robot robot = open_robot("chain10.yaml");
    double q[10] = {-1}, v[10] = {0};
    run(&robot, fall, 0, 0.5, 1e-4, q, v);
    assert_all_near("angle", 10, q, q_half, 1e-8);
    assert_all_near("rate", 10, v, v_half, 1e-6);
    const double sum = total_energy(&robot, q, v);
    assert_all_near("energy", 1, &sum, &energy, 1e-9);
    close_robot(&robot);
}

/* Uniform rods of 1 kg and 1 m released from the horizontal; absolute angles, rates, tip. */
static void five_rods(void **state) {
    (void)state;
    static const double thin[3] = {0, 1. / 12, 1. / 12}, middle[3] = {0.5, 0, 0};
    static const double rows[][13] = {
        {0.5, -0.7877026607563593, -0.5388682108110563, -0.035157366648117035, 0.043037227498473156,
         -0.018724139196111073, -1.3515612783434277, -2.8826580213432416, -2.104857156669544, 0.7950601796426262,
         -0.24600664530277952, 4.562046198085838, -1.232748571440899},
        {1.0, -1.3936235257242433, -1.413358374120588, -1.4580005188277003, -1.3158137306342883, -1.7357955596050423,
         -0.014627375499858885, -4.277169607439763, 0.5479231300278383, -3.523825799622679, -12.41186120082521,
         0.533569475142432, -4.919709597570844},
        {1.5, -2.4444586883946275, -2.4437807803683946, -2.7085457170517713, -2.5723828117843435, -2.6366748250567884,
         -5.716080574559841, 0.9888198389159777, -1.5386077441307324, 0.021516587577886888, 0.589604125640158,
         -4.158168065992842, -2.7269061484691552},
        {2.0, -2.92633958681502, -3.4226728607550827, -3.368578273489661, -2.4513030458569998, -2.721159007359441,
         0.6930426849259783, 0.7093230169325258, -3.2482929586295572, -0.5642371083553763, 0.13872660744542237,
         -4.596001576614799, -0.7560764306322905},
        {2.5, -2.1155743395071362, -2.7355273779541642, -3.338446414125569, -3.962813932691982, -2.818585452668415,
         1.318703157633179, 1.968188549895459, 3.8169124744497287, -2.742947673314515, -4.403201226248076,
         -4.0472101030338195, -0.6400963663234337},
        {3.0, -1.773324635441297, -2.042952433835995, -1.8402643672363248, -1.2127931870718722, -3.775188335798267,
         -0.4055495396547262, -0.18808127710865769, 5.589312658314042, 9.248681938243013, 15.50579389674809,
         -1.3776720987785716, -3.1786155905426585}};
    zvBuilder *builder = new_builder(down_y);
    static const char *const names[6] = {"base", "a", "b", "c", "d", "e"};
    for (int i = 0; i < 5; i++)
        add_body(builder, names[i + 1], names[i], ZV_JOINT_CONTINUOUS, Z, i ? X : O, 1, middle, thin);
    Robot robot = robot_from(builder);
    double q[5] = {0}, v[5] = {0}, t = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        run(&robot, fall, t, rows[i][0], 1e-4, q, v);
        t = rows[i][0];
        double angles[5] = {q[0]}, rate[5] = {v[0]}, tip[2] = {0, 0};
        for (int k = 1; k < 5; k++) {
            angles[k] = angles[k - 1] + q[k];
            rate[k] = rate[k - 1] + v[k];
        }
        for (int k = 0; k < 5; k++) {
            tip[0] += cos(angles[k]);
            tip[1] += sin(angles[k]);
        }
        assert_all_near("angle", 5, angles, rows[i] + 1, 1e-7);
        assert_all_near("rate", 5, rate, rows[i] + 6, 1e-6);
        assert_all_near("tip", 2, tip, rows[i] + 11, 1e-7);
    }
    close_robot(&robot);
}

static void drive_two_links(const Robot *robot, double t, const double *q, const double *v, double *a) {
    double tau[2] = {3, -1};
    (void)t;
    for (int i = 0; i < 2; i++) tau[i] -= zv_model_joint(robot->model, i)->dof[0].damping * v[i];
    assert_int_equal(zv_forward_dynamics(robot->model, robot->work, q, v, tau, NULL, a), ZV_OK);
}

static void two_links(void **state) {
    (void)state;
    static const double rows[][5] = {
        {0.5, -1.700725881853852, -0.23368172775152204, -3.6306649668723416, -0.2910552182354937},
        {1.0, -2.0559122539824095, -0.8184434226079136, 2.1854643448349127, 0.24073039626938914},
        {2.0, -1.3001683985467307, -0.13254910765828692, -2.6951201614689495, -0.8332740575324786}};
    Robot robot = open_robot("two_link.yaml");
    double q[2] = {-0.5, 0.3}, v[2] = {0, 0}, t = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        run(&robot, drive_two_links, t, rows[i][0], 5e-4, q, v);
        t = rows[i][0];
        assert_all_near("angle", 2, q, rows[i] + 1, 1e-10);
        assert_all_near("rate", 2, v, rows[i] + 3, 1e-9);
    }
    close_robot(&robot);
}

static void drive_liu(const Robot *robot, double t, const double *q, const double *v, double *a) {
    const double drive[3] = {3 + 2 * sin(1.3 * t), 1, 5 + 3 * cos(2 * t)};
    double tau[3];
    for (int i = 0; i < 3; i++) {
        const zvDof *dof = &zv_model_joint(robot->model, i)->dof[0];
        tau[i] = drive[i] - dof->stiffness * (q[i] - dof->rest) - dof->damping * v[i];
    }
    assert_int_equal(zv_forward_dynamics(robot->model, robot->work, q, v, tau, NULL, a), ZV_OK);
}

/* The reference counts theta2 = pi/2 - q2. */
static void liu_arm(void **state) {
    (void)state;
    static const double rows[][7] = {{1.0, 1.4575747476017378, 1.4418704574370582, 1.9890508467361538,
                                      2.0254510635304923, 0.1853950212276363, 1.0444122375805973},
                                     {2.5, 2.2436874125814037, 1.0180483610488322, 1.0088642887104586,
                                      -0.8202608685395546, -0.08667071452078302, -0.14885705693934106},
                                     {5.0, -0.7581100377086882, 1.4287618298921703, 1.0249277925384679,
                                      0.7001475008010513, -0.5133418564655288, -0.31212979890738196}};
    Robot robot = open_robot("rrp.yaml");
    double q[3] = {0.2, pi / 2 - 0.9, 0.9}, v[3] = {0.3, 0.2, 0.1}, t = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        run(&robot, drive_liu, t, rows[i][0], 1e-3, q, v);
        t = rows[i][0];
        const double theta[3] = {q[0], pi / 2 - q[1], q[2]}, rate[3] = {v[0], -v[1], v[2]};
        assert_all_near("coordinate", 3, theta, rows[i] + 1, 1e-9);
        assert_all_near("rate", 3, rate, rows[i] + 4, 1e-9);
    }
    close_robot(&robot);
}

/* Nothing acts on it: the base turns because the joints move. Quaternions are x, y, z, w here. */
static void floating_arm(void **state) {
    (void)state;
    static const struct {
        double t, q[14], v[7], w[3]; /* v of the joints, w of the base in world axes */
    } rows[] = {
        {2.0,
         {0.02619857293449379, -0.0438666049871036, 0.04811165070692426, 0.019830641166926226, 0.006636432658670952,
          0.03308457620453927, 0.9992337635657843, 0.33515774133828585, -0.49403947133207043, 0.5848154094638754,
          -0.9517895627708018, 0.3053838317241596, 0.4477955472371255, 0.017002009398849216},
         {0.08872871327435561, -0.05302834256764133, -0.04700724455997495, 0.08838830115523617, -0.14811804926886665,
          0.06985593448652348, 0.12247268347301093},
         {0.019092377892664256, 0.021132365024940106, 0.037797608127833476}},
        {5.0,
         {0.11723173879262794, -0.14107705371283655, 0.1725264827104241, 0.04869923450346777, 0.053522250490525065,
          0.10653368867520448, 0.9916724895036971, 0.7750794979774225, -0.6545975850815385, 0.21657240831910307,
          -0.6117807546631652, -0.4177117400246384, 0.6596970078603803, 0.5249582616400182},
         {0.23191761276411432, -0.040395172721556016, -0.2174283437441799, 0.14268955917689508, -0.344189673682031,
          0.07458816092136837, 0.23673788185248074},
         {0.020068953353099946, 0.029644772297450935, 0.06177590905310006}},
        {10.0,
         {1.3044113476853267, -0.7105170439299457, 0.1810639849028825, 0.07997996164084496, 0.1381677595005547,
          0.003225338139135087, 0.9871689182528055, 2.9338741900184333, 0.31388206710391253, -0.7033119800041925,
          0.25516238924814827, -2.5888402710117067, 1.49790099184221, 2.9916212195865213},
         {0.36565099695853737, 0.08009056180371021, 0.051934458576450036, 0.17051549256622142, -0.29792018203595866,
          0.0008126668490486743, 0.49893848469099794},
         {-0.019192776265817998, 0.0999682481260311, -0.13080051203193913}}};
    Robot robot = open_robot("ssrms_free.yaml");
    double q[14] = {0, 0, 0, 0, 0, 0, 1, 0.2, -0.4, 0.6, -1.1, 0.5, 0.3, -0.2}, t = 0;
    double v[13] = {0.01, -0.02, 0.015, 0.02, -0.01, 0.03, 0.05, -0.04, 0.03, 0.06, -0.05, 0.08, 0.1};
    double before[6], after[6];
    zv_momentum(robot.model, robot.work, q, v, before, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        run(&robot, fall, t, rows[i].t, 5e-3, q, v);
        t = rows[i].t;
        double turning[6];
        const int base = zv_model_joint_place(robot.model, 0).child;
        zv_frame_velocity(robot.model, robot.work, q, v, base, ZV_AXES_WORLD, turning);
        assert_all_near("position", 14, q, rows[i].q, 1e-7);
        assert_all_near("joint rate", 7, v + 6, rows[i].v, 1e-7);
        assert_all_near("angular velocity of the base", 3, turning + 3, rows[i].w, 1e-7);
        zv_momentum(robot.model, robot.work, q, v, after, NULL);
        assert_all_near("momentum", 6, after, before, 1e-9 * 8400);
    }
    close_robot(&robot);
}

/* Governor: coordinates phi, s, a1, a2; spring-dampers between the slider and the middles of the rods. ------ */

static const char *const ends[2][2] = {{"slider+", "rod+"}, {"slider-", "rod-"}};

static void add_point(zvBuilder *builder, const char *name, const char *link, double x) {
    zvError error = {0};
    zvFrame frame = zv_frame_default(name, link);
    frame.pose.p[0] = x;
    assert_int_equal(zv_builder_add_frame(builder, &frame, &error), ZV_OK);
}

static Robot governor_robot(void) {
    static const double shaft_com[3] = {0, 0, 0.5}, cube[3] = {0.005, 0.005, 0.005};
    const double along = 0.3 * 2e-4 / 12, across = 0.3 * (1 + 1e-4) / 12;
    const double shaft[3] = {across, across, along};
    const double c = (0.3 * 0.5 + 5) / 5.3; /* a rod and its ball of 5 kg, about their centre of mass */
    const double together = across + 0.3 * (c - 0.5) * (c - 0.5) + 5 * (1 - c) * (1 - c);
    const double rod[3] = {along, together, together};
    zvBuilder *builder = new_builder(down_z);
    add_body(builder, "shaft", "base", ZV_JOINT_CONTINUOUS, Z, O, 0.3, shaft_com, shaft);
    add_body(builder, "slider", "shaft", ZV_JOINT_PRISMATIC, Z, O, 3, O, cube);
    for (int side = 0; side < 2; side++) {
        const double sign = side ? -1 : 1;
        const double axis[3] = {0, sign, 0}, hinge[3] = {0.05 * sign, 0, 1}, com[3] = {c * sign, 0, 0};
        const char *name = side ? "left" : "right";
        add_body(builder, name, "shaft", ZV_JOINT_CONTINUOUS, axis, hinge, 5.3, com, rod);
        add_point(builder, ends[side][0], "slider", 0.05 * sign);
        add_point(builder, ends[side][1], name, 0.5 * sign);
    }
    return robot_from(builder);
}

static void spring(const Robot *robot, const double *q, const double *v, const char *const names[2], double *fext) {
    zvPose pose[2];
    double velocity[2][6], apart[3], length = 0, rate = 0;
    int frame[2];
    for (int i = 0; i < 2; i++) {
        frame[i] = zv_model_find_frame(robot->model, names[i]);
        zv_frame_pose(robot->model, robot->work, q, frame[i], &pose[i]);
        zv_frame_velocity(robot->model, robot->work, q, v, frame[i], ZV_AXES_WORLD, velocity[i]);
    }
    for (int k = 0; k < 3; k++) apart[k] = pose[1].p[k] - pose[0].p[k];
    for (int k = 0; k < 3; k++) length += apart[k] * apart[k];
    length = sqrt(length);
    for (int k = 0; k < 3; k++) rate += (velocity[1][k] - velocity[0][k]) * apart[k] / length;
    const double pull = 8000 * (length - 0.5) + 200 * rate;
    for (int i = 0; i < 2; i++) {
        double wrench[6] = {0};
        for (int k = 0; k < 3; k++) wrench[k] = (i ? -pull : pull) * apart[k] / length;
        zv_add_wrench(robot->model, robot->work, q, frame[i], wrench, fext);
    }
}

static void spin_governor(const Robot *robot, double t, const double *q, const double *v, double *a) {
    static const double none[4] = {0};
    double fext[MAX_LINKS * 6] = {0};
    (void)t;
    for (int side = 0; side < 2; side++) spring(robot, q, v, ends[side], fext);
    assert_int_equal(zv_forward_dynamics(robot->model, robot->work, q, v, none, fext, a), ZV_OK);
}

/* Angular momentum about the shaft. */
static double spin(const Robot *robot, const double *q, const double *v) {
    double h[6], c[3];
    zv_momentum(robot->model, robot->work, q, v, h, c);
    return h[5] + c[0] * h[1] - c[1] * h[0];
}

static void governor(void **state) {
    (void)state;
    static const double start[4] = {0, -9.81, -9.51227928, -9.51227928}, momentum = 53.86899865841844;
    static const double rows[][9] = {
        {0.25, 1.4927782508202856, 0.6115737876544999, 0.3858739085050845, 0.3858739085050845, 5.530182328711332,
         0.7304815905806622, -0.8038626543896105, -0.8038626543896106},
        {0.5, 2.804163906655616, 0.7302424736044001, 0.2583812533068064, 0.2583812533068064, 5.100565331425322,
         0.051994068536225665, -0.05431137510436401, -0.054311375104364},
        {0.75, 4.105899723657247, 0.6302887687665714, 0.36615887434406974, 0.36615887434406974, 5.449168656970805,
         -0.7200864306476634, 0.7822390022434071, 0.7822390022434071},
        {1.0, 5.578993179060511, 0.4929622585922216, 0.5195596561049853, 0.5195596561049853, 6.255700228764651,
         -0.12487210308788016, 0.14295292941717705, 0.14295292941717716}};
    Robot robot = governor_robot();
    double q[4] = {0, 0.5, pi / 6, pi / 6}, v[4] = {2 * pi, 0, 0, 0}, a[4], t = 0;
    spin_governor(&robot, 0, q, v, a);
    assert_all_near("first acceleration", 4, a, start, 1e-8);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        run(&robot, spin_governor, t, rows[i][0], 2.5e-4, q, v);
        t = rows[i][0];
        assert_all_near("coordinate", 4, q, rows[i] + 1, 1e-8);
        assert_all_near("rate", 4, v, rows[i] + 5, 1e-7);
        const double now = spin(&robot, q, v);
        assert_all_near("angular momentum about the shaft", 1, &now, &momentum, 1e-8);
    }
    close_robot(&robot);
}

TESTS(pendulum, double_pendulum, double_pendulum_of_rods, ten_rods, five_rods, two_links, liu_arm, floating_arm,
      governor)
