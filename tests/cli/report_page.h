/* Reads the document out of a page that zveno report wrote, by another base64 than that which wrote it. Goes with
 * process.h. */
#ifndef ZV_TESTS_CLI_REPORT_PAGE_H
#define ZV_TESTS_CLI_REPORT_PAGE_H

#include "process.h"

/* Where the document stands in a page, and its length. */
static inline const char *document_in(const char *page, size_t *length) {
    static const char mark[] = "<script type=\"application/json\" id=\"document\">";
    const char *start = strstr(page, mark), *end = start ? strstr(start, "</script>") : NULL;
    if (!end) fail_msg("the page has no document");
    start += sizeof mark - 1;
    *length = (size_t)(end - start);
    return start;
}

static inline zvDocument *read_page(const char *name) {
    size_t size, length;
    char *page = load_file(name, &size);
    assert_int_equal(strlen(page), size);
    const char *start = document_in(page, &length);
    assert_null(memchr(start, '<', length));
    zvDocument *document = NULL;
    zvError error = {0};
    if (zv_document_read_memory(name, start, length, &document, &error) < 0) fail_msg("%s", error.text);
    free(page);
    return document;
}

static inline double number_at(const zvNode *node, const char *path) {
    double value = NAN;
    if (zv_node_number(node_at(node, path), path, &value, NULL) < 0) fail_msg("%s is no number", path);
    return value;
}

static inline bool is_null(const zvNode *node) { return !node->quoted && node->text && !strcmp(node->text, "null"); }

static inline int base64_value(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Bit by bit; to be freed. */
static inline unsigned char *base64_bytes(const char *text, size_t *count) {
    const size_t length = strlen(text);
    unsigned char *bytes = calloc(length + 1, 1);
    assert_non_null(bytes);
    assert_int_equal(length % 4, 0);
    size_t bits = 0, end = length;
    while (end && text[end - 1] == '=') end--;
    assert_true(length - end <= 2);
    for (size_t i = 0; i < end; i++) {
        const int value = base64_value(text[i]);
        assert_true(value >= 0);
        for (int b = 5; b >= 0; b--, bits++)
            if (value >> b & 1) bytes[bits / 8] |= (unsigned char)(128 >> bits % 8);
    }
    *count = bits / 8;
    return bytes;
}

/* Numbers of 4 or 8 bytes, as doubles; to be freed. */
static inline double *numbers_in(const zvNode *node, size_t size, size_t expected) {
    size_t count;
    assert_true(node->quoted);
    unsigned char *bytes = base64_bytes(node->text, &count);
    assert_int_equal(count, expected * size);
    double *numbers = calloc(expected + 1, sizeof *numbers);
    assert_non_null(numbers);
    for (size_t i = 0; i < expected; i++) {
        uint64_t word = 0;
        for (size_t b = 0; b < size; b++) word |= (uint64_t)bytes[i * size + b] << 8 * b;
        if (size == 8) {
            memcpy(&numbers[i], &word, sizeof word);
        } else {
            const uint32_t half = (uint32_t)word;
            float single;
            memcpy(&single, &half, sizeof half);
            numbers[i] = (double)single;
        }
    }
    free(bytes);
    return numbers;
}

static inline bool is_precise(const zvNode *channel) { return zv_node_get(channel, "precise") != NULL; }

/* The numbers of a channel, entry after entry; to be freed. */
static inline double *channel_numbers(const zvNode *recording, int channel, size_t rows) {
    const zvNode *node = node_at(recording, "channels")->items[channel];
    return numbers_in(zv_node_get(node, "data"), is_precise(node) ? 8 : 4, rows * (size_t)number_at(node, "width"));
}

static inline double *page_times(const zvNode *recording, size_t rows) {
    return numbers_in(zv_node_get(recording, "time"), 8, rows);
}

#endif
