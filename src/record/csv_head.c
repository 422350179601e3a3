/* The text of CSV recordings before the rows: numbers and quoted texts, comments, headers. */
#define _POSIX_C_SOURCE 200809L

#include "record/csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers and quoted texts of CSV recordings, the same in every locale. */

static const char *infinite_word(double value) { return isnan(value) ? "nan" : value > 0 ? "inf" : "-inf"; }

/* Whether 15 digits may do. A number of at most 15 digits lies within half a unit of the last binary place of its
 * double, which is 11 units of the 17th digit at most: digits 16 and 17 are then near 00 or near 100. */
static bool may_be_short(const char *text) {
    int digits = 0, tail = 0;
    while (*text == '-' || *text == '0' || *text == '.') text++;
    for (; *text && *text != 'e'; text++) {
        if (*text == '.') continue;
        digits++;
        if (digits > 15) tail = 10 * tail + (*text - '0');
    }
    if (digits == 16) tail *= 10;
    return digits > 15 && (tail <= 12 || tail >= 88);
}

size_t zi_csv_number(char text[ZI_CSV_NUMBER_SIZE], double value) {
    if (!isfinite(value)) return (size_t)snprintf(text, ZI_CSV_NUMBER_SIZE, "%s", infinite_word(value));
    int length = snprintf(text, ZI_CSV_NUMBER_SIZE, "%.17g", value);
    if (!may_be_short(text)) return (size_t)length;
    char brief[ZI_CSV_NUMBER_SIZE];
    int brief_length = snprintf(brief, sizeof brief, "%.15g", value);
    if (strtod(brief, NULL) != value) return (size_t)length;
    memcpy(text, brief, (size_t)brief_length + 1);
    return (size_t)brief_length;
}

static const char *skip_spaces(const char *p) {
    while (*p == ' ') p++;
    return p;
}

bool zi_csv_scan_number(const char *text, const char **end, double *value) {
    const char *start = skip_spaces(text);
    char *stop = NULL;
    /* strtod would pass over a tab, which may part two columns */
    bool empty = *start == '\0' || strchr("\t\r\n\v\f", *start);
    if (!empty) *value = strtod(start, &stop);
    bool found = !empty && stop > start;
    if (!found) *value = NAN;
    *end = skip_spaces(found ? stop : start);
    return found;
}

/* The character after a backslash; *p moves past it. */
static bool unescape(char **p, char *c) {
    switch (*(*p)++) {
    case '"': *c = '"'; return true;
    case '\\': *c = '\\'; return true;
    case 'n': *c = '\n'; return true;
    case 'r': *c = '\r'; return true;
    case 't': *c = '\t'; return true;
    case 'x': {
        char digits[3] = {(*p)[0], (*p)[0] ? (*p)[1] : '\0', '\0'}, *stop;
        *c = (char)strtoul(digits, &stop, 16);
        if (stop != digits + 2 || *c == '\0') return false;
        *p += 2;
        return true;
    }
    default: return false;
    }
}

/* Reads a quoted text in place (it only gets shorter) and returns where it ends, or NULL. */
static char *csv_unquote(char *text, char **value) {
    while (*text == ' ') text++;
    if (*text++ != '"') return NULL;
    char *to = *value = text;
    while (*text && *text != '"') {
        char c = *text++;
        if (c == '\\' && !unescape(&text, &c)) return NULL;
        *to++ = c;
    }
    if (*text != '"') return NULL;
    *to = '\0';
    return text + 1;
}

/* Reads the comments of our own CSV files, and the header of any. */

static zvStatus fail_line(const ziCsvHead *head, int number, zvError *error) {
    if (head->starved) return zi_recording_fail_memory(head->recording, error);
    return zv_fail(error, ZV_SYNTAX, (zvMark){head->recording->path, number, 1}, "",
                   "expected a comment line of a recording, found a damaged one; write the recording again");
}

/* The rest of line after a word, or NULL when it does not begin so. */
static char *after(char *line, const char *word) {
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 ? line + length : NULL;
}

static const char *keep_word(ziCsvHead *head, const char *text) {
    const char *copy = zi_arena_text(&head->texts, text);
    if (!copy) head->starved = true;
    return copy;
}

/* Reads a word and the quoted text after it. */
static char *take_text(ziCsvHead *head, char *at, const char *word, const char **value) {
    char *found;
    at = at ? after(at, word) : NULL;
    at = at ? csv_unquote(at, &found) : NULL;
    if (!at) return NULL;
    *value = keep_word(head, found);
    return *value ? at : NULL;
}

/* Channels ---------------------------------------------------------------------------------------------- */

static bool add_channel(ziCsvHead *head, zvChannel channel) {
    if (!zi_grow(&head->channels, head->count, &head->capacity, sizeof channel)) {
        head->starved = true;
        return false;
    }
    head->channels[head->count++] = channel;
    return true;
}

/* One comment line: name, width, unit, description. */
static bool read_channel(ziCsvHead *head, char *at) {
    zvChannel channel = {0};
    at = take_text(head, at, "", &channel.name);
    if (!at || !(at = after(at, " width "))) return false;
    char *end;
    long width = strtol(at, &end, 10);
    if (end == at || width < 0 || width > INT32_MAX) return false;
    channel.width = (int)width;
    at = take_text(head, end, " unit ", &channel.unit);
    at = take_text(head, at, " about ", &channel.about);
    return at && add_channel(head, channel);
}

/* As many quoted texts as the channel read last is wide. */
static bool read_texts(ziCsvHead *head, char *at, bool labels) {
    if (head->count == 0) return false;
    zvChannel *channel = &head->channels[head->count - 1];
    if ((size_t)channel->width > strlen(at)) return false;
    const char **texts = zi_arena_alloc(&head->texts, (size_t)channel->width * sizeof *texts);
    for (int i = 0; i < channel->width && at && texts; i++) at = take_text(head, at, " ", &texts[i]);
    if (!texts) head->starved = true;
    if (!at || !texts) return false;
    *(labels ? &channel->labels : &channel->units) = texts;
    return true;
}

/* Notes and events ---------------------------------------------------------------------------------- */

/* A note ends at the first line that is not a part of it. */
static bool end_note(ziCsvHead *head) {
    if (!head->note_open) return true;
    zi_bytes_add(&head->note, "", 1);
    bool ok =
        !head->note.failed && zi_recording_add_note(head->recording, head->note_name, (const char *)head->note.data);
    zi_bytes_free(&head->note);
    head->note_open = false;
    head->note_lines = 0;
    free(head->note_name);
    head->note_name = NULL;
    return ok;
}

static bool begin_note(ziCsvHead *head, char *at) {
    char *name;
    if (!csv_unquote(at, &name)) return false;
    head->note_name = strdup(name);
    head->note_open = head->note_name != NULL;
    head->starved = !head->note_open;
    return head->note_open;
}

static void add_note_line(ziCsvHead *head, const char *text) {
    if (head->note_lines++ > 0) zi_bytes_add(&head->note, "\n", 1);
    zi_bytes_add(&head->note, text, strlen(text));
}

static bool read_event_line(ziCsvHead *head, char *at) {
    const char *end;
    char *name, *text;
    double t;
    if (!zi_csv_scan_number(at, &end, &t)) return false;
    at = csv_unquote(at + (end - at), &name);
    at = at ? csv_unquote(at, &text) : NULL;
    if (!at) return false;
    head->starved = !zi_recording_add_event(head->recording, t, name, text);
    return !head->starved;
}

/* Comments ---------------------------------------------------------------------------------------------- */

static zvStatus read_first(ziCsvHead *head, const char *at, int number, zvError *error) {
    head->own = true;
    if (strtol(at, NULL, 10) == ZI_CSV_FORMAT) return ZV_OK;
    return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){head->recording->path, number, 1}, "",
                   "expected a recording of form %d, found form %.20s; use a newer version", ZI_CSV_FORMAT, at);
}

/* Each kind of comment by its first word; other files' comments are passed over. */
zvStatus zi_csv_comment(ziCsvHead *head, char *line, int number, zvError *error) {
    char *at;
    if (number == 1 && (at = after(line, ZI_CSV_FIRST_LINE))) return read_first(head, at, number, error);
    if (!head->own) return ZV_OK;
    bool ok = true;
    const bool quoted = strncmp(line, "# |\"", 4) == 0;
    if ((at = after(line, quoted ? "# |" : "# | "))) {
        ok = head->note_open && (!quoted || csv_unquote(at, &at));
        if (ok) add_note_line(head, at);
        return ok ? ZV_OK : fail_line(head, number, error);
    }
    if (!end_note(head)) return zi_recording_fail_memory(head->recording, error);
    if ((at = after(line, "# channel ")))
        ok = read_channel(head, at);
    else if ((at = after(line, "# labels")))
        ok = read_texts(head, at, true);
    else if ((at = after(line, "# units")))
        ok = read_texts(head, at, false);
    else if ((at = after(line, "# note ")))
        ok = begin_note(head, at);
    else if ((at = after(line, "# event ")) || (at = after(line, "# happening "))) /* the word of version 0.1 */
        ok = read_event_line(head, at);
    else if ((at = after(line, "# rows ")))
        ok = head->rows_known = sscanf(at, "%" SCNu64, &head->rows) == 1;
    return ok ? ZV_OK : fail_line(head, number, error);
}

zvStatus zi_csv_comments_end(ziCsvHead *head, zvError *error) {
    return end_note(head) ? ZV_OK : zi_recording_fail_memory(head->recording, error);
}

/* Header ------------------------------------------------------------------------------------------------ */

/* Takes one field in place: without quotes and spaces around. Returns where the next begins, or NULL after the last. */
static char *take_field(char *at, char separator, char **field) {
    while (*at == ' ') at++;
    char *to = *field = at;
    bool quoted = *at == '"';
    if (quoted) {
        for (at++; *at; at++) {
            if (*at == '"' && at[1] != '"') break;
            if (*at == '"') at++;
            *to++ = *at;
        }
        at += strcspn(at, (char[]){separator, '\0'});
    } else {
        at += strcspn(at, (char[]){separator, '\0'});
        for (to = at; to > *field && to[-1] == ' ';) to--;
    }
    char *next = *at == separator && *at ? at + 1 : NULL;
    *to = '\0';
    return next;
}

/* A column of a foreign file: "name [unit]" or "name". */
static bool add_column(ziCsvHead *head, char *field) {
    char name[40];
    snprintf(name, sizeof name, "column %zu", head->count + 1);
    size_t length = strlen(field);
    char *open = strrchr(field, '[');
    const char *unit = "1";
    if (length && field[length - 1] == ']' && open > field && open[-1] == ' ') {
        field[length - 1] = open[-1] = '\0';
        unit = open + 1;
    }
    zvChannel channel = {.name = keep_word(head, *field ? field : name), .unit = keep_word(head, unit), .width = 1};
    return channel.name && channel.unit && add_channel(head, channel);
}

static bool is_number(const char *line, char separator) {
    const char *end;
    double value;
    return zi_csv_scan_number(line, &end, &value) && (*end == separator || *end == '\0');
}

/* Names of columns from the first line, or numbers of columns when it is a row. */
static zvStatus foreign_header(ziCsvHead *head, char *line, bool *is_row, zvError *error) {
    head->separator = strchr(line, ',') ? ',' : strchr(line, ';') ? ';' : strchr(line, '\t') ? '\t' : ',';
    *is_row = is_number(line, head->separator);
    char *copy = strdup(line), *field;
    bool ok = copy != NULL;
    for (char *at = copy; ok && at;) {
        at = take_field(at, head->separator, &field);
        if (*is_row) *field = '\0';
        ok = add_column(head, field);
    }
    free(copy);
    return ok ? ZV_OK : zi_recording_fail_memory(head->recording, error);
}

/* Our own header must have as many columns as the comments said. */
zvStatus zi_csv_header(ziCsvHead *head, char *line, int number, bool *is_row, zvError *error) {
    *is_row = false;
    if (!head->own) return foreign_header(head, line, is_row, error);
    head->separator = ',';
    long long columns = 0, width = 0;
    char *field;
    for (size_t i = 0; i < head->count; i++) width += head->channels[i].width;
    for (char *at = line; at; columns++) at = take_field(at, ',', &field);
    if (columns == width && head->rows_known) return ZV_OK;
    return zv_fail(error, ZV_SYNTAX, (zvMark){head->recording->path, number, 1}, "",
                   "expected %lld columns as the comments describe, found %lld; write the recording again", width,
                   columns);
}

void zi_csv_head_free(ziCsvHead *head) {
    free(head->channels);
    free(head->note_name);
    zi_bytes_free(&head->note);
    zi_arena_free(&head->texts);
}
