/* HDF5 recordings as programs see them: read by a process of its own, so that a file on which the HDF5 library fails,
 * or runs for ever, costs a message and nothing else. The two talk through a pair of sockets:
 *
 *   once      from the reader: an answer with the description (rows, channels, notes, events)
 *   then      a question (channel, first row, number of rows), and an answer with the numbers
 *
 * An answer is a head (status, bytes) and so many bytes, the text of the failure when the status is one. While the
 * reader checks numbers it sends heads with the status AT_WORK. */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/h5.h"
#include "record/output.h"
#include "record/recording.h"

#ifdef ZI_COVERAGE /* a build that counts what runs: _exit() would lose the counts */
void __gcov_dump(void);
#endif

enum { AT_WORK = 100, PATIENCE_SECONDS = 120, PIECE = 1 << 20 };

typedef struct AnswerHead {
    int64_t status;
    uint64_t size;
} AnswerHead;

typedef struct RowQuestion {
    int64_t channel;
    uint64_t first, count;
} RowQuestion;

/* The process that reads ---------------------------------------------------------------------------------------- */

static bool send_all(int socket, const void *bytes, size_t size) {
    const char *from = bytes;
    while (size > 0) {
        ssize_t count = send(socket, from, size, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        from += count;
        size -= (size_t)count;
    }
    return true;
}

static bool answer(int socket, int status, const void *bytes, size_t size) {
    const AnswerHead head = {status, size};
    return send_all(socket, &head, sizeof head) && send_all(socket, bytes, size);
}

static bool answer_failure(int socket, const zvError *error) {
    return answer(socket, error->status, error->text, strlen(error->text));
}

/* All but the numbers. */
static void describe_recording(const zvRecording *recording, ziBytes *bytes) {
    zi_bytes_add_u32(bytes, recording->checked);
    zi_bytes_add_u64(bytes, recording->rows);
    zi_channels_describe(&recording->channels, bytes);
    zi_bytes_add_u64(bytes, recording->note_count);
    for (size_t i = 0; i < recording->note_count; i++) {
        zi_bytes_add_text(bytes, recording->notes[i].name);
        zi_bytes_add_text(bytes, recording->notes[i].text);
    }
    zi_bytes_add_u64(bytes, recording->event_count);
    for (size_t i = 0; i < recording->event_count; i++) {
        zi_bytes_add(bytes, &recording->events[i].t, sizeof recording->events[i].t);
        zi_bytes_add_text(bytes, recording->events[i].name);
        zi_bytes_add_text(bytes, recording->events[i].text);
    }
}

/* One question: the numbers are checked before the first of them goes out. */
static bool answer_rows(zvRecording *recording, int socket, const RowQuestion *question, double *values) {
    const int channel = (int)question->channel;
    zvError error = {0};
    bool done = false;
    zvStatus status = ZV_OK;
    while (status >= 0 && !done) {
        status = zi_h5_source_check(recording, channel, values, &done, &error);
        if (status >= 0 && !done && !answer(socket, AT_WORK, NULL, 0)) return false;
    }
    if (status >= 0) status = zi_h5_source_read(recording, channel, question->first, question->count, values, &error);
    if (status < 0) return answer_failure(socket, &error);
    const size_t width = (size_t)recording->channels.items[channel].width;
    return answer(socket, ZV_OK, values, (size_t)question->count * width * sizeof *values);
}

static bool receive_question(int socket, RowQuestion *question) {
    size_t done = 0;
    while (done < sizeof *question) {
        ssize_t count = recv(socket, (char *)question + done, sizeof *question - done, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        done += (size_t)count;
    }
    return true;
}

/* The description first, then an answer to every question until nobody asks any more. */
static void serve(zvRecording *recording, int file, int socket) {
    zvError error = {0};
    ziBytes bytes = {0};
    if (zi_h5_source_open(recording, file, &error) < 0) {
        answer_failure(socket, &error);
        return;
    }
    describe_recording(recording, &bytes);
    const size_t width = (size_t)recording->channels.width;
    double *values = malloc((width < ZI_BLOCK_NUMBERS ? ZI_BLOCK_NUMBERS : width) * sizeof *values);
    if (bytes.failed || !values) {
        zi_recording_fail_memory(recording, &error);
        answer_failure(socket, &error);
        return;
    }
    RowQuestion question;
    bool ok = answer(socket, ZV_OK, bytes.data, bytes.size);
    zi_bytes_free(&bytes);
    while (ok && receive_question(socket, &question)) ok = answer_rows(recording, socket, &question, values);
}

/* Files of the parent are none of ours, and their locks end only when we have closed them too. */
static void close_others(int file, int socket) {
    DIR *folder = opendir("/proc/self/fd");
    const int listing = folder ? dirfd(folder) : -1;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        const int other = atoi(entry->d_name);
        if (other > 2 && other != file && other != socket && other != listing) close(other);
    }
    if (folder) closedir(folder);
}

/* Whether anybody still asks: the socket is the standard input. */
static void leave_when_alone(int number) {
    struct pollfd asker = {.fd = STDIN_FILENO, .events = POLLIN};
    (void)number;
    if (poll(&asker, 1, 0) > 0 && asker.revents & (POLLHUP | POLLERR)) _exit(1);
}

/* The library can run for ever; who waits for it ends that after some time, and may be killed before. So every half
 * second of processor time it is looked whether he is there. */
static void watch_asker(int socket) {
    struct sigaction action = {.sa_handler = leave_when_alone, .sa_flags = SA_RESTART};
    sigset_t set;
    sigemptyset(&action.sa_mask);
    sigemptyset(&set);
    sigaddset(&set, SIGPROF);
    if (dup2(socket, STDIN_FILENO) < 0 || sigaction(SIGPROF, &action, NULL) != 0) return;
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    setitimer(ITIMER_PROF, &(struct itimerval){{0, 500000}, {0, 500000}}, NULL);
}

/* What the library has to say about its own end is not for the user; an interrupt is for the parent to handle. */
static void settle_down(int file, int socket) {
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int i = 0; i < 3 && nowhere >= 0; i++) dup2(nowhere, i);
    close_others(file, socket);
    watch_asker(socket);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) signal(fatal[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

/* The process that asks ----------------------------------------------------------------------------------------- */

typedef struct Hdf5Child {
    pid_t process;
    int socket;
} Hdf5Child;

/* A child that has said nothing sensible is of no more use. */
static void dismiss(Hdf5Child *child, bool kill_it) {
    if (child->socket >= 0) close(child->socket);
    child->socket = -1;
    if (child->process <= 0) return;
    if (kill_it) kill(child->process, SIGKILL);
    while (waitpid(child->process, NULL, 0) < 0 && errno == EINTR) continue;
    child->process = 0;
}

static zvStatus fail_child(const zvRecording *recording, const char *what, zvError *error) {
    return zv_fail(error, ZV_SYNTAX, (zvMark){recording->path, 0, 0}, "",
                   "the HDF5 library %s reading this file, which is damaged or not of its making; record again or take "
                   "a copy",
                   what);
}

/* Exactly size bytes from the child, or a failure: it has ended, or said nothing for two minutes. */
static zvStatus receive(const zvRecording *recording, void *bytes, size_t size, zvError *error) {
    Hdf5Child *child = recording->context;
    char *to = bytes;
    while (size > 0 && child->socket >= 0) {
        if (!zi_descriptor_wait(child->socket, PATIENCE_SECONDS * 1000)) {
            dismiss(child, true);
            return fail_child(recording, "does not end", error);
        }
        ssize_t count = recv(child->socket, to, size, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) dismiss(child, false);
        if (count <= 0) break;
        to += count;
        size -= (size_t)count;
    }
    return size == 0 ? ZV_OK : fail_child(recording, "failed", error);
}

/* The head of the next answer; that of a failure brings its text. */
static zvStatus receive_head(const zvRecording *recording, AnswerHead *head, zvError *error) {
    zvStatus status;
    do status = receive(recording, head, sizeof *head, error);
    while (status >= 0 && head->status == AT_WORK);
    if (status < 0 || head->status >= 0) return status;
    char text[sizeof error->text] = "";
    const size_t size = head->size < sizeof text - 1 ? (size_t)head->size : sizeof text - 1;
    status = receive(recording, text, size, error);
    if (status < 0) return status;
    return zv_fail(error, (zvStatus)head->status, (zvMark){recording->path, 0, 0}, "", "%s", text);
}

/* Piece by piece: nobody allocates what a child merely says is coming. */
static zvStatus receive_bytes(const zvRecording *recording, uint64_t size, ziBytes *bytes, zvError *error) {
    char *piece = malloc(PIECE);
    zvStatus status = piece ? ZV_OK : zi_recording_fail_memory(recording, error);
    while (size > 0 && status >= 0) {
        const size_t part = size < PIECE ? (size_t)size : PIECE;
        status = receive(recording, piece, part, error);
        if (status >= 0) zi_bytes_add(bytes, piece, part);
        size -= part;
        if (status >= 0 && bytes->failed) status = zi_recording_fail_memory(recording, error);
    }
    free(piece);
    return status;
}

/* Notes and events; false when out of memory or when bytes are missing. */
static bool take_texts(zvRecording *recording, ziByteReader *reader, ziArena *arena) {
    const uint64_t notes = zi_take_u64(reader);
    for (uint64_t i = 0; i < notes && !reader->failed; i++) {
        const char *name = zi_take_text(reader, arena), *text = zi_take_text(reader, arena);
        if (name && text && !zi_recording_add_note(recording, name, text)) return false;
    }
    const uint64_t events = zi_take_u64(reader);
    for (uint64_t i = 0; i < events && !reader->failed; i++) {
        double t = 0;
        const unsigned char *here = zi_take(reader, sizeof t);
        if (here) memcpy(&t, here, sizeof t);
        const char *name = zi_take_text(reader, arena), *text = zi_take_text(reader, arena);
        if (name && text && !zi_recording_add_event(recording, t, name, text)) return false;
    }
    return !reader->failed;
}

/* The description, out of the bytes that the child sent. */
static zvStatus take_description(zvRecording *recording, const ziBytes *bytes, zvError *error) {
    ziByteReader reader = {bytes->data, bytes->size, false};
    ziArena arena = {0};
    int count = 0;
    recording->checked = zi_take_u32(&reader) != 0;
    recording->rows = zi_take_u64(&reader);
    zvChannel *channels = zi_channels_take(&reader, &arena, &count);
    zvStatus status = channels ? zi_channels_copy(&recording->channels, count, channels, recording->path, error)
                               : zi_recording_fail_memory(recording, error);
    if (status >= 0 && !take_texts(recording, &reader, &arena)) status = zi_recording_fail_memory(recording, error);
    zi_arena_free(&arena);
    return status;
}

static zvStatus receive_description(zvRecording *recording, zvError *error) {
    AnswerHead head;
    ziBytes bytes = {0};
    zvStatus status = receive_head(recording, &head, error);
    if (status >= 0) status = receive_bytes(recording, head.size, &bytes, error);
    if (status >= 0) status = take_description(recording, &bytes, error);
    zi_bytes_free(&bytes);
    return status;
}

/* Block by block; an answer must be as long as what was asked for. */
static zvStatus ask_rows(zvRecording *recording, int channel, uint64_t first, uint64_t count, double *values,
                         zvError *error) {
    const Hdf5Child *child = recording->context;
    const size_t width = (size_t)recording->channels.items[channel].width;
    const uint64_t step = zi_block_rows(recording->channels.width);
    for (uint64_t done = 0; done < count;) {
        const RowQuestion question = {channel, first + done, count - done < step ? count - done : step};
        const size_t size = (size_t)question.count * width * sizeof *values;
        AnswerHead head = {0};
        if (child->socket < 0 || !send_all(child->socket, &question, sizeof question))
            return fail_child(recording, "failed", error);
        zvStatus status = receive_head(recording, &head, error);
        if (status < 0) return status;
        if (head.size != size) return fail_child(recording, "failed", error);
        status = receive(recording, values + (size_t)done * width, size, error);
        if (status < 0) return status;
        done += question.count;
    }
    return ZV_OK;
}

static void close_child(zvRecording *recording) {
    dismiss(recording->context, false);
    free(recording->context);
}

static const ziRecordingForm hdf5_form = {ask_rows, close_child};

/* Starts the process that reads; the file is open in both and closed in this one. */
static zvStatus start_child(zvRecording *recording, int file, zvError *error) {
    Hdf5Child *child = recording->context;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return zi_output_fail(error, recording->path, errno, "read");
    child->socket = ends[0];
    ends[1] = zi_descriptor_raise(ends[1]);
    child->process = ends[1] >= 0 ? fork() : -1;
    if (child->process == 0) {
        settle_down(file, ends[1]);
        serve(recording, file, ends[1]);
#ifdef ZI_COVERAGE
        __gcov_dump();
#endif
        _exit(0);
    }
    const int reason = errno;
    if (ends[1] >= 0) close(ends[1]);
    return child->process < 0 ? zi_output_fail(error, recording->path, reason, "read") : ZV_OK;
}

/* The form closes what was opened. */
zvStatus zi_hdf5_open(zvRecording *recording, zvError *error) {
    Hdf5Child *child = calloc(1, sizeof *child);
    if (!child) return zi_recording_fail_memory(recording, error);
    child->socket = -1;
    recording->context = child;
    recording->form = &hdf5_form;
    recording->is_hdf5 = true;
    const int file = zi_descriptor_raise(open(recording->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file < 0) return zi_output_fail(error, recording->path, errno, "read");
    zvStatus status = start_child(recording, file, error);
    close(file);
    return status >= 0 ? receive_description(recording, error) : status;
}
