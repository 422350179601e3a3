/* Rows and happenings kept in memory. */
#include "record/memory.h"

#include <stdlib.h>
#include <string.h>

static zvStatus fail_memory(zvError *error) {
    return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory for the recording; record less, or to a file");
}

zvStatus zv_memory_row(zvMemory *memory, const double *row, zvError *error) {
    if (!zv_grow(&memory->rows, memory->row_count, &memory->row_capacity, memory->width * sizeof *row))
        return fail_memory(error);
    memcpy(memory->rows + memory->row_count * memory->width, row, memory->width * sizeof *row);
    memory->row_count++;
    return ZV_OK;
}

zvStatus zv_memory_happening(zvMemory *memory, const zvHappening *happening, zvError *error) {
    if (!zv_grow(&memory->happenings, memory->happening_count, &memory->happening_capacity, sizeof *happening))
        return fail_memory(error);
    zvHappening copy = {happening->t, zv_arena_text(&memory->texts, happening->name ? happening->name : ""),
                        zv_arena_text(&memory->texts, happening->text ? happening->text : "")};
    if (!copy.name || !copy.text) return fail_memory(error);
    memory->happenings[memory->happening_count++] = copy;
    return ZV_OK;
}

static zvStatus read_rows(void *context, uint64_t first, uint64_t count, double *rows, zvError *error) {
    (void)error;
    const zvMemory *memory = context;
    memcpy(rows, memory->rows + (size_t)first * memory->width, (size_t)count * memory->width * sizeof *rows);
    return ZV_OK;
}

static zvStatus read_happening(void *context, uint64_t index, zvHappening *happening, zvError *error) {
    (void)error;
    const zvMemory *memory = context;
    *happening = memory->happenings[index];
    return ZV_OK;
}

void zv_memory_feed(zvMemory *memory, zvFeed *feed) {
    feed->rows = memory->row_count;
    feed->happenings = memory->happening_count;
    feed->context = memory;
    feed->read_rows = read_rows;
    feed->read_happening = read_happening;
}

void zv_memory_free(zvMemory *memory) {
    free(memory->rows);
    free(memory->happenings);
    zv_arena_free(&memory->texts);
    *memory = (zvMemory){0};
}
