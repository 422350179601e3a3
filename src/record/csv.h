/* Recordings as CSV. Comment lines before the table describe it so well that it reads back exactly:
 *
 *   # zveno recording, format 1
 *   # rows 1001
 *   # channel "q" width 2 unit "rad" about "joint positions"
 *   # labels "shoulder" "elbow"
 *   # units "rad" "m"
 *   # note "scenario"
 *   # | first line
 *   # | second line
 *   # event 0.25 "limit" "elbow at its upper limit"
 *   time [s],q.shoulder [rad],q.elbow [m]
 *
 * Texts in quotes escape quotes, backslashes and control characters by a backslash. */
#ifndef ZI_RECORD_CSV_H
#define ZI_RECORD_CSV_H

#include "base/plain_numbers.h"
#include "record/recording.h"

#include <stdbool.h>
#include <stddef.h>

#define ZI_CSV_FIRST_LINE "# zveno recording, format "
enum { ZI_CSV_FORMAT = 1, ZI_CSV_NUMBER_SIZE = 32 };

/* Both within plain numbers. The text reads back as the same number; it has 15 digits where they do, else 17. */
size_t zi_csv_number(char text[ZI_CSV_NUMBER_SIZE], double value);
/* A number, nan or inf, with spaces around; *end is where it stops. False and nan when there is none. */
bool zi_csv_scan_number(const char *text, const char **end, double *value);

/* What stands before the rows of a CSV file. */

typedef struct ziCsvHead {
    zvRecording *recording; /* notes and events go there at once */
    bool own;               /* written by this library; else any table of numbers */
    bool rows_known, note_open;
    bool starved; /* out of memory: what looks damaged is not */
    char separator;
    uint64_t rows;
    zvChannel *channels;
    size_t count, capacity;
    ziArena texts;
    char *note_name;
    ziBytes note;
    size_t note_lines;
} ziCsvHead;

/* A comment line without its newline; it is changed. */
zvStatus zi_csv_comment(ziCsvHead *head, char *line, int number, zvError *error);
/* After the last comment. */
zvStatus zi_csv_comments_end(ziCsvHead *head, zvError *error);
/* The first line after the comments. In a file of our own it must fit the channels; in others it makes them, and
 * *is_row tells that it is no header but a row. */
zvStatus zi_csv_header(ziCsvHead *head, char *line, int number, bool *is_row, zvError *error);
void zi_csv_head_free(ziCsvHead *head);

#endif
