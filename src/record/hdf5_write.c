/* Writes a recording as HDF5; the layout is described in docs/recordings.md. Rows go through in blocks, each channel
 * into chunks of its own. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/channels.h"
#include "record/h5.h"
#include "record/output.h"

enum { CHUNK_NUMBERS = 16 * 1024, DEFLATE_LEVEL = 1, EVENTS_AT_ONCE = 256, FORMAT_VERSION = 2 };

typedef struct Hdf5Writer {
    const ziFeed *feed;
    const char *path;
    ziH5File file;
    hid_t groups, links; /* creation lists */
    hid_t *datasets;
    uint64_t *sums; /* of each channel, as far as it is written */
    uint64_t sum;   /* of everything that is complete */
    double *block, *values;
} Hdf5Writer;

static zvStatus fail_writing(const Hdf5Writer *writer, const char *what, zvError *error) {
    if (writer->file.reason) return zi_output_fail(error, writer->path, writer->file.reason, "written");
    char complaint[128];
    return zv_fail(error, ZV_IO, (zvMark){writer->path, 0, 0}, writer->path,
                   "the file could not be written: HDF5 failed at %s%s; try again, or write CSV", what,
                   zi_h5_complaint(complaint, sizeof complaint));
}

/* Names ------------------------------------------------------------------------------------------------- */

/* The name of a link cannot hold a slash, nor be "." or "", nor stand twice; returns a free one near to name. */
static char *link_name(hid_t group, const char *name) {
    size_t size = strlen(name) + 16;
    char *link = malloc(size);
    if (!link) return NULL;
    snprintf(link, size, "%s", *name && strcmp(name, ".") != 0 ? name : "_");
    for (char *slash; (slash = strchr(link, '/'));) *slash = '|';
    size_t length = strlen(link);
    for (int i = 2; i < 1000000 && H5Lexists(group, link, H5P_DEFAULT) > 0; i++)
        snprintf(link + length, size - length, "~%d", i);
    return link;
}

/* Creates a dataset of a given name; an attribute keeps the name where the link differs. Takes over space. */
static hid_t create_dataset(Hdf5Writer *writer, hid_t group, const char *name, hid_t type, hid_t space,
                            hid_t creation) {
    char *link = link_name(group, name);
    if (!link) writer->file.reason = ENOMEM;
    hid_t dataset = H5I_INVALID_HID;
    if (link && type >= 0 && space >= 0 && creation >= 0)
        dataset = H5Dcreate2(group, link, type, space, writer->links, creation, H5P_DEFAULT);
    if (dataset >= 0 && strcmp(link, name) != 0 && !zi_h5_set_text(dataset, "name", name)) {
        H5Dclose(dataset);
        dataset = H5I_INVALID_HID;
    }
    free(link);
    if (space >= 0) H5Sclose(space);
    return dataset;
}

/* Chunks of rank 1 or 2, packed; plain storage when there are no numbers at all. */
static hid_t storage(int rank, const hsize_t *chunk, bool packed) {
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    bool ok = creation >= 0 && H5Pset_obj_track_times(creation, false) >= 0;
    if (ok && packed) {
        ok = H5Pset_chunk(creation, rank, chunk) >= 0;
        /* deflated data carry a sum of their own */
        if (ok && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0)
            ok = H5Pset_shuffle(creation) >= 0 && H5Pset_deflate(creation, DEFLATE_LEVEL) >= 0;
        else
            ok = ok && H5Pset_fletcher32(creation) >= 0;
    }
    if (ok) return creation;
    if (creation >= 0) H5Pclose(creation);
    return H5I_INVALID_HID;
}

/* Channels ---------------------------------------------------------------------------------------------- */

/* One number without a label (the time) is a vector, everything else a matrix. */
static int rank_of(const zvChannel *channel) { return channel->width == 1 && !channel->labels ? 1 : 2; }

/* Dataset of a channel with its unit, description and labels; chunks of about the same number of bytes, whatever the
 * width. */
static hid_t create_channel(Hdf5Writer *writer, hid_t group, const zvChannel *channel) {
    hsize_t size[2] = {writer->feed->rows, (hsize_t)channel->width};
    hsize_t chunk[2] = {channel->width < CHUNK_NUMBERS ? CHUNK_NUMBERS / (channel->width ? channel->width : 1) : 1,
                        size[1]};
    if (chunk[0] > size[0]) chunk[0] = size[0];
    int rank = rank_of(channel);
    hid_t creation = storage(rank, chunk, size[0] > 0 && size[1] > 0);
    hid_t space = H5Screate_simple(rank, size, NULL);
    hid_t dataset = create_dataset(writer, group, channel->name, H5T_IEEE_F64LE, space, creation);
    if (creation >= 0) H5Pclose(creation);
    bool ok = dataset >= 0 && zi_h5_set_text(dataset, "unit", channel->unit) &&
              zi_h5_set_text(dataset, "about", channel->about);
    if (ok && channel->labels) ok = zi_h5_set_texts(dataset, "labels", channel->width, channel->labels);
    if (ok && channel->units) ok = zi_h5_set_texts(dataset, "units", channel->width, channel->units);
    if (ok || dataset < 0) return dataset;
    H5Dclose(dataset);
    return H5I_INVALID_HID;
}

/* The group of all channels; their sums begin with what describes them. */
static bool create_channels(Hdf5Writer *writer) {
    const ziChannels *channels = writer->feed->channels;
    hid_t group = H5Gcreate2(writer->file.id, "channels", writer->links, writer->groups, H5P_DEFAULT);
    bool ok = group >= 0;
    for (int i = 0; i < channels->count && ok; i++) {
        writer->datasets[i] = create_channel(writer, group, &channels->items[i]);
        ok = writer->datasets[i] >= 0 && !writer->file.reason;
        if (ok && !zi_h5_sum_channel(&channels->items[i], writer->feed->rows, &writer->sums[i])) {
            writer->file.reason = ENOMEM;
            ok = false;
        }
    }
    if (group >= 0) H5Gclose(group);
    return ok;
}

/* Writes count items from first on, of a dataset of rank 1 or 2. */
static bool write_part(hid_t dataset, hid_t type, uint64_t first, uint64_t count, int rank, int width,
                       const void *values) {
    hsize_t start[2] = {first, 0}, size[2] = {count, (hsize_t)width};
    hid_t there = H5Dget_space(dataset), here = H5Screate_simple(rank, size, NULL);
    bool ok = there >= 0 && here >= 0 && H5Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
              H5Dwrite(dataset, type, here, there, H5P_DEFAULT, values) >= 0;
    if (there >= 0) H5Sclose(there);
    if (here >= 0) H5Sclose(here);
    return ok;
}

/* The sum of a dataset goes to it and into that of the whole. */
static bool put_sum(Hdf5Writer *writer, hid_t dataset, uint64_t sum) {
    writer->sum = zi_h5_sum_integer(writer->sum, sum);
    return zi_h5_set_checksum(dataset, sum);
}

/* The numbers of one channel out of a block of rows, added to its sum. */
static bool write_channel(Hdf5Writer *writer, int c, uint64_t first, uint64_t count) {
    const ziChannels *channels = writer->feed->channels;
    const zvChannel *channel = &channels->items[c];
    size_t width = (size_t)channel->width;
    if (width == 0) return true;
    for (size_t i = 0; i < count; i++)
        memcpy(writer->values + i * width, writer->block + i * (size_t)channels->width + channels->columns[c],
               width * sizeof *writer->values);
    writer->sums[c] = zi_checksum_add(writer->sums[c], writer->values, count * width * sizeof *writer->values);
    return write_part(writer->datasets[c], H5T_NATIVE_DOUBLE, first, count, rank_of(channel), channel->width,
                      writer->values);
}

/* Block by block, each channel out of the same rows. */
static zvStatus write_rows(Hdf5Writer *writer, zvError *error) {
    const ziFeed *feed = writer->feed;
    uint64_t step = zi_block_rows(feed->channels->width);
    for (uint64_t first = 0; first < feed->rows; first += step) {
        uint64_t count = feed->rows - first < step ? feed->rows - first : step;
        zvStatus status = feed->read_rows(feed->context, first, count, writer->block, error);
        if (status < 0) return status;
        for (int c = 0; c < feed->channels->count; c++)
            if (!write_channel(writer, c, first, count) || writer->file.reason)
                return fail_writing(writer, "the rows", error);
    }
    bool ok = true;
    for (int c = 0; c < feed->channels->count; c++) {
        ok = put_sum(writer, writer->datasets[c], writer->sums[c]) && ok;
        ok = H5Dclose(writer->datasets[c]) >= 0 && ok;
    }
    return ok && !writer->file.reason ? ZV_OK : fail_writing(writer, "the rows", error);
}

/* Notes and events ---------------------------------------------------------------------------------- */

static bool write_note(Hdf5Writer *writer, hid_t group, const zvNote *note) {
    char *const texts[] = {(char *)(note->name ? note->name : ""), (char *)(note->text ? note->text : "")};
    hid_t creation = storage(0, NULL, false), type = zi_h5_text_type(strlen(texts[1]));
    hid_t dataset = create_dataset(writer, group, texts[0], type, H5Screate(H5S_SCALAR), creation);
    bool ok = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts[1]) >= 0 &&
              put_sum(writer, dataset, zi_h5_sum_texts(zi_checksum(NULL, 0), 2, texts));
    if (dataset >= 0) ok = H5Dclose(dataset) >= 0 && ok;
    if (creation >= 0) H5Pclose(creation);
    if (type >= 0) H5Tclose(type);
    return ok;
}

static bool write_notes(Hdf5Writer *writer) {
    hid_t group = H5Gcreate2(writer->file.id, "notes", writer->links, writer->groups, H5P_DEFAULT);
    bool ok = group >= 0;
    for (int i = 0; i < writer->feed->note_count && ok; i++) ok = write_note(writer, group, &writer->feed->notes[i]);
    if (group >= 0) ok = H5Gclose(group) >= 0 && ok;
    return ok && !writer->file.reason;
}

/* Columns of the list of events: times, names and texts, a few at a time, since HDF5 wants columns and the feed rows.
 */
enum { NAMES, TEXTS, TEXT_COLUMNS };

typedef struct Events {
    hid_t t, column[TEXT_COLUMNS], type[TEXT_COLUMNS];
    size_t width[TEXT_COLUMNS];
    uint64_t sum[1 + TEXT_COLUMNS]; /* of the times, names and texts */
    int held;
    double times[EVENTS_AT_ONCE];
    char *texts[TEXT_COLUMNS][EVENTS_AT_ONCE];
} Events;

static char *copy_of(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

static void drop_events(Events *events) {
    for (int i = 0; i < events->held; i++)
        for (int k = 0; k < TEXT_COLUMNS; k++) free(events->texts[k][i]);
    events->held = 0;
}

/* The longest name and text: columns are as wide as these. */
static zvStatus measure_events(const ziFeed *feed, Events *events, zvError *error) {
    for (uint64_t i = 0; i < feed->events; i++) {
        zvEvent event;
        zvStatus status = feed->read_event(feed->context, i, &event, error);
        if (status < 0) return status;
        const char *const texts[TEXT_COLUMNS] = {event.name, event.text};
        for (int k = 0; k < TEXT_COLUMNS; k++) {
            const size_t length = strlen(texts[k]);
            if (length > events->width[k]) events->width[k] = length;
        }
    }
    return ZV_OK;
}

/* The events that are held go into the columns and their sums. */
static bool put_events(Events *events, uint64_t first) {
    const uint64_t count = (uint64_t)events->held;
    bool ok = write_part(events->t, H5T_NATIVE_DOUBLE, first, count, 1, 1, events->times);
    events->sum[0] = zi_checksum_add(events->sum[0], events->times, (size_t)count * sizeof *events->times);
    for (int k = 0; k < TEXT_COLUMNS && ok; k++) {
        char *packed = zi_h5_pack_texts((size_t)count, (const char *const *)events->texts[k], events->width[k]);
        ok = packed && write_part(events->column[k], events->type[k], first, count, 1, 1, packed);
        events->sum[1 + k] = zi_h5_sum_texts(events->sum[1 + k], count, events->texts[k]);
        free(packed);
    }
    return ok;
}

/* All events, a few at a time. */
static zvStatus fill_events(Hdf5Writer *writer, Events *events, zvError *error) {
    const ziFeed *feed = writer->feed;
    for (uint64_t i = 0; i < feed->events; i++) {
        zvEvent event;
        zvStatus status = feed->read_event(feed->context, i, &event, error);
        if (status < 0) return status;
        events->times[events->held] = event.t;
        char *name = events->texts[NAMES][events->held] = copy_of(event.name);
        char *text = events->texts[TEXTS][events->held] = copy_of(event.text);
        events->held++;
        if (!name || !text) return zi_output_fail(error, writer->path, ENOMEM, "written");
        if (events->held < EVENTS_AT_ONCE && i + 1 < feed->events) continue;
        if (!put_events(events, i + 1 - (uint64_t)events->held) || writer->file.reason)
            return fail_writing(writer, "the events", error);
        drop_events(events);
    }
    return ZV_OK;
}

/* Packed: texts of one width are mostly zeros. */
static hid_t create_column(Hdf5Writer *writer, hid_t group, const char *name, hid_t type) {
    hsize_t size = writer->feed->events, chunk = size < EVENTS_AT_ONCE ? size : EVENTS_AT_ONCE;
    hid_t creation = storage(1, &chunk, size > 0);
    hid_t dataset = create_dataset(writer, group, name, type, H5Screate_simple(1, &size, NULL), creation);
    if (creation >= 0) H5Pclose(creation);
    return dataset;
}

/* Makes the three columns, fills them and adds their sums. */
static zvStatus write_columns(Hdf5Writer *writer, hid_t group, Events *events, zvError *error) {
    static const char *const names[TEXT_COLUMNS] = {"name", "text"};
    events->t = create_column(writer, group, "t", H5T_IEEE_F64LE);
    bool ok = group >= 0 && events->t >= 0;
    for (int k = 0; k < TEXT_COLUMNS; k++) {
        events->type[k] = zi_h5_text_type(events->width[k]);
        events->column[k] = create_column(writer, group, names[k], events->type[k]);
        ok = ok && events->column[k] >= 0;
    }
    zvStatus status = ok ? fill_events(writer, events, error) : fail_writing(writer, "the events", error);
    if (status < 0) return status;
    ok = put_sum(writer, events->t, events->sum[0]);
    for (int k = 0; k < TEXT_COLUMNS && ok; k++) ok = put_sum(writer, events->column[k], events->sum[1 + k]);
    return ok && !writer->file.reason ? ZV_OK : fail_writing(writer, "the events", error);
}

/* The group "events" with its three columns, also when there are none. */
static zvStatus write_events(Hdf5Writer *writer, zvError *error) {
    Events events = {.t = H5I_INVALID_HID, .width = {1, 1}};
    for (int k = 0; k <= TEXT_COLUMNS; k++)
        events.sum[k] = zi_h5_sum_integer(zi_checksum(NULL, 0), writer->feed->events);
    for (int k = 0; k < TEXT_COLUMNS; k++) events.column[k] = events.type[k] = H5I_INVALID_HID;
    zvStatus status = measure_events(writer->feed, &events, error);
    if (status < 0) return status;
    hid_t group = H5Gcreate2(writer->file.id, "events", writer->links, writer->groups, H5P_DEFAULT);
    status = write_columns(writer, group, &events, error);
    drop_events(&events);
    if (events.t >= 0) H5Dclose(events.t);
    for (int k = 0; k < TEXT_COLUMNS; k++) {
        if (events.column[k] >= 0) H5Dclose(events.column[k]);
        if (events.type[k] >= 0) H5Tclose(events.type[k]);
    }
    if (group >= 0) H5Gclose(group);
    return status;
}

/* The file ---------------------------------------------------------------------------------------------- */

/* The sum of the whole is that of all sums, in the order in which they were put into the file, and of their numbers. */
static zvStatus write_all(Hdf5Writer *writer, zvError *error) {
    hid_t root = writer->file.id;
    writer->sum = zi_checksum(NULL, 0);
    if (!zi_h5_set_text(root, "format", "zveno recording") ||
        !zi_h5_set_integer(root, "format_version", FORMAT_VERSION))
        return fail_writing(writer, "the head", error);
    if (!create_channels(writer)) return fail_writing(writer, "the channels", error);
    zvStatus status = write_rows(writer, error);
    if (status < 0) return status;
    if (!write_notes(writer)) return fail_writing(writer, "the notes", error);
    status = write_events(writer, error);
    const uint64_t counts[] = {FORMAT_VERSION, (uint64_t)writer->feed->channels->count,
                               (uint64_t)writer->feed->note_count, writer->feed->events};
    if (status >= 0 && !zi_h5_set_checksum(root, zi_checksum_add(writer->sum, counts, sizeof counts)))
        return fail_writing(writer, "the checksum", error);
    return status;
}

/* Creation order is kept, times of creation are not: the same run gives the same bytes. */
static zvStatus write_file(Hdf5Writer *writer, zvError *error) {
    writer->groups = H5Pcreate(H5P_GROUP_CREATE);
    writer->links = H5Pcreate(H5P_LINK_CREATE);
    bool ready = writer->groups >= 0 && writer->links >= 0 && H5Pset_obj_track_times(writer->groups, false) >= 0 &&
                 H5Pset_link_creation_order(writer->groups, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0 &&
                 H5Pset_char_encoding(writer->links, H5T_CSET_UTF8) >= 0 && zi_h5_create(&writer->file);
    zvStatus status = ready ? write_all(writer, error) : fail_writing(writer, "the beginning", error);
    if (ready && !zi_h5_close(&writer->file) && status >= 0) status = fail_writing(writer, "the end", error);
    if (status >= 0 && writer->file.reason) status = fail_writing(writer, "the end", error);
    if (writer->groups >= 0) H5Pclose(writer->groups);
    if (writer->links >= 0) H5Pclose(writer->links);
    return status;
}

/* Memory first, so that a failure leaves no half-made file open. */
zvStatus zi_hdf5_write(const ziFeed *feed, int file, const char *path, zvError *error) {
    size_t width = (size_t)feed->channels->width;
    size_t block = (size_t)zi_block_rows((int)width) * width * sizeof(double);
    Hdf5Writer writer = {.feed = feed, .path = path, .file.file = file};
    writer.datasets = malloc((size_t)feed->channels->count * sizeof *writer.datasets);
    writer.sums = calloc((size_t)feed->channels->count, sizeof *writer.sums);
    writer.block = malloc(block);
    writer.values = malloc(block);
    ziH5Quiet quiet;
    zi_h5_begin(&quiet);
    zvStatus status = writer.datasets && writer.sums && writer.block && writer.values
                          ? write_file(&writer, error)
                          : zi_output_fail(error, path, ENOMEM, "written");
    zi_h5_end(&quiet);
    free(writer.datasets);
    free(writer.sums);
    free(writer.block);
    free(writer.values);
    return status;
}
