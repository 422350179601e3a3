/* What a run writes: file, channels, rate. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "simulate/channel.h"
#include "simulate/scenario_read.h"

static const double USUAL_RATE = 100, USUAL_CHECKPOINT = 5, MOST_ROWS = 1e9;

static zvStatus read_file(ziScenarioReader *reader, const ziElement *output) {
    static const char *const suffixes[] = {".h5", ".hdf5", ".csv"};
    const char *file = NULL;
    const zvStatus status = zi_element_text(&reader->reading, output, "file", &file);
    if (status < 0 || !file) return status;
    const size_t length = strlen(file);
    bool known = false;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const size_t suffix = strlen(suffixes[i]);
        known = known || (length > suffix && strcasecmp(file + length - suffix, suffixes[i]) == 0);
    }
    if (!known)
        return zi_element_refuse(&reader->reading, output, "file",
                                 "must end in .h5 or .csv: that decides the form of the recording");
    reader->scenario->output = zi_arena_text(&reader->scenario->arena, file);
    return reader->scenario->output ? ZV_OK : zi_scenario_no_memory(reader);
}

static zvStatus read_interval(ziScenarioReader *reader, const ziElement *output) {
    zvScenario *scenario = reader->scenario;
    bool every_step = false;
    double rate = USUAL_RATE;
    const bool has_rate = zi_element_has(output, "rate"), has_interval = zi_element_has(output, "interval");
    zvStatus status = zi_element_bool(&reader->reading, output, "every_step", &every_step);
    if (status >= 0) status = zi_scenario_positive(reader, output, "rate", &rate);
    scenario->interval = 1 / rate;
    if (status >= 0) status = zi_scenario_positive(reader, output, "interval", &scenario->interval);
    if (status < 0) return status;
    if (has_rate + has_interval + every_step > 1)
        return zi_element_refuse(&reader->reading, output, has_interval ? "interval" : "rate",
                                 "is not alone: rate, interval and every_step exclude each other; keep one");
    const double rows = scenario->duration / scenario->interval;
    if (rows > MOST_ROWS && (has_rate || has_interval)) {
        char reason[160];
        snprintf(reason, sizeof reason, "with a duration of %g s that makes %.3g rows, more than 1e9; %s",
                 scenario->duration, rows, has_rate ? "rate is in rows per second" : "interval is in seconds");
        return zi_scenario_bad_number(reader, output, has_rate ? "rate" : "interval",
                                      has_rate ? rate : scenario->interval, reason);
    }
    if (rows > MOST_ROWS)
        return zv_fail(reader->error, ZV_SIZE, output->node ? output->node->mark : reader->root->mark, "rate",
                       "a duration of %g s at the usual %g rows per second makes %.3g rows, more than 1e9; give output "
                       "a lower rate",
                       scenario->duration, rate, rows);
    if (every_step) scenario->interval = 0;
    return ZV_OK;
}

static zvStatus add_channel(ziScenarioReader *reader, const ziElement *output, const zvNode *node) {
    zvScenario *scenario = reader->scenario;
    ziChannelSpec spec;
    zvChannel channel;
    const char *label;
    zvStatus status = zi_scenario_channel(reader, node, false, &spec, &label);
    if (status < 0) return status;
    status = zi_channel_describe(scenario, spec, &reader->scratch, &channel, reader->error);
    if (status < 0) return zi_scenario_blame(reader, output, node, status);
    for (int i = 0; i < scenario->channel_count; i++)
        if (scenario->channels[i].kind == spec.kind && scenario->channels[i].index == spec.index)
            return zv_fail(reader->error, ZV_NAME, node->mark, node->text,
                           "channel \"%.80s\" is listed twice; remove one", node->text);
    scenario->channels[scenario->channel_count++] = spec;
    return ZV_OK;
}

static zvStatus read_channels(ziScenarioReader *reader, const ziElement *output) {
    static const ziChannelKind usual[] = {ZI_CHANNEL_Q, ZI_CHANNEL_V, ZI_CHANNEL_TAU, ZI_CHANNEL_ENERGY};
    enum { USUAL = sizeof usual / sizeof *usual };
    zvScenario *scenario = reader->scenario;
    const zvNode *list = NULL;
    zvStatus status = zi_element_list(&reader->reading, output, "channels", &list);
    if (status < 0) return status;
    const size_t count = list ? (size_t)list->count : USUAL;
    scenario->channels = zi_arena_alloc(&scenario->arena, count * sizeof *scenario->channels);
    if (!scenario->channels) return zi_scenario_no_memory(reader);
    for (int i = 0; !list && i < USUAL; i++)
        scenario->channels[scenario->channel_count++] = (ziChannelSpec){usual[i], -1};
    for (int i = 0; status >= 0 && list && i < list->count; i++) status = add_channel(reader, output, list->items[i]);
    return status;
}

zvStatus zi_scenario_output_section(ziScenarioReader *reader, const ziElement *root) {
    static const char *const keys[] = {"file", "rate", "interval", "every_step", "channels", "ledger", "checkpoint"};
    zvScenario *scenario = reader->scenario;
    ziElement output;
    scenario->ledger = true;
    scenario->checkpoint = USUAL_CHECKPOINT;
    zvStatus status = zi_element_part(&reader->reading, root, "output", "the output", ZI_KEYS(keys), &output);
    if (status >= 0) status = read_file(reader, &output);
    if (status >= 0) status = read_interval(reader, &output);
    if (status >= 0) status = read_channels(reader, &output);
    if (status >= 0) status = zi_element_bool(&reader->reading, &output, "ledger", &scenario->ledger);
    if (status >= 0) status = zi_scenario_positive(reader, &output, "checkpoint", &scenario->checkpoint);
    return status;
}
