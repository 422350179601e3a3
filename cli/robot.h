/* The model of the command line. */
#ifndef ZVENO_CLI_ROBOT_H
#define ZVENO_CLI_ROBOT_H

#include "args.h"
#include "zveno/builder.h"

typedef struct Robot {
    zvBuilder *builder; /* the description as read, with --base, --mimic and --gravity put in */
    zvModel *model;     /* NULL until frozen */
} Robot;

/* Reads the description only. Fills error and returns its status; the robot is to be freed in any case. */
zvStatus robot_describe(const Args *args, Robot *robot, zvError *error);
/* Reads and freezes; complains. */
Code robot_read(const Args *args, Robot *robot);
void robot_free(Robot *robot);
/* Tells of joints with gears that give way, which `what` (the answer, the equations, the code) leaves out. */
void robot_note_flexible(const zvModel *model, const char *what);

/* Index of a frame, or -1 after filling error with the nearest name. */
int robot_frame(const zvModel *model, const char *name, zvMark mark, zvError *error);
/* Complains about a name that is no frame, and lists all frames. */
Code robot_unknown_frame(const zvModel *model, const char *name);

/* Joints that --lock names become fixed. */

/* list: names with commas between. */
zvStatus lock_joints(zvBuilder *builder, const char *list, zvError *error);

#endif
