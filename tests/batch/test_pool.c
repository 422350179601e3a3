/* Threads of a batch: any number of them, when the system gives fewer, with work that is too small for them, many
 * batches at once, in a child of fork(), and idle. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "batch/pool.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"
#include "zveno/zveno.h"

static int granted = -1; /* threads that the system still gives; negative: any number */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    typedef int (*Create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    Create real;
    void *symbol = dlsym(RTLD_NEXT, "pthread_create");
    memcpy(&real, &symbol, sizeof real);
    if (granted == 0) return 11; /* EAGAIN */
    if (granted > 0) granted--;
    return real(thread, attributes, run, argument);
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
static long left = -1; /* requests for memory until one is refused; negative: none is */
void *malloc(size_t size) { return left >= 0 && left-- == 0 ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return left >= 0 && left-- == 0 ? NULL : __libc_calloc(count, size); }
#else
static long left;
#endif

enum { STATES = 3000, JOINTS = 6 };

/* A chain of links that hang on one another. */
static zvModel *chain(void) {
    zvBuilder *b = zv_builder_create(NULL);
    zvModel *model = NULL;
    zvError error = {0};
    char name[JOINTS + 1][8];
    for (int i = 0; i <= JOINTS; i++) {
        snprintf(name[i], sizeof name[i], "link%d", i);
        zvLink link = zv_link_default(name[i]);
        link.has_inertia = i > 0;
        link.inertia = (zvInertia){.mass = 1, .com = {0.1, 0.02, 0.3}, .moment = {0.2, 0, 0, 0.3, 0, 0.4}};
        assert_int_equal(zv_builder_add_link(b, &link, &error), ZV_OK);
        if (i == 0) continue;
        zvJoint joint = zv_joint_default(name[i], ZV_JOINT_CONTINUOUS, name[i - 1], name[i]);
        joint.axis[0] = 0, joint.axis[1] = i % 2, joint.axis[2] = 1 - i % 2;
        joint.origin.p[2] = 0.4;
        assert_int_equal(zv_builder_add_joint(b, &joint, &error), ZV_OK);
    }
    if (zv_builder_freeze(b, &model, &error) != ZV_OK) fail_msg("%s", error.text);
    zv_builder_destroy(b);
    return model;
}

static double q[JOINTS * STATES], out[JOINTS * STATES], same[JOINTS * STATES];

static void reckon(const zvModel *model, int threads, int expected, size_t count, double *answer) {
    zvError error = {0};
    zvBatch *batch = zv_batch_create(model, &(zvBatchOptions){.threads = threads}, &error);
    if (!batch) fail_msg("%s", error.text);
    assert_int_equal(zv_batch_threads(batch), expected);
    for (int i = 0; i < JOINTS * STATES; i++) q[i] = 1e-3 * i;
    for (int again = 0; again < 5; again++)
        assert_int_equal(zv_batch_forward(batch, count, q, NULL, NULL, NULL, answer, NULL), ZV_OK);
    zv_batch_destroy(batch);
}

static void any_number(void **state) {
    (void)state;
    zvModel *model = chain();
    for (size_t count = 1; count <= STATES; count = count * 3 + 1) {
        memset(same, 0, sizeof same);
        reckon(model, 1, 1, count, same);
        for (int threads = 2; threads < 40; threads = threads * 2 + 1) {
            memset(out, 0, sizeof out);
            reckon(model, threads, threads, count, out);
            assert_memory_equal(same, out, sizeof same);
        }
    }
    zv_model_destroy(model);
}

/* Answers of up to three matrices, for so many states that threads are woken. */
enum { PACK = 1600, LARGE = 3 * JOINTS * JOINTS * PACK, QUESTIONS = 8 };
static double wide[LARGE], one[LARGE];

static zvStatus ask(zvBatch *batch, int question, double *to) {
    const double *v = q + 7, *x = q + 11;
    const size_t part = (size_t)JOINTS * JOINTS * PACK;
    switch (question) {
    case 0: return zv_batch_inverse(batch, PACK, q, v, x, NULL, to);
    case 1: return zv_batch_forward(batch, PACK, q, v, x, NULL, to, NULL);
    case 2: return zv_batch_mass(batch, PACK, q, to);
    case 3: return zv_batch_minv(batch, PACK, q, to, NULL);
    case 4: return zv_batch_pose(batch, JOINTS, PACK, q, to);
    case 5: return zv_batch_jacobian(batch, JOINTS, ZV_AXES_WORLD, PACK, q, to);
    case 6: return zv_batch_inverse_derivatives(batch, PACK, q, v, x, NULL, to, to + part, to + 2 * part);
    default: return zv_batch_forward_derivatives(batch, PACK, q, v, x, NULL, NULL, to, to + part, to + 2 * part, NULL);
    }
}

static void every_question(void **state) {
    (void)state;
    zvModel *model = chain();
    for (int i = 0; i < JOINTS * STATES; i++) q[i] = 1e-3 * i;
    for (int question = 0; question < QUESTIONS; question++) {
        for (int threads = 1; threads <= 5; threads += 2) {
            zvBatch *batch = zv_batch_create(model, &(zvBatchOptions){.threads = threads}, NULL);
            double *to = threads == 1 ? one : wide;
            assert_non_null(batch);
            memset(to, 0, sizeof wide);
            assert_int_equal(ask(batch, question, to), ZV_OK);
            if (threads > 1 && memcmp(one, wide, sizeof wide) != 0)
                fail_msg("question %d, %d threads", question, threads);
            zv_batch_destroy(batch);
        }
    }
    zv_model_destroy(model);
}

/* Fewer threads than were asked for, down to the caller alone: the same answers. */
static void refused_threads(void **state) {
    (void)state;
    zvModel *model = chain();
    reckon(model, 1, 1, STATES, same);
    for (int few = 0; few < 4; few++) {
        granted = few;
        reckon(model, 6, few + 1, STATES, out);
        assert_memory_equal(same, out, sizeof same);
    }
    granted = -1;
    zv_model_destroy(model);
}

/* Any request for memory may be refused: plain words, or a thread less. */
static void refused_memory(void **state) {
    (void)state;
    zvModel *model = chain();
    bool refused = true;
    for (long n = 0; n < 100 && refused; n++) {
        zvError error = {0};
        left = n;
        zvBatch *batch = zv_batch_create(model, &(zvBatchOptions){.threads = 3}, &error);
        refused = left < 0;
        left = -1;
        if (!batch) assert_int_equal(error.status, ZV_MEMORY);
        if (!batch) assert_true(refused && strstr(error.text, "memory"));
        if (batch && refused) assert_true(zv_batch_threads(batch) < 3);
        zv_batch_destroy(batch);
    }
    assert_false(refused);
    zv_model_destroy(model);
}

/* Batches that are made and gone at once, with and without having been asked. */
static void come_and_go(void **state) {
    (void)state;
    zvModel *model = chain();
    for (int i = 0; i < 200; i++) {
        zvBatch *batch = zv_batch_create(model, &(zvBatchOptions){.threads = 1 + i % 7}, NULL);
        assert_non_null(batch);
        if (i % 3) zv_batch_bias(batch, STATES / (1 + (size_t)i % 5), q, NULL, out);
        zv_batch_destroy(batch);
    }
    zv_model_destroy(model);
}

static void in_a_child(void **state) {
    (void)state;
    zvModel *model = chain();
    zvBatch *batch = zv_batch_create(model, &(zvBatchOptions){.threads = 3}, NULL);
    assert_non_null(batch);
    zv_batch_bias(batch, STATES, q, NULL, same);
    const pid_t child = fork();
    if (child == 0) {
        alarm(600); /* rather than for ever */
        const zvStatus status = zv_batch_bias(batch, STATES, q, NULL, out);
        zv_batch_destroy(batch);
        _exit(status == ZV_OK && memcmp(out, same, sizeof out) == 0 ? 0 : 1);
    }
    int ended = -1;
    assert_true(child > 0 && waitpid(child, &ended, 0) == child);
    assert_int_equal(ended, 0);
    zv_batch_bias(batch, STATES, q, NULL, out);
    assert_memory_equal(out, same, sizeof out);
    zv_batch_destroy(batch);
    zv_model_destroy(model);
}

typedef struct Count {
    atomic_int runs[8];
} Count;

static void note(void *context, int thread) { atomic_fetch_add(&((Count *)context)->runs[thread], 1); }

/* The caller always runs, others at most once each and no more of them than are asked for. */
static void helpers(void **state) {
    (void)state;
    ziPool *pool = zi_pool_create(8);
    assert_non_null(pool);
    for (int asked = -1; asked < 20; asked++) {
        Count count = {0};
        int sum = 0;
        zi_pool_run(pool, asked, note, &count);
        assert_int_equal(atomic_load(&count.runs[0]), 1);
        for (int i = 1; i < 8; i++) {
            assert_in_range(atomic_load(&count.runs[i]), 0, 1);
            sum += atomic_load(&count.runs[i]);
        }
        assert_true(sum <= (asked > 0 ? asked : 0));
    }
    zi_pool_destroy(pool);
}

typedef struct Pieces {
    atomic_int left;
    int done[8], pause;
} Pieces;

static void take_pieces(void *context, int thread) {
    Pieces *pieces = context;
    while (atomic_fetch_sub(&pieces->left, 1) > 0) {
        pieces->done[thread]++;
        for (volatile int i = 0; i < pieces->pause; i++) continue;
    }
}

/* Job after job, long and short, with pauses in which some fall asleep: whoever comes, each piece is done once, and
 * nobody works on when the call has returned. */
static void thick_and_fast(void **state) {
    (void)state;
    rtRandom random = {95100};
    for (int threads = 1; threads <= 8; threads++) {
        ziPool *pool = zi_pool_create(threads);
        assert_non_null(pool);
        for (int i = 0; i < 1000; i++) {
            const int count = rt_below(&random, 100);
            Pieces pieces = {.pause = rt_below(&random, 300)};
            int sum = 0;
            atomic_init(&pieces.left, count);
            zi_pool_run(pool, rt_below(&random, 9), take_pieces, &pieces);
            for (int k = 0; k < 8; k++) sum += pieces.done[k];
            if (sum != count) fail_msg("%d threads, job %d: %d pieces of %d", threads, i, sum, count);
            if (rt_below(&random, 50) == 0) nanosleep(&(struct timespec){.tv_nsec = rt_below(&random, 200000)}, NULL);
        }
        assert_in_range(zi_pool_awake(pool), 0, threads - 1);
        zi_pool_destroy(pool);
    }
}

/* Threads without work sleep: of two tenths of a second they take less processor time than one that does not would. */
static void idle(void **state) {
    (void)state;
    for (int threads = 2; threads <= 4; threads += 2) {
        ziPool *pool = zi_pool_create(threads);
        Count count = {0};
        assert_non_null(pool);
        zi_pool_run(pool, 3, note, &count);
        const clock_t before = clock();
        nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
        assert_true((double)(clock() - before) / CLOCKS_PER_SEC < 0.1);
        zi_pool_destroy(pool);
    }
}

TESTS(any_number, every_question, refused_threads, refused_memory, come_and_go, in_a_child, helpers, thick_and_fast,
      idle)
