/* Elastic links of native files: what the keys beam and modal of a link hold (zveno/beam.h). What is read lies in an
 * arena, texts too, so that it outlives the document it came from. Absent keys leave the outputs as they are. */
#ifndef ZV_READ_NATIVE_ELASTIC_H
#define ZV_READ_NATIVE_ELASTIC_H

#include "base/arena.h"
#include "read/native_element.h"

/* Fills link->beam or link->modal, whichever key stands in the element of the link, and clears the other. */
zvStatus zv_native_elastic(const zvReading *reading, const zvElement *element, zvArena *arena, zvLink *link);

/* Its parts. */
zvStatus zv_native_beam(const zvReading *reading, const zvElement *link, zvArena *arena, const zvBeam **beam);
/* Material and section of a beam, both there, as numbers; G may be missing where nothing twists or shears. */
zvStatus zv_native_section(const zvReading *reading, const zvElement *beam, zvBeam *out);
zvStatus zv_native_modal(const zvReading *reading, const zvElement *link, zvArena *arena, const zvModal **modal);
/* Nodes and interfaces of modal data whose count is known. */
zvStatus zv_native_modal_places(const zvReading *reading, const zvElement *element, zvArena *arena, zvModal *modal);
/* The map under the key damping of a beam (no key `matrix`) or of modal data; *part is that map, its node NULL when
 * there is none. */
zvStatus zv_native_damping(const zvReading *reading, const zvElement *element, bool is_modal, int modes, zvArena *arena,
                           zvElement *part, zvElasticDamping *damping);

/* A square matrix: n lists of n numbers, or n numbers for a diagonal one. */
zvStatus zv_native_square(const zvReading *reading, const zvElement *element, const char *key, int n, zvArena *arena,
                          const double **matrix);
/* n lists of 3 numbers. */
zvStatus zv_native_triples(const zvReading *reading, const zvElement *element, const char *key, int n, zvArena *arena,
                           const double **rows);
/* n lists of 6 numbers, displacement and rotation, or 3 where the rotation is zero; n x 6. */
zvStatus zv_native_mode_rows(const zvReading *reading, const zvElement *element, const char *key, int n, zvArena *arena,
                             const double **rows);
/* Zeroed room for count items, or NULL with the error told: return ZV_MEMORY then. */
void *zv_native_room(const zvReading *reading, const zvElement *element, zvArena *arena, int count, size_t size);

#endif
