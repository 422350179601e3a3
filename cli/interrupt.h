/* Ctrl-C and requests to end: the first asks for an orderly stop, the second ends the program at once. */
#ifndef ZVENO_CLI_INTERRUPT_H
#define ZVENO_CLI_INTERRUPT_H

#include <stdbool.h>

/* Listens to SIGINT and SIGTERM, unless they were ignored already (nohup, jobs in the background). */
void interrupt_listen(void);
bool interrupt_wanted(void);
/* As it was before interrupt_listen. */
void interrupt_forget(void);

#endif
