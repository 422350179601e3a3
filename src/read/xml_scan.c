/* Walks over XML text from tag to tag, past comments, CDATA, processing instructions and DOCTYPE. */
#include "read/xml.h"

#include <string.h>

static const char blanks[] = " \t\r\n";

static bool is_blank(char c) { return c != '\0' && strchr(blanks, c) != NULL; }

ziXmlScan zi_xml_scan_start(const char *file, const char *bytes, size_t size) {
    return (ziXmlScan){.file = file, .bytes = bytes, .size = size, .at = zi_cursor_start(bytes, size)};
}

static bool starts_with(const ziXmlScan *scan, size_t offset, const char *word) {
    const size_t length = strlen(word);
    return scan->size - offset >= length && memcmp(scan->bytes + offset, word, length) == 0;
}

/* Offset behind the next word, or the end of the text. */
static size_t offset_behind(const ziXmlScan *scan, size_t offset, const char *word) {
    while (offset < scan->size) {
        const char *found = memchr(scan->bytes + offset, word[0], scan->size - offset);
        if (!found) break;
        offset = (size_t)(found - scan->bytes);
        if (starts_with(scan, offset, word)) return offset + strlen(word);
        offset++;
    }
    return scan->size;
}

/* Offset of the next of the stop characters outside quotes, or the end of the text. */
static size_t offset_of(const ziXmlScan *scan, size_t offset, const char *stops) {
    for (char quote = '\0'; offset < scan->size; offset++) {
        const char c = scan->bytes[offset];
        if (quote) {
            if (c == quote) quote = '\0';
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c != '\0' && strchr(stops, c)) {
            return offset;
        }
    }
    return scan->size;
}

/* Behind a DOCTYPE, or behind the '[' of its declarations, whose place is noted. */
static size_t behind_doctype(ziXmlScan *scan, size_t offset) {
    const size_t stop = offset_of(scan, offset, "[>");
    if (stop < scan->size && scan->bytes[stop] == '[' && !scan->has_subset) {
        const size_t behind = offset_behind(scan, stop, "<!ENTITY");
        const bool entity = starts_with(scan, behind - strlen("<!ENTITY"), "<!ENTITY");
        ziCursor place = scan->at;
        zi_cursor_advance(&place, scan->bytes, entity ? behind - strlen("<!ENTITY") : stop);
        scan->has_subset = true;
        scan->subset = zi_cursor_mark(&place, scan->file);
    }
    return stop < scan->size ? stop + 1 : stop;
}

/* Behind whatever begins with the '<' at offset; the offset itself for a start tag. */
static size_t behind_markup(ziXmlScan *scan, size_t offset) {
    if (starts_with(scan, offset, "<!--")) return offset_behind(scan, offset + 4, "-->");
    if (starts_with(scan, offset, "<![CDATA[")) return offset_behind(scan, offset, "]]>");
    if (starts_with(scan, offset, "<?")) return offset_behind(scan, offset, "?>");
    if (starts_with(scan, offset, "<!DOCTYPE")) return behind_doctype(scan, offset);
    if (starts_with(scan, offset, "<!") || starts_with(scan, offset, "</")) return offset_behind(scan, offset, ">");
    return offset;
}

/* Length of a name at offset, at most up to limit. */
static size_t name_length(const ziXmlScan *scan, size_t offset, size_t limit) {
    size_t end = offset;
    while (end < limit && !is_blank(scan->bytes[end]) && !strchr("=/><\"'", scan->bytes[end])) end++;
    return end - offset;
}

/* Offset of the '>' of a start tag, or of a '<' before it, which no start tag may hold: the parser will refuse it. */
static size_t tag_end(const ziXmlScan *scan, size_t offset) {
    for (char quote = '\0'; offset < scan->size; offset++) {
        const char c = scan->bytes[offset];
        if (c == '<') return offset;
        if (quote) {
            if (c == quote) quote = '\0';
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '>') {
            return offset;
        }
    }
    return scan->size;
}

/* Passes comments, CDATA and declarations over, in which '<' begins no tag. */
bool zi_xml_scan_tag(ziXmlScan *scan, ziXmlPiece *name) {
    for (;;) {
        const char *found = scan->at.offset < scan->size
                                ? memchr(scan->bytes + scan->at.offset, '<', scan->size - scan->at.offset)
                                : NULL;
        if (!found) return false;
        const size_t offset = (size_t)(found - scan->bytes);
        const size_t behind = behind_markup(scan, offset);
        zi_cursor_advance(&scan->at, scan->bytes, behind);
        if (behind > offset) continue;
        scan->tag_end = tag_end(scan, offset + 1);
        *name = (ziXmlPiece){found + 1, name_length(scan, offset + 1, scan->tag_end),
                             zi_cursor_mark(&scan->at, scan->file)};
        zi_cursor_advance(&scan->at, scan->bytes, offset + 1 + name->length);
        return true;
    }
}

static void skip_to_attribute(ziXmlScan *scan) {
    size_t offset = scan->at.offset;
    while (offset < scan->tag_end && (is_blank(scan->bytes[offset]) || scan->bytes[offset] == '/')) offset++;
    zi_cursor_advance(&scan->at, scan->bytes, offset);
}

/* Name, equals sign, quoted value. */
bool zi_xml_scan_attribute(ziXmlScan *scan, ziXmlPiece *name, ziXmlPiece *value) {
    skip_to_attribute(scan);
    const size_t start = scan->at.offset;
    const size_t length = name_length(scan, start, scan->tag_end);
    if (length == 0) return false;
    *name = (ziXmlPiece){scan->bytes + start, length, zi_cursor_mark(&scan->at, scan->file)};
    size_t open = start + length;
    while (open < scan->tag_end && (is_blank(scan->bytes[open]) || scan->bytes[open] == '=')) open++;
    const char quote = open < scan->tag_end ? scan->bytes[open] : '\0';
    if (quote != '"' && quote != '\'') return false;
    const char *close = memchr(scan->bytes + open + 1, quote, scan->tag_end - open - 1);
    if (!close) return false;
    zi_cursor_advance(&scan->at, scan->bytes, open + 1);
    *value = (ziXmlPiece){scan->bytes + open + 1, (size_t)(close - (scan->bytes + open + 1)),
                          zi_cursor_mark(&scan->at, scan->file)};
    zi_cursor_advance(&scan->at, scan->bytes, (size_t)(close - scan->bytes) + 1);
    return true;
}

/* The declaration is the only place before the first tag where something like an attribute counts. */
bool zi_xml_scan_declared(ziXmlScan scan, const char *what, ziXmlPiece *value) {
    static const char opening[] = "<?xml";
    const size_t start = scan.at.offset, behind = start + sizeof opening - 1;
    if (!starts_with(&scan, start, opening) || behind >= scan.size || !is_blank(scan.bytes[behind])) return false;
    scan.tag_end = offset_behind(&scan, behind, "?>");
    zi_cursor_advance(&scan.at, scan.bytes, behind);
    ziXmlPiece name;
    while (zi_xml_scan_attribute(&scan, &name, value))
        if (name.length == strlen(what) && memcmp(name.start, what, name.length) == 0) return true;
    return false;
}
