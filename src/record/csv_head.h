/* What stands before the rows of a CSV file. */
#ifndef ZI_RECORD_CSV_HEAD_H
#define ZI_RECORD_CSV_HEAD_H

#include "record/recording.h"

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
