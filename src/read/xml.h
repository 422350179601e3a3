/* An XML file as a tree of elements that know their places. Text is kept of elements that hold nothing else. */
#ifndef ZI_READ_XML_H
#define ZI_READ_XML_H

#include <stdbool.h>

#include "read/text.h"

enum { ZI_XML_DEPTH = 512 }; /* levels of elements at most */

typedef struct ziXmlAttribute {
    const char *name;  /* with prefix, as written */
    const char *value; /* references resolved, line breaks as blanks */
    zvMark mark;       /* of the name */
    zvMark value_mark; /* of the first character between the quotes */
    const char *raw;   /* the value as written in the bytes that were read; NULL when it cannot be found there */
    size_t raw_length;
} ziXmlAttribute;

typedef struct ziXmlElement ziXmlElement;
struct ziXmlElement {
    const char *name; /* with prefix, as written */
    int nattribute;
    const ziXmlAttribute *attributes;
    ziXmlElement *first, *next; /* first child, next sibling */
    zvMark mark;                /* of '<' */
    const char *text;           /* of an element without children, never NULL: "" where there is none */
    zvMark text_mark;           /* of the first character of it that is not blank */
};

typedef struct ziXml ziXml;

/* Reads a whole file from memory; the bytes must stay as long as raw values are used, name as long as marks are.
 * Nothing is fetched from elsewhere, entity declarations are refused; ZI_XML_DEPTH levels, a million elements at most.
 */
zvStatus zi_xml_read(const char *name, const char *bytes, size_t size, ziXml **xml, zvError *error);
void zi_xml_destroy(ziXml *xml);
const ziXmlElement *zi_xml_root(const ziXml *xml); /* never NULL */
ziXmlElement *zi_xml_tree(ziXml *xml);             /* the same, to be changed: files that others include */

/* Attribute by name, or NULL. */
const ziXmlAttribute *zi_xml_attribute(const ziXmlElement *element, const char *name);
/* The n-th word (from 0) of a value that is a list of words separated by blanks. */
zvMark zi_xml_word_mark(const ziXmlAttribute *attribute, int n);

/* How many numbers an attribute has, and what to write where it has not. */
typedef struct ziXmlCount {
    int least, most;
    const char *advice;
} ziXmlCount;

/* The finite numbers of an attribute, separated by blanks; each word has its own place in errors. values (most) are
 * written where as many are found, *count says how many (NULL: not wanted). */
zvStatus zi_xml_numbers(const ziXmlElement *element, const ziXmlAttribute *attribute, const ziXmlCount *wanted,
                        double *values, int *count, zvError *error);

/* Places of tags and attributes in XML text. libxml2 knows the line of an element but not where its attributes are;
 * this walk over the same bytes does. It judges nothing: on text that is not XML it finds some tags or none. */

typedef struct ziXmlScan {
    const char *file;
    const char *bytes;
    size_t size;
    ziCursor at;
    size_t tag_end;  /* offset of the '>' of the current tag */
    bool has_subset; /* a DOCTYPE with declarations of its own was passed ... */
    zvMark subset;   /* ... that begin here */
} ziXmlScan;

/* A piece of the text. */
typedef struct ziXmlPiece {
    const char *start;
    size_t length;
    zvMark mark;
} ziXmlPiece;

ziXmlScan zi_xml_scan_start(const char *file, const char *bytes, size_t size);
/* Goes to the next start tag; name is its name, name->mark the place of '<'. False when there is none. */
bool zi_xml_scan_tag(ziXmlScan *scan, ziXmlPiece *name);
/* Goes to the next attribute of the current tag; value lies between the quotes. False at the end of the tag. */
bool zi_xml_scan_attribute(ziXmlScan *scan, ziXmlPiece *name, ziXmlPiece *value);
/* The "encoding" or "version" that the XML declaration at the start of the text names. False when there is none. */
bool zi_xml_scan_declared(ziXmlScan scan, const char *what, ziXmlPiece *value);

#endif
