/* Robots written in the native format (convert.c), for the verbs that do. */
#ifndef ZVENO_CLI_VERBS_NATIVE_H
#define ZVENO_CLI_VERBS_NATIVE_H

#include "robot.h"

/* Refuses an output whose name promises another format. */
Code native_check_output(const Args *args);
/* To -o FILE, or to out; in JSON the text or the name of the file. */
Code native_write(const Args *args, const Robot *robot, Text *out);

#endif
