/* Words of other formats (URDF, SDF, MJCF and our own) and programs for the same things; spelling does not bring them
 * together. */
#include "read/meant.h"

#include <string.h>

#include "zveno/status.h"

typedef struct Synonym {
    const char *word, *name;
} Synonym;

static const Synonym synonyms[] = {
    {"ball", "spherical"},
    {"hinge", "revolute"},
    {"slide", "prismatic"},
    {"slider", "prismatic"},
    {"floating", "free"},
    {"free", "floating"},
    {"screw", "helical"},
    {"weld", "fixed"},
    {"multiplier", "ratio"},
    {"ratio", "multiplier"},
    {"revolute2", "universal"},
    {"stiffness", "spring"},
    {"pose", "origin"},
    {"origin", "pose"},
    {"child_pose", "child_origin"},
    {"distance", "rod"},
    {"gear", "coupling"},
    {"belt", "coupling"},
    /* laws and integrators of scenarios */
    {"sine", "harmonic"},
    {"sinusoidal", "harmonic"},
    {"step", "table"},
    {"ode113", "adams"},
    {"ode45", "erk"},
    {"ode15s", "bdf"},
    {"rk45", "erk"},
    {"timestep", "step"},
    {"hz", "hertz"},
    {"time", "duration"},
};

const char *zi_meant_name(const char *word, const char *const *names, size_t count) {
    for (size_t s = 0; s < sizeof synonyms / sizeof *synonyms; s++) {
        if (strcmp(synonyms[s].word, word) != 0) continue;
        for (size_t i = 0; i < count; i++)
            if (strcmp(names[i], synonyms[s].name) == 0) return names[i];
    }
    return zv_nearest_name(word, names, count);
}
