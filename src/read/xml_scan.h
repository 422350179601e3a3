/* Places of tags and attributes in XML text. libxml2 knows the line of an element but not where its attributes stand;
 * this walk over the same bytes does. It judges nothing: on text that is not XML it finds some tags or none. */
#ifndef ZI_READ_XML_SCAN_H
#define ZI_READ_XML_SCAN_H

#include <stdbool.h>

#include "read/text.h"

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
/* The encoding that the XML declaration at the start of the text names. False when there is none. */
bool zi_xml_scan_encoding(ziXmlScan scan, ziXmlPiece *value);

#endif
