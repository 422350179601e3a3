/* Elements with a name for their joint, for those that come from followers of a degree of freedom. */
#ifndef ZI_ACTUATE_PASSIVE_H
#define ZI_ACTUATE_PASSIVE_H

#include "actuate/element.h"

/* label NULL: that of the degree of freedom; else it must live as long as the set. */
zvStatus zi_add_spring(zvDrives *drives, const char *name, const char *label, int dof, ziSpringData spring,
                       zvError *error);
zvStatus zi_add_damper(zvDrives *drives, const char *name, const char *label, int dof, double damping, zvError *error);
zvStatus zi_add_friction(zvDrives *drives, const char *name, const char *label, int dof, const zvFriction *friction,
                         zvError *error);

#endif
