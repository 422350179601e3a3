/* Closes the loops of a robot whose joints a page moves (POST assemble of viewer/README.md). */
#ifndef ZVENO_CLI_LIVE_VIEW_H
#define ZVENO_CLI_LIVE_VIEW_H

#include "live/live.h"
#include "page/report.h"
#include "robot.h"
#include "server/server.h"
#include "text.h"
#include "zveno/model.h"

typedef struct ViewAssembler ViewAssembler;

ViewAssembler *view_assembler_create(const zvModel *model); /* NULL: out of memory */
void view_assembler_destroy(ViewAssembler *scratch);

/* Answers {"q": [nq], "held": [labels]} with {"q", "residual", "closed", "message"}; what it cannot read with
 * {"closed": false, "message"}. The status is one of server.h. One request at a time; others wait. */
int view_assembler_assemble(ViewAssembler *scratch, const char *body, size_t size, Text *out);

/* What zveno view shows: a recording, a model with sliders, or a run that goes on. */

typedef struct View {
    const Args *args;
    Text command;  /* the command line again */
    Text page;     /* HTML whose document is served beside it */
    Text document; /* of a recording or a model: made once */
    Robot robot;
    ViewAssembler *scratch; /* of a model */
    zvScenario *scenario;
    Text scenario_text;
    Live *live; /* of a scenario */
} View;

/* Reads what the command line names, and makes the document of what does not run. Complain; view_free in any case. */
Code view_recording(View *view);
Code view_model(View *view);
Code view_scenario(View *view);
/* Begins the run of a scenario. */
Code view_begin(View *view);
void view_free(View *view);

/* The document of a run as far as it is known by now. */
bool view_live_document(View *view, Text *out);

#endif
