/* Findings of the linter in SARIF 2.1.0, the form in which code hosts take them. */
#ifndef ZVENO_CLI_SARIF_H
#define ZVENO_CLI_SARIF_H

#include "json.h"
#include "zveno/check.h"

enum { SARIF_RULES = 256 }; /* more than there are */

typedef struct Sarif {
    Json *json;
    char *rules[SARIF_RULES]; /* that had findings, in the order of the first */
    int nrule;
} Sarif;

void sarif_start(Sarif *sarif);
/* One result; true, as a zvFindingSink. */
bool sarif_result(Sarif *sarif, const zvFinding *finding);
/* The tool and its rules; frees what was kept. */
void sarif_end(Sarif *sarif);

#endif
