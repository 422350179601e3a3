/* Progress of a run on standard error. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

#define BAR_INTERVAL 0.1   /* s between two drawings of a bar */
#define LINE_INTERVAL 10.0 /* s between two plain lines, if they are not 10 % apart */
#define LINE_SHARE 0.1

enum { USUAL_COLUMNS = 80, LEAST_BAR = 8, GREATEST_BAR = 40 };

static int columns_of_terminal(void) {
    struct winsize size;
    if (!ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col) return size.ws_col;
    const char *columns = getenv("COLUMNS");
    const int count = columns ? atoi(columns) : 0;
    return count > 0 ? count : USUAL_COLUMNS;
}

static bool draws_bars(void) {
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

Progress progress_start(bool quiet) {
    const ProgressForm form = quiet ? PROGRESS_NONE : draws_bars() ? PROGRESS_BAR : PROGRESS_LINES;
    return (Progress){.form = form, .last = {.t = NAN}};
}

static double share_of(const zvProgress *now) {
    const double whole = now->end - now->start;
    return whole > 0 ? fmin(1, fmax(0, (now->t - now->start) / whole)) : 1;
}

/* Simulated time per time of the clock since this process took over; 0 while unknown. */
static double speed_of(const zvProgress *now) {
    const double done = now->t - now->resumed_at;
    return now->elapsed > 0 && done > 0 ? done / now->elapsed : 0;
}

/* "0.42 s", "3 min 05 s", "2 h 10 min" */
static void put_duration(double seconds, Text *out) {
    const double minutes = floor(seconds / 60), hours = floor(seconds / 3600);
    if (seconds < 10)
        text_printf(out, "%.2g s", seconds);
    else if (seconds < 60)
        text_printf(out, "%.0f s", seconds);
    else if (hours < 1)
        text_printf(out, "%.0f min %02.0f s", minutes, floor(seconds - 60 * minutes));
    else
        text_printf(out, "%.0f h %02.0f min", hours, minutes - 60 * hours);
}

/* The facts after the percentage, the less important the later, as separate texts. */
enum { FACTS = 4 };
/* What is told of a run, the most important first: a narrow terminal drops the last ones. */
static int facts(const zvProgress *now, const char *things, Text fact[FACTS]) {
    const double speed = speed_of(now);
    int count = 0;
    if (things)
        text_printf(&fact[count++], "%.0f of %.0f %s", now->t, now->end, things);
    else
        text_printf(&fact[count++], "t = %.4g of %.4g s", now->t, now->end);
    if (speed > 0) {
        text_puts(&fact[count], now->t < now->end ? "ETA " : "took ");
        put_duration(now->t < now->end ? (now->end - now->t) / speed : now->elapsed, &fact[count++]);
        if (!things) text_printf(&fact[count++], "%.3gx real time", speed);
    }
    if (now->step > 0) text_printf(&fact[count++], "step %.2g s", now->step);
    return count;
}

static void put_block(Text *line, double share, int width) {
    const int full = (int)(share * width + 1e-9);
    text_puts(line, " [");
    for (int i = 0; i < width; i++) text_puts(line, i < full ? "#" : i == full ? ">" : ".");
    text_puts(line, "]");
}

/* How many of the facts, and how long a bar, fit on a line; the last column stays free. */
static int lay_out_bar(BarLayout *layout, int columns, int count, const Text *fact) {
    const int head = 4, frame = 3, space = 2; /* "100%", " [" and "]", before each fact */
    if (layout->columns != columns) *layout = (BarLayout){.columns = columns, .width = GREATEST_BAR};
    int shown = count > layout->dropped ? count - layout->dropped : 0, rest;
    for (;; shown--) {
        rest = columns - 1 - head;
        for (int i = 0; i < shown; i++) rest -= space + (int)fact[i].size;
        if (shown == 0 || rest >= frame + LEAST_BAR || (shown == 1 && rest >= 0)) break;
    }
    layout->dropped = count - shown;
    if (layout->width > rest - frame) layout->width = rest - frame;
    return shown;
}

static void put_bar(const zvProgress *now, const char *things, BarLayout *layout, int columns, Text *line) {
    Text fact[FACTS] = {{0}};
    const int count = facts(now, things, fact), shown = lay_out_bar(layout, columns, count, fact);
    text_printf(line, "%3d%%", (int)floor(100 * share_of(now) + 1e-9));
    if (layout->width >= LEAST_BAR) put_block(line, share_of(now), layout->width);
    for (int i = 0; i < shown; i++) text_printf(line, "  %s", fact[i].bytes);
    for (int i = 0; i < count; i++) text_free(&fact[i]);
}

static void put_line(const zvProgress *now, const char *things, Text *line) {
    Text fact[FACTS] = {{0}};
    const int count = facts(now, things, fact);
    text_printf(line, "%3d%%", (int)floor(100 * share_of(now) + 1e-9));
    for (int i = 0; i < count; i++) text_printf(line, "%s%s", i ? ", " : "  ", fact[i].bytes);
    for (int i = 0; i < count; i++) text_free(&fact[i]);
}

/* A bar overwrites its line, other forms add one. */
static void show(Progress *progress) {
    const zvProgress *now = &progress->last;
    const bool bar = progress->form == PROGRESS_BAR;
    text_clear(&progress->line);
    if (bar) text_puts(&progress->line, "\r");
    if (bar)
        put_bar(now, progress->things, &progress->layout, columns_of_terminal(), &progress->line);
    else
        put_line(now, progress->things, &progress->line);
    text_puts(&progress->line, bar ? "\033[K" : "\n"); /* the rest of an older bar goes */
    text_write(&progress->line, stderr);
    fflush(stderr);
    progress->begun = true;
    progress->shown_at = now->elapsed;
    progress->shown_share = share_of(now);
}

static bool is_time(const Progress *progress) {
    const double waited = progress->last.elapsed - progress->shown_at;
    if (!progress->begun) return true;
    if (progress->form == PROGRESS_BAR) return waited >= BAR_INTERVAL;
    /* the end is shown by progress_finish; a quick run does not flood a log */
    return waited >= LINE_INTERVAL ||
           (waited >= BAR_INTERVAL && share_of(&progress->last) - progress->shown_share >= LINE_SHARE);
}

static void advise(Progress *progress, const char *advice) {
    if (progress->form == PROGRESS_BAR && progress->begun) fputs("\r\033[K", stderr); /* the bar comes again below */
    fprintf(stderr, "zveno: note: %s\n", advice);
    progress->advised = true;
}

void progress_tell(Progress *progress, const zvProgress *now) {
    progress->last = *now;
    if (progress->form != PROGRESS_NONE && now->advice && !progress->advised) advise(progress, now->advice);
    if (progress->form != PROGRESS_NONE && is_time(progress)) show(progress);
}

void progress_finish(Progress *progress) {
    if (progress->form != PROGRESS_NONE && progress->begun) {
        if (progress->last.elapsed > progress->shown_at || progress->shown_share < share_of(&progress->last))
            show(progress);
        if (progress->form == PROGRESS_BAR) fputs("\n", stderr);
    }
    text_free(&progress->line);
}

/* The first signal sets a flag. One that comes half a second later or more kills, as it would without a handler; what
 * comes sooner belongs to the first: a terminal and a shell may both pass on one Ctrl-C.
 *
 * System calls are not restarted: a run that waits for a pipe to open can be interrupted. */

enum { SIGNALS = 3 };
static const int signals[SIGNALS] = {SIGINT, SIGTERM, SIGHUP};
static const double ONE_SIGNAL = 0.5; /* s */

static volatile sig_atomic_t wanted;
static struct timespec first; /* the handler's own: signals wait for one another in it */
static struct sigaction before[SIGNALS];

/* The first signal asks for an orderly end; a second one after a moment ends the program, one at the same moment (a
 * terminal signals all of a group) does not. */
static void handle(int number) {
    const int reason = errno;
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!wanted) {
        wanted = 1;
        first = now;
    } else if ((double)(now.tv_sec - first.tv_sec) + 1e-9 * (double)(now.tv_nsec - first.tv_nsec) >= ONE_SIGNAL) {
        signal(number, SIG_DFL);
        raise(number); /* takes effect when the handler returns */
    }
    errno = reason;
}

void interrupt_listen(void) {
    struct sigaction action = {.sa_handler = handle};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++) sigaddset(&action.sa_mask, signals[i]);
    wanted = 0;
    for (int i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) sigaction(signals[i], &action, NULL);
    }
}

bool interrupt_wanted(void) { return wanted; }

void interrupt_forget(void) {
    for (int i = 0; i < SIGNALS; i++) sigaction(signals[i], &before[i], NULL);
}
