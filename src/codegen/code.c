#define _POSIX_C_SOURCE 200809L
#include "codegen/code.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "zveno/record.h"

/* Space for size bytes more; false when there is none. */
static bool reserve(ziCode *code, size_t size) {
    if (code->failed) return false;
    if (code->size + size <= code->capacity) return true;
    size_t capacity = code->capacity ? code->capacity : 4096;
    while (capacity < code->size + size) capacity *= 2;
    char *bytes = realloc(code->bytes, capacity);
    code->failed = !bytes;
    if (!bytes) return false;
    code->bytes = bytes;
    code->capacity = capacity;
    return true;
}

static void append_bytes(ziCode *code, const char *bytes, size_t size) {
    if (!reserve(code, size)) return;
    memcpy(code->bytes + code->size, bytes, size);
    code->size += size;
}

void zi_code_puts(ziCode *code, const char *string) { append_bytes(code, string, strlen(string)); }

void zi_code_append(ziCode *code, const ziCode *more) {
    if (more->size) append_bytes(code, more->bytes, more->size);
    code->failed |= more->failed;
    code->beyond |= more->beyond;
}

/* Formats in place; only what is longer than usual is formatted twice. */
void zi_code(ziCode *code, const char *format, ...) {
    enum { FIRST = 256 };
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    if (reserve(code, FIRST)) {
        const int length = vsnprintf(code->bytes + code->size, FIRST, format, list);
        if (length >= FIRST && reserve(code, (size_t)length + 1))
            vsnprintf(code->bytes + code->size, (size_t)length + 1, format, again);
        if (length < 0) code->failed = true;
        if (!code->failed) code->size += (size_t)length;
    }
    va_end(again);
    va_end(list);
}

void zi_code_pattern(ziCode *code, const char *pattern, const char *name) {
    for (;;) {
        const size_t length = strcspn(pattern, "@");
        append_bytes(code, pattern, length);
        if (!pattern[length]) return;
        zi_code_puts(code, name);
        pattern += length + 1;
    }
}

/* The fewest digits that read back. Both conversions go by the same locale. */
static void digits(char *word, size_t size, double value, bool single) {
    for (int precision = single ? 6 : 15; precision <= 17; precision++) {
        snprintf(word, size, "%.*g", precision, value);
        if (single ? strtof(word, NULL) == (float)value : strtod(word, NULL) == value) return;
    }
}

/* The decimal point of the locale becomes a point, and whole numbers get one: 3 would be an int. */
void zi_code_number(ziCode *code, double value) {
    char word[64], plain[64];
    if (code->single) value = (double)(float)value;
    if (!isfinite(value)) {
        code->beyond = true;
        return;
    }
    digits(word, sizeof word, value, code->single);
    size_t length = 0;
    bool fraction = false;
    for (const char *c = word; *c; c++) {
        const bool known = (*c >= '0' && *c <= '9') || *c == 'e' || *c == '-' || *c == '+';
        if (!known && fraction) continue; /* a decimal point of several bytes */
        fraction |= !known || *c == 'e';
        plain[length++] = known ? *c : '.';
    }
    plain[length] = '\0';
    zi_code(code, "%s%s%s", plain, fraction ? "" : ".0", code->single ? "f" : "");
}

/* Length of the well-formed UTF-8 character at s, 1 for ASCII; 0: none. Values above U+FFFF are not needed here. */
static int character(const unsigned char *s, unsigned *point) {
    *point = s[0];
    if (s[0] < 0x80) return 1;
    if (s[0] >= 0xC2 && s[0] < 0xE0 && (s[1] & 0xC0) == 0x80) return *point = (s[0] & 0x1Fu) << 6 | (s[1] & 0x3Fu), 2;
    if ((s[0] & 0xF0) != 0xE0 || (s[1] & 0xC0) != 0x80 || (s[2] & 0xC0) != 0x80) return 0;
    *point = (s[0] & 0x0Fu) << 12 | (s[1] & 0x3Fu) << 6 | (s[2] & 0x3Fu);
    return *point >= 0x800 && (*point < 0xD800 || *point >= 0xE000) ? 3 : 0;
}

/* Characters that could end the comment or steer a terminal become underscores. */
void zi_code_remark(ziCode *code, const char *name) {
    for (const unsigned char *s = (const unsigned char *)name; *s;) {
        unsigned point;
        const int length = character(s, &point);
        const bool steers = point < 0x20 || (point >= 0x7F && point < 0xA0) || (point >= 0x2000 && point < 0x2070) ||
                            point == 0xFEFF || point == 0x61C;
        /* a star may end the comment, a backslash or a trigraph may splice its lines */
        if (!length || steers || point == '*' || point == '\\' || point == '?')
            append_bytes(code, "_", 1);
        else
            append_bytes(code, (const char *)s, (size_t)length);
        s += length ? length : 1;
    }
}

void zi_code_string(ziCode *code, const char *string) {
    zi_code_puts(code, "\"");
    for (const unsigned char *s = (const unsigned char *)string; *s; s++) {
        if (*s < 0x20 || *s >= 0x7F || *s == '"' || *s == '\\' || *s == '?')
            zi_code(code, "\\%03o", *s);
        else
            append_bytes(code, (const char *)s, 1);
    }
    zi_code_puts(code, "\"");
}

void zi_code_free(ziCode *code) {
    free(code->bytes);
    *code = (ziCode){0};
}

static bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool digit(char c) { return c >= '0' && c <= '9'; }

static bool is_among(const char *name, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(name, words[i])) return true;
    return false;
}

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
    return is_among(name, words, sizeof words / sizeof *words);
}

bool zi_is_python_word(const char *name) {
    static const char *const words[] = {"False",  "None",   "True",    "and",      "as",       "assert", "async",
                                        "await",  "break",  "class",   "continue", "def",      "del",    "elif",
                                        "else",   "except", "finally", "for",      "from",     "global", "if",
                                        "import", "in",     "is",      "lambda",   "nonlocal", "not",    "or",
                                        "pass",   "raise",  "return",  "try",      "while",    "with",   "yield"};
    return is_among(name, words, sizeof words / sizeof *words);
}

/* Words of Python, which no import takes, and modules that SymPy imports: NAME.py would stand in front of them. */
static bool no_module(const char *name) {
    static const char *const modules[] = {
        "abc",         "array",     "ast",         "atexit",    "binascii",   "bisect",    "builtins",  "bz2",
        "cmath",       "codecs",    "collections", "colorsys",  "contextlib", "copy",      "copyreg",   "ctypes",
        "decimal",     "dis",       "encodings",   "enum",      "errno",      "fcntl",     "fnmatch",   "fractions",
        "functools",   "gc",        "genericpath", "importlib", "inspect",    "io",        "ipaddress", "itertools",
        "keyword",     "linecache", "locale",      "logging",   "lzma",       "marshal",   "math",      "mpmath",
        "ntpath",      "numbers",   "opcode",      "operator",  "os",         "pathlib",   "platform",  "posix",
        "posixpath",   "random",    "re",          "reprlib",   "select",     "selectors", "shutil",    "signal",
        "site",        "stat",      "string",      "struct",    "subprocess", "sympy",     "sys",       "tempfile",
        "textwrap",    "threading", "time",        "timeit",    "token",      "tokenize",  "types",     "typing",
        "unicodedata", "urllib",    "warnings",    "weakref",   "zipfile",    "zipimport", "zlib"};
    return zi_is_python_word(name) || is_among(name, modules, sizeof modules / sizeof *modules);
}

/* The name a user asked for, as it is or not at all. */
static zvStatus take_given(const char *given, bool python, char *name, zvError *error) {
    const size_t length = strlen(given);
    size_t good = 0;
    while (letter(given[good]) || digit(given[good]) || given[good] == '_') good++;
    if (python && no_module(given))
        return zv_fail(
            error, ZV_NAME, (zvMark){0}, given,
            "expected a name that Python can import, found \"%.80s\", a word of Python or a module that SymPy "
            "needs; take another name, as %.80s_arm",
            given, given);
    if (reserved(given))
        return zv_fail(
            error, ZV_NAME, (zvMark){0}, given,
            "\"%.80s\" cannot begin the names of C functions: zv and zv_... belong to the library, others are "
            "words or headers of C; take another name",
            given);
    if (letter(given[0]) && good == length && length < ZI_NAME_SIZE) {
        memcpy(name, given, length + 1);
        return ZV_OK;
    }
    return zv_fail(error, ZV_NAME, (zvMark){0}, given,
                   "\"%.80s\" cannot begin the names of C functions; take a letter, then letters, digits and "
                   "underscores, %d at most",
                   given, ZI_NAME_SIZE - 1);
}

/* Of the model's name letters and digits are kept, in lower case, and what is between becomes underscores. */
zvStatus zi_code_name(const zvModel *model, const zvCodegenOptions *options, char name[ZI_NAME_SIZE], zvError *error) {
    const bool python = options->language == ZV_LANGUAGE_SYMPY;
    if (options->name) return take_given(options->name, python, name, error);
    size_t length = 0;
    for (const char *c = zv_model_name(model); c && *c && length < ZI_NAME_SIZE - 1; c++) {
        const bool plain = letter(*c) || digit(*c);
        if (!plain && (!length || name[length - 1] == '_')) continue;
        if (!length && digit(*c)) name[length++] = 'r';
        name[length++] = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : plain ? *c : '_';
    }
    while (length && name[length - 1] == '_') length--;
    name[length] = '\0';
    if (!length) strcpy(name, "robot");
    if (reserved(name) || (python && no_module(name))) {
        memmove(name + 1, name, ZI_NAME_SIZE - 1);
        name[0] = 'r', name[ZI_NAME_SIZE - 1] = '\0';
    }
    return ZV_OK;
}

/* A directory that is there already is as good as a new one. */
zvStatus zi_code_directory(const char *directory, zvError *error) {
    const zvMark mark = {directory, 0, 0};
    struct stat info;
    if (mkdir(directory, 0777) == 0) return ZV_OK;
    const int reason = errno;
    if (stat(directory, &info) != 0)
        return zv_fail(error, ZV_IO, mark, directory, "the directory could not be made: %s; check the path",
                       reason == ENOENT    ? "the one it would lie in does not exist"
                       : reason == EACCES  ? "no permission"
                       : reason == ENOTDIR ? "a file stands in the way"
                       : reason == EROFS   ? "the disk is read-only"
                                           : "the system refused");
    if (S_ISDIR(info.st_mode)) return ZV_OK;
    return zv_fail(error, ZV_IO, mark, directory, "this is a file, not a directory; name another place");
}

/* The name in the summary is that of a file that is complete. */
zvStatus zi_code_file(const ziCode *code, const char *directory, const char *name, const char *ending,
                      zvCodegenSummary *summary, zvError *error) {
    char *file = summary->files[summary->file_count];
    const size_t capacity = sizeof summary->files[0], length = strlen(directory) + strlen(name) + strlen(ending) + 2;
    char *path = malloc(length);
    if (code->failed || !path) {
        free(path);
        return zv_fail(error, ZV_MEMORY, (zvMark){0}, name, "out of memory; generate fewer functions");
    }
    snprintf(path, length, "%s/%s%s", directory, name, ending);
    const zvStatus status = zv_output_write(path, code->bytes, code->size, error);
    free(path);
    if (status < 0) return status;
    snprintf(file, capacity, "%s%s", name, ending);
    summary->file_count++;
    summary->bytes += (long long)code->size;
    return ZV_OK;
}
