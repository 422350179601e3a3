/* The document of a page, its head and its end, and the page around it. */
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "page/bundle.h"
#include "page/page.h"
#include "zveno/version.h"

/* The machine --------------------------------------------------------------------------------------------- */

/* "AMD EPYC 7763" where the kernel tells, else the kind of machine: "aarch64". */
static void put_processor(const struct utsname *names, Text *out) {
    static const char key[] = "model name";
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, key, sizeof key - 1) || !colon) continue;
        colon += 1 + strspn(colon + 1, " \t");
        text_put(out, colon, strcspn(colon, "\n"));
        break;
    }
    if (file) fclose(file);
    if (!out->size) text_puts(out, names->machine);
}

/* Now, or the time that reproducible builds agree on (https://reproducible-builds.org/specs/source-date-epoch). */
static void put_date(Text *out) {
    const char *told = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL, text[64];
    time_t now = told && *told ? (time_t)strtoll(told, &end, 10) : 0;
    if (!end || *end) now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)) text_puts(out, text);
}

/* Where the page was made; the same bytes for the same recording when SOURCE_DATE_EPOCH is set. */
static void put_machine(Json *json) {
    struct utsname names = {0};
    Text system = {0}, processor = {0}, date = {0};
    uname(&names);
    text_printf(&system, "%s %s %s", names.sysname, names.release, names.machine);
    put_processor(&names, &processor);
    put_date(&date);
    json_map(json, JSON_LINE);
    json_key(json, "system"), json_text(json, system.bytes);
    json_key(json, "processor"), json_text(json, processor.bytes);
    json_key(json, "isa"), json_text(json, zv_isa_name());
    json_key(json, "date"), json_text(json, date.bytes);
    json_end(json);
    text_free(&system);
    text_free(&processor);
    text_free(&date);
}

/* The document -------------------------------------------------------------------------------------------- */

void page_document_begin(Json *json, const char *kind, const char *command) {
    json_map(json, JSON_BLOCK);
    json_key(json, "zveno_page"), json_integer(json, 1);
    json_key(json, "kind"), json_text(json, kind);
    json_key(json, "version"), json_text(json, zv_version());
    json_key(json, "command"), json_text(json, command);
    json_key(json, "machine"), put_machine(json);
}

void page_document_end(Json *json, const PageProblems *problems) {
    json_key(json, "problems"), page_problems_json(problems, json);
    json_end(json);
}

/* The page ------------------------------------------------------------------------------------------------ */

/* Where the document goes: behind this, instead of "{}". */
static const char opening[] = "<script type=\"application/json\" id=\"document\">", closing[] = "{}</script>";

/* The place of the document in the bundled page; memmem is not in POSIX. */
static const char *find_opening(const char *page, size_t size) {
    const size_t length = sizeof opening - 1 + sizeof closing - 1;
    for (const char *at = page; size >= length; at++) {
        const char *next = memchr(at, '<', size - length + 1);
        if (!next) return NULL;
        size -= (size_t)(next - at) + 1;
        at = next;
        if (!memcmp(at, opening, sizeof opening - 1) && !memcmp(at + sizeof opening - 1, closing, sizeof closing - 1))
            return at;
    }
    return NULL;
}

Code page_available(void) {
    if (!page_bundle_size)
        return complain(
            CODE_USAGE,
            "expected a build with the page, found one without; build with -DZVENO_VIEWER=ON (needs Node.js and npm)");
    if (find_opening((const char *)page_bundle, page_bundle_size)) return CODE_DONE;
    return complain(CODE_INPUT,
                    "expected a place for the document in the page of this build, found none; build it again");
}

/* JSON in a script of HTML: no "<" (RFC 8259 lets any character of a text be written so), so neither "</script" nor
 * "<!--" can occur. Outside of texts JSON has none. */
static void put_escaped(const char *bytes, size_t size, Text *out) {
    while (size) {
        const char *next = memchr(bytes, '<', size);
        const size_t length = next ? (size_t)(next - bytes) : size;
        text_put(out, bytes, length);
        if (next) text_puts(out, "\\u003c");
        bytes += length + (next != NULL);
        size -= length + (next != NULL);
    }
}

bool page_put(const Text *document, Text *page) {
    static const char served[] = "{\"zveno_page\": 1, \"kind\": \"served\"}";
    const char *bundle = (const char *)page_bundle, *at = find_opening(bundle, page_bundle_size);
    if (!at) return false;
    at += sizeof opening - 1;
    text_put(page, bundle, (size_t)(at - bundle));
    put_escaped(document ? document->bytes : served, document ? document->size : sizeof served - 1, page);
    at += strlen("{}");
    text_put(page, at, page_bundle_size - (size_t)(at - bundle));
    return !page->failed && (!document || !document->failed);
}

/* The lines of a page's banner, one behind another in one text. */

void page_problem(PageProblems *problems, const char *format, ...) {
    char line[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    text_put(&problems->lines, line, strlen(line) + 1);
    problems->count += !problems->lines.failed;
}

const char *page_problem_next(const PageProblems *problems, const char *line) {
    const Text *lines = &problems->lines;
    const char *next = line ? line + strlen(line) + 1 : lines->bytes;
    return next && next < lines->bytes + lines->size ? next : NULL;
}

void page_problems_json(const PageProblems *problems, Json *json) {
    json_list(json, JSON_LINE);
    for (const char *line = NULL; (line = page_problem_next(problems, line));) json_text(json, line);
    json_end(json);
}

void page_problems_free(PageProblems *problems) {
    text_free(&problems->lines);
    problems->count = 0;
}
