/* Rows and events kept in memory. */
#include "record/memory.h"

#include <stdlib.h>
#include <string.h>

static zvStatus fail_memory(zvError *error) {
    return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory for the recording; record less, or to a file");
}

zvStatus zi_memory_row(ziMemory *memory, const double *row, zvError *error) {
    if (!zi_grow(&memory->rows, memory->row_count, &memory->row_capacity, memory->width * sizeof *row))
        return fail_memory(error);
    memcpy(memory->rows + memory->row_count * memory->width, row, memory->width * sizeof *row);
    memory->row_count++;
    return ZV_OK;
}

zvStatus zi_memory_event(ziMemory *memory, const zvEvent *event, zvError *error) {
    if (!zi_grow(&memory->events, memory->event_count, &memory->event_capacity, sizeof *event))
        return fail_memory(error);
    zvEvent copy = {event->t, zi_arena_text(&memory->texts, event->name ? event->name : ""),
                    zi_arena_text(&memory->texts, event->text ? event->text : "")};
    if (!copy.name || !copy.text) return fail_memory(error);
    memory->events[memory->event_count++] = copy;
    return ZV_OK;
}

static zvStatus read_rows(void *context, uint64_t first, uint64_t count, double *rows, zvError *error) {
    (void)error;
    const ziMemory *memory = context;
    memcpy(rows, memory->rows + (size_t)first * memory->width, (size_t)count * memory->width * sizeof *rows);
    return ZV_OK;
}

static zvStatus read_event(void *context, uint64_t index, zvEvent *event, zvError *error) {
    (void)error;
    const ziMemory *memory = context;
    *event = memory->events[index];
    return ZV_OK;
}

void zi_memory_feed(ziMemory *memory, ziFeed *feed) {
    feed->rows = memory->row_count;
    feed->events = memory->event_count;
    feed->context = memory;
    feed->read_rows = read_rows;
    feed->read_event = read_event;
}

void zi_memory_free(ziMemory *memory) {
    free(memory->rows);
    free(memory->events);
    zi_arena_free(&memory->texts);
    *memory = (ziMemory){0};
}
