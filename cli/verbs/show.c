/* zveno show: rows of a recording as a table, with the least and greatest value of each column. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "json.h"
#include "recordings.h"
#include "table.h"
#include "verb.h"

enum { MOST_COLUMNS = 16, MOST_ROWS = 200, USUAL_ROWS = 20 };

/* One entry of a channel over all rows. */
typedef struct ShowColumn {
    int channel, entry;
    const double *values; /* of the channel */
    int width;
} ShowColumn;

typedef struct Show {
    const Args *args;
    zvRecording *recording;
    Pick pick;
    uint64_t rows, first, end;       /* all; those between --from and --to */
    double *numbers[MOST_PANES + 1]; /* time, then a channel for each pane */
    int count;
    ShowColumn columns[MOST_COLUMNS];
    int missing; /* columns of the channels picked for which there was no room */
} Show;

static double value(const ShowColumn *c, uint64_t row) {
    return c->values[row * (uint64_t)c->width + (uint64_t)c->entry];
}

/* Time and the picked channels, each channel once. */
static Code load_channels(Show *s) {
    const zvRecording *recording = s->recording;
    s->rows = zv_recording_rows(recording);
    if (!s->rows) return complain(CODE_INPUT, "%s: expected rows in the recording, found none", s->args->operand);
    for (int i = 0; i <= s->pick.count; i++) {
        const int channel = i ? s->pick.panes[i - 1].channel : 0;
        const size_t width = (size_t)zv_recording_channel(recording, channel)->width;
        zvError error = {0};
        if (s->rows > SIZE_MAX / sizeof(double) / (width + 1)) return complain_memory();
        if (!(s->numbers[i] = malloc((size_t)s->rows * width * sizeof(double)))) return complain_memory();
        if (zv_recording_read(s->recording, channel, 0, s->rows, s->numbers[i], &error) < 0)
            return complain_error(&error);
    }
    return CODE_DONE;
}

/* As many columns as fit a line; asking for more by name is an error, not a silent cut. */
static Code choose_columns(Show *s) {
    for (int i = 0; i < s->pick.count; i++) {
        const PickPane *pane = &s->pick.panes[i];
        const int width = zv_recording_channel(s->recording, pane->channel)->width;
        for (int k = 0; k < pane->count; k++) {
            const bool full = s->count == MOST_COLUMNS;
            if (full && s->args->channels)
                return complain(CODE_USAGE,
                                "expected at most %d columns, found more; name fewer with --channels, or zveno convert "
                                "writes all of them as CSV",
                                MOST_COLUMNS);
            if (full)
                s->missing++;
            else
                s->columns[s->count++] = (ShowColumn){pane->channel, pane->entries[k], s->numbers[i + 1], width};
        }
    }
    return CODE_DONE;
}

/* Whether the row is the first at or after the next multiple of --every. */
static bool is_due(const Show *s, uint64_t row, double every, double *due) {
    const double t = s->numbers[0][row], slack = 1e-9 * (1 + fabs(t));
    if (t < *due - slack) return false;
    *due = every > 0 ? (floor((t + slack) / every) + 1) * every : t;
    return true;
}

/* Without --every, about USUAL_ROWS of them. */
static double interval_of(const Show *s) {
    if (s->args->given & OPTION_EVERY) return s->args->every;
    return s->end - s->first <= USUAL_ROWS ? 0 : (s->numbers[0][s->end - 1] - s->numbers[0][s->first]) / USUAL_ROWS;
}

/* "q.joint1 [rad]", as --channels takes it; a channel of one number without a label has its name alone. */
static void heading(const Show *s, const ShowColumn *c, Text *text) {
    char number[16];
    const zvChannel *channel = zv_recording_channel(s->recording, c->channel);
    text_puts(text, channel->name);
    if (channel->width > 1 || channel->labels)
        text_printf(text, ".%s", channel_label(channel, c->entry, number, sizeof number));
    text_printf(text, " [%s]", channel_unit(channel, c->entry));
}

/* One line of least or greatest values. */
static void extreme_row(const Show *s, bool greatest, Table *table) {
    table_text(table, greatest ? "greatest" : "least");
    for (int i = 0; i < s->count; i++) {
        double best = greatest ? -INFINITY : INFINITY;
        for (uint64_t row = s->first; row < s->end; row++)
            best = greatest ? fmax(best, value(&s->columns[i], row)) : fmin(best, value(&s->columns[i], row));
        table_number(table, best);
    }
}

/* "not shown: 5 more of tau, 7 of a, momentum; ...": a channel cut short, and those for which there was no room at all.
 */
static void tell_left_out(const Show *s, Text *out) {
    const Text *others = &s->pick.left_out;
    const char *between = "not shown: ";
    int skipped = s->count;
    for (int i = 0; i < s->pick.count; i++) {
        const PickPane *pane = &s->pick.panes[i];
        const int more = pane->count > skipped ? pane->count - skipped : 0;
        skipped -= pane->count - more;
        if (!more) continue;
        text_printf(out, "%s%d %sof ", between, more, more < pane->count ? "more " : "");
        text_name(out, zv_recording_channel(s->recording, pane->channel)->name);
        between = ", ";
    }
    if (others->size) {
        text_puts(out, between);
        text_put(out, others->bytes, others->size);
    }
    if (s->missing || others->size) text_puts(out, "; --channels chooses, zveno convert writes all of them as CSV\n");
}

/* Rows at least --every apart, up to the most that a screen shows. */
static Code print_table(const Show *s, Text *out) {
    Table table = table_start((size_t)s->count + 1);
    const double every = interval_of(s);
    double due = -INFINITY;
    int shown = 0;
    table.exact = true;
    table_text(&table, "t [s]");
    for (int i = 0; i < s->count; i++) {
        Text text = {0};
        heading(s, &s->columns[i], &text);
        table_text(&table, text.bytes ? text.bytes : "");
        text_free(&text);
    }
    for (uint64_t row = s->first; row < s->end; row++) {
        if (!is_due(s, row, every, &due)) continue;
        if (++shown > MOST_ROWS) break;
        char time[32];
        snprintf(time, sizeof time, "%.6g", s->numbers[0][row]);
        table_text(&table, time);
        for (int i = 0; i < s->count; i++) table_number(&table, value(&s->columns[i], row));
    }
    extreme_row(s, false, &table);
    extreme_row(s, true, &table);
    table_finish(&table, out);
    if (shown > MOST_ROWS)
        text_printf(out, "and more rows: --every, --from and --to choose, zveno convert writes all of them as CSV\n");
    tell_left_out(s, out);
    return CODE_DONE;
}

/* The same rows without the limit of a screen. */
static Code print_json(const Show *s, Text *out) {
    Json json = json_start(out);
    const double every = interval_of(s);
    json_map(&json, JSON_BLOCK);
    json_key(&json, "columns"), json_list(&json, JSON_LINE);
    for (int i = 0; i < s->count; i++) {
        Text text = {0};
        heading(s, &s->columns[i], &text);
        json_text(&json, text.bytes ? text.bytes : "");
        text_free(&text);
    }
    json_end(&json);
    json_key(&json, "rows"), json_list(&json, JSON_BLOCK);
    double due = -INFINITY;
    for (uint64_t row = s->first; row < s->end; row++) {
        if (!is_due(s, row, every, &due)) continue;
        double numbers[MOST_COLUMNS + 1] = {s->numbers[0][row]};
        for (int i = 0; i < s->count; i++) numbers[i + 1] = value(&s->columns[i], row);
        json_numbers(&json, numbers, (size_t)s->count + 1);
    }
    json_end(&json);
    json_end(&json);
    return CODE_DONE;
}

static Code print_answer(Show *s, Text *out) {
    Code code = pick_read(s->recording, s->args->channels, &s->pick);
    if (code == CODE_DONE) code = load_channels(s);
    if (code == CODE_DONE) code = recording_window(s->args, s->recording, s->numbers[0], &s->first, &s->end);
    if (code == CODE_DONE) code = choose_columns(s);
    if (code == CODE_DONE) code = s->args->given & OPTION_JSON ? print_json(s, out) : print_table(s, out);
    for (int i = 0; i <= MOST_PANES; i++) free(s->numbers[i]);
    pick_free(&s->pick);
    return code;
}

/* The memory of the columns is too large for the stack. */
static Code run(const Args *args, Text *out) {
    Show *s = calloc(1, sizeof *s);
    if (!s) return complain_memory();
    s->args = args;
    Code code = recording_open(args, &s->recording);
    if (code == CODE_DONE) {
        code = print_answer(s, out);
        zv_recording_destroy(s->recording);
    }
    free(s);
    return code;
}

const Verb verb_show = {
    .name = "show",
    .run = run,
    .options = OPTION_CHANNELS | OPTION_FROM | OPTION_TO | OPTION_EVERY | OPTION_JSON | OPTION_HELP,
    .file = "recording",
    .form = "RECORDING [--channels LIST] [--every DT] [--from T] [--to T]",
    .summary = "print rows of a recording as a table",
    .help =
        "Prints the chosen channels (up to 16 columns; without --channels the first 16) about twenty times over the\n"
        "recording, or every DT seconds, and the least and greatest value of each column, over all rows of the\n"
        "recording between --from and --to. JSON keys\n"
        "  columns  names with units, as in the table: channel.label [unit]\n"
        "  rows     [t, values of the columns]\n"
        "zveno info RECORDING lists channels and entries; zveno convert writes everything as CSV.\n"
        "\n"
        "Example\n"
        "  zveno show arm.h5 --channels \"deviation tool,tau\" --every 2.5\n",
};
