/* A copy of channels that outlives the run they belong to: one block of channels, lists and texts. */
#include <stdlib.h>
#include <string.h>

#include "live_run.h"

/* Where the next list or text goes; NULL: only the size is wanted. */
typedef struct Block {
    char *bytes;
    size_t lists, texts; /* bytes used of each; texts come behind all lists */
} Block;

static const char *put_text(Block *block, size_t base, const char *text) {
    if (!text) return NULL;
    char *to = block->bytes ? block->bytes + base + block->texts : NULL;
    const size_t size = strlen(text) + 1;
    block->texts += size;
    return to ? memcpy(to, text, size) : NULL;
}

static const char *const *put_list(Block *block, size_t base, const char *const *texts, int count) {
    if (!texts) return NULL;
    const char **to = block->bytes ? (const char **)(void *)(block->bytes + block->lists) : NULL;
    block->lists += (size_t)count * sizeof *to;
    for (int i = 0; i < count; i++) {
        const char *text = put_text(block, base, texts[i]);
        if (to) to[i] = text;
    }
    return to;
}

/* base: bytes of channels and lists. */
static void put_channels(Block *block, size_t base, int count, const zvChannel *channels) {
    zvChannel *to = (zvChannel *)(void *)block->bytes;
    block->lists = (size_t)count * sizeof *to;
    block->texts = 0;
    for (int i = 0; i < count; i++) {
        const zvChannel *from = &channels[i];
        const zvChannel made = {.name = put_text(block, base, from->name),
                                .unit = put_text(block, base, from->unit),
                                .about = put_text(block, base, from->about),
                                .width = from->width,
                                .labels = put_list(block, base, from->labels, from->width),
                                .units = put_list(block, base, from->units, from->width)};
        if (to) to[i] = made;
    }
}

zvChannel *live_channels_copy(int count, const zvChannel *channels) {
    Block block = {0};
    put_channels(&block, 0, count, channels);
    const size_t base = block.lists;
    block.bytes = malloc(base + block.texts + 1);
    if (block.bytes) put_channels(&block, base, count, channels);
    return (zvChannel *)(void *)block.bytes;
}
