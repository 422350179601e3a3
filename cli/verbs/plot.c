/* zveno plot: draws channels of a recording over time. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "chart/chart.h"
#include "recordings.h"
#include "verb.h"

enum { MOST_MOMENTS = 400 };

/* The numbers and names that a chart points to. */
typedef struct Plot {
    const Args *args;
    zvRecording *recording;
    Pick pick;
    uint64_t first, rows; /* those between --from and --to */
    double *t;
    double *numbers[MOST_PANES]; /* rows of the pane's channel; the same array for panes of one channel */
    ChartSeries *series[MOST_PANES];
    Text words[MOST_PANES]; /* "q [rad]", "12 of 40 shown" and labels that are numbers, each closed by NUL */
    ChartPane panes[MOST_PANES];
    ChartMoment moments[MOST_MOMENTS];
} Plot;

/* Room for all rows of one channel, to be freed. */
static double *channel_array(const zvRecording *recording, int channel) {
    const uint64_t width = (uint64_t)zv_recording_channel(recording, channel)->width;
    const uint64_t rows = zv_recording_rows(recording);
    return rows <= SIZE_MAX / sizeof(double) / (width + 1) ? malloc((size_t)(rows * width + 1) * sizeof(double)) : NULL;
}

/* The times and all channels that are drawn, each once. */
static Code load_channels(Plot *plot) {
    int channels[MOST_PANES + 1] = {0}, count = 1;
    double *values[MOST_PANES + 1] = {plot->t = channel_array(plot->recording, 0)};
    bool failed = !plot->t;
    for (int i = 0; i < plot->pick.count; i++) {
        const int channel = plot->pick.panes[i].channel;
        for (int k = 0; k < i && !plot->numbers[i]; k++)
            if (plot->pick.panes[k].channel == channel) plot->numbers[i] = plot->numbers[k];
        if (plot->numbers[i]) continue;
        values[count] = plot->numbers[i] = channel_array(plot->recording, channel);
        failed |= !values[count];
        channels[count++] = channel;
    }
    if (failed) return complain_memory();
    zvError error = {0};
    const zvStatus status = zv_recording_read_together(plot->recording, count, channels, 0,
                                                       zv_recording_rows(plot->recording), values, &error);
    return status < 0 ? complain_error(&error) : CODE_DONE;
}

/* Reads the channels and finds the rows between --from and --to; refuses when there are none. */
static Code choose_rows(Plot *plot) {
    const Args *args = plot->args;
    const uint64_t rows = zv_recording_rows(plot->recording);
    if (!rows) return complain(CODE_INPUT, "%s: expected rows in the recording, found none", args->operand);
    if (zv_recording_channel(plot->recording, 0)->width != 1)
        return complain(CODE_INPUT, "%s: expected time as the first channel, found another", args->operand);
    const Code code = load_channels(plot);
    if (code != CODE_DONE) return code;
    uint64_t end = rows;
    const Code chosen = recording_window(args, plot->recording, plot->t, &plot->first, &end);
    plot->rows = end - plot->first;
    return chosen;
}

/* From the least to the greatest value of a column; what is not finite does not count. */
static double span_of(const double *y, uint64_t rows, int stride) {
    double least = INFINITY, greatest = -INFINITY;
    for (uint64_t i = 0; i < rows; i++) {
        const double value = y[i * (uint64_t)stride];
        if (!isfinite(value)) continue;
        least = fmin(least, value);
        greatest = fmax(greatest, value);
    }
    return greatest - least;
}

/* Of a channel with too many entries those stay that move most. */
static bool leave_out_the_quiet(Plot *plot, int index) {
    PickPane *pick = &plot->pick.panes[index];
    if (!pick->whole || pick->count <= MOST_ENTRIES) return true;
    const int width = zv_recording_channel(plot->recording, pick->channel)->width;
    double *spans = malloc((size_t)pick->count * sizeof *spans);
    if (!spans) return false;
    for (int i = 0; i < pick->count; i++)
        spans[i] = span_of(plot->numbers[index] + plot->first * (uint64_t)width + pick->entries[i], plot->rows, width);
    while (pick->count > MOST_ENTRIES) {
        int quiet = 0;
        for (int i = 1; i < pick->count; i++)
            if (!(spans[i] >= spans[quiet])) quiet = i;
        pick->count--;
        for (int i = quiet; i < pick->count; i++) {
            spans[i] = spans[i + 1];
            pick->entries[i] = pick->entries[i + 1];
        }
    }
    free(spans);
    return true;
}

/* Axis label, note and series of a pane. All words are written before pointers to them are taken, since the text moves
 * while it grows. */
static bool describe_pane(Plot *plot, int index) {
    const PickPane *pick = &plot->pick.panes[index];
    const zvChannel *channel = zv_recording_channel(plot->recording, pick->channel);
    Text *words = &plot->words[index];
    ChartPane *pane = &plot->panes[index];
    ChartSeries *series = calloc((size_t)pick->count, sizeof *series);
    char number[16];
    plot->series[index] = series;
    text_puts(words, channel->name);
    if (strcmp(pick->unit, "1")) text_printf(words, " [%s]", pick->unit);
    text_put(words, "", 1);
    const size_t note = words->size;
    text_printf(words, "%d of %d shown", pick->count, pick->total);
    text_put(words, "", 1);
    const size_t labels = words->size;
    for (int i = 0; i < pick->count; i++) {
        text_puts(words, channel_label(channel, pick->entries[i], number, sizeof number));
        text_put(words, "", 1);
    }
    if (!series || words->failed) return false;
    const char *label = words->bytes + labels;
    for (int i = 0; i < pick->count; i++, label += strlen(label) + 1)
        series[i] = (ChartSeries){.label = label,
                                  .count = (size_t)plot->rows,
                                  .x = plot->t + plot->first,
                                  .y = plot->numbers[index] + plot->first * (uint64_t)channel->width + pick->entries[i],
                                  .y_stride = (size_t)channel->width};
    *pane = (ChartPane){.title = channel->about,
                        .note = pick->count < pick->total ? words->bytes + note : NULL,
                        .y = {.label = words->bytes},
                        .count = pick->count,
                        .series = series};
    return true;
}

static int read_moments(Plot *plot) {
    const uint64_t count = zv_recording_events(plot->recording);
    if (count > MOST_MOMENTS) return 0; /* a wall of lines says nothing */
    for (uint64_t i = 0; i < count; i++) {
        const zvEvent event = zv_recording_event(plot->recording, i);
        plot->moments[i] = (ChartMoment){.x = event.t, .label = event.name};
    }
    return (int)count;
}

static const char *title_of(const zvRecording *recording) {
    for (int i = 0; i < zv_recording_notes(recording); i++)
        if (!strcmp(zv_recording_note(recording, i).name, "title")) return zv_recording_note(recording, i).text;
    return NULL;
}

/* What was drawn, which rows, and what was left out. */
static void print_result(const Plot *plot, const char *path, Text *out) {
    text_puts(out, "wrote ");
    text_name(out, path);
    text_puts(out, ":");
    for (int i = 0; i < plot->pick.count; i++) {
        text_puts(out, i ? ", " : " ");
        text_name(out, plot->panes[i].y.label);
    }
    text_printf(out, "; %llu rows, t = %.6g to %.6g s\n", (unsigned long long)plot->rows, plot->t[plot->first],
                plot->t[plot->first + plot->rows - 1]);
    if (plot->pick.left_out.size) text_printf(out, "recorded as well: %s (--channels)\n", plot->pick.left_out.bytes);
}

/* Chooses entries, describes panes and draws; of channels with too many entries those that move least are left out. */
static Code draw(Plot *plot, const char *path, Text *out) {
    const char *title = title_of(plot->recording), *slash = strrchr(plot->args->operand, '/');
    const char *file = slash ? slash + 1 : plot->args->operand;
    for (int i = 0; i < plot->pick.count; i++)
        if (!leave_out_the_quiet(plot, i) || !describe_pane(plot, i)) return complain_memory();
    const Chart chart = {.title = title ? title : file,
                         .subtitle = title ? file : NULL,
                         .x = {.label = "time [s]"},
                         .pane_count = plot->pick.count,
                         .panes = plot->panes,
                         .moment_count = read_moments(plot),
                         .moments = plot->moments,
                         .width = plot->args->width,
                         .height = plot->args->height};
    zvError error = {0};
    const zvStatus status = chart_write(&chart, path, &error);
    if (status == ZV_NOT_SUPPORTED) return complain(CODE_USAGE, "%s: %s", path, error.text);
    if (status < 0) return complain_error(&error);
    print_result(plot, path, out);
    return CODE_DONE;
}

/* Reads, draws, and frees numbers that several panes may share. */
static Code plot_to(Plot *plot, const char *path, Text *out) {
    Code code = recording_open(plot->args, &plot->recording);
    if (code == CODE_DONE) code = pick_read(plot->recording, plot->args->channels, &plot->pick);
    if (code == CODE_DONE) code = choose_rows(plot);
    if (code == CODE_DONE) code = draw(plot, path, out);
    for (int i = 0; i < plot->pick.count; i++) {
        bool shared = false;
        for (int k = 0; k < i; k++) shared |= plot->numbers[k] == plot->numbers[i];
        if (!shared) free(plot->numbers[i]);
        free(plot->series[i]);
        text_free(&plot->words[i]);
    }
    pick_free(&plot->pick);
    free(plot->t);
    zv_recording_destroy(plot->recording);
    return code;
}

/* Refuses before reading; without -o the picture lies beside the recording. */
static Code run(const Args *args, Text *out) {
    if (!chart_available())
        return complain(
            CODE_USAGE,
            "expected a build that draws pictures, found one that does not; build with -DZVENO_PLOTS=ON (needs cairo)");
    Text path = {0};
    if (args->output)
        text_puts(&path, args->output);
    else
        recording_beside(args->operand, ".svg", &path);
    Plot *plot = calloc(1, sizeof *plot);
    Code code;
    if (!plot || path.failed) {
        code = complain_memory();
    } else {
        plot->args = args;
        code = plot_to(plot, path.bytes, out);
    }
    free(plot);
    text_free(&path);
    return code;
}

const Verb verb_plot = {
    .name = "plot",
    .run = run,
    .options = OPTION_CHANNELS | OPTION_FROM | OPTION_TO | OPTION_SIZE | OPTION_OUTPUT | OPTION_HELP,
    .file = "recording",
    .form = "RECORDING [--channels LIST] [--from T] [--to T] [--size WxH] [-o FILE.svg|FILE.png]",
    .summary = "draw the channels of a recording over time",
    .help = "Draws a pane for each channel (for each unit of it, where they differ) over one time axis; thin vertical\n"
            "lines are events. Without --channels all that are recorded, up to six panes; of a channel with more\n"
            "than 12 entries the 12 that vary most are drawn. Without -o the picture is written beside the recording\n"
            "as .svg. zveno info RECORDING lists channels and entries.\n"
            "\n"
            "Example\n"
            "  zveno plot swing.h5 --channels \"q,tau.joint1,pose tool\" --to 2 -o swing.png\n",
};
