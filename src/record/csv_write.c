/* Writes a recording as CSV (RFC 4180, comments before the table). */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/channels.h"
#include "record/csv.h"
#include "record/output.h"

enum { BUFFER = 64 * 1024 };

typedef struct CsvWriter {
    const ziFeed *feed;
    int file, reason; /* reason: errno of the first failed write */
    size_t used;
    char buffer[BUFFER];
} CsvWriter;

static void flush(CsvWriter *writer) {
    if (!writer->reason && zi_write_all(writer->file, writer->buffer, writer->used, -1) < writer->used)
        writer->reason = errno;
    writer->used = 0;
}

static void put_bytes(CsvWriter *writer, const char *text, size_t size) {
    while (size > 0 && !writer->reason) {
        if (writer->used == BUFFER) flush(writer);
        size_t space = BUFFER - writer->used, count = size < space ? size : space;
        memcpy(writer->buffer + writer->used, text, count);
        writer->used += count;
        text += count;
        size -= count;
    }
}

static void put_text(CsvWriter *writer, const char *text) { put_bytes(writer, text, strlen(text)); }
static void put_char(CsvWriter *writer, char c) { put_bytes(writer, &c, 1); }

static void put_number(CsvWriter *writer, double value) {
    char text[ZI_CSV_NUMBER_SIZE];
    put_bytes(writer, text, zi_csv_number(text, value));
}

static void put_count(CsvWriter *writer, const char *before, uint64_t count) {
    char text[64];
    put_bytes(writer, text, (size_t)snprintf(text, sizeof text, "%s%" PRIu64, before, count));
}

/* Quotes, backslashes and control characters are escaped. */
static void put_escaped(CsvWriter *writer, const char *text, size_t length) {
    for (const char *end = text + length; text < end; text++) {
        static const char plain[] = "\"\\\n\r\t", letter[] = "\"\\nrt";
        const char *special = strchr(plain, *text);
        char escaped[8] = {*text};
        size_t size = 1;
        if (special)
            size = (size_t)snprintf(escaped, sizeof escaped, "\\%c", letter[special - plain]);
        else if ((unsigned char)*text < 0x20 || *text == 0x7F)
            size = (size_t)snprintf(escaped, sizeof escaped, "\\x%02x", (unsigned)*text);
        put_bytes(writer, escaped, size);
    }
}

static void put_quoted(CsvWriter *writer, const char *before, const char *text) {
    put_text(writer, before);
    put_char(writer, '"');
    put_escaped(writer, text, strlen(text));
    put_char(writer, '"');
}

/* Comments ---------------------------------------------------------------------------------------------- */

/* One line with the description, one with labels, one with units, where there are such. */
static void put_channel(CsvWriter *writer, const zvChannel *channel) {
    put_quoted(writer, "# channel ", channel->name);
    put_count(writer, " width ", (uint64_t)channel->width);
    put_quoted(writer, " unit ", channel->unit);
    put_quoted(writer, " about ", channel->about);
    put_char(writer, '\n');
    if (channel->labels) {
        put_text(writer, "# labels");
        for (int i = 0; i < channel->width; i++) put_quoted(writer, " ", channel->labels[i]);
        put_char(writer, '\n');
    }
    if (channel->units) {
        put_text(writer, "# units");
        for (int i = 0; i < channel->width; i++) put_quoted(writer, " ", channel->units[i]);
        put_char(writer, '\n');
    }
}

/* As it is; in quotes, escaped, where a character would steer a terminal that shows the file. */
static void put_note_line(CsvWriter *writer, const char *line, size_t size) {
    bool steers = false;
    for (size_t i = 0; i < size; i++)
        steers = steers || ((unsigned char)line[i] < 0x20 && line[i] != '\t') || line[i] == 0x7F;
    put_text(writer, steers ? "# |\"" : "# | ");
    if (steers)
        put_escaped(writer, line, size);
    else
        put_bytes(writer, line, size);
    put_text(writer, steers ? "\"\n" : "\n");
}

static void put_note(CsvWriter *writer, const zvNote *note) {
    put_quoted(writer, "# note ", note->name ? note->name : "");
    put_text(writer, "\n");
    for (const char *line = note->text ? note->text : ""; line;) {
        const char *end = strchr(line, '\n');
        put_note_line(writer, line, end ? (size_t)(end - line) : strlen(line));
        line = end ? end + 1 : NULL;
    }
}

/* Everything but the rows: channels, notes, events. */
static zvStatus put_comments(CsvWriter *writer, zvError *error) {
    const ziFeed *feed = writer->feed;
    put_count(writer, ZI_CSV_FIRST_LINE, ZI_CSV_FORMAT);
    put_count(writer, "\n# rows ", feed->rows);
    put_char(writer, '\n');
    for (int i = 0; i < feed->channels->count; i++) put_channel(writer, &feed->channels->items[i]);
    for (int i = 0; i < feed->note_count; i++) put_note(writer, &feed->notes[i]);
    for (uint64_t i = 0; i < feed->events && !writer->reason; i++) {
        zvEvent event;
        zvStatus status = feed->read_event(feed->context, i, &event, error);
        if (status < 0) return status;
        put_text(writer, "# event ");
        put_number(writer, event.t);
        put_quoted(writer, " ", event.name);
        put_quoted(writer, " ", event.text);
        put_char(writer, '\n');
    }
    return ZV_OK;
}

/* Table ------------------------------------------------------------------------------------------------- */

/* A column's name stands on one line: its exact form is in the comments. */
static void put_column_part(CsvWriter *writer, const char *text) {
    for (; *text; text++) {
        if (*text == '"') put_char(writer, '"');
        put_char(writer, (unsigned char)*text < 0x20 ? ' ' : *text);
    }
}

static bool needs_quotes(const char *text) { return strpbrk(text, ",\";#\t") || *text == ' '; }

/* "channel.label [unit]", in quotes where RFC 4180 asks for them. */
static void put_column(CsvWriter *writer, const zvChannel *channel, int i) {
    const char *unit = channel->units ? channel->units[i] : channel->unit;
    const char *label = channel->labels ? channel->labels[i] : "";
    bool quotes = needs_quotes(channel->name) || needs_quotes(label) || needs_quotes(unit);
    if (quotes) put_char(writer, '"');
    put_column_part(writer, channel->name);
    if (channel->labels) {
        put_char(writer, '.');
        put_column_part(writer, label);
    } else if (channel->width > 1) {
        put_count(writer, ".", (uint64_t)i + 1);
    }
    put_text(writer, " [");
    put_column_part(writer, unit);
    put_char(writer, ']');
    if (quotes) put_char(writer, '"');
}

/* One column per number of a row. */
static void put_header(CsvWriter *writer) {
    const ziChannels *channels = writer->feed->channels;
    bool first = true;
    for (int i = 0; i < channels->count; i++) {
        for (int k = 0; k < channels->items[i].width; k++) {
            if (!first) put_char(writer, ',');
            first = false;
            put_column(writer, &channels->items[i], k);
        }
    }
    put_char(writer, '\n');
}

/* Block by block, so that a recording of any length fits. */
static zvStatus put_rows(CsvWriter *writer, double *block, zvError *error) {
    const ziFeed *feed = writer->feed;
    size_t width = (size_t)feed->channels->width;
    uint64_t step = zi_block_rows(feed->channels->width);
    for (uint64_t first = 0; first < feed->rows && !writer->reason; first += step) {
        uint64_t count = feed->rows - first < step ? feed->rows - first : step;
        zvStatus status = feed->read_rows(feed->context, first, count, block, error);
        if (status < 0) return status;
        for (size_t i = 0; i < (size_t)count * width; i++) {
            put_number(writer, block[i]);
            put_char(writer, (i + 1) % width == 0 ? '\n' : ',');
        }
    }
    return ZV_OK;
}

static zvStatus put_all(CsvWriter *writer, double *block, zvError *error) {
    zvStatus status = put_comments(writer, error);
    if (status < 0) return status;
    put_header(writer);
    status = put_rows(writer, block, error);
    flush(writer);
    return status;
}

/* In the C locale: a decimal comma would be a separator. */
zvStatus zi_csv_write(const ziFeed *feed, int file, const char *path, zvError *error) {
    CsvWriter *writer = malloc(sizeof *writer);
    double *block =
        malloc((size_t)zi_block_rows(feed->channels->width) * (size_t)feed->channels->width * sizeof *block);
    ziPlainNumbers plain;
    zvStatus status = ZV_OK;
    if (!writer || !block || !zi_plain_numbers_begin(&plain)) {
        status = zi_output_fail(error, path, ENOMEM, "written");
    } else {
        *writer = (CsvWriter){.feed = feed, .file = file};
        status = put_all(writer, block, error);
        zi_plain_numbers_end(&plain);
        if (status >= 0 && writer->reason) status = zi_output_fail(error, path, writer->reason, "written");
    }
    free(writer);
    free(block);
    return status;
}
