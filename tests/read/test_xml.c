/* The XML tree: places of elements, attributes and words, counted by hand; and the walk that finds them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "read/xml.h"
#include "support/run_tests.h"

static ziXml *read_text(const char *text) {
    ziXml *xml;
    zvError error = {0};
    if (zi_xml_read("t.xml", text, strlen(text), &xml, &error) != ZV_OK)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    return xml;
}

static void assert_mark(zvMark mark, int line, int column) {
    if (mark.line != line || mark.column != column || strcmp(mark.file, "t.xml") != 0)
        fail_msg("%s:%d:%d instead of %d:%d", mark.file, mark.line, mark.column, line, column);
}

static void tree(void **state) {
    (void)state;
    ziXml *xml = read_text("<a>\n  <b x='1'><c/></b><p:d/>\n  text<b/>\n</a>");
    const ziXmlElement *a = zi_xml_root(xml), *b = a->first, *d = b->next, *e = d->next;
    assert_string_equal(a->name, "a");
    assert_string_equal(b->name, "b");
    assert_string_equal(b->first->name, "c");
    assert_null(b->first->first);
    assert_null(b->first->next);
    assert_string_equal(d->name, "p:d");
    assert_string_equal(e->name, "b");
    assert_null(e->next);
    assert_mark(a->mark, 1, 1);
    assert_mark(b->mark, 2, 3);
    assert_mark(b->first->mark, 2, 12);
    assert_mark(d->mark, 2, 20);
    assert_mark(e->mark, 3, 7);
    zi_xml_destroy(xml);
}

static void attributes(void **state) {
    (void)state;
    ziXml *xml =
        read_text("<a xmlns:p='u' first = \"1 &lt; 2\"\n   p:second\n=\n'\"x>\"' \xd1\x8f='\xd1\x8f' last=''/>");
    const ziXmlElement *a = zi_xml_root(xml);
    assert_int_equal(a->nattribute, 4);
    const ziXmlAttribute *first = zi_xml_attribute(a, "first"), *second = zi_xml_attribute(a, "p:second");
    assert_string_equal(first->value, "1 < 2");
    assert_mark(first->mark, 1, 16);
    assert_mark(first->value_mark, 1, 25);
    assert_string_equal(second->value, "\"x>\"");
    assert_mark(second->mark, 2, 4);
    assert_mark(second->value_mark, 4, 2);
    assert_mark(zi_xml_attribute(a, "\xd1\x8f")->mark, 4, 8);
    assert_mark(zi_xml_attribute(a, "last")->mark, 4, 14);
    assert_mark(zi_xml_attribute(a, "last")->value_mark, 4, 20);
    assert_null(zi_xml_attribute(a, "second"));
    zi_xml_destroy(xml);
}

static void words(void **state) {
    (void)state;
    ziXml *xml = read_text("<a x='  1 22\n\t333' y='1&#32;2'/>");
    const ziXmlElement *a = zi_xml_root(xml);
    const ziXmlAttribute *x = zi_xml_attribute(a, "x"), *y = zi_xml_attribute(a, "y");
    assert_string_equal(x->value, "  1 22  333");
    assert_mark(zi_xml_word_mark(x, 0), 1, 9);
    assert_mark(zi_xml_word_mark(x, 1), 1, 11);
    assert_mark(zi_xml_word_mark(x, 2), 2, 2);
    assert_mark(zi_xml_word_mark(x, 3), 1, 7); /* there is none: the value itself */
    assert_string_equal(y->value, "1 2");
    assert_mark(zi_xml_word_mark(y, 1), 2, 10); /* references hide the place of later words */
    zi_xml_destroy(xml);
}

/* What looks like a tag but is none must not shift the places of those that follow. */
static void disguised_tags(void **state) {
    (void)state;
    ziXml *xml = read_text("<?xml version='1.0'?><?p <x> ?>\n<!-- <x a='> -->\n<!DOCTYPE a SYSTEM '<x a=\">'>\n"
                           "<a><![CDATA[<x>]]]]><!-- \xd1\x8f --><b/></a>");
    const ziXmlElement *a = zi_xml_root(xml);
    assert_mark(a->mark, 4, 1);
    assert_string_equal(a->first->name, "b");
    assert_mark(a->first->mark, 4, 31);
    zi_xml_destroy(xml);
}

/* One line of many elements: places are found in one pass, not from the start of the line each time. */
static void one_long_line(void **state) {
    (void)state;
    enum { COUNT = 300000 };
    char *text = malloc(8 + 4 * COUNT);
    assert_non_null(text);
    char *p = text;
    memcpy(p, "<r>", 3);
    for (int i = 0; i < COUNT; i++) memcpy(p + 3 + 4 * i, "<a/>", 4);
    memcpy(p + 3 + 4 * COUNT, "</r>", 5);
    ziXml *xml = read_text(text);
    int count = 0, column = 0;
    for (const ziXmlElement *e = zi_xml_root(xml)->first; e; e = e->next, count++) column = e->mark.column;
    assert_int_equal(count, COUNT);
    assert_int_equal(column, 4 * COUNT);
    zi_xml_destroy(xml);
    free(text);
}

static void too_many_elements(void **state) {
    (void)state;
    const size_t count = 1000 * 1000 + 10;
    char *text = malloc(8 + 4 * count);
    assert_non_null(text);
    memcpy(text, "<r>", 3);
    for (size_t i = 0; i < count; i++) memcpy(text + 3 + 4 * i, "<a/>", 4);
    memcpy(text + 3 + 4 * count, "</r>", 5);
    ziXml *xml;
    zvError error = {0};
    assert_int_equal(zi_xml_read("t.xml", text, strlen(text), &xml, &error), ZV_SIZE);
    assert_null(xml);
    assert_non_null(strstr(error.text, "expected at most 1000000 elements, found more"));
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, 4 * 1000 * 1000); /* behind "<r>" and 999999 others */
    free(text);
}

static void depth_of_64(void **state) {
    (void)state;
    char text[1024] = "";
    for (int i = 0; i < 64; i++) strcat(text, "<a>");
    for (int i = 0; i < 64; i++) strcat(text, "</a>");
    ziXml *xml = read_text(text);
    int depth = 0;
    for (const ziXmlElement *e = zi_xml_root(xml); e; e = e->first) depth++;
    assert_int_equal(depth, 64);
    zi_xml_destroy(xml);
}

static void empty_text(void **state) {
    (void)state;
    ziXml *xml;
    zvError error = {0};
    assert_int_equal(zi_xml_read("t.xml", "", 0, &xml, &error), ZV_SYNTAX);
    assert_null(xml);
    assert_int_equal(zi_xml_read("t.xml", "", 0, &xml, NULL), ZV_SYNTAX);
}

/* The walk alone, on text that is no XML: it must end and stay inside. */
static void scan_of_garbage(void **state) {
    (void)state;
    static const char *const texts[] = {
        "<",    "<a",        "<a b",   "<a b=",  "<a b='",    "<!",          "<!-",
        "<!--", "<![CDATA[", "<?",     "</",     "<!DOCTYPE", "<!DOCTYPE [", "<!DOCTYPE [<!ENTITY",
        "<<<",  "<a =>",     "<'<\"<", "<a/b/c>"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const size_t size = strlen(texts[i]);
        char *exact = malloc(size);
        assert_non_null(exact);
        memcpy(exact, texts[i], size);
        ziXmlScan scan = zi_xml_scan_start("t.xml", exact, size);
        ziXmlPiece tag, name, value;
        size_t tags = 0;
        while (zi_xml_scan_tag(&scan, &tag)) {
            assert_true(++tags <= size);
            while (zi_xml_scan_attribute(&scan, &name, &value)) assert_true(value.start + value.length <= exact + size);
        }
        free(exact);
    }
}

static void character_references(void **state) {
    (void)state;
    ziXml *xml = read_text("<a x='R&amp;D &#228;&lt;&quot;'/>");
    assert_string_equal(zi_xml_attribute(zi_xml_root(xml), "x")->value, "R&D \xc3\xa4<\"");
    zi_xml_destroy(xml);
}

/* Tags that never end, one after the other: refused in time that grows with the text, not with its square. */
static void endless_tags(void **state) {
    (void)state;
    const size_t size = 4u * 1000 * 1000;
    const char *starts[] = {"<", "<a ", "<a b=\""};
    char *text = malloc(size + 1);
    assert_non_null(text);
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        const size_t length = strlen(starts[k]);
        for (size_t i = 0; i + length <= size; i += length) memcpy(text + i, starts[k], length);
        ziXml *xml;
        zvError error = {0};
        assert_int_not_equal(zi_xml_read("t.xml", text, size / length * length, &xml, &error), ZV_OK);
    }
    free(text);
}

TESTS(tree, attributes, words, disguised_tags, one_long_line, too_many_elements, depth_of_64, empty_text,
      scan_of_garbage, character_references, endless_tags)
