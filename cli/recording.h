/* Recordings on the command line: told from models by their suffix. */
#ifndef ZVENO_CLI_RECORDING_H
#define ZVENO_CLI_RECORDING_H

#include "args.h"
#include "json.h"
#include "zveno/record.h"

/* .h5, .hdf5 or .csv */
bool recording_named(const char *path);
/* Opens the operand; complains. */
Code recording_open(const Args *args, zvRecording **recording);
/* Complains when options were given that only a model has. */
Code recording_refuse_options(const Args *args);

/* The name of a file beside a recording: another suffix in place of its own. */
void recording_beside(const char *recording, const char *suffix, Text *path);

/* Name and unit of one entry of a channel; text is (size) and used when the channel has no labels. */
const char *channel_label(const zvChannel *channel, int entry, char *text, size_t size);
const char *channel_unit(const zvChannel *channel, int entry);
/* Both of all entries: keys "labels" and "units". */
void channel_entries_json(const zvChannel *channel, Json *json);

/* What zveno info says of a recording. */
Code recording_info(const Args *args, Text *out);
/* What zveno convert does with one. */
Code recording_convert(const Args *args, Text *out);

#endif
