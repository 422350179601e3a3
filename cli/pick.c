/* Choosing channels and entries of a recording. */
#include "pick.h"

#include <stdlib.h>
#include <string.h>

#include "recording.h"

/* The pane for one more entry of a channel: the last one of the same channel and unit, or a new one. NULL: no room. */
static PickPane *pane_for(Pick *pick, const zvChannel *channel, int index, int entry, int first) {
    const char *unit = channel_unit(channel, entry);
    for (int i = pick->count - 1; i >= first; i--)
        if (pick->panes[i].channel == index && !strcmp(pick->panes[i].unit, unit)) return &pick->panes[i];
    if (pick->count == MOST_PANES) return NULL;
    int *entries = malloc((size_t)channel->width * sizeof *entries);
    if (!entries) return NULL;
    PickPane *pane = &pick->panes[pick->count++];
    *pane = (PickPane){.channel = index, .unit = unit, .entries = entries};
    return pane;
}

static bool add_entry(Pick *pick, const zvChannel *channel, int index, int entry, int first) {
    PickPane *pane = pane_for(pick, channel, index, entry, first);
    if (!pane) return false;
    for (int i = 0; i < pane->count; i++)
        if (pane->entries[i] == entry) return true; /* asked for twice */
    pane->entries[pane->count++] = entry;
    return true;
}

static bool add_channel(const zvRecording *recording, Pick *pick, int index) {
    const zvChannel *channel = zv_recording_channel(recording, index);
    const int first = pick->count;
    for (int entry = 0; entry < channel->width; entry++)
        if (!add_entry(pick, channel, index, entry, first)) return false;
    for (int i = first; i < pick->count; i++) {
        pick->panes[i].whole = true;
        pick->panes[i].total = pick->panes[i].count;
    }
    return true;
}

static Code no_room(void) {
    return complain(CODE_INPUT, "there is no room for more than %d panes; ask for fewer channels", MOST_PANES);
}

/* The nearest names, and all of them: of channels, or of the entries of one channel. */
static Code unknown(const zvRecording *recording, const char *word, int index) {
    const zvChannel *channel = index < 0 ? NULL : zv_recording_channel(recording, index);
    const size_t count = (size_t)(channel ? channel->width : zv_recording_channels(recording));
    const char **names = malloc(count * sizeof *names);
    char(*numbers)[16] = malloc(count * sizeof *numbers);
    Text what = {0}, known = {0};
    for (size_t i = 0; names && numbers && i < count; i++) {
        names[i] = channel ? channel_label(channel, (int)i, numbers[i], sizeof numbers[i])
                           : zv_recording_channel(recording, (int)i)->name;
        text_puts(&known, i ? ", " : "known: ");
        text_name(&known, names[i]);
    }
    text_puts(&known, "\n");
    if (channel)
        text_printf(&what, "entry of channel \"%s\" called", channel->name);
    else
        text_puts(&what, "channel");
    if (names && numbers && !what.failed) {
        complain_near(CODE_INPUT, what.bytes, word, zv_nearest_name(word, names, count));
        text_write(&known, stderr);
    } else {
        complain_memory();
    }
    text_free(&known);
    text_free(&what);
    free(numbers);
    free(names);
    return CODE_INPUT;
}

/* The longest channel name that stands before a point in the word; -1: none. */
static int channel_before_point(const zvRecording *recording, const char *word) {
    int found = -1;
    size_t longest = 0;
    for (int i = 0; i < zv_recording_channels(recording); i++) {
        const char *name = zv_recording_channel(recording, i)->name;
        const size_t length = strlen(name);
        if (length <= longest || strncmp(word, name, length) || word[length] != '.') continue;
        longest = length;
        found = i;
    }
    return found;
}

static Code add_word(const zvRecording *recording, Pick *pick, const char *word) {
    const int whole = zv_recording_find(recording, word);
    if (whole >= 0) return add_channel(recording, pick, whole) ? CODE_DONE : no_room();
    const int index = channel_before_point(recording, word);
    if (index < 0) return unknown(recording, word, -1);
    const zvChannel *channel = zv_recording_channel(recording, index);
    const char *label = word + strlen(channel->name) + 1;
    for (int entry = 0; entry < channel->width; entry++) {
        char text[16];
        if (strcmp(channel_label(channel, entry, text, sizeof text), label)) continue;
        return add_entry(pick, channel, index, entry, 0) ? CODE_DONE : no_room();
    }
    return unknown(recording, label, index);
}

static Code add_list(const zvRecording *recording, Pick *pick, const char *list) {
    Code code = CODE_DONE;
    for (const char *at = list; code == CODE_DONE && *at;) {
        Text word = {0};
        at += strspn(at, " ");
        const size_t length = strcspn(at, ",");
        size_t used = length;
        while (used && at[used - 1] == ' ') used--;
        text_put(&word, at, used);
        if (word.failed)
            code = complain_memory();
        else if (used)
            code = add_word(recording, pick, word.bytes);
        text_free(&word);
        at += length + (at[length] == ',');
    }
    for (int i = 0; i < pick->count; i++)
        if (!pick->panes[i].total) pick->panes[i].total = pick->panes[i].count;
    if (code == CODE_DONE && !pick->count) return complain(CODE_USAGE, "option --channels names no channel");
    return code;
}

static void drop_panes(Pick *pick, int first) {
    for (int i = first; i < pick->count; i++) free(pick->panes[i].entries);
    pick->count = first;
}

Code pick_read(const zvRecording *recording, const char *list, Pick *pick) {
    *pick = (Pick){0};
    if (list) return add_list(recording, pick, list);
    for (int i = 1; i < zv_recording_channels(recording); i++) { /* channel 0 is time */
        const int first = pick->count;
        if (first < USUAL_PANES && add_channel(recording, pick, i) && (!first || pick->count <= USUAL_PANES)) continue;
        drop_panes(pick, first);
        if (pick->left_out.size) text_puts(&pick->left_out, ", ");
        text_name(&pick->left_out, zv_recording_channel(recording, i)->name);
    }
    return pick->count ? CODE_DONE : complain(CODE_INPUT, "the recording has no channel besides time");
}

void pick_free(Pick *pick) {
    drop_panes(pick, 0);
    text_free(&pick->left_out);
}
