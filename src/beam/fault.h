/* How faults of beams and modal data are told. */
#ifndef ZI_BEAM_FAULT_H
#define ZI_BEAM_FAULT_H

#include "beam/modes.h"

/* The token is the number, or the word. */
ziBeamFault zi_fault_number(const char *key, double number, const char *why, const char *repair);
ziBeamFault zi_fault_word(const char *key, const char *word, const char *why, const char *repair);
/* count: coordinates of the link */
ziBeamFault zi_damping_fault(const zvElasticDamping *damping, int count);

#endif
