/* What all forms of a recording share: runs of bytes and their checksum, channels checked and copied. */
#include "record/channels.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A growing run of bytes, and the checksum of one. */

static bool reserve_bytes(ziBytes *bytes, size_t size) {
    if (bytes->failed || size > SIZE_MAX / 4 - bytes->size) return false;
    if (bytes->size + size <= bytes->capacity) return true;
    size_t capacity = 2 * (bytes->size + size) + 256;
    unsigned char *data = realloc(bytes->data, capacity);
    if (!data) return false;
    bytes->data = data;
    bytes->capacity = capacity;
    return true;
}

void zi_bytes_add(ziBytes *bytes, const void *data, size_t size) {
    if (size == 0) return;
    if (!reserve_bytes(bytes, size)) {
        bytes->failed = true;
        return;
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void zi_bytes_add_u32(ziBytes *bytes, uint32_t value) { zi_bytes_add(bytes, &value, sizeof value); }
void zi_bytes_add_u64(ziBytes *bytes, uint64_t value) { zi_bytes_add(bytes, &value, sizeof value); }

void zi_bytes_add_text(ziBytes *bytes, const char *text) {
    size_t length = strlen(text);
    zi_bytes_add_u64(bytes, length);
    zi_bytes_add(bytes, text, length);
}

void zi_bytes_free(ziBytes *bytes) {
    free(bytes->data);
    *bytes = (ziBytes){0};
}

/* Bytes taken in order. */

const unsigned char *zi_take(ziByteReader *reader, uint64_t size) {
    if (reader->failed || size > reader->left) {
        reader->failed = true;
        return NULL;
    }
    const unsigned char *here = reader->at;
    reader->at += size;
    reader->left -= (size_t)size;
    return here;
}

uint32_t zi_take_u32(ziByteReader *reader) {
    uint32_t value = 0;
    const unsigned char *here = zi_take(reader, sizeof value);
    if (here) memcpy(&value, here, sizeof value);
    return value;
}

uint64_t zi_take_u64(ziByteReader *reader) {
    uint64_t value = 0;
    const unsigned char *here = zi_take(reader, sizeof value);
    if (here) memcpy(&value, here, sizeof value);
    return value;
}

/* Length and bytes; a NUL is added. */
const char *zi_take_text(ziByteReader *reader, ziArena *arena) {
    const uint64_t length = zi_take_u64(reader);
    const unsigned char *here = zi_take(reader, length);
    char *text = here ? zi_arena_alloc(arena, (size_t)length + 1) : NULL;
    if (!text) {
        reader->failed = true;
        return NULL;
    }
    memcpy(text, here, (size_t)length);
    text[length] = '\0';
    return text;
}

/* In pieces: that of nothing, and that of what came before and data. */
static uint64_t checksum_start(void) { return 14695981039346656037u; }

uint64_t zi_checksum_add(uint64_t sum, const void *data, size_t size) {
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; i++) sum = (sum ^ byte[i]) * 1099511628211u;
    return sum;
}

uint64_t zi_checksum(const void *data, size_t size) { return zi_checksum_add(checksum_start(), data, size); }

/* Checks and copies channels. */

/* A row with its head must fit the 32 bits that a spool gives to the size of a record. */
enum { MAX_WIDTH = INT_MAX / 16 };

static zvStatus fail_memory(const char *path, zvError *error) {
    return zv_fail(error, ZV_MEMORY, (zvMark){path, 0, 0}, "", "out of memory for the channels of the recording");
}

static const char *const *copy_texts(ziArena *arena, const char *const *from, int count, bool *ok) {
    if (!from || count == 0) return NULL;
    const char **texts = zi_arena_alloc(arena, (size_t)count * sizeof *texts);
    if (!texts) *ok = false;
    for (int i = 0; i < count && *ok; i++) {
        texts[i] = zi_arena_text(arena, from[i] ? from[i] : "");
        if (!texts[i]) *ok = false;
    }
    return texts;
}

/* Texts are copied into the arena; no unit is "1", no description is empty. */
static bool copy_channel(ziChannels *channels, int i, const zvChannel *from) {
    bool ok = true;
    ziArena *arena = &channels->arena;
    zvChannel *to = &channels->items[i];
    to->name = zi_arena_text(arena, from->name);
    to->unit = zi_arena_text(arena, from->unit ? from->unit : "1");
    to->about = zi_arena_text(arena, from->about ? from->about : "");
    to->width = from->width;
    to->labels = copy_texts(arena, from->labels, from->width, &ok);
    to->units = copy_texts(arena, from->units, from->width, &ok);
    return ok && to->name && to->unit && to->about;
}

/* Names must be there and differ, widths must stay within what a row may hold. */
static zvStatus add_channel(ziChannels *channels, int i, const zvChannel *from, const char *path, zvError *error) {
    zvMark mark = {path, 0, 0};
    if (!from->name || !*from->name)
        return zv_fail(error, ZV_NAME, mark, "", "channel %d: expected a name, found none; give it one", i + 1);
    if (from->width < 0 || from->width > MAX_WIDTH - channels->width)
        return zv_fail(error, ZV_SIZE, mark, from->name,
                       "channel \"%s\": expected rows of 1 to %d numbers, found a width of %d; split the recording",
                       from->name, (int)MAX_WIDTH, from->width);
    if (!copy_channel(channels, i, from)) return fail_memory(path, error);
    int place = zi_names_add(&channels->names, channels->items[i].name, i);
    if (place < 0) return fail_memory(path, error);
    if (place != i)
        return zv_fail(error, ZV_NAME, mark, from->name,
                       "channels: expected names that differ, found \"%s\" twice; rename one", from->name);
    channels->columns[i] = channels->width;
    channels->width += from->width;
    return ZV_OK;
}

/* Frees what it took when a channel is refused. */
zvStatus zi_channels_copy(ziChannels *channels, int count, const zvChannel *from, const char *path, zvError *error) {
    *channels = (ziChannels){.count = count < 0 ? 0 : count};
    size_t items = (size_t)channels->count;
    channels->items = zi_arena_alloc(&channels->arena, items * sizeof *channels->items);
    channels->columns = zi_arena_alloc(&channels->arena, items * sizeof *channels->columns);
    zvStatus status = channels->items && channels->columns ? ZV_OK : fail_memory(path, error);
    for (int i = 0; i < channels->count && status >= 0; i++) status = add_channel(channels, i, &from[i], path, error);
    if (status >= 0 && channels->width == 0)
        status = zv_fail(error, ZV_SIZE, (zvMark){path, 0, 0}, "",
                         "expected a channel that holds numbers, found none; add one, such as the time");
    if (status < 0) zi_channels_free(channels);
    return status;
}

void zi_channels_free(ziChannels *channels) {
    zi_names_free(&channels->names);
    zi_arena_free(&channels->arena);
    *channels = (ziChannels){0};
}

static void describe_texts(ziBytes *bytes, const char *const *texts, int count) {
    zi_bytes_add_u32(bytes, texts ? 1 : 0);
    for (int i = 0; texts && i < count; i++) zi_bytes_add_text(bytes, texts[i]);
}

/* Lengths before texts, so that different channels never give the same bytes. */
void zi_channels_describe_one(const zvChannel *channel, ziBytes *bytes) {
    zi_bytes_add_u32(bytes, (uint32_t)channel->width);
    zi_bytes_add_text(bytes, channel->name);
    zi_bytes_add_text(bytes, channel->unit);
    zi_bytes_add_text(bytes, channel->about);
    describe_texts(bytes, channel->labels, channel->width);
    describe_texts(bytes, channel->units, channel->width);
}

void zi_channels_describe(const ziChannels *channels, ziBytes *bytes) {
    zi_bytes_add_u32(bytes, (uint32_t)channels->count);
    for (int i = 0; i < channels->count; i++) zi_channels_describe_one(&channels->items[i], bytes);
}

static const char *const *take_texts(ziByteReader *reader, ziArena *arena, int count) {
    if (zi_take_u32(reader) == 0 || count <= 0 || (size_t)count > reader->left / 8) return NULL;
    const char **texts = zi_arena_alloc(arena, (size_t)count * sizeof *texts);
    if (!texts) reader->failed = true;
    for (int i = 0; texts && i < count; i++) texts[i] = zi_take_text(reader, arena);
    return texts;
}

/* The channels as they were described; all their texts lie in the arena. */
zvChannel *zi_channels_take(ziByteReader *reader, ziArena *arena, int *count) {
    enum { LEAST = 4 + 3 * 8 + 2 * 4 }; /* bytes of a channel */
    const uint32_t number = zi_take_u32(reader);
    *count = (int)number;
    if (reader->failed || number > reader->left / LEAST) return NULL;
    zvChannel *channels = zi_arena_alloc(arena, (number + 1) * sizeof *channels);
    for (uint32_t i = 0; channels && i < number && !reader->failed; i++) {
        channels[i].width = (int)zi_take_u32(reader);
        channels[i].name = zi_take_text(reader, arena);
        channels[i].unit = zi_take_text(reader, arena);
        channels[i].about = zi_take_text(reader, arena);
        channels[i].labels = take_texts(reader, arena, channels[i].width);
        channels[i].units = take_texts(reader, arena, channels[i].width);
    }
    return reader->failed ? NULL : channels;
}
