/* Models from file to workspace while memory runs out (failing.h). A run reads, checks, freezes, makes a workspace and
 * writes the description again, in all formats. */
#include <stdio.h>
#include <string.h>

#include "failing.h"
#include "zveno/zveno.h"

static const char urdf[] =
    "<?xml version=\"1.0\"?>\n"
    "<robot name=\"arm\">\n"
    "  <material name=\"red\"><color rgba=\"1 0 0 1\"/></material>\n"
    "  <link name=\"base\"/>\n"
    "  <link name=\"upper\">\n"
    "    <inertial><origin xyz=\"0 0 0.2\"/><mass value=\"2\"/>\n"
    "      <inertia ixx=\"0.1\" ixy=\"0\" ixz=\"0\" iyy=\"0.1\" iyz=\"0\" izz=\"0.02\"/></inertial>\n"
    "    <visual><geometry><box size=\"0.1 0.1 0.4\"/></geometry><material name=\"red\"/></visual>\n"
    "    <collision><geometry><mesh filename=\"upper.stl\"/></geometry></collision>\n"
    "  </link>\n"
    "  <link name=\"lower\">\n"
    "    <inertial><mass value=\"1\"/>\n"
    "      <inertia ixx=\"0.1\" ixy=\"0\" ixz=\"0\" iyy=\"0.1\" iyz=\"0\" izz=\"0.02\"/></inertial>\n"
    "  </link>\n"
    "  <link name=\"tool\"/>\n"
    "  <joint name=\"shoulder\" type=\"revolute\"><parent link=\"base\"/><child link=\"upper\"/><axis xyz=\"0 1 0\"/>\n"
    "    <limit lower=\"-1\" upper=\"1\" effort=\"10\" velocity=\"2\"/><dynamics damping=\"0.1\"/></joint>\n"
    "  <joint name=\"elbow\" type=\"continuous\"><parent link=\"upper\"/><child link=\"lower\"/>\n"
    "    <origin xyz=\"0 0 0.4\" rpy=\"0 0.1 0\"/><axis xyz=\"0 1 0\"/><mimic joint=\"shoulder\" "
    "multiplier=\"2\"/></joint>\n"
    "  <joint name=\"grip\" type=\"fixed\"><parent link=\"lower\"/><child link=\"tool\"/></joint>\n"
    "</robot>\n";

static const char native[] =
    "zveno: 1\n"
    "name: arm\n"
    "base: free\n"
    "links:\n"
    "  - {name: base, mass: 3, inertia: [0.1, 0.1, 0.1]}\n"
    "  - name: upper\n"
    "    mass: 2\n"
    "    com: [0, 0, 0.2]\n"
    "    inertia: [0.1, 0, 0, 0.1, 0, 0.02]\n"
    "    shapes: [{kind: box, size: [0.1, 0.1, 0.4]}, {kind: mesh, file: upper.stl}]\n"
    "  - {name: lower, mass: 1, inertia: [0.1, 0.1, 0.02]}\n"
    "  - {name: bead, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "joints:\n"
    "  - {name: shoulder, type: spherical, parent: base, child: upper, dofs: [{damping: 0.1}, {armature: 0.2}, {}]}\n"
    "  - {name: elbow, type: revolute, parent: upper, child: lower, axis: [0, 1, 0], limits: {lower: -90 deg, upper: "
    "pi/2}}\n"
    "  - {name: rail, type: curve, parent: lower, child: bead, curve: {spline: {points: [[0, 0, 0], [1, 0, 0], [2, 1, "
    "0]]}}}\n"
    "frames:\n"
    "  - {name: tip, link: bead, pose: {xyz: [0, 0, 0.1]}}\n"
    "chain:\n"
    "  convention: standard\n"
    "  parent: lower\n"
    "  rows:\n"
    "    - {joint: j1, link: l1, a: 0.1, alpha: pi/2, d: 0.2, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "    - {joint: j2, link: l2, a: 0.1, mass: 1, inertia: [0.1, 0.1, 0.1]}\n";

static const char mjcf[] =
    "<mujoco model=\"arm\"><default><default class=\"c\"><geom density=\"2\"/></default></default>"
    "<asset><mesh name=\"m\" inertia=\"convex\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1 1 1 1\"/>"
    "<material name=\"red\" rgba=\"1 0 0 1\"/></asset><worldbody>"
    "<replicate count=\"2\" offset=\"1 0 0\"><body name=\"a\"><joint name=\"j\" pos=\"0 0 1\"/><joint "
    "name=\"k\"/>"
    "<geom type=\"mesh\" mesh=\"m\" class=\"c\"/><geom type=\"capsule\" size=\"1 1\" material=\"red\"/>"
    "<site name=\"s\"/></body></replicate></worldbody>"
    "<tendon><fixed name=\"t\" stiffness=\"1\"><joint joint=\"j0\" coef=\"1\"/></fixed><spatial/></tendon>"
    "<equality><joint joint1=\"j0\" joint2=\"j1\"/><tendon tendon1=\"t\"/>"
    "<connect body1=\"a0\" body2=\"a1\" anchor=\"0 0 0\"/></equality></mujoco>";

static const char xacro[] =
    "<robot name=\"arm\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\"><xacro:arg name=\"n\" default=\"2\"/>"
    "<xacro:property name=\"mass\" value=\"${1.5 * 2}\"/><xacro:property name=\"origin\"><origin xyz=\"0 0 1\"/>"
    "</xacro:property><xacro:macro name=\"segment\" params=\"name parent turn:=${pi / 2} *axis **more\">"
    "<link name=\"${name}\"><inertial><mass value=\"${mass}\"/><xacro:insert_block name=\"more\"/></inertial></link>"
    "<joint name=\"j_${name}\" type=\"revolute\"><parent link=\"${parent}\"/><child link=\"${name}\"/>"
    "<xacro:insert_block name=\"origin\"/><xacro:insert_block name=\"axis\"/>"
    "<limit lower=\"${-turn}\" upper=\"${radians(90)}\" effort=\"$(arg n)\" velocity=\"1\"/></joint></xacro:macro>"
    "<link name=\"base\"/><xacro:if value=\"${mass > 2 and not False}\"><xacro:segment name=\"a\" parent=\"base\">"
    "<axis xyz=\"0 0 1\"/><m><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\"/></m></xacro:segment></xacro:if>"
    "<xacro:unless value=\"$(arg n)\"><link name=\"never\"/></xacro:unless></robot>";

static const char sdf[] =
    "<sdf version=\"1.9\"><model name=\"m\"><link name=\"a\"/><link name=\"b\"><pose relative_to=\"f\">1 0 0 0 0 0"
    "</pose><visual name=\"v\"><geometry><mesh><uri>a.stl</uri></mesh></geometry></visual></link>"
    "<frame name=\"f\" attached_to=\"a\"/><joint name=\"w\" "
    "type=\"fixed\"><parent>world</parent><child>a</child></joint>"
    "<joint name=\"j\" type=\"revolute\"><pose>0 0 1 0 0 0</pose><parent>f</parent><child>b</child><axis><xyz>0 1 "
    "0</xyz>"
    "</axis></joint><joint name=\"l\" type=\"ball\"><parent>a</parent><child>b</child></joint><plugin name=\"p\"/>"
    "</model></sdf>";

/* Doubtful on purpose: the linter must write findings while memory runs out. */
static const char doubtful[] = "zveno: 1\n"
                               "links:\n"
                               "  - {name: base}\n"
                               "  - {name: arm, mass: 1, inertia: [0.1, 0.1, 5]}\n"
                               "  - {name: lost, mass: -1}\n"
                               "joints:\n"
                               "  - {name: j, type: revolute, parent: base, child: arm, axis: [0, 0, 0]}\n"
                               "  - {name: k, type: revolute, parent: base, child: nowhere, mimic: {joint: nobody}}\n";

typedef struct Source {
    const char *name;
    const char *text;
    zvFormat format;
    bool freezes; /* whether it is a good description */
} Source;

static const Source sources[] = {
    {"arm.urdf", urdf, ZV_FORMAT_URDF, true},        {"arm.yaml", native, ZV_FORMAT_NATIVE, true},
    {"arm.urdf.xacro", xacro, ZV_FORMAT_URDF, true}, {"arm.xml", mjcf, ZV_FORMAT_MJCF, true},
    {"arm.sdf", sdf, ZV_FORMAT_SDF, true},           {"doubtful.yaml", doubtful, ZV_FORMAT_NATIVE, false},
};

static bool count_finding(void *context, const zvFinding *finding) {
    int *count = context;
    *count += finding->element != NULL;
    return true;
}

static bool count_text(void *context, const char *text, size_t size) {
    size_t *total = context;
    *total += text ? size : 0;
    return true;
}

static void count_loss(void *context, const zvRemark *loss) {
    int *count = context;
    *count += loss != NULL;
}

typedef struct Outcome {
    zvStatus status; /* of the first step that failed, or ZV_OK */
    const char *step;
    int findings;
    size_t written;
} Outcome;

static zvStatus make_work(const zvModel *model, zvError *error) {
    zvWork *work = zv_work_create(model, error);
    if (!work) return error->status;
    zv_work_destroy(work);
    zvTaskWork *tasks = zv_task_work_create(model, error);
    if (!tasks) return error->status;
    zv_task_work_destroy(tasks);
    return ZV_OK;
}

static Outcome run_builder(zvBuilder *builder, const Source *source, zvError *error) {
    Outcome out = {.step = "read"};
    zvModel *model = NULL;
    out.status = zv_read_memory(builder, source->name, source->text, strlen(source->text), source->format, error);
    if (out.status < 0) return out;
    out.step = "check";
    out.status = zv_check_grouped(builder, count_finding, &out.findings, error);
    if (out.status < 0) return out;
    out.step = "write";
    out.status = zv_write_native(builder, count_text, &out.written, error);
    if (out.status < 0) return out;
    static const zvFormat formats[] = {ZV_FORMAT_URDF, ZV_FORMAT_MJCF};
    for (int i = 0; i < 2; i++) { /* which need not have words for this robot */
        const zvStatus status =
            zv_write(builder, formats[i], count_text, &out.written, count_loss, &out.findings, error);
        if (status == ZV_MEMORY) out.status = status;
        if (out.status < 0) return out;
    }
    out.step = "freeze";
    out.status = zv_builder_freeze(builder, &model, error);
    if (out.status < 0) return out;
    out.step = "workspace";
    out.status = make_work(model, error);
    zv_model_destroy(model);
    return out;
}

static Outcome run(const Source *source) {
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    if (!builder) return (Outcome){.status = ZV_MEMORY, .step = "builder"};
    Outcome out = run_builder(builder, source, &error);
    zv_builder_destroy(builder);
    return out;
}

static bool same(const Outcome *x, const Outcome *y) {
    return x->status == y->status && strcmp(x->step, y->step) == 0 && x->findings == y->findings &&
           x->written == y->written;
}

typedef struct Trial {
    const Source *source;
    Outcome good;
} Trial;

static zvStatus run_again(void *context) {
    const Trial *trial = context;
    const Outcome out = run(trial->source);
    if (out.status == ZV_MEMORY) return ZV_MEMORY;
    if (same(&out, &trial->good)) return ZV_OK;
    fprintf(stderr, "%s: %s in %s, %d findings, %zu bytes\n", trial->source->name, zv_status_name(out.status), out.step,
            out.findings, out.written);
    return ZV_SYNTAX;
}

static int fail_all(const Source *source) {
    Trial trial = {source, run(source)};
    const Outcome *good = &trial.good;
    if (source->freezes ? good->status == ZV_OK : good->status < 0 && strcmp(good->step, "freeze") == 0)
        return fail_every_request(source->name, run_again, &trial, ANYBODY);
    fprintf(stderr, "%s: with enough memory %s ends with %s\n", source->name, good->step, zv_status_name(good->status));
    return 1;
}

int main(void) {
    int failures = 0;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) failures += fail_all(&sources[i]);
    return failures != 0;
}
