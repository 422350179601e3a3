#include "codegen/emit_name.h"

#include <string.h>

static bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool digit(char c) { return c >= '0' && c <= '9'; }

/* Names of the library, to which the harness links; words of C; and headers that the files include: NAME.h would stand
 * in front of them. */
static bool reserved(const char *name) {
    static const char *const words[] = {"auto",     "break",    "case",   "char",     "const",  "continue", "default",
                                        "do",       "double",   "else",   "enum",     "extern", "float",    "for",
                                        "goto",     "if",       "inline", "int",      "long",   "math",     "register",
                                        "restrict", "return",   "short",  "signed",   "sizeof", "static",   "stdint",
                                        "stdio",    "stdlib",   "string", "struct",   "switch", "time",     "typedef",
                                        "union",    "unsigned", "void",   "volatile", "while",  "zv"};
    if (!strncmp(name, "zv_", 3)) return true;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strcmp(name, words[i])) return true;
    return false;
}

static zvStatus take(const char *given, char *name, zvError *error) {
    const size_t length = strlen(given);
    size_t good = 0;
    while (letter(given[good]) || digit(given[good]) || given[good] == '_') good++;
    if (reserved(given))
        return zv_fail(
            error, ZV_NAME, (zvMark){0}, given,
            "\"%.80s\" cannot begin the names of C functions: zv and zv_... belong to the library, others are "
            "words or headers of C; take another name",
            given);
    if (letter(given[0]) && good == length && length < ZI_NAME_ROOM) {
        memcpy(name, given, length + 1);
        return ZV_OK;
    }
    return zv_fail(error, ZV_NAME, (zvMark){0}, given,
                   "\"%.80s\" cannot begin the names of C functions; take a letter, then letters, digits and "
                   "underscores, %d at most",
                   given, ZI_NAME_ROOM - 1);
}

zvStatus zi_code_name(const zvModel *model, const zvGenerateOptions *options, char name[ZI_NAME_ROOM], zvError *error) {
    if (options->name) return take(options->name, name, error);
    size_t length = 0;
    for (const char *c = zv_model_name(model); c && *c && length < ZI_NAME_ROOM - 1; c++) {
        const bool plain = letter(*c) || digit(*c);
        if (!plain && (!length || name[length - 1] == '_')) continue;
        if (!length && digit(*c)) name[length++] = 'r';
        name[length++] = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : plain ? *c : '_';
    }
    while (length && name[length - 1] == '_') length--;
    name[length] = '\0';
    if (!length) strcpy(name, "robot");
    if (reserved(name)) {
        memmove(name + 1, name, ZI_NAME_ROOM - 1);
        name[0] = 'r', name[ZI_NAME_ROOM - 1] = '\0';
    }
    return ZV_OK;
}
