/* Expansion of xacro into a plain tree: properties, arguments, macros with blocks, includes, conditionals, expressions.
 * Properties are evaluated where they are used, in the scope they stand in, as xacro does; parameters of macros at the
 * call. Everything that is done costs from one budget, so that a few lines cannot expand without end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/xacro_inside.h"

/* Where expanded elements go. */
typedef struct Output {
    ziXmlElement *parent, *last;
} Output;

static zvStatus expand_list(ziXacro *x, const ziXmlElement *first, bool alone, ziXacroScope *scope, Output *out);

static zvStatus no_memory(const ziXacro *x, const ziXmlElement *e) {
    return zv_fail(x->error, ZV_MEMORY, e->mark, e->name, "out of memory while expanding xacro");
}

/* Counts work; more than any robot needs is refused. */
static zvStatus spend(ziXacro *x, size_t work, const ziXmlElement *e) {
    x->spent += work;
    if (x->spent <= (size_t)ZI_XACRO_STEPS) return ZV_OK;
    return zv_fail(x->error, ZV_SIZE, e->mark, e->name,
                   "expected macros that end, found more than %zu steps of expansion; run xacro and read the result",
                   (size_t)ZI_XACRO_STEPS);
}

/* Directives ------------------------------------------------------------------------------------ */

static const char *attribute_of(const ziXmlElement *e, const char *name) {
    const ziXmlAttribute *a = zi_xml_attribute(e, name);
    return a ? a->value : NULL;
}

static zvStatus refuse(const ziXacro *x, const ziXmlElement *e, const char *fault) {
    if (x->starved) return no_memory(x, e);
    return zv_fail(x->error, ZV_NOT_SUPPORTED, e->mark, e->name,
                   "<%.60s>: expected something that can be expanded, but %s; run xacro first (xacro robot.xacro > "
                   "robot.urdf) and read the result",
                   e->name, fault);
}

static zvStatus need(ziXacro *x, const ziXmlElement *e, const char *name, const char **value) {
    char fault[96];
    *value = attribute_of(e, name);
    if (*value) return ZV_OK;
    snprintf(fault, sizeof fault, "it has no %s=\"...\"", name);
    return refuse(x, e, fault);
}

/* A copy with its attributes, text and children expanded. */
static zvStatus copy_element(ziXacro *x, const ziXmlElement *e, ziXacroScope *scope, Output *out) {
    ziXmlElement *copy = zi_arena_alloc(&x->arena, sizeof *copy);
    ziXmlAttribute *attributes = zi_arena_alloc(&x->arena, (size_t)e->nattribute * sizeof *attributes + 1);
    if (!copy || !attributes) return no_memory(x, e);
    *copy = *e;
    copy->first = copy->next = NULL;
    copy->attributes = attributes;
    for (int i = 0; i < e->nattribute; i++) {
        attributes[i] = e->attributes[i];
        attributes[i].value = zi_xacro_expand_text(x, e, e->attributes[i].value, scope);
        if (!attributes[i].value) return no_memory(x, e);
        if (attributes[i].value != e->attributes[i].value) attributes[i].raw = NULL;
    }
    copy->text = zi_xacro_expand_text(x, e, e->text, scope);
    if (!copy->text) return no_memory(x, e);
    if (out->last)
        out->last->next = copy;
    else
        out->parent->first = copy;
    out->last = copy;
    Output inside = {copy, NULL};
    if (++x->depth >= ZI_XML_DEPTH) return refuse(x, e, "elements are nested more than 64 deep");
    const zvStatus status = expand_list(x, e->first, false, scope, &inside);
    x->depth--;
    return status;
}

/* <xacro:property name value|default scope>, or with a block inside. */
static zvStatus define_property(ziXacro *x, const ziXmlElement *e, ziXacroScope *scope) {
    const char *name, *value = attribute_of(e, "value"), *where = attribute_of(e, "scope");
    zvStatus status = need(x, e, "name", &name);
    if (status != ZV_OK) return status;
    const char *fallback = attribute_of(e, "default");
    if (!value && fallback && zi_xacro_find(x, scope->symbols, name, strlen(name))) return ZV_OK;
    if (!value) value = fallback;
    ziXacroScope *target = scope;
    if (where && strcmp(where, "parent") == 0 && scope->outer) target = scope->outer;
    if (where && strcmp(where, "global") == 0) target = &x->global;
    ziXacroSymbol *s = zi_xacro_put(x, &target->symbols, name, strlen(name));
    if (!s) return no_memory(x, e);
    s->raw = value;
    s->is_block = !value;
    if (!value) s->block = e->first;
    if (!value || target == scope) return ZV_OK;
    s->raw = NULL;
    s->value = (ziExpressionValue){.kind = ZI_EXPRESSION_TEXT, .text = zi_xacro_expand_text(x, e, value, scope)};
    return s->value.text ? ZV_OK : no_memory(x, e);
}

/* <xacro:arg name default>: the first definition counts. */
static zvStatus define_arg(ziXacro *x, const ziXmlElement *e, ziXacroScope *scope) {
    const char *name, *value = attribute_of(e, "default");
    zvStatus status = need(x, e, "name", &name);
    if (status != ZV_OK || !value || zi_xacro_find(x, x->args, name, strlen(name))) return status;
    const char *text = zi_xacro_expand_text(x, e, value, scope);
    ziXacroSymbol *s = zi_xacro_put(x, &x->args, name, strlen(name));
    if (!s || !text) return no_memory(x, e);
    s->value = (ziExpressionValue){.kind = ZI_EXPRESSION_TEXT, .text = text};
    return ZV_OK;
}

static zvStatus define_macro(ziXacro *x, const ziXmlElement *e) {
    const char *name, *params = attribute_of(e, "params");
    const zvStatus status = need(x, e, "name", &name);
    if (status != ZV_OK) return status;
    if (strncmp(name, "xacro:", 6) == 0) name += 6;
    ziXacroMacro *macro = zi_arena_alloc(&x->arena, sizeof *macro);
    if (!macro) return no_memory(x, e);
    *macro = (ziXacroMacro){name, params ? params : "", e, x->macros};
    x->macros = macro;
    return ZV_OK;
}

/* <xacro:if value> or <xacro:unless value>. */
static zvStatus expand_condition(ziXacro *x, const ziXmlElement *e, bool wanted, ziXacroScope *scope, Output *out) {
    const char *text;
    char fault[ZI_EXPRESSION_FAULT] = "";
    ziExpressionValue value;
    zvStatus status = need(x, e, "value", &text);
    if (status != ZV_OK) return status;
    if (!zi_xacro_evaluate_text(x, e->mark.file, text, scope, &value, fault)) return refuse(x, e, fault);
    if (value.kind == ZI_EXPRESSION_TEXT) value = zi_expression_literal(value.text);
    if (value.kind == ZI_EXPRESSION_TEXT) return refuse(x, e, "its value is neither true nor false nor a number");
    return zi_expression_truth(&value) == wanted ? expand_list(x, e->first, false, scope, out) : ZV_OK;
}

/* The file beside the one that names it, unless the path is absolute. */
static char *path_beside(const char *file, const char *name) {
    const char *slash = strrchr(file, '/');
    const size_t folder = name[0] == '/' || !slash ? 0 : (size_t)(slash - file) + 1, length = strlen(name);
    char *path = malloc(folder + length + 1);
    if (!path) return NULL;
    memcpy(path, file, folder);
    memcpy(path + folder, name, length + 1);
    return path;
}

/* What stands in the included file takes the place of the directive. */
static zvStatus expand_include(ziXacro *x, const ziXmlElement *e, ziXacroScope *scope, Output *out) {
    const char *name;
    char fault[ZI_EXPRESSION_FAULT + 64] = "";
    ziExpressionValue value;
    zvStatus status = need(x, e, "filename", &name);
    if (status != ZV_OK) return status;
    if (attribute_of(e, "ns")) return refuse(x, e, "name spaces (ns) are not known here");
    if (!zi_xacro_evaluate_text(x, e->mark.file, name, scope, &value, fault)) return refuse(x, e, fault);
    if (value.kind != ZI_EXPRESSION_TEXT || !value.text[0]) return refuse(x, e, "its file name is none");
    if (x->includes == ZI_XACRO_INCLUDES) return refuse(x, e, "more than 256 files are included");
    char *path = path_beside(e->mark.file, value.text);
    const char *kept = path ? zv_builder_keep(x->builder, path) : NULL;
    free(path);
    if (!kept) return no_memory(x, e);
    zvError inner = {0};
    ziSource *source = &x->sources[x->includes];
    ziXml **xml = &x->included[x->includes];
    if (zi_source_load(kept, source, &inner) != ZV_OK) {
        snprintf(fault, sizeof fault, "its file cannot be read: %.100s (%.50s)", inner.text, kept);
        return refuse(x, e, fault);
    }
    x->includes++;
    status = zi_xml_read(kept, source->bytes, source->size, xml, x->error);
    if (status == ZV_OK) status = spend(x, source->size, e);
    if (status != ZV_OK || ++x->calls > ZI_XACRO_CALLS)
        return status != ZV_OK ? status : refuse(x, e, "files include each other more than 64 deep");
    status = expand_list(x, zi_xml_root(*xml)->first, false, scope, out);
    x->calls--;
    return status;
}

/* <xacro:insert_block name>: what a call or a property has put there. */
static zvStatus insert_block(ziXacro *x, const ziXmlElement *e, ziXacroScope *scope, Output *out) {
    const char *name;
    const zvStatus status = need(x, e, "name", &name);
    if (status != ZV_OK) return status;
    for (ziXacroScope *s = scope; s; s = s->outer) {
        const ziXacroSymbol *symbol = zi_xacro_find(x, s->symbols, name, strlen(name));
        if (!symbol || !symbol->is_block) continue;
        if (++x->calls > ZI_XACRO_CALLS) return refuse(x, e, "blocks insert each other more than 64 deep");
        const zvStatus inserted = expand_list(x, symbol->block, symbol->alone, s, out);
        x->calls--;
        return inserted;
    }
    return copy_element(x, e, scope, out); /* left as it stands, as calls of macros that nobody defines */
}

/* Calls of macros ------------------------------------------------------------------------------- */

/* The next parameter of a list: its name, and its default if there is one. Quotes may hold blanks. */
static bool next_param(const char **params, const char **name, size_t *length, const char **other, size_t *size) {
    const char *p = *params + strspn(*params, " \t\r\n");
    if (!*p) return false;
    *name = p;
    p += strcspn(p, " \t\r\n:=");
    *length = (size_t)(p - *name);
    *other = NULL;
    *size = 0;
    if (p[0] == ':' && p[1] == '=') p++;
    if (*p == '=') {
        *other = ++p;
        if (*p == '\'' || *p == '"') {
            const char *close = strchr(p + 1, *p);
            p = close ? close + 1 : p + strlen(p);
        } else {
            while (*p && !strchr(" \t\r\n", *p))
                p += *p == '$' && p[1] == '{' && strchr(p, '}') ? strchr(p, '}') - p : 1;
        }
        *size = (size_t)(p - *other);
    }
    *params = *p && p == *name ? p + 1 : p;
    return true;
}

/* A default: "^" takes the value of that name outside, "^|x" else x. */
static zvStatus use_default(ziXacro *x, const ziXmlElement *e, ziXacroScope *outer, ziXacroSymbol *s, const char *other,
                            size_t size) {
    char fault[ZI_EXPRESSION_FAULT] = "";
    if (size > 0 && other[0] == '^') {
        if (zi_xacro_look_up(x, e->mark.file, outer, s->name, &s->value, fault)) return ZV_OK;
        if (size < 2 || other[1] != '|') return refuse(x, e, fault);
        other += 2;
        size -= 2;
    }
    if (size >= 2 && strchr("'\"", other[0]) && other[size - 1] == other[0]) other++, size -= 2;
    const char *text = zi_xacro_keep(x, other, size);
    if (!text) return no_memory(x, e);
    return zi_xacro_evaluate_text(x, e->mark.file, text, outer, &s->value, fault) ? ZV_OK : refuse(x, e, fault);
}

/* A parameter from the attribute of the call, from its blocks, or from its default. */
static zvStatus bind(ziXacro *x, const ziXmlElement *e, ziXacroScope *outer, ziXacroScope *inner, const char *name,
                     size_t length, const char *other, size_t size, const ziXmlElement **block) {
    const size_t stars = strspn(name, "*") < length ? strspn(name, "*") : length;
    char word[96], fault[ZI_EXPRESSION_FAULT] = "";
    if (stars > 0 && !*block) return refuse(x, e, "it has fewer blocks inside than its macro wants");
    ziXacroSymbol *s = zi_xacro_put(x, &inner->symbols, name + stars, length - stars);
    if (!s) return no_memory(x, e);
    if (stars > 0) {
        s->is_block = true;
        s->block = stars > 1 ? (*block)->first : *block;
        s->alone = stars == 1;
        *block = (*block)->next;
        return ZV_OK;
    }
    const char *value = attribute_of(e, s->name);
    if (!value && other) return use_default(x, e, outer, s, other, size);
    snprintf(word, sizeof word, "the parameter \"%.60s\" is missing", s->name);
    if (!value) return refuse(x, e, word);
    return zi_xacro_evaluate_text(x, e->mark.file, value, outer, &s->value, fault) ? ZV_OK : refuse(x, e, fault);
}

/* Blocks of a call belong to the caller: they are expanded there, into a parent of their own. */
static zvStatus call_macro(ziXacro *x, const ziXmlElement *e, const ziXacroMacro *macro, ziXacroScope *outer,
                           Output *out) {
    ziXacroScope inner = {.outer = outer};
    ziXmlElement *holder = zi_arena_alloc(&x->arena, sizeof *holder);
    if (!holder) return no_memory(x, e);
    if (++x->calls > ZI_XACRO_CALLS) return refuse(x, e, "macros call each other more than 64 deep");
    Output blocks = {holder, NULL};
    zvStatus status = expand_list(x, e->first, false, outer, &blocks);
    const char *params = macro->params, *name, *other;
    const ziXmlElement *block = holder->first;
    size_t length, size;
    while (status == ZV_OK && next_param(&params, &name, &length, &other, &size)) {
        status = bind(x, e, outer, &inner, name, length, other, size, &block);
        if (status == ZV_OK) status = spend(x, 1, e);
    }
    if (status == ZV_OK) status = expand_list(x, macro->element->first, false, &inner, out);
    x->calls--;
    return status;
}

static const ziXacroMacro *find_macro(ziXacro *x, const char *name) {
    for (const ziXacroMacro *m = x->macros; m; m = m->next) {
        x->spent++;
        if (strcmp(m->name, name) == 0) return m;
    }
    return NULL;
}

/* One element by what it is; calls of unknown macros stay. */
static zvStatus expand_one(ziXacro *x, const ziXmlElement *e, ziXacroScope *scope, Output *out) {
    const char *word = strncmp(e->name, "xacro:", 6) == 0 ? e->name + 6 : NULL;
    if (!word) return copy_element(x, e, scope, out);
    if (strcmp(word, "property") == 0) return define_property(x, e, scope);
    if (strcmp(word, "arg") == 0) return define_arg(x, e, scope);
    if (strcmp(word, "macro") == 0) return define_macro(x, e);
    if (strcmp(word, "if") == 0) return expand_condition(x, e, true, scope, out);
    if (strcmp(word, "unless") == 0) return expand_condition(x, e, false, scope, out);
    if (strcmp(word, "include") == 0) return expand_include(x, e, scope, out);
    if (strcmp(word, "insert_block") == 0) return insert_block(x, e, scope, out);
    if (strcmp(word, "call") == 0 && attribute_of(e, "macro"))
        word = zi_xacro_expand_text(x, e, attribute_of(e, "macro"), scope);
    const ziXacroMacro *macro = word ? find_macro(x, word) : NULL;
    return macro ? call_macro(x, e, macro, scope, out) : copy_element(x, e, scope, out);
}

/* A list of siblings, or the first alone. */
static zvStatus expand_list(ziXacro *x, const ziXmlElement *first, bool alone, ziXacroScope *scope, Output *out) {
    zvStatus status = ZV_OK;
    if (first && ++x->levels > ZI_XACRO_LEVELS) return refuse(x, first, "elements are nested too deep");
    for (const ziXmlElement *e = first; e && status == ZV_OK; e = alone ? NULL : e->next) {
        status = spend(x, 1, e);
        if (status == ZV_OK) status = expand_one(x, e, scope, out);
    }
    if (first) x->levels--;
    return status;
}

/* Elements of xacro, or expressions anywhere; comments are no part of the tree. */
bool zi_xacro_wanted(const ziXmlElement *root) {
    const ziXmlElement *later[ZI_XML_DEPTH];
    int depth = 0;
    for (const ziXmlElement *e = root; e;) {
        if (strncmp(e->name, "xacro:", 6) == 0) return true;
        for (int i = 0; i < e->nattribute; i++)
            if (strstr(e->attributes[i].value, "${") || strstr(e->attributes[i].value, "$(")) return true;
        if (strstr(e->text, "${") || strstr(e->text, "$(")) return true;
        if (e->first) later[depth++] = e == root ? NULL : e->next;
        e = e->first ? e->first : e == root ? NULL : e->next;
        while (!e && depth > 0) e = later[--depth];
    }
    return false;
}

/* The root itself is copied, so that its attributes are expanded as well. */
zvStatus zi_xacro_expand(zvBuilder *builder, const ziXmlElement *root, const ziXmlElement **expanded, const char **left,
                         ziXacro **xacro, zvError *error) {
    ziXacro *x = *xacro = calloc(1, sizeof *x);
    if (!x) return zv_fail(error, ZV_MEMORY, root->mark, "", "out of memory while expanding xacro");
    x->builder = builder;
    x->error = error;
    ziXmlElement *holder = zi_arena_alloc(&x->arena, sizeof *holder);
    if (!holder) return no_memory(x, root);
    Output out = {holder, NULL};
    const zvStatus status = copy_element(x, root, &x->global, &out);
    *expanded = holder->first;
    *left = x->left;
    return status;
}

void zi_xacro_destroy(ziXacro *x) {
    if (!x) return;
    for (int i = 0; i < x->includes; i++) {
        zi_xml_destroy(x->included[i]);
        zi_source_free(&x->sources[i]);
    }
    zi_arena_free(&x->arena);
    free(x);
}
