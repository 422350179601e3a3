/* XML text into a tree of elements. The only file that knows libxml2.
 *
 * libxml2 checks the text and calls back at every start and end tag (SAX2); the places of tags and attributes come from
 * a walk over the same bytes (xml_scan). Before libxml2 sees the text, declarations of entities are refused, so nothing
 * can expand, and so are tags with hundreds of attributes, which libxml2 compares pairwise. */
#define _POSIX_C_SOURCE 200809L
#include "read/xml.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"

enum { MAX_ATTRIBUTES = 256, MAX_ELEMENTS = 1000 * 1000 };

#if LIBXML_VERSION >= 21200
typedef const xmlError *ErrorPointer;
#else
typedef xmlError *ErrorPointer;
#endif

struct ziXml {
    ziArena arena;
    ziXmlElement *root;
};

typedef struct Level {
    ziXmlElement *element;
    ziXmlElement *last; /* its last child so far */
} Level;

typedef struct Reader {
    ziXml *xml;
    ziXmlScan scan;
    xmlParserCtxt *parser;
    Level levels[ZI_XML_DEPTH];
    int depth;
    int elements;
    char *text; /* since the last start tag */
    size_t text_length, text_capacity;
    zvStatus status; /* of the first failure */
    zvError *error;
} Reader;

static void stop(Reader *reader, zvStatus status) {
    reader->status = status;
    xmlStopParser(reader->parser);
}

static zvStatus out_of_memory(const char *name, zvError *error) {
    return zv_fail(error, ZV_MEMORY, (zvMark){name, 0, 0}, "", "out of memory while reading the XML");
}

/* Building the tree ----------------------------------------------------------------------------- */

/* "prefix:name" or "name" in the arena. */
static const char *qualified(Reader *reader, const xmlChar *prefix, const xmlChar *name) {
    const size_t before = prefix ? strlen((const char *)prefix) : 0;
    const size_t length = strlen((const char *)name);
    char *text = zi_arena_alloc(&reader->xml->arena, before + length + 2);
    if (!text) return NULL;
    char *p = text;
    if (prefix) {
        memcpy(p, prefix, before);
        p[before] = ':';
        p += before + 1;
    }
    memcpy(p, name, length);
    return text;
}

static bool is_piece(const ziXmlPiece *piece, const char *text) {
    return strlen(text) == piece->length && memcmp(piece->start, text, piece->length) == 0;
}

/* The place of an attribute; attributes come in the order of the text, namespace declarations left out. */
static void place_attribute(Reader *reader, ziXmlAttribute *attribute, zvMark fallback) {
    ziXmlPiece name, value;
    attribute->mark = attribute->value_mark = fallback;
    while (zi_xml_scan_attribute(&reader->scan, &name, &value)) {
        if (!is_piece(&name, attribute->name)) continue;
        attribute->mark = name.mark;
        attribute->value_mark = value.mark;
        attribute->raw = value.start;
        attribute->raw_length = value.length;
        return;
    }
}

/* source is five pointers per attribute: name, prefix, namespace, start and end of the value. */
static bool take_attributes(Reader *reader, ziXmlElement *element, int count, const xmlChar **source) {
    if (count == 0) return true;
    ziXmlAttribute *attributes = zi_arena_alloc(&reader->xml->arena, (size_t)count * sizeof *attributes);
    if (!attributes) return false;
    for (int i = 0; i < count; i++, source += 5) {
        const size_t length = (size_t)(source[4] - source[3]);
        char *value = zi_arena_alloc(&reader->xml->arena, length + 1);
        attributes[i].name = qualified(reader, source[1], source[0]);
        if (!value || !attributes[i].name) return false;
        memcpy(value, source[3], length);
        attributes[i].value = value;
        place_attribute(reader, &attributes[i], element->mark);
    }
    element->attributes = attributes;
    element->nattribute = count;
    return true;
}

/* Appends to the children of the innermost open element. */
static void add_child(Reader *reader, ziXmlElement *element) {
    if (reader->depth == 0) {
        reader->xml->root = element;
        return;
    }
    Level *level = &reader->levels[reader->depth - 1];
    if (level->last) {
        level->last->next = element;
    } else {
        level->element->first = element;
    }
    level->last = element;
}

static ziXmlElement *new_element(Reader *reader, const xmlChar *prefix, const xmlChar *name) {
    ziXmlElement *element = zi_arena_alloc(&reader->xml->arena, sizeof *element);
    if (!element || !(element->name = qualified(reader, prefix, name))) return NULL;
    ziXmlPiece tag;
    element->mark = zi_xml_scan_tag(&reader->scan, &tag) ? tag.mark : (zvMark){reader->scan.file, 0, 0};
    element->text = "";
    element->text_mark = element->mark;
    reader->text_length = 0;
    return element;
}

/* Text comes in pieces; it counts when the element ends before another begins. */
static void take_text(void *context, const xmlChar *piece, int length) {
    Reader *reader = context;
    if (reader->status != ZV_OK || length <= 0) return;
    const size_t needed = reader->text_length + (size_t)length + 1;
    if (needed > reader->text_capacity) {
        const size_t capacity = needed > 4096 ? 2 * needed : 4096;
        char *larger = realloc(reader->text, capacity);
        if (!larger) {
            stop(reader, out_of_memory(reader->scan.file, reader->error));
            return;
        }
        reader->text = larger;
        reader->text_capacity = capacity;
    }
    memcpy(reader->text + reader->text_length, piece, (size_t)length);
    reader->text_length += (size_t)length;
    reader->text[reader->text_length] = '\0';
}

/* Blanks alone are no text; neither is what stands beside elements. */
static void keep_text(Reader *reader, ziXmlElement *element) {
    if (element->first || reader->text_length == 0) return;
    const char *text = reader->text + strspn(reader->text, " \t\r\n");
    if (*text == '\0') return;
    element->text = zi_arena_text(&reader->xml->arena, text);
    if (!element->text) {
        element->text = "";
        stop(reader, out_of_memory(reader->scan.file, reader->error));
        return;
    }
    ziCursor cursor = reader->scan.at;
    size_t offset = reader->scan.tag_end + 1;
    while (offset < reader->scan.size && strchr(" \t\r\n", reader->scan.bytes[offset])) offset++;
    if (offset < cursor.offset || offset >= reader->scan.size) return;
    zi_cursor_advance(&cursor, reader->scan.bytes, offset);
    element->text_mark = zi_cursor_mark(&cursor, reader->scan.file);
}

/* Called by libxml2 at every start tag; it cannot fail there, so failures stop the parser. */
static void start_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int nnamespace,
                          const xmlChar **namespaces, int nattribute, int ndefault, const xmlChar **attributes) {
    (void)uri, (void)nnamespace, (void)namespaces, (void)ndefault;
    Reader *reader = context;
    if (reader->status != ZV_OK) return;
    ziXmlElement *element = new_element(reader, prefix, name);
    if (!element || !take_attributes(reader, element, nattribute, attributes)) {
        stop(reader, out_of_memory(reader->scan.file, reader->error));
        return;
    }
    if (reader->depth == ZI_XML_DEPTH) {
        stop(reader, zv_fail(reader->error, ZV_SYNTAX, element->mark, element->name,
                             "expected at most %d levels of elements, found more; a robot file never has so many",
                             ZI_XML_DEPTH));
        return;
    }
    if (++reader->elements > MAX_ELEMENTS) {
        stop(reader, zv_fail(reader->error, ZV_SIZE, element->mark, element->name,
                             "expected at most %d elements, found more; a robot file never has so many", MAX_ELEMENTS));
        return;
    }
    add_child(reader, element);
    reader->levels[reader->depth++] = (Level){element, NULL};
}

static void end_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
    (void)name, (void)prefix, (void)uri;
    Reader *reader = context;
    if (reader->status != ZV_OK || reader->depth == 0) return;
    keep_text(reader, reader->levels[--reader->depth].element);
    reader->text_length = 0;
}

/* Failures -------------------------------------------------------------------------------------- */

/* libxml2's own errors. Undeclared prefixes are left alone: files that xacro made are full of them. */
static void take_error(void *context, ErrorPointer failure) {
    Reader *reader = context;
    if (reader->status != ZV_OK || failure->level < XML_ERR_ERROR) return;
    if (failure->code == XML_ERR_NO_MEMORY) {
        stop(reader, out_of_memory(reader->scan.file, reader->error));
        return;
    }
    if (failure->domain == XML_FROM_NAMESPACE) return;
    const zvMark mark = {reader->scan.file, failure->line, failure->int2};
    const char *message = failure->message ? failure->message : "the text is not XML";
    const int length = (int)strcspn(message, "\r\n");
    if (failure->code == XML_ERR_INVALID_ENCODING || strstr(message, "not proper UTF-8")) {
        stop(reader, zv_fail(reader->error, ZV_SYNTAX, mark, "",
                             "expected UTF-8, found other bytes; save the file as UTF-8 text"));
        return;
    }
    stop(reader, zv_fail(reader->error, ZV_SYNTAX, mark, failure->str1,
                         "expected well-formed XML, found: %.*s; mend it or export the file again",
                         length < 200 ? length : 200, message));
}

/* Whether a name is one of a family, such as ISO-8859-15: the stem and at most two digits behind it. */
static bool in_family(const ziXmlPiece *name, const char *stem) {
    const size_t length = strlen(stem);
    if (name->length < length || name->length > length + 2 || strncasecmp(name->start, stem, length) != 0) return false;
    for (size_t i = length; i < name->length; i++)
        if (name->start[i] < '0' || name->start[i] > '9') return false;
    return true;
}

/* Only encodings in which ASCII bytes mean ASCII characters: in others (UTF-7, EBCDIC, ISO-2022) the scan and libxml2
 * would see different texts, and what is refused here could be hidden from it. */
static zvStatus check_encoding(ziXmlScan scan, zvError *error) {
    static const char *const stems[] = {"UTF-8",     "UTF8",  "US-ASCII",    "ASCII",
                                        "ISO-8859-", "latin", "windows-125", "cp125"};
    static const char ebcdic[] = "\x4C\x6F\xA7\x94"; /* "<?xm"; libxml2 recognises it unasked */
    ziXmlPiece name = {"EBCDIC", 6, zi_cursor_mark(&scan.at, scan.file)};
    const bool disguised = scan.size >= 4 && memcmp(scan.bytes, ebcdic, 4) == 0;
    if (!disguised && !zi_xml_scan_declared(scan, "encoding", &name)) return ZV_OK;
    for (size_t i = 0; i < sizeof stems / sizeof stems[0] && !disguised; i++)
        if (in_family(&name, stems[i])) return ZV_OK;
    char quote[ZI_QUOTE_SIZE];
    zi_text_quote(quote, name.start, name.length);
    return zv_fail(
        error, ZV_NOT_SUPPORTED, name.mark, quote,
        "expected the encoding UTF-8, US-ASCII, ISO-8859-x or windows-125x, found %s; save the file as UTF-8", quote);
}

/* What must not reach libxml2. */
static zvStatus check_limits(ziXmlScan scan, zvError *error) {
    ziXmlPiece tag, name, value;
    while (zi_xml_scan_tag(&scan, &tag)) {
        if (scan.has_subset) break;
        int count = 0;
        while (zi_xml_scan_attribute(&scan, &name, &value))
            if (++count > MAX_ATTRIBUTES)
                return zv_fail(error, ZV_SIZE, tag.mark, "", "expected at most %d attributes, found more; remove some",
                               MAX_ATTRIBUTES);
    }
    if (!scan.has_subset) return ZV_OK;
    return zv_fail(
        error, ZV_NOT_SUPPORTED, scan.subset, "<!ENTITY",
        "expected elements, found entities or other declarations in a DOCTYPE, which could expand without end; "
        "delete the DOCTYPE and write the values out");
}

/* The parser -------------------------------------------------------------------------------------- */

/* Only start tags, end tags, text and errors are listened to; nothing is fetched. */
static zvStatus run_xml_parser(Reader *reader) {
    xmlSAXHandler *sax = reader->parser->sax;
    memset(sax, 0, sizeof *sax);
    sax->initialized = XML_SAX2_MAGIC;
    sax->startElementNs = start_element;
    sax->endElementNs = end_element;
    sax->characters = sax->ignorableWhitespace = sax->cdataBlock = take_text;
    sax->serror = take_error;
    reader->parser->userData = reader;
    xmlCtxtUseOptions(reader->parser, XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_HUGE | XML_PARSE_COMPACT);
    xmlParseDocument(reader->parser);
    if (reader->status != ZV_OK) return reader->status;
    if (reader->parser->errNo == XML_ERR_NO_MEMORY) return out_of_memory(reader->scan.file, reader->error);
    if (!reader->parser->wellFormed || !reader->xml->root || reader->depth != 0)
        return zv_fail(reader->error, ZV_SYNTAX, (zvMark){reader->scan.file, 0, 0}, "",
                       "expected well-formed XML, found another text; export the file again");
    return ZV_OK;
}

/* Whether the declaration at the start has another version than 1.x, which libxml2 refuses; *version is it then. */
static bool odd_version(ziXmlScan scan, ziXmlPiece *version) {
    return zi_xml_scan_declared(scan, "version", version) && version->length >= 3 && !is_piece(version, "1.0") &&
           memcmp(version->start, "1.", 2) != 0;
}

/* Offset of an XML declaration behind the start of the text, outside comments and before offset end, or end. */
static size_t late_declaration(ziXmlScan scan, size_t end) {
    static const char opening[] = "<?xml";
    const size_t length = sizeof opening - 1;
    bool comment = false;
    for (size_t i = scan.at.offset; i + length < end; i++) {
        const char *p = scan.bytes + i;
        if (comment) {
            comment = memcmp(p, "-->", 3) != 0;
            continue;
        }
        comment = memcmp(p, "<!--", 4) == 0;
        if (i > scan.at.offset && memcmp(p, opening, length) == 0 && strchr(" \t\r\n", p[length])) return i;
    }
    return end;
}

/* Files begin with <?xml version="0.0"?>, or have a comment before the declaration; every other reader passes over
 * that, and nothing in a robot depends on it. *mended is a copy with the version 1.0 or without the declaration, places
 * kept; NULL when nothing had to be mended. False when memory runs out. */
static bool mend_declaration(ziXmlScan scan, char **mended) {
    ziXmlScan walk = scan;
    ziXmlPiece version, root;
    *mended = NULL;
    const size_t end = zi_xml_scan_tag(&walk, &root) ? (size_t)(root.start - scan.bytes) - 1 : 0;
    const size_t late = late_declaration(scan, end);
    const bool odd = odd_version(scan, &version);
    if (!odd && late >= end) return true;
    if (!(*mended = malloc(scan.size))) return false;
    memcpy(*mended, scan.bytes, scan.size);
    if (odd) memset(*mended + (version.start - scan.bytes), '0', version.length);
    if (odd) memcpy(*mended + (version.start - scan.bytes), "1.", 2);
    bool closed = late >= end;
    for (size_t k = late; !closed && k + 1 < end; k++) {
        closed = scan.bytes[k] == '?' && scan.bytes[k + 1] == '>';
        if (!strchr("\r\n", scan.bytes[k])) (*mended)[k] = ' ';
        if (closed) (*mended)[k + 1] = ' ';
    }
    return true;
}

/* What is refused outright is looked for before libxml2 sees the text. */
static zvStatus load_xml(ziXml *xml, const char *name, const char *bytes, size_t size, zvError *error) {
    const ziXmlScan scan = zi_xml_scan_start(name, bytes, size);
    zvStatus status = zi_text_check(name, bytes, size, 0, error);
    if (status == ZV_OK) status = check_encoding(scan, error);
    if (status == ZV_OK) status = check_limits(scan, error);
    if (status != ZV_OK) return status;
    if (size > INT_MAX)
        return zv_fail(error, ZV_SIZE, (zvMark){name, 0, 0}, "",
                       "expected at most %d bytes, found %zu; divide the file", INT_MAX, size);
    char *mended;
    if (!mend_declaration(scan, &mended)) return out_of_memory(name, error);
    xmlParserCtxt *parser = xmlCreateMemoryParserCtxt(mended ? mended : bytes, (int)size);
    if (!parser) free(mended);
    if (!parser)
        return size > 0 ? out_of_memory(name, error)
                        : zv_fail(error, ZV_SYNTAX, (zvMark){name, 0, 0}, "", "expected a robot, found an empty text");
    Reader reader = {.xml = xml, .scan = scan, .parser = parser, .error = error};
    status = run_xml_parser(&reader);
    if (parser->myDoc) xmlFreeDoc(parser->myDoc);
    xmlFreeParserCtxt(parser);
    free(reader.text);
    free(mended);
    return status;
}

/* libxml2 prints errors that come without a parser, such as lack of memory for the parser itself. */
static void keep_silent(void *context, ErrorPointer failure) { (void)context, (void)failure; }

/* Leaves the state that libxml2 keeps for each thread as it was. */
zvStatus zi_xml_read(const char *name, const char *bytes, size_t size, ziXml **xml, zvError *error) {
    *xml = calloc(1, sizeof **xml);
    if (!*xml) return out_of_memory(name, error);
    /* Both are kept by libxml2 per thread: the handler is given back as found, the last error's texts are freed. */
    const xmlStructuredErrorFunc handler = xmlStructuredError;
    void *const context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(NULL, keep_silent);
    const zvStatus status = load_xml(*xml, name, bytes, size, error);
    xmlSetStructuredErrorFunc(context, handler);
    xmlResetLastError();
    if (status != ZV_OK) {
        zi_xml_destroy(*xml);
        *xml = NULL;
    }
    return status;
}

void zi_xml_destroy(ziXml *xml) {
    if (!xml) return;
    zi_arena_free(&xml->arena);
    free(xml);
}

const ziXmlElement *zi_xml_root(const ziXml *xml) { return xml->root; }

ziXmlElement *zi_xml_tree(ziXml *xml) { return xml->root; }

const ziXmlAttribute *zi_xml_attribute(const ziXmlElement *element, const char *name) {
    for (int i = 0; i < element->nattribute; i++)
        if (strcmp(element->attributes[i].name, name) == 0) return &element->attributes[i];
    return NULL;
}

/* Where the value has references its bytes are not the text; then the place is that of the value. */
zvMark zi_xml_word_mark(const ziXmlAttribute *attribute, int n) {
    const char *raw = attribute->raw;
    if (!raw || memchr(raw, '&', attribute->raw_length)) return attribute->value_mark;
    ziCursor cursor = {0, attribute->value_mark.line, attribute->value_mark.column};
    for (size_t i = 0; i < attribute->raw_length; i++) {
        const bool blank = strchr(" \t\r\n", raw[i]) != NULL;
        const bool after_blank = i == 0 || strchr(" \t\r\n", raw[i - 1]) != NULL;
        if (blank || !after_blank || n-- > 0) continue;
        zi_cursor_advance(&cursor, raw, i);
        return zi_cursor_mark(&cursor, attribute->value_mark.file);
    }
    return attribute->value_mark;
}
