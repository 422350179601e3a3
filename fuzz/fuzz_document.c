/* YAML or JSON documents (state files): the tree is walked without recursion, every value asked in every way, before and
 * after parameters have been put in. */
#include <stdlib.h>
#include <string.h>

#include "target.h"
#include "zveno/document.h"

enum { WALK_LIMIT = 20000, STACK = 4096 }; /* shared aliases make the walk longer than the file */

static void ask(const zvNode *node) {
    static const char *const names[] = {"q", "v", "a", "tau"};
    zvError error = {0};
    double values[3], value;
    int integer;
    bool flag;
    const char *text;
    if (node->kind == ZV_NODE_MAP) {
        zv_node_only(node, "the state", names, 4, &error);
        for (int i = 0; i < node->count; i++)
            if (!zv_node_get(node, node->keys[i])) abort();
    }
    if (zv_node_number(node, "a number", &value, &error) >= 0 && !(value - value == 0)) abort();
    zv_node_integer(node, "an integer", &integer, &error);
    zv_node_bool(node, "a truth", &flag, &error);
    zv_node_text(node, "a text", &text, &error);
    zv_node_numbers(node, "a vector", 3, values, &error);
}

static void walk(const zvNode *root) {
    static const zvNode *stack[STACK];
    int depth = 0;
    if (root) stack[depth++] = root;
    for (int visited = 0; depth > 0 && visited < WALK_LIMIT; visited++) {
        const zvNode *node = stack[--depth];
        ask(node);
        if (node->kind == ZV_NODE_SCALAR) continue;
        for (int i = 0; i < node->count && depth < STACK; i++) stack[depth++] = node->items[i];
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    zvError error = {0};
    zvDocument *document = NULL;
    zvStatus status = zv_document_read_memory("fuzz.yaml", (const char *)data, size, &document, &error);
    if (status < 0 && (document || !error.text[0])) abort();
    if (status >= 0) walk(zv_document_root(document));
    if (status >= 0) {
        error = (zvError){0};
        status = zv_document_expand(document, &error);
        if (status < 0 && !error.text[0]) abort();
        if (status >= 0) walk(zv_document_root(document));
    }
    zv_document_destroy(document);
    return 0;
}
