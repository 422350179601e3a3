/* Very long robot files: a hundred thousand links in a chain as URDF and as native text, fewer on one link and for the
 * writer; read and frozen on a small stack, in time that grows with the text.
 *
 * Checks in the small thread return a text instead of failing, because a failing assertion must jump within the main
 * thread. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/run_tests.h"
#include "support/sanitized.h"
#include "support/small_stack.h"
#include "zveno/dynamics.h"
#include "zveno/read.h"

enum { MANY = SANITIZED ? 20000 : 100000 };
enum { FEWER = 20000 };

/* A text that grows. */
typedef struct Text {
    char *bytes;
    size_t size, capacity;
} Text;

static bool append(void *context, const char *piece, size_t size) {
    Text *text = context;
    if (text->size + size > text->capacity) {
        text->capacity = 2 * (text->size + size);
        text->bytes = realloc(text->bytes, text->capacity);
        if (!text->bytes) abort();
    }
    memcpy(text->bytes + text->size, piece, size);
    text->size += size;
    return true;
}

static void say(Text *text, const char *format, ...) {
    char piece[512];
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    append(text, piece, (size_t)size);
}

/* Link i hangs on link i - 1, or on link 0 in a star. All joints turn about x, where the links have 0.01 kg m^2. */
static void write_urdf(Text *text, int links, bool star) {
    say(text, "<robot name=\"long\">\n<link name=\"l0\"/>\n");
    for (int i = 1; i < links; i++) {
        say(text,
            "<link name=\"l%d\"><inertial><mass value=\"0.5\"/><inertia ixx=\"0.01\" ixy=\"0\" ixz=\"0\" iyy=\"0.02\" "
            "iyz=\"0\" izz=\"0.02\"/></inertial></link>\n",
            i);
        say(text,
            "<joint name=\"j%d\" type=\"continuous\"><parent link=\"l%d\"/><child link=\"l%d\"/>"
            "<origin xyz=\"0.1 0 0\"/><axis xyz=\"1 0 0\"/></joint>\n",
            i, star ? 0 : i - 1, i);
    }
    say(text, "</robot>\n");
}

static void write_native(Text *text, int links, bool star) {
    say(text, "zveno: 1\nname: long\nlinks:\n  - {name: l0}\n");
    for (int i = 1; i < links; i++) say(text, "  - {name: l%d, mass: 0.5, inertia: [0.01, 0.02, 0.02]}\n", i);
    say(text, "joints:\n");
    for (int i = 1; i < links; i++)
        say(text,
            "  - {name: j%d, type: continuous, parent: l%d, child: l%d, origin: {xyz: [0.1, 0, 0]}, axis: [1, 0, 0]}\n",
            i, star ? 0 : i - 1, i);
}

/* All axes lie on one line through all centres of mass: the torque of joint k is 0.01 times the sum of the angular
 * accelerations of all links beyond it. */
static const char *check_dynamics(const zvModel *model, int links, bool star) {
    zvError error = {0};
    const int nv = zv_model_nv(model);
    EXPECT(nv == links - 1, "nv is %d", nv);
    zvWork *work = zv_work_create(model, &error);
    double *q = calloc(4 * (size_t)nv, sizeof *q), *v = q + nv, *a = v + nv, *tau = a + nv;
    EXPECT(work && q, "no room");
    a[nv - 1] = 1; /* only the last joint accelerates */
    zv_inverse_dynamics(model, work, q, v, a, NULL, tau);
    const double first = tau[0], last = tau[nv - 1];
    free(q);
    zv_work_destroy(work);
    EXPECT(fabs(last - 0.01) < 1e-12 && fabs(first - (star ? 0 : 0.01)) < 1e-12, "torques %.17g and %.17g", first,
           last);
    return NULL;
}

static const char *read_text(const Text *text, int links, zvBuilder **builder) {
    zvError error = {0};
    *builder = zv_builder_create(&error);
    EXPECT(*builder, "no builder");
    EXPECT(zv_read_memory(*builder, "long", text->bytes, text->size, ZV_FORMAT_AUTO, &error) == ZV_OK, "%d:%d: %s",
           error.line, error.column, error.text);
    EXPECT(zv_builder_nlink(*builder) == links, "%d links", zv_builder_nlink(*builder));
    return NULL;
}

static const char *check_text(const Text *text, int links, bool star) {
    zvError error = {0};
    zvBuilder *builder = NULL;
    zvModel *model = NULL;
    const char *wrong = read_text(text, links, &builder);
    if (wrong) return wrong;
    EXPECT(zv_builder_freeze(builder, &model, &error) == ZV_OK, "freeze: %s", error.text);
    zv_builder_destroy(builder);
    wrong = check_dynamics(model, links, star);
    zv_model_destroy(model);
    return wrong;
}

/* Written in the native format and read again, the text repeats itself. */
static const char *check_writer(const Text *text, int links) {
    zvError error = {0};
    zvBuilder *builder = NULL, *again = NULL;
    Text once = {0}, twice = {0};
    const char *wrong = read_text(text, links, &builder);
    if (wrong) return wrong;
    EXPECT(zv_write_native(builder, append, &once, &error) == ZV_OK, "write: %s", error.text);
    wrong = read_text(&once, links, &again);
    if (wrong) return wrong;
    EXPECT(zv_write_native(again, append, &twice, &error) == ZV_OK, "write: %s", error.text);
    const bool same = once.size == twice.size && memcmp(once.bytes, twice.bytes, once.size) == 0;
    free(once.bytes);
    free(twice.bytes);
    zv_builder_destroy(builder);
    zv_builder_destroy(again);
    EXPECT(same, "the second writing differs");
    return NULL;
}

typedef struct Case {
    void (*write)(Text *text, int links, bool star);
    int links;
    bool star, writer;
} Case;

static void *check_case(void *context) {
    const Case *c = context;
    Text text = {0};
    c->write(&text, c->links, c->star);
    const char *wrong = c->writer ? check_writer(&text, c->links) : check_text(&text, c->links, c->star);
    free(text.bytes);
    return (void *)(uintptr_t)wrong;
}

static void long_urdf(void **state) {
    (void)state;
    on_small_stack(check_case, &(Case){write_urdf, .links = MANY});
}

static void wide_urdf(void **state) {
    (void)state;
    on_small_stack(check_case, &(Case){write_urdf, .links = FEWER, .star = true});
}

static void long_native(void **state) {
    (void)state;
    on_small_stack(check_case, &(Case){write_native, .links = MANY});
}

static void wide_native(void **state) {
    (void)state;
    on_small_stack(check_case, &(Case){write_native, .links = FEWER, .star = true});
}

static void written_and_read_again(void **state) {
    (void)state;
    on_small_stack(check_case, &(Case){write_native, .links = FEWER, .writer = true});
}

TESTS(long_urdf, wide_urdf, long_native, wide_native, written_and_read_again)
