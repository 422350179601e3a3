/* How faults of beams and modal data are told. */
#ifndef ZV_BEAM_FAULT_H
#define ZV_BEAM_FAULT_H

#include "beam/modes.h"

/* The token is the number, or the word. */
zvBeamFault zv_fault_number(const char *key, double number, const char *why, const char *repair);
zvBeamFault zv_fault_word(const char *key, const char *word, const char *why, const char *repair);
/* count: coordinates of the link */
zvBeamFault zv_damping_fault(const zvElasticDamping *damping, int count);

#endif
