/* Liu's arm with springs, dampers and drives: free, and with its end on a circular rail with viscous friction.
 *
 * The numbers come from screw-matrix equations, on the rail with multipliers; they agree with a brute-force run to
 * 8e-12 and with equations in the single coordinate along the rail to 2e-11. */
#include "robot.h"
#include "support/run_tests.h"

static const double pi = 3.14159265358979323846;

typedef struct RailState {
    double t, theta[3], rate[3], normal[3], friction[3],
        acceleration[3]; /* of theta1, theta2, z3; forces in the world */
} RailState;

static const RailState rail_states[] = {
    {0.0,
     {0.2985170413271358, 0.5903241462582491, 1.496524422322168},
     {0.38423547759598936, -0.024911859092404974, 0.06679564079896527},
     {27.70868465541384, 0.0, 13.44906192961167},
     {-4.163336342344337e-16, -1.8000000000000003, 3.3306690738754696e-16},
     {-0.852825005665195, 0.21286981763674498, -0.5646814266180926}},
    {1.0,
     {0.9671762160892593, 0.8222936895937776, 1.0647988457757023},
     {0.897662570723584, 1.1676705032857144, -1.4801740508029644},
     {12.078415811090583, -19.12732127737491, 19.66551846371661},
     {5.380846080917291, 3.3978671366618753, -5.062616992290714e-13},
     {-4.746799218990211, 3.5979698714305806, 0.5105521104384763}},
    {2.5,
     {0.005744950154049613, 0.9135527404875957, 0.9631378463134656},
     {-0.061045323406885316, -0.06673508409470444, 0.0650507220332855},
     {-1.544798816824473, -3.033796996957932, 17.33185503386477},
     {-0.274454323004219, 0.1397511810690849, 4.851744006550973e-13},
     {0.2421064824192527, 0.22630645455084117, -0.20826897764270916}},
    {5.0,
     {0.09098904572777623, 0.9837382200878197, 0.9010946742507628},
     {0.05059353592436211, 0.032740754850440854, -0.026162881567135098},
     {-3.1023834168072106, -3.8296572515724963, 15.915385760894527},
     {0.11249930110639353, -0.09113503982955423, 4.897228456091085e-13},
     {-0.1565633511838932, -0.10864913026519482, 0.08924798110028465}},
};

/* q2 = pi/2 - theta2: what acts on theta2 acts on q2 with the opposite sign. */
static void liu_force(const Robot *arm, double t, const double *q, const double *v, double *tau) {
    const double drive[3] = {3 + 2 * sin(1.3 * t), 1, 5 + 3 * cos(2 * t)};
    for (int i = 0; i < 3; i++) {
        const zvDof *dof = &zv_model_joint(arm->model, i)->dof[0];
        tau[i] = drive[i] - dof->stiffness * (q[i] - dof->rest) - dof->damping * v[i];
    }
}

static void liu_coordinates(const double theta[3], const double rate[3], double q[3], double v[3]) {
    for (int i = 0; i < 3; i++) {
        q[i] = i == 1 ? pi / 2 - theta[i] : theta[i];
        v[i] = i == 1 ? -rate[i] : rate[i];
    }
}

/* The rail's force, known from the reference, acts at the end of the arm as an external one. */
static void arm_on_rail(void **state) {
    (void)state;
    Robot arm = open_robot("rrp.yaml");
    const int end = zv_model_find_frame(arm.model, "O4");
    for (size_t i = 0; i < sizeof rail_states / sizeof *rail_states; i++) {
        const RailState *s = &rail_states[i];
        double q[3], v[3], tau[3], a[3], fext[MAX_LINKS * 6] = {0}, wrench[6] = {0};
        liu_coordinates(s->theta, s->rate, q, v);
        liu_force(&arm, s->t, q, v, tau);
        for (int k = 0; k < 3; k++) wrench[k] = s->normal[k] + s->friction[k];
        zv_add_wrench(arm.model, arm.work, q, end, wrench, fext);
        assert_int_equal(zv_forward_dynamics(arm.model, arm.work, q, v, tau, fext, a), ZV_OK);
        a[1] = -a[1];
        assert_all_near("acceleration on the rail", 3, a, s->acceleration, 1e-9);
    }
    close_robot(&arm);
}

typedef struct FreeState {
    double t, theta[3], rate[3], screws[18];
} FreeState;

static const FreeState free_states[] = {
    {1.0,
     {1.4575747476017378, 1.4418704574370582, 1.9890508467361538},
     {2.0254510635304923, 0.1853950212276363, 1.0444122375805973},
     {-1.688218879036521, 6.073220873341814, 353.1283498909075, -29.914977468051237, -15.567020591352687,
      -0.4583334037360712, 18.501913561069706, 155.84298597320736, -6.073220873341806, 9.26387562905576,
      -1.0120581313519714, 15.567020591352687, 9.299062303760131, -1.1502784604336453, -77.89929885424873,
      -0.7771613933728749, -3.013141607321529, 0.006910911945491242}},
    {2.5,
     {2.2436874125814037, 1.0180483610488322, 1.0088642887104586},
     {-0.8202608685395546, -0.08667071452078302, -0.14885705693934106},
     {-4.922457325412507, -2.820060706659344, 313.59177574876287, -24.052532806993128, -11.11114703887168,
      -3.537322072534653, 57.44453513532545, 102.49480466177151, 2.8200607066593513, 3.6697049754332762,
      -4.137266037288024, 11.11114703887168, 18.66504949119365, 3.6274541776080653, -34.205870878149994,
      0.654839510671557, -7.560214902388189, 0.01983264991200083}},
    {5.0,
     {-0.7581100377086882, 1.4287618298921703, 1.0249277925384679},
     {0.7001475008010513, -0.5133418564655288, -0.31212979890738196},
     {16.91046111816527, 5.019265357644141, 315.0188414530199, -18.42642427370516, -14.876944813749283,
      5.354496338901171, 33.559861718681674, 115.22854013173045, -5.019265357644133, 11.23642348718873,
      -1.0950528975181224, 14.876944813749283, 19.994190589037988, -4.431017530190588, -37.8900666909533,
      -1.1024841958999447, -5.828869651898758, -0.01995993084620067}},
};

static void free_arm_reactions(void **state) {
    (void)state;
    Robot arm = open_robot("rrp.yaml");
    for (size_t i = 0; i < sizeof free_states / sizeof *free_states; i++) {
        const FreeState *s = &free_states[i];
        double q[3], v[3], tau[3], a[3], reactions[18];
        liu_coordinates(s->theta, s->rate, q, v);
        liu_force(&arm, s->t, q, v, tau);
        assert_int_equal(zv_forward_dynamics(arm.model, arm.work, q, v, tau, NULL, a), ZV_OK);
        zv_joint_reactions(arm.model, arm.work, q, v, a, NULL, reactions);
        assert_all_near("joint screw", 18, reactions, s->screws, 1e-11);
    }
    close_robot(&arm);
}

TESTS(arm_on_rail, free_arm_reactions)
