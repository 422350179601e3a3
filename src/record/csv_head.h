/* What stands before the rows of a CSV file. */
#ifndef ZV_RECORD_CSV_HEAD_H
#define ZV_RECORD_CSV_HEAD_H

#include "record/recording.h"

typedef struct zvCsvHead {
    zvRecording *recording; /* notes and happenings go there at once */
    bool own;               /* written by this library; else any table of numbers */
    bool rows_known, note_open;
    bool starved; /* out of memory: what looks damaged is not */
    char separator;
    uint64_t rows;
    zvChannel *channels;
    size_t count, capacity;
    zvArena texts;
    char *note_name;
    zvBytes note;
    size_t note_lines;
} zvCsvHead;

/* A comment line without its newline; it is changed. */
zvStatus zv_csv_comment(zvCsvHead *head, char *line, int number, zvError *error);
/* After the last comment. */
zvStatus zv_csv_comments_end(zvCsvHead *head, zvError *error);
/* The first line after the comments. In a file of our own it must fit the channels; in others it makes them, and
 * *is_row tells that it is no header but a row. */
zvStatus zv_csv_header(zvCsvHead *head, char *line, int number, bool *is_row, zvError *error);
void zv_csv_head_free(zvCsvHead *head);

#endif
