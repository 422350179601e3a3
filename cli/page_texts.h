/* What a page says of a recording besides numbers (viewer/README.md, "recording"). */
#ifndef ZVENO_CLI_PAGE_TEXTS_H
#define ZVENO_CLI_PAGE_TEXTS_H

#include "json.h"
#include "zveno/record.h"

/* The keys of a channel but data: name, unit, about, width, labels, units. */
void page_channel_json(const zvChannel *channel, Json *json);
/* {name, text} */
void page_note_json(zvNote note, Json *json);
/* {t, name, text} */
void page_event_json(zvEvent event, Json *json);
/* [{kind, name, J}, ...] of the note "ledger"; null for NULL. */
void page_ledger_json(const char *note, Json *json);

#endif
