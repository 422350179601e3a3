/* Every kind of bad URDF: status, line, column, token and the key phrase of the message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/error_case.h"
#include "support/run_tests.h"
#include "zveno/read.h"

static void check(const ErrorCase *c, size_t size, zvFormat format) {
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    assert_non_null(builder);
    zvStatus status = zv_read_memory(builder, "bad.urdf", c->text, size, format, &error);
    zv_builder_destroy(builder);
    expect_error(c, "bad.urdf", status, &error);
}

static void check_all(const ErrorCase *cases, size_t count) {
    for (size_t i = 0; i < count; i++) check(&cases[i], strlen(cases[i].text), ZV_FORMAT_AUTO);
}
#define CHECK_ALL(cases) check_all(cases, sizeof(cases) / sizeof(cases)[0])

#define LINK(text) "<robot name=\"r\">\n <link name=\"a\">\n" text "\n </link>\n</robot>\n"
#define JOINT(text) "<robot name=\"r\">\n <joint name=\"j\" type=\"revolute\">\n" text "\n </joint>\n</robot>\n"
#define ENDS "<parent link=\"a\"/><child link=\"b\"/>\n"
#define MASS "<mass value=\"1\"/>"
#define MOMENTS "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/>"

static void wrong_roots(void **state) {
    (void)state;
    static const ErrorCase cases[] = {
        {"<?xml version=\"1.0\"?>\n<sdf version=\"1.6\"></sdf>", ZV_SCHEMA, 2, 1, "sdf",
         "expected a <model>, found none"},
        {"<mujocoinclude/>", ZV_SCHEMA, 1, 1, "mujocoinclude", "a part of a MuJoCo model"},
        {"<!DOCTYPE html>\n<html><body><br>no XML & no robot</body>", ZV_SCHEMA, 2, 1, "html", "a web page"},
        {"<!-- <robot> -->\n  <house/>", ZV_SCHEMA, 2, 3, "house", "expected the root element <robot>, found <house>"},
    };
    CHECK_ALL(cases);
    const ErrorCase told = {"<mujoco model=\"x\"/>", ZV_SCHEMA, 1, 1, "mujoco", "MJCF"};
    check(&told, strlen(told.text), ZV_FORMAT_URDF);
}

static void broken_xml(void **state) {
    (void)state;
    static const ErrorCase cases[] = {
        {"<robot name=\"r\">\n<link name=\"a\">\n</robot>", ZV_SYNTAX, 3, ANY_COLUMN, "link",
         "tag mismatch: link line 2 and robot"},
        {"<robot name=\"r\">\n  <link name=a/>\n</robot>", ZV_SYNTAX, 2, ANY_COLUMN, "", "AttValue"},
        {"<robot name=\"r\">\n<link name=\"a\"/>\n", ZV_SYNTAX, 3, ANY_COLUMN, "robot",
         "Premature end of data in tag robot"},
        {"<robot name=\"r\" name=\"s\"/>", ZV_SYNTAX, 1, ANY_COLUMN, "name", "Attribute name redefined"},
        {"<robot name=\"&nobody;\"/>", ZV_SYNTAX, 1, ANY_COLUMN, "nobody", "Entity 'nobody' not defined"},
        {"<robot name=\"a\"/><robot/>", ZV_SYNTAX, 1, ANY_COLUMN, "", "Extra content at the end"},
        {"<robot name=\"\xff\xfe\"/>", ZV_SYNTAX, 1, ANY_COLUMN, "", "UTF-8"},
        {"<", ZV_SYNTAX, 1, ANY_COLUMN, "", "expected well-formed XML, found: "},
    };
    CHECK_ALL(cases);
}

static void refused_declarations(void **state) {
    (void)state;
    static const ErrorCase cases[] = {
        {"<!DOCTYPE robot [\n <!ENTITY a \"b\">\n]>\n<robot/>", ZV_NOT_SUPPORTED, 2, 2, "<!ENTITY",
         "delete the DOCTYPE"},
        {"<!DOCTYPE robot [ <!ENTITY x SYSTEM \"file:///etc/hostname\"> ]><robot name=\"&x;\"/>", ZV_NOT_SUPPORTED, 1,
         19, "<!ENTITY", "expected elements, found entities or other declarations"},
        {"<!DOCTYPE robot [\n<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">"
         "<!ENTITY c \"&b;&b;&b;&b;\">]>\n<robot name=\"&c;\"/>",
         ZV_NOT_SUPPORTED, 2, 1, "<!ENTITY", "expand without end"},
        {"<!DOCTYPE robot [<!ATTLIST robot name CDATA \"x\">]><robot/>", ZV_NOT_SUPPORTED, 1, 17, "<!ENTITY",
         "other declarations"},
    };
    CHECK_ALL(cases);
}

#define ENCODED(name) "<?xml version='1.0'\n encoding=" name "?><robot name=\"r\"><link name=\"a\"/></robot>"

/* In these the scan for entities would look at another text than the parser. */
static void refused_encodings(void **state) {
    (void)state;
    static const ErrorCase cases[] = {
        {ENCODED("'UTF-7'"), ZV_NOT_SUPPORTED, 2, 12, "UTF-7",
         "expected the encoding UTF-8, US-ASCII, ISO-8859-x or windows-125x, found UTF-7"},
        {ENCODED("\"utf-16\""), ZV_NOT_SUPPORTED, 2, 12, "utf-16", "save the file as UTF-8"},
        {ENCODED("'ISO-2022-JP'"), ZV_NOT_SUPPORTED, 2, 12, "ISO-2022-JP", "found ISO-2022-JP"},
        {ENCODED("'UTF-8-or-so'"), ZV_NOT_SUPPORTED, 2, 12, "UTF-8-or-so", "found UTF-8-or-so"},
        {ENCODED("'IBM037'"), ZV_NOT_SUPPORTED, 2, 12, "IBM037", "found IBM037"},
    };
    CHECK_ALL(cases);
    static const ErrorCase ebcdic = {"\x4C\x6F\xA7\x94\x93\x40", ZV_NOT_SUPPORTED, 1, 1, "EBCDIC", "found EBCDIC"};
    check(&ebcdic, strlen(ebcdic.text), ZV_FORMAT_URDF);
}

static void accepted_encodings(void **state) {
    (void)state;
    static const char *const texts[] = {ENCODED("'UTF-8'"),
                                        ENCODED("\"utf-8\""),
                                        ENCODED("'us-ascii'"),
                                        ENCODED("'ISO-8859-1'"),
                                        ENCODED("'iso-8859-15'"),
                                        ENCODED("'Windows-1251'"),
                                        "<?xml version='1.0'?><robot><link name='a'/></robot>"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        zvError error = {0};
        zvBuilder *builder = zv_builder_create(&error);
        if (zv_read_memory(builder, "good.urdf", texts[i], strlen(texts[i]), ZV_FORMAT_AUTO, &error) != ZV_OK)
            fail_msg("%s: %s", texts[i], error.text);
        zv_builder_destroy(builder);
    }
}

static void bad_names(void **state) {
    (void)state;
    static const ErrorCase cases[] = {
        {"<robot name=\"r\">\n  <link/>\n</robot>", ZV_SCHEMA, 2, 3, "link",
         "<link>: expected name=\"...\", found none; add it"},
        {"<robot name=\"r\">\n  <link name=\" \"/>\n</robot>", ZV_SCHEMA, 2, 15, "name",
         "name of <link>: expected a name, found nothing"},
        {"<robot name=\"r\">\n  <joint type=\"fixed\"/>\n</robot>", ZV_SCHEMA, 2, 3, "joint",
         "<joint>: expected name=\"...\", found none"},
        {"<robot name=\"r\">\n  <joint name=\"j\"/>\n</robot>", ZV_SCHEMA, 2, 3, "joint",
         "<joint>: expected type=\"...\", found none"},
        {"<robot name=\"r\">\n <link name=\"${p}a\"/>\n</robot>", ZV_NOT_SUPPORTED, 2, 14, "${p}a", "run xacro first"},
    };
    CHECK_ALL(cases);
}

static void bad_links(void **state) {
    (void)state;
    static const ErrorCase cases[] = {
        {LINK("<inertial><mass/>" MOMENTS "</inertial>"), ZV_SCHEMA, 3, 11, "mass",
         "<mass>: expected value=\"...\", found none"},
        {LINK("<inertial>" MASS "<inertia ixx=\"1\" iyy=\"1\"/></inertial>"), ZV_SCHEMA, 3, 28, "inertia",
         "<inertia>: expected izz=\"...\", found none"},
    };
    CHECK_ALL(cases);
}

static void bad_numbers(void **state) {
    (void)state;
    static const ErrorCase cases[] = {
        {LINK("<inertial><mass value=\"heavy\"/></inertial>"), ZV_NUMBER, 3, 24, "heavy",
         "value of <mass>: expected a number, found \"heavy\""},
        {LINK("<inertial><mass value=\"nan\"/></inertial>"), ZV_NUMBER, 3, 24, "nan",
         "expected a finite number, found"},
        {LINK("<inertial><mass value=\"-INF\"/></inertial>"), ZV_NUMBER, 3, 24, "-INF",
         "expected a finite number, found"},
        {LINK("<inertial><mass value=\"1e400\"/></inertial>"), ZV_NUMBER, 3, 24, "1e400", "up to about 1.8e308"},
        {LINK("<inertial><mass value=\"0x10\"/></inertial>"), ZV_NUMBER, 3, 24, "0x10", "expected a number, found"},
        {LINK("<inertial><mass value=\"\"/></inertial>"), ZV_SCHEMA, 3, 24, "", "expected 1 number, found 0"},
        {LINK("<inertial><mass value=\"1 2\"/></inertial>"), ZV_SCHEMA, 3, 24, "1 2", "expected 1 number, found 2"},
        {LINK("<inertial><mass value=\"1,5\"/></inertial>"), ZV_NUMBER, 3, 24, "1,5", "decimals with a point"},
        {LINK("<inertial><mass value=\"${m}\"/></inertial>"), ZV_NOT_SUPPORTED, 3, 24, "${m}",
         "found the xacro expression \"${m}\": \"m\" is not defined; run xacro first"},
        {LINK("<inertial><origin xyz=\"0 0\"/>" MASS "</inertial>"), ZV_SCHEMA, 3, 24, "0 0",
         "expected 3 numbers, found 2"},
        {LINK("<inertial><origin rpy=\"0\n0\n\tx 1\"/>" MASS "</inertial>"), ZV_NUMBER, 5, 2, "x",
         "rpy of <origin>: expected a number, found \"x\""},
        {LINK("<inertial><origin xyz=\"0  inf 1\"/>" MASS "</inertial>"), ZV_NUMBER, 3, 27, "inf",
         "expected a finite number, found"},
        {LINK("<inertial><origin xyz='0 \xd0\xbe\xd0\xb4\xd0\xb8\xd0\xbd 1'/>" MASS "</inertial>"), ZV_NUMBER, 3, 26,
         "\xd0\xbe\xd0\xb4\xd0\xb8\xd0\xbd", "expected a number, found"},
        {LINK("<!-- \xd0\xb0 --><inertial><origin xyz=\"0 0\"/>" MASS "</inertial>"), ZV_SCHEMA, 3, 34, "0 0",
         "expected 3"},
    };
    CHECK_ALL(cases);
}

static void bad_joints(void **state) {
    (void)state;
    static const ErrorCase cases[] = {
        {"<robot name=\"r\">\n <joint name=\"j\" type=\"revolut\">\n</joint></robot>", ZV_SCHEMA, 2, 24, "revolut",
         "did you mean \"revolute\"?"},
        {"<robot name=\"r\">\n <joint name=\"j\" type=\"hydraulic\"/>\n</robot>", ZV_SCHEMA, 2, 24, "hydraulic",
         "expected revolute, continuous"},
        {JOINT("<child link=\"b\"/>"), ZV_SCHEMA, 2, 2, "joint",
         "<joint name=\"j\">: expected a <parent>, found none; add it"},
        {JOINT("<parent link=\"a\"/>"), ZV_SCHEMA, 2, 2, "joint",
         "<joint name=\"j\">: expected a <child>, found none; add it"},
        {JOINT("<parent/><child link=\"b\"/>"), ZV_SCHEMA, 3, 1, "parent",
         "<parent>: expected link=\"...\", found none"},
        {JOINT(ENDS "<axis xyz=\"0 0 0\"/>"), ZV_PHYSICS, 4, 12, "0 0 0",
         "axis of joint \"j\": expected a direction, found a zero vector"},
        {JOINT(ENDS "<axis xyz=\"0 1\"/>"), ZV_SCHEMA, 4, 12, "0 1", "expected 3 numbers, found 2"},
        {JOINT(ENDS "<axis/>"), ZV_SCHEMA, 4, 1, "axis", "<axis>: expected xyz=\"...\", found none"},
        {JOINT(ENDS "<limit upper=\"${half/2}\"/>"), ZV_NOT_SUPPORTED, 4, 15, "${half/2}", "run xacro first"},
        {JOINT(ENDS "<dynamics damping=\"much\"/>"), ZV_NUMBER, 4, 20, "much", "damping of <dynamics>"},
        {JOINT(ENDS "<mimic multiplier=\"2\"/>"), ZV_SCHEMA, 4, 1, "mimic",
         "<mimic>: expected joint=\"...\", found none"},
        {"<robot xmlns:xacro=\"x\">\n <xacro:arm/>\n</robot>", ZV_NOT_SUPPORTED, 2, 2, "xacro:arm", "run xacro first"},
    };
    CHECK_ALL(cases);
}

/* Left out silently, each of these would make another robot of the file. */
static void half_expanded_xacro(void **state) {
    (void)state;
    static const ErrorCase cases[] = {
        {"<robot>\n<link name=\"a\"/>\n<xacro:include filename=\"b\"/>\n</robot>", ZV_NOT_SUPPORTED, 3, 1,
         "xacro:include", "run xacro first"},
        {"<robot>\n<xacro:if value=\"${x}\"><link name=\"a\"/></xacro:if></robot>", ZV_NOT_SUPPORTED, 2, 1, "xacro:if",
         "\"x\" is not defined"},
        {"<robot>\n<xacro:if value=\"perhaps\"/></robot>", ZV_NOT_SUPPORTED, 2, 1, "xacro:if",
         "neither true nor false"},
        {"<robot>\n<xacro:macro params=\"a\"/></robot>", ZV_NOT_SUPPORTED, 2, 1, "xacro:macro", "it has no name"},
        {"<robot><xacro:macro name=\"m\" params=\"a *b\"/>\n<xacro:m/></robot>", ZV_NOT_SUPPORTED, 2, 1, "xacro:m",
         "the parameter \"a\" is missing"},
        {"<robot><xacro:macro name=\"m\" params=\"a *b\"/>\n<xacro:m a=\"1\"/></robot>", ZV_NOT_SUPPORTED, 2, 1,
         "xacro:m", "fewer blocks inside"},
        {"<robot><xacro:macro name=\"m\"><xacro:m/></xacro:macro>\n<xacro:m/></robot>", ZV_NOT_SUPPORTED, 1, 30,
         "xacro:m", "macros call each other"},
        {"<robot>\n<xacro:include filename=\"$(find nowhere)/b\"/></robot>", ZV_NOT_SUPPORTED, 2, 1, "xacro:include",
         "--package NAME=DIR"},
        {"<robot>\n <xacro:arm/></robot>", ZV_NOT_SUPPORTED, 2, 2, "xacro:arm", "a macro that is defined nowhere"},
    };
    CHECK_ALL(cases);
}

static void not_text(void **state) {
    (void)state;
    static const ErrorCase empty = {" \n\t", ZV_SYNTAX, 0, 0, "", "nothing but white space"};
    static const ErrorCase nothing = {"", ZV_SYNTAX, 0, 0, "", "nothing but white space"};
    static const ErrorCase gzip = {"\x1f\x8b\x08", ZV_SYNTAX, 0, 0, "", "gzip"};
    static const ErrorCase zip = {"PK\x03\x04", ZV_SYNTAX, 0, 0, "", "zip archive"};
    static const ErrorCase image = {"\x89PNG\r\n\x1a\n", ZV_SYNTAX, 1, 1, "", "binary file"};
    check(&empty, 3, ZV_FORMAT_AUTO);
    check(&nothing, 0, ZV_FORMAT_URDF);
    check(&gzip, 3, ZV_FORMAT_AUTO);
    check(&zip, 4, ZV_FORMAT_AUTO);
    check(&image, 8, ZV_FORMAT_AUTO);
    static const char utf16[] = "\xff\xfe<\0r\0o\0";
    const ErrorCase wide = {utf16, ZV_SYNTAX, 1, 4, "\\0", "save it as UTF-8"};
    check(&wide, sizeof utf16 - 1, ZV_FORMAT_AUTO);
    static const char zero[] = "<robot name=\"a\0b\"/>";
    const ErrorCase inside = {zero, ZV_SYNTAX, 1, 15, "\\0", "zero byte"};
    check(&inside, sizeof zero - 1, ZV_FORMAT_AUTO);
}

/* Ten megabytes of opening tags must be refused at the 513th level, not after all of them. */
static void nested_without_end(void **state) {
    (void)state;
    const size_t size = 10u * 1000 * 1000;
    char *text = malloc(size + 1);
    assert_non_null(text);
    memcpy(text, "<robot>", 8);
    for (size_t i = 7; i + 3 <= size; i += 3) memcpy(text + i, "<a>", 3);
    text[size] = '\0';
    const ErrorCase c = {text, ZV_SYNTAX, 1, 1541, "a", "expected at most 512 levels of elements, found more"};
    check(&c, size - 1, ZV_FORMAT_AUTO);
    free(text);
}

/* libxml2 compares the attributes of a tag pairwise: a million of them would take minutes. */
static void attributes_without_end(void **state) {
    (void)state;
    const size_t size = 4u * 1000 * 1000;
    char *text = malloc(size + 1);
    assert_non_null(text);
    strcpy(text, "<robot ");
    for (size_t i = 7; i + 5 <= size; i += 5) memcpy(text + i, "a=\"\" ", 6);
    const ErrorCase c = {text, ZV_SIZE, 1, 1, "", "expected at most 256 attributes, found more"};
    check(&c, strlen(text), ZV_FORMAT_AUTO);
    free(text);
}

/* Every prefix of a good file is refused or read, never crashes; run under sanitizers. */
static void every_prefix(void **state) {
    (void)state;
    static const char text[] =
        "<?xml version=\"1.0\"?><!DOCTYPE robot SYSTEM 'x'><robot name=\"r\"><!-- c --><link name='a'>"
        "<inertial>" MASS MOMENTS "</inertial></link><![CDATA[<x>]]></robot>";
    for (size_t size = 0; size < sizeof text - 1; size++) {
        char *exact = malloc(size + 1);
        assert_non_null(exact);
        memcpy(exact, text, size);
        zvError error = {0};
        zvBuilder *builder = zv_builder_create(&error);
        assert_true(zv_read_memory(builder, "p", exact, size, ZV_FORMAT_URDF, &error) < 0);
        assert_true(error.status < 0 && error.text[0]);
        zv_builder_destroy(builder);
        free(exact);
    }
}

TESTS(wrong_roots, broken_xml, refused_declarations, refused_encodings, accepted_encodings, bad_names, bad_links,
      bad_numbers, bad_joints, half_expanded_xacro, not_text, nested_without_end, attributes_without_end, every_prefix)
