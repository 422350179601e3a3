/* Names and texts of xacro: properties in their scopes, ${...} and $(...) in attributes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/package.h"
#include "read/xacro_inside.h"

const char *zi_xacro_keep(ziXacro *x, const char *text, size_t length) {
    char *copy = zi_arena_alloc(&x->arena, length + 1);
    x->spent += length;
    x->starved |= !copy;
    return copy ? memcpy(copy, text, length) : NULL;
}

/* Symbols --------------------------------------------------------------------------------------- */

ziXacroSymbol *zi_xacro_find(ziXacro *x, ziXacroSymbol *list, const char *name, size_t length) {
    for (ziXacroSymbol *s = list; s; s = s->next) {
        x->spent++;
        if (strncmp(s->name, name, length) == 0 && s->name[length] == '\0') return s;
    }
    return NULL;
}

ziXacroSymbol *zi_xacro_put(ziXacro *x, ziXacroSymbol **list, const char *name, size_t length) {
    ziXacroSymbol *s = zi_xacro_find(x, *list, name, length);
    if (s) {
        *s = (ziXacroSymbol){.name = s->name, .next = s->next, .busy = s->busy};
        return s;
    }
    s = zi_arena_alloc(&x->arena, sizeof *s);
    if (!s || !(s->name = zi_xacro_keep(x, name, length))) return NULL;
    s->next = *list;
    return *list = s;
}

/* Who looks a name up. */
typedef struct Asker {
    ziXacro *x;
    ziXacroScope *scope;
    const char *file;
} Asker;

/* A property in its own scope; one that needs itself has no value. */
static bool look_up(void *context, const char *name, size_t length, ziExpressionValue *value,
                    char fault[ZI_EXPRESSION_FAULT]) {
    const Asker *asker = context;
    ziXacro *x = asker->x;
    ziXacroSymbol *s = NULL;
    ziXacroScope *scope = asker->scope;
    for (; scope && !s; scope = s ? scope : scope->outer) s = zi_xacro_find(x, scope->symbols, name, length);
    if (!s || s->is_block) {
        snprintf(fault, ZI_EXPRESSION_FAULT, "\"%.*s\" is not defined", (int)(length < 60 ? length : 60), name);
        return false;
    }
    if (s->raw) {
        if (s->busy || x->depth > ZI_XACRO_CALLS || x->spent > ZI_XACRO_STEPS) {
            snprintf(fault, ZI_EXPRESSION_FAULT, "\"%.60s\" is defined by itself", s->name);
            return false;
        }
        s->busy = true;
        x->depth++;
        const bool known = zi_xacro_evaluate_text(x, asker->file, s->raw, scope, value, fault);
        x->depth--;
        s->busy = false;
        if (!known) return false;
    } else {
        *value = s->value;
    }
    if (value->kind == ZI_EXPRESSION_TEXT) *value = zi_expression_literal(value->text);
    const size_t text = value->kind == ZI_EXPRESSION_TEXT ? strlen(value->text) : 0;
    if (text >= 2 && strchr("'\"", value->text[0]) && value->text[text - 1] == value->text[0])
        value->text = zi_xacro_keep(x, value->text + 1, text - 2);
    if (value->kind != ZI_EXPRESSION_TEXT || value->text) return true;
    snprintf(fault, ZI_EXPRESSION_FAULT, "out of memory");
    return false;
}

static const char *keep_for(void *context, const char *text, size_t length) {
    const Asker *asker = context;
    return zi_xacro_keep(asker->x, text, length);
}

/* $(...) ---------------------------------------------------------------------------------------- */

static bool is_command(const char *text, size_t length, const char *word, const char **rest) {
    const size_t n = strlen(word);
    if (length < n || memcmp(text, word, n) != 0 || (length > n && !strchr(" \t", text[n]))) return false;
    *rest = text + n;
    while (*rest < text + length && strchr(" \t", **rest)) (*rest)++;
    return true;
}

static bool set_text(ziXacro *x, const char *text, size_t length, ziExpressionValue *value, char *fault) {
    *value = (ziExpressionValue){.kind = ZI_EXPRESSION_TEXT, .text = zi_xacro_keep(x, text, length)};
    if (!value->text) snprintf(fault, ZI_EXPRESSION_FAULT, "out of memory");
    return value->text != NULL;
}

/* find, arg, env, optenv, dirname, eval. */
static bool run_command(ziXacro *x, const char *file, const char *text, size_t length, const ziExpressionNames *names,
                        ziExpressionValue *value, char fault[ZI_EXPRESSION_FAULT]) {
    const char *rest, *end = text + length;
    while (end > text && strchr(" \t", end[-1])) end--;
    length = (size_t)(end - text);
    const int shown = (int)(length < 80 ? length : 80);
    if (is_command(text, length, "eval", &rest))
        return zi_expression_evaluate(rest, (size_t)(end - rest), names, value, fault);
    if (is_command(text, length, "find", &rest)) {
        char *folder = zi_package_find(x->builder, file, rest, (size_t)(end - rest));
        const bool found = folder && set_text(x, folder, strlen(folder), value, fault);
        if (!folder)
            snprintf(fault, ZI_EXPRESSION_FAULT,
                     "the package \"%.*s\" is in no folder around the file; --package NAME=DIR tells where it is",
                     (int)(end - rest < 60 ? end - rest : 60), rest);
        free(folder);
        return found;
    }
    if (is_command(text, length, "arg", &rest)) {
        const ziXacroSymbol *arg = zi_xacro_find(x, x->args, rest, (size_t)(end - rest));
        if (arg) *value = arg->value;
        if (!arg) snprintf(fault, ZI_EXPRESSION_FAULT, "the argument of $(%.*s) has no default", shown, text);
        return arg != NULL;
    }
    if (is_command(text, length, "optenv", &rest) || is_command(text, length, "env", &rest)) {
        const size_t word = strcspn(rest, " \t)");
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)(word < 127 ? word : 127), rest);
        const char *found = getenv(name), *other = rest + word + strspn(rest + word, " \t");
        if (found) return set_text(x, found, strlen(found), value, fault);
        if (text[0] == 'o')
            return set_text(x, other < end ? other : "", other < end ? (size_t)(end - other) : 0, value, fault);
        snprintf(fault, ZI_EXPRESSION_FAULT, "the environment variable \"%.60s\" is not set", name);
        return false;
    }
    if (is_command(text, length, "dirname", &rest)) {
        const char *slash = strrchr(file, '/');
        return slash ? set_text(x, file, (size_t)(slash - file), value, fault) : set_text(x, ".", 1, value, fault);
    }
    snprintf(fault, ZI_EXPRESSION_FAULT, "$(%.*s) is not known here", shown, text);
    return false;
}

/* Texts ----------------------------------------------------------------------------------------- */

typedef struct Joined {
    char *bytes;
    size_t length, capacity;
} Joined;

/* Appends; the room doubles. */
static bool put_joined(Joined *text, const char *piece, size_t length) {
    if (text->length + length + 1 > text->capacity) {
        const size_t capacity = 2 * (text->length + length) + 64;
        char *larger = realloc(text->bytes, capacity);
        if (!larger) return false;
        text->bytes = larger;
        text->capacity = capacity;
    }
    memcpy(text->bytes + text->length, piece, length);
    text->length += length;
    text->bytes[text->length] = '\0';
    return true;
}

/* The next ${...} or $(...) in text, or NULL; *inside and *length are what it holds, *end is behind it. */
static const char *next_piece(const char *text, const char **inside, size_t *length, const char **end) {
    for (const char *p = strchr(text, '$'); p; p = strchr(p + 1, '$')) {
        if (p[1] == '$' && (p[2] == '{' || p[2] == '(')) {
            *inside = NULL;
            *end = p + 2;
            return p;
        }
        const char *close = p[1] == '{' ? strchr(p, '}') : p[1] == '(' ? strchr(p, ')') : NULL;
        if (!close) continue;
        *inside = p + 2;
        *length = (size_t)(close - *inside);
        *end = close + 1;
        return p;
    }
    return NULL;
}

/* A text with its expressions replaced; one that is a single expression keeps its kind. */
bool zi_xacro_evaluate_text(ziXacro *x, const char *file, const char *text, ziXacroScope *scope,
                            ziExpressionValue *value, char fault[ZI_EXPRESSION_FAULT]) {
    Asker asker = {x, scope, file};
    const ziExpressionNames names = {look_up, keep_for, &asker, false};
    Joined joined = {0};
    const char *inside = NULL, *end = text, *at, *rest = text;
    size_t length = 0;
    bool good = true;
    x->spent += strlen(text) + 1;
    *value = (ziExpressionValue){.kind = ZI_EXPRESSION_TEXT, .text = text};
    while (good && (at = next_piece(rest, &inside, &length, &end))) {
        char buffer[40];
        ziExpressionValue part = {.kind = ZI_EXPRESSION_TEXT, .text = "$"}; /* of "$${" */
        if (inside && at[1] == '{') good = zi_expression_evaluate(inside, length, &names, &part, fault);
        if (inside && at[1] == '(') good = run_command(x, file, inside, length, &names, &part, fault);
        if (good && at == text && *end == '\0' && inside) {
            *value = part;
            free(joined.bytes);
            return true;
        }
        const char *word = good ? zi_expression_text(&part, buffer) : "";
        if (good && !(put_joined(&joined, rest, (size_t)(at - rest)) && put_joined(&joined, word, strlen(word)))) {
            snprintf(fault, ZI_EXPRESSION_FAULT, "out of memory");
            x->starved = true;
            good = false;
        }
        rest = end;
    }
    if (good && joined.bytes) {
        good = put_joined(&joined, rest, strlen(rest)) && set_text(x, joined.bytes, joined.length, value, fault);
        x->starved |= !good;
    }
    free(joined.bytes);
    return good;
}

/* The same as a text. What has no value stays as it stands, and the first reason is kept. */
const char *zi_xacro_expand_text(ziXacro *x, const ziXmlElement *e, const char *text, ziXacroScope *scope) {
    ziExpressionValue value;
    char fault[ZI_EXPRESSION_FAULT] = "", buffer[40];
    if (!strchr(text, '$')) return text;
    if (!zi_xacro_evaluate_text(x, e->mark.file, text, scope, &value, fault)) {
        if (!x->left) x->left = zi_xacro_keep(x, fault, strlen(fault));
        return x->starved ? NULL : text;
    }
    const char *word = zi_expression_text(&value, buffer);
    return word == buffer ? zi_xacro_keep(x, word, strlen(word)) : word;
}

bool zi_xacro_look_up(ziXacro *x, const char *file, ziXacroScope *scope, const char *name, ziExpressionValue *value,
                      char fault[ZI_EXPRESSION_FAULT]) {
    const Asker asker = {x, scope, file};
    return look_up((void *)&asker, name, strlen(name), value, fault);
}
