/* Findings of the linter in SARIF 2.1.0: results first, then the tool with the rules they name. */
#include "verbs/sarif.h"

#include <stdlib.h>
#include <string.h>

#include "zveno/version.h"

void sarif_start(Sarif *sarif) {
    Json *json = sarif->json;
    json_map(json, JSON_BLOCK);
    json_key(json, "$schema"), json_text(json, "https://json.schemastore.org/sarif-2.1.0.json");
    json_key(json, "version"), json_text(json, "2.1.0");
    json_key(json, "runs"), json_list(json, JSON_BLOCK);
    json_map(json, JSON_BLOCK);
    json_key(json, "results"), json_list(json, JSON_BLOCK);
}

static void keep_rule(Sarif *sarif, const char *rule) {
    for (int i = 0; i < sarif->nrule; i++)
        if (strcmp(sarif->rules[i], rule) == 0) return;
    const size_t size = strlen(rule) + 1;
    char *copy = sarif->nrule < SARIF_RULES ? malloc(size) : NULL;
    if (copy) sarif->rules[sarif->nrule++] = memcpy(copy, rule, size);
}

/* A path as a reference [RFC 3986]: absolute ones as file URIs, other letters than plain ones as %XX. */
static void put_uri(Json *json, const char *path) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    Text uri = {0};
    if (*path == '/') text_puts(&uri, "file://");
    for (const char *c = path; *c; c++) {
        if (strchr(plain, *c))
            text_put(&uri, c, 1);
        else
            text_printf(&uri, "%%%02X", (unsigned char)*c);
    }
    json_text(json, uri.bytes ? uri.bytes : "");
    text_free(&uri);
}

/* The file and place, and the element as a logical one. Hosts of code want a line: what concerns the whole file has the
 * first. */
static void put_location(Json *json, const zvFinding *f) {
    json_map(json, JSON_BLOCK);
    if (f->mark.file) {
        json_key(json, "physicalLocation"), json_map(json, JSON_BLOCK);
        json_key(json, "artifactLocation"), json_map(json, JSON_LINE);
        json_key(json, "uri"), put_uri(json, f->mark.file);
        json_end(json);
        json_key(json, "region"), json_map(json, JSON_LINE);
        json_key(json, "startLine"), json_integer(json, f->mark.line > 0 ? f->mark.line : 1);
        if (f->mark.column > 0) json_key(json, "startColumn"), json_integer(json, f->mark.column);
        json_end(json);
        json_end(json);
    }
    if (f->element && *f->element) {
        json_key(json, "logicalLocations"), json_list(json, JSON_LINE);
        json_map(json, JSON_LINE);
        json_key(json, "name"), json_text(json, f->element);
        json_end(json);
        json_end(json);
    }
    json_end(json);
}

/* Why, the repair, and what else has it, as one text. */
static void put_message(Json *json, const zvFinding *f) {
    Text text = {0};
    text_printf(&text, "%s%s%s", f->element ? f->element : "", f->element && *f->element ? ": " : "",
                f->why ? f->why : "");
    if (f->others && *f->others) text_printf(&text, "; the same of %s", f->others);
    if (f->repair && *f->repair) text_printf(&text, "; %s", f->repair);
    json_map(json, JSON_LINE);
    json_key(json, "text"), json_text(json, text.bytes ? text.bytes : "");
    json_end(json);
    text_free(&text);
}

/* Written at once; its rule is kept for the list at the end. */
bool sarif_result(Sarif *sarif, const zvFinding *f) {
    Json *json = sarif->json;
    const char *rule = f->rule ? f->rule : "finding";
    keep_rule(sarif, rule);
    json_map(json, JSON_BLOCK);
    json_key(json, "ruleId"), json_text(json, rule);
    json_key(json, "level"), json_text(json, zv_severity_word(f->severity));
    json_key(json, "message"), put_message(json, f);
    json_key(json, "locations"), json_list(json, JSON_BLOCK);
    put_location(json, f);
    json_end(json);
    if (f->count > 1) json_key(json, "occurrenceCount"), json_integer(json, f->count);
    json_end(json);
    return true;
}

/* Closes the results and names the tool with the rules that had any. */
void sarif_end(Sarif *sarif) {
    Json *json = sarif->json;
    json_end(json);
    json_key(json, "tool"), json_map(json, JSON_BLOCK);
    json_key(json, "driver"), json_map(json, JSON_BLOCK);
    json_key(json, "name"), json_text(json, "zveno check");
    json_key(json, "version"), json_text(json, zv_version());
    json_key(json, "rules"), json_list(json, JSON_BLOCK);
    for (int i = 0; i < sarif->nrule; i++) {
        json_map(json, JSON_LINE);
        json_key(json, "id"), json_text(json, sarif->rules[i]);
        json_end(json);
        free(sarif->rules[i]);
    }
    for (int depth = 0; depth < 6; depth++) json_end(json); /* rules, driver, tool, run, runs, the whole */
}
