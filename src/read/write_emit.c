/* The YAML stream of the writer (write.h). */
#include "read/write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void zi_emit_begin(ziEmitter *emitter, zvTextSink sink, void *context, zvError *error) {
    *emitter = (ziEmitter){.sink = sink, .context = context, .error = error, .kind = "robot", .name = ""};
}

void zi_emit_about(ziEmitter *emitter, const char *kind, const char *name, zvMark mark) {
    emitter->kind = kind;
    emitter->name = name ? name : "";
    emitter->mark = mark;
}

static void flush(ziEmitter *emitter) {
    if (emitter->status < 0 || emitter->used == 0) return;
    if (!emitter->sink(emitter->context, emitter->buffer, emitter->used)) {
        emitter->status = zv_fail(emitter->error, ZV_IO, (zvMark){0}, "",
                                  "the description could not be written to its end; the receiver stopped");
    }
    emitter->used = 0;
}

zvStatus zi_emit_end(ziEmitter *emitter) {
    zi_emit_raw(emitter, "\n");
    flush(emitter);
    return emitter->status;
}

static void emit_bytes(ziEmitter *emitter, const char *bytes, size_t size) {
    while (size > 0 && emitter->status >= 0) {
        size_t space = sizeof emitter->buffer - emitter->used;
        size_t part = size < space ? size : space;
        memcpy(emitter->buffer + emitter->used, bytes, part);
        emitter->used += part;
        bytes += part;
        size -= part;
        if (emitter->used == sizeof emitter->buffer) flush(emitter);
    }
}

void zi_emit_raw(ziEmitter *emitter, const char *text) { emit_bytes(emitter, text, strlen(text)); }

/* Layout ------------------------------------------------------------------------------------------ */

static void new_line(ziEmitter *emitter, int column) {
    zi_emit_raw(emitter, "\n");
    for (int i = 0; i < column; i++) zi_emit_raw(emitter, " ");
}

static void before_key(ziEmitter *emitter) {
    if (emitter->flow > 0) {
        zi_emit_raw(emitter, emitter->fresh ? "" : ", ");
    } else if (emitter->fresh) {
        zi_emit_raw(emitter, " ");
    } else {
        new_line(emitter, emitter->indent);
    }
    emitter->fresh = false;
}

void zi_emit_key(ziEmitter *emitter, const char *key) {
    before_key(emitter);
    zi_emit_raw(emitter, key);
    zi_emit_raw(emitter, ":");
}

void zi_emit_list_begin(ziEmitter *emitter, const char *key) {
    zi_emit_key(emitter, key);
    emitter->indent += 4;
}

void zi_emit_item(ziEmitter *emitter) {
    new_line(emitter, emitter->indent - 2);
    zi_emit_raw(emitter, "-");
    emitter->fresh = true;
}

void zi_emit_list_end(ziEmitter *emitter) {
    emitter->indent -= 4;
    emitter->fresh = false;
}

void zi_emit_map_begin(ziEmitter *emitter, const char *key) {
    zi_emit_key(emitter, key);
    emitter->indent += 2;
}

void zi_emit_map_end(ziEmitter *emitter) { emitter->indent -= 2; }

void zi_emit_open(ziEmitter *emitter) {
    zi_emit_raw(emitter, " {");
    emitter->flow++;
    emitter->fresh = true;
}

void zi_emit_close(ziEmitter *emitter) {
    zi_emit_raw(emitter, "}");
    emitter->flow--;
    emitter->fresh = false;
}

/* Texts ------------------------------------------------------------------------------------------- */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_plain(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '/'; }

/* Words that some YAML reader takes for a truth value, nothing or a number. */
static bool is_special_word(const char *text) {
    static const char *const words[] = {"true", "false", "yes",  "no",  "on",  "off",
                                        "y",    "n",     "null", "inf", "nan", "infinity"};
    if (strncmp(text, "pi", 2) == 0) return true;
    char lower[12] = "";
    for (size_t i = 0; text[i]; i++) {
        if (i + 1 >= sizeof lower) return false;
        lower[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a') : text[i];
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(lower, words[i]) == 0) return true;
    }
    return false;
}

static bool needs_quotes(const char *text) {
    if (!is_letter(text[0])) return true;
    for (const char *c = text; *c; c++) {
        if (!is_plain(*c)) return true;
    }
    return is_special_word(text);
}

/* Length of the UTF-8 character at text and its code, or 0 when the bytes are not UTF-8. */
static int decode(const unsigned char *text, unsigned *code) {
    static const unsigned least[5] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = text[0];
    int length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
    if (length == 0) return 0;
    *code = length == 1 ? first : first & (0x7Fu >> length);
    for (int i = 1; i < length; i++) {
        if (text[i] >> 6 != 2) return 0;
        *code = *code << 6 | (text[i] & 0x3Fu);
    }
    bool surrogate = *code >= 0xD800 && *code <= 0xDFFF;
    return *code < least[length] || *code > 0x10FFFF || surrogate ? 0 : length;
}

/* Characters that YAML does not allow, or that an editor would not show. */
static bool needs_escape(unsigned code) {
    return code < 0x20 || (code >= 0x7F && code <= 0xA0) || code == 0x2028 || code == 0x2029 || code == 0xFEFF ||
           code == 0xFFFE || code == 0xFFFF;
}

/* Double quotes, in which every text can be written but what is not UTF-8. */
static void put_quoted(ziEmitter *emitter, const char *text) {
    char escape[16];
    int length;
    zi_emit_raw(emitter, "\"");
    for (const char *c = text; *c; c += length) {
        unsigned code = 0;
        length = decode((const unsigned char *)c, &code);
        if (length == 0) {
            if (emitter->status < 0) return;
            emitter->status = zv_fail(emitter->error, ZV_NAME, emitter->mark, text,
                                      "a text of %s \"%.60s\" is not UTF-8 and cannot be written; rename it",
                                      emitter->kind, emitter->name);
            return;
        }
        if (needs_escape(code)) {
            snprintf(escape, sizeof escape, "\\u%04X", code);
            zi_emit_raw(emitter, escape);
        } else {
            if (code == '"' || code == '\\') zi_emit_raw(emitter, "\\");
            emit_bytes(emitter, c, (size_t)length);
        }
    }
    zi_emit_raw(emitter, "\"");
}

void zi_emit_word(ziEmitter *emitter, const char *word) {
    zi_emit_raw(emitter, " ");
    zi_emit_raw(emitter, word);
}

static void put_text(ziEmitter *emitter, const char *text) {
    if (needs_quotes(text)) {
        put_quoted(emitter, text);
    } else {
        zi_emit_raw(emitter, text);
    }
}

void zi_emit_text(ziEmitter *emitter, const char *text) {
    zi_emit_raw(emitter, " ");
    put_text(emitter, text ? text : "");
}

/* YAML looks no farther than 1024 characters for the colon of a key, unless a question mark announces the key. */
void zi_emit_name_key(ziEmitter *emitter, const char *name) {
    const bool is_long = strlen(name) > 128;
    before_key(emitter);
    if (is_long) zi_emit_raw(emitter, "? ");
    put_text(emitter, name);
    zi_emit_raw(emitter, is_long ? " :" : ":");
}

/* Numbers ----------------------------------------------------------------------------------------- */

/* snprintf writes the decimal point of the locale; a file always has a dot. */
static void set_decimal_dot(char *text) {
    char *out = text;
    for (const char *in = text; *in; in++) {
        bool numeric = (*in >= '0' && *in <= '9') || *in == '+' || *in == '-' || *in == 'e';
        if (numeric) {
            *out++ = *in;
        } else if (out > text && out[-1] != '.') {
            *out++ = '.';
        }
    }
    *out = '\0';
}

/* Numbers that are not finite end the stream; a comma of the locale becomes a point. */
void zi_emit_digits(ziEmitter *emitter, double value) {
    char text[64];
    if (!isfinite(value)) {
        if (emitter->status < 0) return;
        snprintf(text, sizeof text, "%g", value);
        emitter->status = zv_fail(emitter->error, ZV_NUMBER, emitter->mark, text,
                                  "a number of %s \"%.60s\" is %s and cannot be written; correct it", emitter->kind,
                                  emitter->name, text);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    set_decimal_dot(text);
    zi_emit_raw(emitter, text);
}

void zi_emit_number(ziEmitter *emitter, double value) {
    zi_emit_raw(emitter, " ");
    zi_emit_digits(emitter, value);
}

void zi_emit_numbers(ziEmitter *emitter, const double *values, int count) {
    zi_emit_raw(emitter, " [");
    for (int i = 0; i < count; i++) {
        if (i > 0) zi_emit_raw(emitter, ", ");
        zi_emit_digits(emitter, values[i]);
    }
    zi_emit_raw(emitter, "]");
}

/* Keys with their values -------------------------------------------------------------------------- */

bool zi_is_zero(const double *values, int count) {
    static const double zero = 0;
    for (int i = 0; i < count; i++) {
        if (memcmp(&values[i], &zero, sizeof zero) != 0) return false;
    }
    return true;
}

void zi_put_word(ziEmitter *emitter, const char *key, const char *word) {
    zi_emit_key(emitter, key);
    zi_emit_word(emitter, word);
}

void zi_put_text(ziEmitter *emitter, const char *key, const char *text) {
    zi_emit_key(emitter, key);
    zi_emit_text(emitter, text);
}

void zi_put_number(ziEmitter *emitter, const char *key, double value) {
    zi_emit_key(emitter, key);
    zi_emit_number(emitter, value);
}

void zi_put_nonzero(ziEmitter *emitter, const char *key, double value) {
    if (!zi_is_zero(&value, 1)) zi_put_number(emitter, key, value);
}

void zi_put_numbers(ziEmitter *emitter, const char *key, const double *values, int count) {
    zi_emit_key(emitter, key);
    zi_emit_numbers(emitter, values, count);
}

void zi_put_rows(ziEmitter *emitter, const char *key, const double *values, int rows, int columns, int stride) {
    zi_emit_key(emitter, key);
    zi_emit_raw(emitter, " [");
    for (int i = 0; i < rows; i++) {
        if (i > 0) zi_emit_raw(emitter, ",");
        new_line(emitter, emitter->indent + 1);
        zi_emit_numbers(emitter, values + (size_t)i * (size_t)stride, columns);
    }
    zi_emit_raw(emitter, "]");
}

void zi_put_moments(ziEmitter *emitter, const double J[6]) {
    const double diagonal[3] = {J[0], J[3], J[5]}, products[3] = {J[1], J[2], J[4]};
    if (zi_is_zero(J, 6)) return;
    if (zi_is_zero(products, 3)) {
        zi_put_numbers(emitter, "inertia", diagonal, 3);
    } else {
        zi_put_numbers(emitter, "inertia", J, 6);
    }
}

void zi_put_pose(ziEmitter *emitter, const char *key, const zvPose *pose) {
    zvPose identity = zv_pose_identity();
    bool turned = memcmp(pose->R, identity.R, sizeof pose->R) != 0, moved = !zi_is_zero(pose->p, 3);
    if (!turned && !moved) return;
    zi_emit_key(emitter, key);
    zi_emit_open(emitter);
    if (moved) zi_put_numbers(emitter, "xyz", pose->p, 3);
    if (turned) zi_put_numbers(emitter, "rotation", pose->R, 9);
    zi_emit_close(emitter);
}
