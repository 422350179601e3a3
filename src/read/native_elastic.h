/* Elastic links of native files: what the keys beam and modal of a link hold (zveno/beam.h). What is read lies in an
 * arena, texts too, so that it outlives the document it came from. Absent keys leave the outputs as they are. */
#ifndef ZI_READ_NATIVE_ELASTIC_H
#define ZI_READ_NATIVE_ELASTIC_H

#include "base/arena.h"
#include "read/native_element.h"

/* Fills link->beam or link->modal, whichever key stands in the element of the link, and clears the other. */
zvStatus zi_native_elastic(const ziReading *reading, const ziElement *element, ziArena *arena, zvLink *link);

/* Its parts. */
zvStatus zi_native_beam(const ziReading *reading, const ziElement *link, ziArena *arena, const zvBeam **beam);
/* Material and section of a beam, both there, as numbers; G may be missing where nothing twists or shears. */
zvStatus zi_native_section(const ziReading *reading, const ziElement *beam, zvBeam *out);
zvStatus zi_native_modal(const ziReading *reading, const ziElement *link, ziArena *arena, const zvModal **modal);
/* Nodes and interfaces of modal data whose count is known. */
zvStatus zi_native_modal_places(const ziReading *reading, const ziElement *element, ziArena *arena, zvModal *modal);
/* The map under the key damping of a beam (no key `matrix`) or of modal data; *part is that map, its node NULL when
 * there is none. */
zvStatus zi_native_damping(const ziReading *reading, const ziElement *element, bool is_modal, int modes, ziArena *arena,
                           ziElement *part, zvElasticDamping *damping);

/* A square matrix: n lists of n numbers, or n numbers for a diagonal one. */
zvStatus zi_native_square(const ziReading *reading, const ziElement *element, const char *key, int n, ziArena *arena,
                          const double **matrix);
/* n lists of 3 numbers. */
zvStatus zi_native_triples(const ziReading *reading, const ziElement *element, const char *key, int n, ziArena *arena,
                           const double **rows);
/* n lists of 6 numbers, displacement and rotation, or 3 where the rotation is zero; n x 6. */
zvStatus zi_native_mode_rows(const ziReading *reading, const ziElement *element, const char *key, int n, ziArena *arena,
                             const double **rows);
/* Zeroed room for count items, or NULL with the error told: return ZV_MEMORY then. */
void *zi_native_room(const ziReading *reading, const ziElement *element, ziArena *arena, int count, size_t size);

#endif
