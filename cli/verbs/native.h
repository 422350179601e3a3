/* Robots written to files (native.c), for the verbs that do: in the native format, URDF or MJCF. */
#ifndef ZVENO_CLI_VERBS_NATIVE_H
#define ZVENO_CLI_VERBS_NATIVE_H

#include "robot.h"

/* Refuses an output whose name promises a format that is not written. */
Code native_check_output(const Args *args);
/* To -o FILE in the format of --format or of its name, or to out; in JSON the text or the name of the file. What the
 * format cannot say is told. */
Code native_write(const Args *args, const Robot *robot, Text *out);

#endif
