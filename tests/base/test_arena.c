/* Arena and growing arrays. */
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "support/run_tests.h"

static void aligned_and_zeroed(void **state) {
    (void)state;
    ziArena arena = {0};
    for (size_t size = 0; size < 10000; size += 1 + size / 3) {
        unsigned char *bytes = zi_arena_alloc(&arena, size);
        assert_non_null(bytes);
        if ((uintptr_t)bytes % alignof(max_align_t) != 0) fail_msg("%zu bytes are not aligned", size);
        for (size_t i = 0; i < size; i++) {
            if (bytes[i] != 0) fail_msg("byte %zu of %zu is not zero", i, size);
        }
        memset(bytes, 0xA5, size);
    }
    zi_arena_free(&arena);
    assert_null(arena.blocks);
}

/* Earlier pieces stay where they are and as they are when later ones need new blocks. */
static void pieces_do_not_move(void **state) {
    (void)state;
    enum { COUNT = 3000 };
    static int *pieces[COUNT];
    ziArena arena = {0};
    for (int i = 0; i < COUNT; i++) {
        pieces[i] = zi_arena_alloc(&arena, sizeof(int) * (size_t)(1 + i % 7));
        assert_non_null(pieces[i]);
        for (int k = 0; k <= i % 7; k++) pieces[i][k] = i;
    }
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k <= i % 7; k++) assert_int_equal(pieces[i][k], i);
    }
    zi_arena_free(&arena);
}

static void texts(void **state) {
    (void)state;
    ziArena arena = {0};
    char text[] = "звено";
    char *copy = zi_arena_text(&arena, text);
    text[0] = 'x';
    assert_string_equal(copy, "звено");
    assert_string_equal(zi_arena_text(&arena, ""), "");
    assert_null(zi_arena_text(&arena, NULL));
    zi_arena_free(&arena);
}

static void absurd_size(void **state) {
    (void)state;
    ziArena arena = {0};
    assert_null(zi_arena_alloc(&arena, SIZE_MAX));
    assert_null(zi_arena_alloc(&arena, SIZE_MAX - 8));
    zi_arena_free(&arena);
}

static void reserved_in_one_block(void **state) {
    (void)state;
    ziArena arena = {0};
    assert_true(zi_arena_reserve(&arena, 100000));
    ziArenaBlock *block = arena.blocks;
    for (int i = 0; i < 1000; i++) assert_non_null(zi_arena_alloc(&arena, 96));
    assert_ptr_equal(arena.blocks, block);
    zi_arena_free(&arena);
}

static void growing(void **state) {
    (void)state;
    int *items = NULL;
    size_t capacity = 0;
    for (int i = 0; i < 1000; i++) {
        assert_true(zi_grow(&items, (size_t)i, &capacity, sizeof *items));
        assert_true(capacity > (size_t)i);
        items[i] = i;
    }
    for (int i = 0; i < 1000; i++) assert_int_equal(items[i], i);
    free(items);
    items = NULL;
    capacity = SIZE_MAX / 8;
    assert_false(zi_grow(&items, capacity, &capacity, 64)); /* would overflow */
    assert_null(items);
}

TESTS(aligned_and_zeroed, pieces_do_not_move, texts, absurd_size, growing, reserved_in_one_block)
