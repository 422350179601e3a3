/* Choosing a row of one of the library's tables of methods by --method. */
#ifndef ZVENO_CLI_METHODS_H
#define ZVENO_CLI_METHODS_H

#include "args.h"
#include "zveno/dynamics.h"
#include "zveno/loops.h"

/* The first row when --method is absent; NULL after a complaint when there is no such method. */
const zvForwardMethod *forward_method(const Args *args);
const zvMassMethod *mass_method(const Args *args);
const zvClosedMethod *closed_method(const Args *args); /* forward dynamics of robots with loops */

/* "Methods" with name, cost and source, for help texts. */
void forward_methods_describe(Text *out);
void mass_methods_describe(Text *out);
void closed_methods_describe(Text *out);

#endif
