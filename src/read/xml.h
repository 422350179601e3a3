/* An XML file as a tree of elements that know where they stand. Text between tags is not kept. */
#ifndef ZV_READ_XML_H
#define ZV_READ_XML_H

#include "read/text.h"

enum { ZV_XML_DEPTH = 64 }; /* levels of elements at most */

typedef struct zvXmlAttribute {
    const char *name;  /* with prefix, as written */
    const char *value; /* references resolved, line breaks as blanks */
    zvMark mark;       /* of the name */
    zvMark value_mark; /* of the first character between the quotes */
    const char *raw;   /* the value as written in the bytes that were read; NULL when it cannot be found there */
    size_t raw_length;
} zvXmlAttribute;

typedef struct zvXmlElement zvXmlElement;
struct zvXmlElement {
    const char *name; /* with prefix, as written */
    int nattribute;
    const zvXmlAttribute *attributes;
    zvXmlElement *first, *next; /* first child, next sibling */
    zvMark mark;                /* of '<' */
};

typedef struct zvXml zvXml;

/* Reads a whole file from memory; the bytes must stay as long as raw values are used, name as long as marks are.
 * Nothing is fetched from elsewhere, entity declarations are refused; ZV_XML_DEPTH levels, a million elements at most.
 */
zvStatus zv_xml_read(const char *name, const char *bytes, size_t size, zvXml **xml, zvError *error);
void zv_xml_destroy(zvXml *xml);
const zvXmlElement *zv_xml_root(const zvXml *xml); /* never NULL */

/* Attribute by name, or NULL. */
const zvXmlAttribute *zv_xml_attribute(const zvXmlElement *element, const char *name);
/* The n-th word (from 0) of a value that is a list of words separated by blanks. */
zvMark zv_xml_word_mark(const zvXmlAttribute *attribute, int n);

#endif
