/* Recordings on the command line: opening and converting. */
#define _POSIX_C_SOURCE 200809L
#include "recording.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "json.h"

bool recording_named(const char *path) {
    static const char *const suffixes[] = {".h5", ".hdf5", ".csv"};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        const size_t length = strlen(path), tail = strlen(suffixes[i]);
        if (length > tail && !strcasecmp(path + length - tail, suffixes[i])) return true;
    }
    return false;
}

Code recording_open(const Args *args, zvRecording **recording) {
    zvError error = {0};
    if (zv_recording_open(args->operand, recording, &error) >= 0) return CODE_DONE;
    return complain_error(&error);
}

Code recording_refuse_options(const Args *args) {
    if (!(args->given & (OPTION_BASE | OPTION_MIMIC | OPTION_GRAVITY))) return CODE_DONE;
    return complain(CODE_USAGE, "%s is a recording; --base, --mimic and --gravity are for models", args->operand);
}

void recording_beside(const char *recording, const char *suffix, Text *path) {
    const char *slash = strrchr(recording, '/'), *point = strrchr(recording, '.');
    const bool has_suffix = point && (!slash || point > slash + 1) && point != recording;
    text_put(path, recording, has_suffix ? (size_t)(point - recording) : strlen(recording));
    text_puts(path, suffix);
}

const char *channel_label(const zvChannel *channel, int entry, char *text, size_t size) {
    if (channel->labels && channel->labels[entry]) return channel->labels[entry];
    if (channel->width == 1)
        snprintf(text, size, "%s", channel->name);
    else
        snprintf(text, size, "%d", entry);
    return text;
}

const char *channel_unit(const zvChannel *channel, int entry) {
    const char *unit = channel->units && channel->units[entry] ? channel->units[entry] : channel->unit;
    return unit ? unit : "1";
}

void channel_entries_json(const zvChannel *channel, Json *json) {
    char text[16];
    json_key(json, "labels"), json_list(json, JSON_LINE);
    for (int i = 0; i < channel->width; i++) json_text(json, channel_label(channel, i, text, sizeof text));
    json_end(json);
    json_key(json, "units"), json_list(json, JSON_LINE);
    for (int i = 0; i < channel->width; i++) json_text(json, channel_unit(channel, i));
    json_end(json);
}

static void print_result(const Args *args, const zvRecording *recording, Text *out) {
    const double rows = (double)zv_recording_rows(recording);
    if (args->given & OPTION_JSON) {
        Json json = json_start(out);
        json_map(&json, JSON_BLOCK);
        json_key(&json, "format"), json_text(&json, "recording");
        json_key(&json, "file"), json_text(&json, args->output);
        json_key(&json, "rows"), json_number(&json, rows);
        json_end(&json);
        return;
    }
    text_puts(out, "wrote ");
    text_name(out, args->output);
    text_printf(out, ": %.0f rows of %d channels\n", rows, zv_recording_channels(recording));
}

Code recording_convert(const Args *args, Text *out) {
    zvRecording *recording = NULL;
    zvError error = {0};
    if (!args->output || !strcmp(args->output, "-"))
        return complain(CODE_USAGE, "a recording is converted to a file: zveno convert %s -o OUT.h5 or -o OUT.csv",
                        args->operand);
    Code code = recording_refuse_options(args);
    if (code == CODE_DONE) code = recording_open(args, &recording);
    if (code != CODE_DONE) return code;
    if (zv_recording_write(recording, args->output, &error) < 0)
        code = complain_error(&error);
    else
        print_result(args, recording, out);
    zv_recording_close(recording);
    return code;
}
