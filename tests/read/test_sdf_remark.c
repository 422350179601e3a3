/* SDF: slips that do not keep a file from being read are told with their place and what was probably meant; what the
 * format has is not. What has no counterpart is told as well. */
#include <stdlib.h>
#include <string.h>

#include "support/run_tests.h"
#include "zveno/check.h"
#include "zveno/read.h"

#define MODEL(inside) "<sdf version='1.9'><model name='r'>\n" inside "</model></sdf>"
#define INERTIA "<inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia>"
#define LINK(name) "<link name='" name "'><inertial><mass>1</mass>" INERTIA "</inertial></link>"
#define JOINT(axis) \
    MODEL(LINK("a") LINK("b") "<joint name='j' type='revolute'><parent>a</parent><child>b</child>\n" axis "</joint>")

typedef struct Told {
    const char *rule, *token;
    char text[512];
    int count, line;
} Told;

/* Findings of the rule about the token; of every unknown word where there is no rule. */
static bool note(void *context, const zvFinding *f) {
    Told *told = context;
    const bool unknown = strncmp(f->rule, "unknown-", 8) == 0;
    if (told->rule ? strcmp(f->rule, told->rule) != 0 || strcmp(f->token, told->token) != 0 : !unknown) return true;
    told->count++;
    told->line = f->mark.line;
    snprintf(told->text, sizeof told->text, "%s: %s: %s; %s", f->element, f->token, f->why, f->repair);
    return true;
}

static void look(const char *text, Told *told) {
    zvError error = {0};
    zvBuilder *b = zv_builder_create(NULL);
    if (zv_read_memory(b, "text", text, strlen(text), ZV_FORMAT_AUTO, &error) < 0)
        fail_msg("line %d: %s\n%s", error.line, error.text, text);
    assert_int_equal(zv_check(b, note, told, NULL), ZV_OK);
    zv_builder_destroy(b);
}

static void slips(void **state) {
    (void)state;
    static const struct {
        const char *text, *rule, *token, *part;
        int line;
    } cases[] = {
        {MODEL("<link name='a'><inertial>\n<mas>4</mas>" INERTIA "</inertial></link>"), "unknown-element", "mas",
         "<mas> is not an element of <inertial> and is left out; did you mean <mass>?", 3},
        {MODEL("<link name='a'><inertial>\n<mas>4</mas>" INERTIA "</inertial></link>"), "default-inertial", "mass",
         "expected <mass> in <inertial>, found none: the format gives the link 1 kg", 2},
        {MODEL("<link name='a'>\n<inertail><mass>1</mass></inertail></link>"), "unknown-element", "inertail",
         "did you mean <inertial>?", 3},
        {MODEL("<link name='a'>\n<mass>1</mass></link>"), "unknown-element", "mass", "it belongs in <inertial>", 3},
        {MODEL("<link name='a'><inertial><mass>1</mass>\n</inertial></link>"), "default-inertial", "inertia",
         "1 kg m^2 about each axis", 2},
        {MODEL("<link name='a'><inertial><mass>1</mass><inertia>\n<Ixx>2</Ixx><iyy>1</iyy><izz>2</izz></inertia>"
               "</inertial></link>"),
         "unknown-element", "Ixx", "did you mean <ixx>?", 3},
        {MODEL("<link name='a'><inertial><mass>1</mass><inertia>\n<Ixx>2</Ixx><iyy>1</iyy><izz>2</izz></inertia>"
               "</inertial></link>"),
         "default-inertial", "ixx", "expected <ixx> in <inertia>, found none", 2},
        {MODEL("<link name='a'>\n<origin>0 0 1 0 0 0</origin></link>"), "unknown-element", "origin",
         "did you mean <pose>?", 3},
        {JOINT("<axis><limits><lower>-1</lower></limits></axis>"), "unknown-element", "limits",
         "joint \"j\": limits: <limits> is not an element of <axis> and is left out; did you mean <limit>?", 3},
        {JOINT("<axis><dynamics><dampng>0.5</dampng></dynamics></axis>"), "unknown-element", "dampng",
         "did you mean <damping>?", 3},
        {JOINT("<axis><xzy>0 1 0</xzy></axis>"), "unknown-element", "xzy", "did you mean <xyz>?", 3},
        {JOINT("<limit><lower>-1</lower></limit>"), "unknown-element", "limit", "it belongs in <axis>", 3},
        {JOINT("<axis><limit lower='-1' upper='1'/></axis>"), "unknown-attribute", "upper",
         "write <upper> within the element", 3},
        {JOINT("<axis><xyz expresed_in='a'>0 1 0</xyz></axis>"), "unknown-attribute", "expresed_in",
         "did you mean expressed_in=\"...\"?", 3},
        {JOINT("<pose relativ_to='a'>0 0 1 0 0 0</pose>"), "unknown-attribute", "relativ_to",
         "did you mean relative_to=\"...\"?", 3},
        {MODEL(LINK("a") "<jiont name='j'/>"), "unknown-element", "jiont", "did you mean <joint>?", 2},
        {"<sdf version='1.9'><world name='w'>\n<gravitty>0 0 0</gravitty><model name='m'>" LINK("a") "</model></world>"
                                                                                                     "</sdf>",
         "unknown-element", "gravitty", "did you mean <gravity>?", 2},
        {"<sdf version='1.9'><model name='m'><model name='in'>" LINK("a") "\n<statik>1</statik></model></model></sdf>",
         "unknown-element", "statik", "did you mean <static>?", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Told told = {.rule = cases[i].rule, .token = cases[i].token};
        look(cases[i].text, &told);
        if (told.count != 1 || told.line != cases[i].line || !strstr(told.text, cases[i].part))
            fail_msg("case %zu: %d times, line %d: %s", i, told.count, told.line, told.text);
    }
}

/* Everything of the format that stands in its place, and words with a prefix. */
static void words_of_the_format(void **state) {
    (void)state;
    static const char *const texts[] = {
        "<sdf version='1.11' xmlns:gz='x'><world name='w'><gravity>0 0 -9</gravity><physics type='ode'><any/></physics>"
        "<scene><x/></scene><light name='l' type='point'/><gui/><state/><magnetic_field>0 0 0</magnetic_field><gz:own/>"
        "<atmosphere/><audio/><road/><spherical_coordinates/><population/><plugin name='p' filename='f'><x/></plugin>"
        "<model name='m' canonical_link='a' namespace='n'><static>0</static><self_collide>0</self_collide>"
        "<allow_auto_disable>0</allow_auto_disable><enable_wind>0</enable_wind><pose degrees='true'>0 0 0 0 0 0</pose>"
        "<link name='a' gz:own='1'><pose relative_to='__model__' rotation_format='euler_rpy'/><gravity>1</gravity>"
        "<kinematic>0</kinematic><velocity_decay><linear>0</linear><angular>0</angular></velocity_decay>"
        "<must_be_base_link>0</must_be_base_link><sensor name='s' type='imu'><x/></sensor><battery/><audio_sink/>"
        "<inertial auto='false'><pose frame=''>0 0 0 0 0 0</pose><mass>1</mass><density>2</density><inertia><ixx>1"
        "</ixx><ixy>0</ixy><ixz>0</ixz><iyy>1</iyy><iyz>0</iyz><izz>1</izz></inertia></inertial>"
        "<visual name='v'><cast_shadows>0</cast_shadows><geometry><mesh><uri>x</uri><scale>1 1 1</scale><submesh><name>"
        "n</name></submesh></mesh></geometry><material><script/><pbr/></material><meta><layer>1</layer></meta></visual>"
        "<collision name='c'><max_contacts>1</max_contacts><geometry><ellipsoid/></geometry><surface><x/></surface>"
        "</collision></link><frame name='f' attached_to='a'><pose>0 0 0 0 0 0</pose></frame></model></world></sdf>",
        JOINT("<pose>0 0 0 0 0 0</pose><physics><ode><limit><cfm>0</cfm></limit></ode></physics><sensor name='s'/>"
              "<axis><xyz expressed_in='a'>0 0 1</xyz><use_parent_model_frame>0</use_parent_model_frame><dynamics>"
              "<damping>1</damping><friction>0</friction><spring_reference>0</spring_reference><spring_stiffness>0"
              "</spring_stiffness></dynamics><limit><lower>-1</lower><upper>1</upper><effort>1</effort><velocity>1"
              "</velocity><stiffness>1</stiffness><dissipation>1</dissipation></limit></axis>"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Told told = {0};
        look(texts[i], &told);
        if (told.count != 0) fail_msg("text %zu: %s", i, told.text);
    }
}

/* What is left out is told, once under its name. */
static void left_out(void **state) {
    (void)state;
    static const struct {
        const char *rule, *token;
        int count;
    } cases[] = {{"not-modelled", "include", 2},
                 {"not-modelled", "plugin", 1},
                 {"default-inertial", "inertial", 2},
                 {"not-modelled", "gravity", 1},
                 {"not-modelled", "joint", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Told told = {.rule = cases[i].rule, .token = cases[i].token};
        look(MODEL(
                 "<include><uri>model://x</uri></include><include><uri>y</uri></include><plugin name='p' filename='f'/>"
                 "<link name='a'/><link name='b'><gravity>false</gravity><sensor name='s'/></link>"
                 "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 "
                 "1</xyz></axis></joint>"
                 "<joint name='g' type='gearbox'><parent>a</parent><child>b</child></joint>"),
             &told);
        if (told.count != cases[i].count) fail_msg("case %zu: %d times: %s", i, told.count, told.text);
    }
}

TESTS(slips, words_of_the_format, left_out)
