/* What can be set in a robot file or a scenario: zveno info --parameters. */
#ifndef ZVENO_CLI_PARAMETERS_H
#define ZVENO_CLI_PARAMETERS_H

#include "args.h"
#include "complain.h"
#include "robot.h"
#include "text.h"
#include "zveno/document.h"

/* Parameters and numbers of a robot that has been read. */
Code parameters_of_robot(const Args *args, const Robot *robot, Text *out);
/* Those of a scenario and of its robot; zveno-full has it (quick.c). */
Code parameters_of_scenario(const Args *args, Text *out);

/* A list on its way: rows of parameters and of numbers. */
typedef struct SettableList SettableList;
SettableList *settable_create(void);
void settable_destroy(SettableList *list);
/* The parameters of a file, which is read for them; prefix is that of their paths: "" or "model.". Files that are not
 * native have none. changes as of the file's reader. */
zvStatus settable_add_parameters(SettableList *list, const char *path, const char *prefix, int change_count,
                                 const char *const *changes, zvError *error);
/* All numbers of a document, by path. */
bool settable_add_numbers(SettableList *list, const zvNode *root, const char *prefix);
void settable_print(const SettableList *list, bool as_json, Text *out);

#endif
