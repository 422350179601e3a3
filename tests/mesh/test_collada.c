/* Collada: primitives of every kind against the same triangles by hand, transforms against products of matrices in
 * another order, units, instances, and files that are wrong or hostile. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/measure.h"
#include "support/near.h"
#include "support/run_tests.h"
#include "zveno/mesh.h"

#define HEAD "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>"
#define SOURCE(id, count, text)                                \
    "<source id='" id "'><float_array count='" count "'>" text \
    "</float_array><technique_common><accessor stride='3'/>"   \
    "</technique_common></source>"
#define MESH(id, primitives)                                                                                      \
    "<geometry id='" id "'><mesh>" SOURCE(                                                                        \
        "p", "12", "0 0 0  2 0 0  2 3 0  0 3 0  0 0 5") "<vertices id='v'><input "                                \
                                                        "semantic='POSITION' source='#p'/></vertices>" primitives \
                                                        "</mesh></geometry>"
#define VERTEX "<input semantic='VERTEX' source='#v' offset='0'/>"
#define SCENE(nodes)                                                                               \
    "<library_visual_scenes><visual_scene id='s'>" nodes "</visual_scene></library_visual_scenes>" \
    "<scene><instance_visual_scene url='#s'/></scene></COLLADA>"
#define FILE_OF(primitives) HEAD "<library_geometries>" MESH("g", primitives) "</library_geometries></COLLADA>"

static zvMesh read_text(const char *text) {
    zvMesh mesh;
    zvError error = {0};
    if (zv_mesh_read_memory("a.DAE", text, strlen(text), &mesh, &error) != ZV_OK) fail_msg("%s\n%s", error.text, text);
    return mesh;
}

static const float points[5][3] = {{0, 0, 0}, {2, 0, 0}, {2, 3, 0}, {0, 3, 0}, {0, 0, 5}};

/* The same two or more triangles, by the numbers of their corners. */
static void expect_triangles(const char *text, size_t count, const int (*corners)[3]) {
    zvMesh mesh = read_text(text);
    assert_int_equal(mesh.count, count);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 3; j++) assert_near(mesh.corners[9 * i + 3 * k + j], points[corners[i][k]][j], 0);
    zv_mesh_free(&mesh);
}

static void primitives(void **state) {
    (void)state;
    static const int two[][3] = {{0, 1, 2}, {0, 2, 3}}, strip[][3] = {{0, 1, 2}, {2, 1, 3}, {2, 3, 4}};
    static const int fan[][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}};
    expect_triangles(FILE_OF("<triangles count='2'>" VERTEX "<p>0 1 2 0 2 3</p></triangles>"), 2, two);
    expect_triangles(FILE_OF("<triangles count='2'>" VERTEX "<input semantic='NORMAL' source='#n' offset='1'/>"
                             "<p>0 9 1 9 2 9\n 0 9 2 9 3 9</p></triangles>"),
                     2, two);
    expect_triangles(FILE_OF("<polylist count='1'>" VERTEX "<vcount>4</vcount><p>0 1 2 3</p></polylist>"), 2, two);
    expect_triangles(FILE_OF("<polygons count='1'>" VERTEX "<p>0 1 2 3</p></polygons>"), 2, two);
    expect_triangles(FILE_OF("<tristrips count='1'>" VERTEX "<p>0 1 2 3 4</p></tristrips>"), 3, strip);
    expect_triangles(FILE_OF("<trifans count='1'>" VERTEX "<p>0 1 2 3 4</p></trifans><lines count='1'/>"), 3, fan);
    expect_triangles(FILE_OF("<polylist>" VERTEX "<vcount>3 3</vcount><p>0 1 2 0 2 3</p></polylist>"), 2, two);
}

/* p' = unit * T R S p: a quarter about z, then up; matrices are row by row; nodes go on in each other. */
static void transforms(void **state) {
    (void)state;
    zvMesh mesh = read_text(HEAD "<asset><unit meter='0.001'/><up_axis>Y_UP</up_axis></asset><library_geometries>" MESH(
        "g", "<triangles>" VERTEX
             "<p>0 1 4</p></triangles>") "</library_geometries>"
                                         "<library_nodes><node id='n'><scale>1 2 3</scale><instance_geometry "
                                         "url='#g'/></node></library_nodes>" SCENE(
                                             "<node><translate>0 0 7</translate><node><rotate>0 0 2 "
                                             "90</rotate><instance_node url='#n'/></node></node>"
                                             "<node><matrix>0 0 1 10  1 0 0 20  0 1 0 30  0 0 0 "
                                             "1</matrix><instance_geometry url='#g'/></node>"));
    const double expected[18] = {0,  0,  7,  0,  2,  7,  0,  0,  22, /* (x, y, z) -> (-2 y, x, 3 z + 7) */
                                 10, 20, 30, 10, 22, 30, 15, 20, 30};
    assert_int_equal(mesh.count, 2);
    for (int i = 0; i < 18; i++) assert_near(mesh.corners[i], expected[i] / 1000, 1e-9);
    zv_mesh_free(&mesh);
}

/* A box of 2 x 3 x 5 in a skin: its volume by integrals over the surface. */
static void volume(void **state) {
    (void)state;
    zvMesh mesh = read_text(HEAD "<library_geometries><geometry id='g'><mesh>" SOURCE(
        "p", "24",
        "0 0 0 2 0 0 2 3 0 0 3 0 0 0 5 2 0 5 2 3 5 0 3 5") "<vertices id='v'><input semantic='POSITION' "
                                                           "source='#p'/></vertices><polylist>" VERTEX
                                                           "<vcount>4 4 4 4 4 4</vcount><p>3 2 1 0 4 5 6 7 0 1 5 4 1 2 "
                                                           "6 5 2 3 7 6 3 0 4 7</p></polylist></mesh></geometry>"
                                                           "</library_geometries><library_controllers><controller "
                                                           "id='c'><skin "
                                                           "source='#g'/></controller></library_controllers>" SCENE(
                                                               "<node><instance_controller url='#c'/></node>"));
    double corners[12 * 9];
    ziMeshMeasure measure;
    assert_int_equal(mesh.count, 12);
    for (int i = 0; i < 108; i++) corners[i] = mesh.corners[i];
    assert_true(zi_mesh_measure(corners, 12, ZI_MESH_SOLID, &measure));
    assert_near(measure.size, 30, 1e-12);
    const double scale[3] = {1, -2, 0.5};
    double inside, hull;
    zvError error;
    assert_int_equal(zv_mesh_volume(&mesh, scale, &inside, &hull, &error), ZV_OK);
    assert_near(inside, 30, 1e-12);
    assert_near(hull, 30, 1e-12);
    mesh.count = 2; /* one side */
    assert_int_equal(zv_mesh_volume(&mesh, scale, &inside, &hull, &error), ZV_OK);
    assert_near(hull, 0, 0);
    zv_mesh_free(&mesh);
}

static void hostile(void **state) {
    (void)state;
    static const struct {
        const char *text, *part;
        zvStatus status;
    } cases[] = {
        {"", "empty", ZV_SYNTAX},
        {"<robot/>", "expected the root element <COLLADA>", ZV_SCHEMA},
        {HEAD "</COLLADA>", "expected triangles, found none", ZV_SCHEMA},
        {FILE_OF("<triangles>" VERTEX "<p>0 1 5</p></triangles>"), "found a larger one", ZV_NAME},
        {FILE_OF("<triangles>" VERTEX "<p>0 1 99999999999999999999</p></triangles>"), "an index", ZV_SYNTAX},
        {FILE_OF("<triangles>" VERTEX "<p>0 1 -2</p></triangles>"), "an index", ZV_SYNTAX},
        {FILE_OF("<triangles><input semantic='VERTEX' source='#v' offset='1000000'/><p>0</p></triangles>"), "offset",
         ZV_NUMBER},
        {FILE_OF("<triangles><input semantic='VERTEX' source='http://x/y#v' offset='0'/><p>0</p></triangles>"),
         "of an element of this file", ZV_NAME},
        {FILE_OF("<polylist>" VERTEX "<vcount>4</vcount><p>0 1 2</p></polylist>"), "an index", ZV_SYNTAX},
        {HEAD "<library_geometries><geometry><mesh>" SOURCE(
             "p", "3", "0 0 nan") "<vertices id='v'><input semantic='POSITION' "
                                  "source='#p'/></vertices><triangles>" VERTEX
                                  "<p>0 0 0</p></triangles></mesh></geometry></library_geometries></COLLADA>",
         "", ZV_NUMBER},
        {HEAD "<library_geometries>" MESH(
             "g",
             "<triangles>" VERTEX
             "<p>0 1 2</p></triangles>") "</library_geometries>" SCENE("<node id='n'><instance_node url='#n'/></node>"),
         "too many in each other", ZV_SIZE},
        {HEAD "<library_geometries>" MESH(
             "g", "<triangles>" VERTEX
                  "<p>0 1 2</p></triangles>") "</library_geometries>" SCENE("<node><matrix>1 2 3</matrix></node>"),
         "more numbers", ZV_SYNTAX},
        {"<!DOCTYPE x [<!ENTITY a 'b'>]>" HEAD "</COLLADA>", "", ZV_NOT_SUPPORTED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zvMesh mesh;
        zvError error = {0};
        const zvStatus status = zv_mesh_read_memory("a.dae", cases[i].text, strlen(cases[i].text), &mesh, &error);
        if (status != cases[i].status || !strstr(error.text, cases[i].part) || mesh.count)
            fail_msg("case %zu: %s: %s", i, zv_status_name(status), error.text);
    }
}

/* Twenty levels of nodes that each stand twice in the one above: a million places of nothing. */
static void doubling(void **state) {
    (void)state;
    char text[8192] = HEAD "<library_nodes><node id='n0'/>";
    for (int i = 1; i <= 30; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "<node id='n%d'><instance_node url='#n%d'/><instance_node url='#n%d'/></node>", i, i - 1, i - 1);
    strcat(text, "</library_nodes>" SCENE("<node><instance_node url='#n30'/></node>"));
    zvMesh mesh;
    zvError error = {0};
    assert_int_equal(zv_mesh_read_memory("a.dae", text, strlen(text), &mesh, &error), ZV_SIZE);
}

TESTS(primitives, transforms, volume, hostile, doubling)
