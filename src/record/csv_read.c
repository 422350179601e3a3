/* Reads CSV recordings and other tables of numbers. One pass at opening checks every line and notes where each block
 * of rows begins; reading parses the blocks that are asked for, so that a table of any length passes through little
 * memory. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/channels.h"
#include "record/csv.h"
#include "record/output.h"

typedef struct RowBlock {
    off_t offset;
    uint64_t line; /* number of the line before its first row */
} RowBlock;

typedef struct CsvFile {
    FILE *file;
    bool own;
    char separator;
    char *line;
    size_t line_capacity, length; /* length of the line without its end */
    off_t offset, line_offset;    /* of the next line, of this one */
    uint64_t line_number;
    RowBlock *blocks;
    size_t block_count, block_capacity;
    double *values; /* the rows of one block */
    uint64_t held;  /* which block they are of; UINT64_MAX: none */
} CsvFile;

static zvMark mark_of(const zvRecording *recording) {
    const CsvFile *table = recording->context;
    return (zvMark){recording->path, table->line_number < INT_MAX ? (int)table->line_number : 0, 0};
}

static zvStatus fail_early(const zvRecording *recording, zvError *error) {
    return zv_fail(error, ZV_SYNTAX, mark_of(recording), "",
                   "expected more lines, found the end: the file ends early; record or convert again");
}

/* Lines ------------------------------------------------------------------------------------------------- */

/* Notes of our own files may hold any byte but NUL; other tables are text. */
static bool is_text(const CsvFile *table, size_t length) {
    if (memchr(table->line, '\0', length)) return false;
    for (size_t i = 0; i < length && !table->own; i++) {
        unsigned char c = (unsigned char)table->line[i];
        if (c < 0x20 && !(c >= '\t' && c <= '\r')) return false;
    }
    return true;
}

static void skip_byte_order_mark(CsvFile *table) {
    if (table->line_number != 1 || strncmp(table->line, "\xEF\xBB\xBF", 3) != 0) return;
    table->length -= 3;
    memmove(table->line, table->line + 3, table->length + 1);
}

/* Of the table, not of notes: they may end so. */
static void cut_carriage_return(CsvFile *table) {
    if (table->length > 0 && table->line[table->length - 1] == '\r') table->line[--table->length] = '\0';
}

/* Takes the next line; *there is false at the end of the file. */
static zvStatus next_line(zvRecording *recording, bool *there, zvError *error) {
    CsvFile *table = recording->context;
    errno = 0;
    ssize_t got = getline(&table->line, &table->line_capacity, table->file);
    *there = got > 0;
    if (got <= 0 && (ferror(table->file) || errno == ENOMEM))
        return zi_output_fail(error, recording->path, errno ? errno : EIO, "read");
    if (got <= 0) return ZV_OK;
    table->line_number++;
    table->line_offset = table->offset;
    table->offset += got;
    size_t length = (size_t)got;
    if (!is_text(table, length))
        return zv_fail(error, ZV_SYNTAX, mark_of(recording), "",
                       "expected a recording (.h5, .csv), found neither HDF5 nor text");
    bool ended = table->line[length - 1] == '\n';
    if (!ended && table->own) return fail_early(recording, error);
    if (ended) table->line[--length] = '\0';
    table->length = length;
    skip_byte_order_mark(table);
    return ZV_OK;
}

static bool is_blank_line(const char *line) { return line[strspn(line, " \t\r")] == '\0'; }

/* Rows -------------------------------------------------------------------------------------------------- */

static zvStatus fail_field(const zvRecording *recording, const char *at, int column, zvError *error) {
    char word[48];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ",;\t\r"), at);
    return zv_fail(error, ZV_SYNTAX, mark_of(recording), word,
                   "column %d: expected a number, found \"%s\"; correct the line or record again", column, word);
}

/* As many numbers as there are columns; the text tells line and column. */
static zvStatus parse_row(const zvRecording *recording, double *row, zvError *error) {
    const CsvFile *table = recording->context;
    const char *at = table->line;
    const int width = recording->channels.width;
    for (int i = 0; i < width; i++) {
        const char *end;
        bool found = zi_csv_scan_number(at, &end, &row[i]);
        bool last = i == width - 1;
        if ((!found && table->own) || (*end != '\0' && *end != table->separator))
            return fail_field(recording, at, i + 1, error);
        if (last ? *end != '\0' : *end == '\0')
            return zv_fail(error, ZV_SYNTAX, mark_of(recording), "",
                           "expected %d numbers, found %s; correct the line or record again", width,
                           last ? "more" : "fewer");
        at = end + 1;
    }
    return ZV_OK;
}

/* The next row after blank lines and comments; *there is false at the end. */
static zvStatus next_row(zvRecording *recording, double *row, bool *there, zvError *error) {
    CsvFile *table = recording->context;
    for (;;) {
        zvStatus status = next_line(recording, there, error);
        if (status < 0 || !*there) return status;
        if (table->line[0] == '#' || is_blank_line(table->line)) continue;
        cut_carriage_return(table);
        return parse_row(recording, row, error);
    }
}

static zvStatus note_block(zvRecording *recording, zvError *error) {
    CsvFile *table = recording->context;
    if (!zi_grow(&table->blocks, table->block_count, &table->block_capacity, sizeof *table->blocks))
        return zi_recording_fail_memory(recording, error);
    table->blocks[table->block_count++] = (RowBlock){table->line_offset, table->line_number - 1};
    return ZV_OK;
}

/* Checks all rows from here on and notes where the blocks begin. first: the present line is a row. */
static zvStatus pass_rows(zvRecording *recording, bool first, zvError *error) {
    CsvFile *table = recording->context;
    uint64_t step = zi_block_rows(recording->channels.width);
    bool there = true;
    zvStatus status = first ? parse_row(recording, table->values, error) : ZV_OK;
    if (status >= 0 && !first) status = next_row(recording, table->values, &there, error);
    while (status >= 0 && there) {
        if (recording->rows % step == 0) status = note_block(recording, error);
        recording->rows++;
        if (status >= 0) status = next_row(recording, table->values, &there, error);
    }
    return status;
}

/* Opening ----------------------------------------------------------------------------------------------- */

/* Comments up to the first other line, which is the header or a row. */
static zvStatus read_head(zvRecording *recording, ziCsvHead *head, bool *is_row, zvError *error) {
    CsvFile *table = recording->context;
    bool there = true;
    for (;;) {
        zvStatus status = next_line(recording, &there, error);
        if (status < 0) return status;
        if (!there) break;
        int number = table->line_number < INT_MAX ? (int)table->line_number : 0;
        if (table->line[0] == '#') {
            status = zi_csv_comment(head, table->line, number, error);
            table->own = head->own;
        } else if (!is_blank_line(table->line)) {
            cut_carriage_return(table);
            status = zi_csv_comments_end(head, error);
            return status < 0 ? status : zi_csv_header(head, table->line, number, is_row, error);
        }
        if (status < 0) return status;
    }
    if (head->own) return fail_early(recording, error);
    return zv_fail(error, ZV_SYNTAX, (zvMark){recording->path, 0, 0}, "",
                   "expected a recording (.h5, .csv), found no table of numbers");
}

static zvStatus check_count(const zvRecording *recording, const ziCsvHead *head, zvError *error) {
    if (head->own && recording->rows == head->rows) return ZV_OK;
    if (head->own)
        return zv_fail(error, ZV_SYNTAX, mark_of(recording), "",
                       "expected %llu rows, found %llu: the file %s; record or convert again",
                       (unsigned long long)head->rows, (unsigned long long)recording->rows,
                       recording->rows < head->rows ? "ends early" : "has been added to");
    if (recording->rows > 0) return ZV_OK;
    return zv_fail(error, ZV_SYNTAX, (zvMark){recording->path, 0, 0}, "",
                   "expected a recording (.h5, .csv), found no row of numbers");
}

/* The pass at opening: every row is checked, blocks are noted. */
static zvStatus read_all(zvRecording *recording, ziCsvHead *head, zvError *error) {
    CsvFile *table = recording->context;
    bool is_row = false;
    zvStatus status = read_head(recording, head, &is_row, error);
    if (status < 0) return status;
    table->separator = head->separator;
    status = zi_channels_copy(&recording->channels, (int)head->count, head->channels, recording->path, error);
    if (status < 0) return status;
    size_t width = (size_t)recording->channels.width;
    table->values = malloc((size_t)zi_block_rows((int)width) * width * sizeof *table->values);
    if (!table->values) return zi_recording_fail_memory(recording, error);
    status = pass_rows(recording, is_row, error);
    return status < 0 ? status : check_count(recording, head, error);
}

/* Reading ----------------------------------------------------------------------------------------------- */

/* One block of rows, from where it begins in the file. */
static zvStatus load_rows(zvRecording *recording, uint64_t block, zvError *error) {
    CsvFile *table = recording->context;
    uint64_t step = zi_block_rows(recording->channels.width), first = block * step;
    uint64_t count = recording->rows - first < step ? recording->rows - first : step;
    table->held = UINT64_MAX;
    if (fseeko(table->file, table->blocks[block].offset, SEEK_SET) != 0)
        return zi_output_fail(error, recording->path, errno, "read");
    table->offset = table->blocks[block].offset;
    table->line_number = table->blocks[block].line;
    bool there = true;
    zvStatus status = ZV_OK;
    for (uint64_t i = 0; i < count && status >= 0; i++) {
        status = next_row(recording, table->values + (size_t)i * (size_t)recording->channels.width, &there, error);
        if (status >= 0 && !there) status = fail_early(recording, error);
    }
    if (status >= 0) table->held = block;
    return status;
}

static zvStatus load_block(zvRecording *recording, uint64_t block, zvError *error) {
    if (((CsvFile *)recording->context)->held == block) return ZV_OK;
    ziPlainNumbers plain;
    if (!zi_plain_numbers_begin(&plain)) return zi_recording_fail_memory(recording, error);
    zvStatus status = load_rows(recording, block, error);
    zi_plain_numbers_end(&plain);
    return status;
}

/* Rows of one channel, block after block. */
static zvStatus read_table(zvRecording *recording, int channel, uint64_t first, uint64_t count, double *values,
                           zvError *error) {
    const CsvFile *table = recording->context;
    uint64_t step = zi_block_rows(recording->channels.width);
    size_t whole = (size_t)recording->channels.width, width = (size_t)recording->channels.items[channel].width;
    for (uint64_t i = first; i < first + count; i++, values += width) {
        zvStatus status = load_block(recording, i / step, error);
        if (status < 0) return status;
        memcpy(values, table->values + (size_t)(i % step) * whole + recording->channels.columns[channel],
               width * sizeof *values);
    }
    return ZV_OK;
}

static void close_table(zvRecording *recording) {
    CsvFile *table = recording->context;
    if (table->file) fclose(table->file);
    free(table->line);
    free(table->blocks);
    free(table->values);
    free(table);
}

static const ziRecordingForm csv_form = {read_table, close_table};

/* The table is the recording's context; the form closes it. */
zvStatus zi_csv_open(zvRecording *recording, zvError *error) {
    CsvFile *table = calloc(1, sizeof *table);
    if (!table) return zi_recording_fail_memory(recording, error);
    table->held = UINT64_MAX;
    recording->context = table;
    recording->form = &csv_form;
    table->file = fopen(recording->path, "rb");
    if (!table->file) return zi_output_fail(error, recording->path, errno, "read");
    ziPlainNumbers plain;
    if (!zi_plain_numbers_begin(&plain)) return zi_recording_fail_memory(recording, error);
    ziCsvHead head = {.recording = recording};
    zvStatus status = read_all(recording, &head, error);
    zi_plain_numbers_end(&plain);
    zi_csv_head_free(&head);
    return status;
}
