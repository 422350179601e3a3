/* Parameters of a robot that stand in its equations as letters instead of numbers: m1, l1, J1zz.
 *
 * A parameter that is zero has no letter: what vanishes stays out of the equations. Of a letter with several components
 * that are not zero each has a name of its own (l1x, l1y); where there is one, the suffix is left out (l1). */
#ifndef ZI_CODEGEN_LETTERS_H
#define ZI_CODEGEN_LETTERS_H

#include <stdbool.h>

#include "zveno/model.h"

typedef enum ziLetterKind {
    ZI_LETTER_MASS,      /* of a link */
    ZI_LETTER_LENGTH,    /* of a point of a link: see zi_letters_make */
    ZI_LETTER_CENTRE,    /* centre of mass of a link */
    ZI_LETTER_MOMENT,    /* xx xy xz yy yz zz of a link */
    ZI_LETTER_ARMATURE,  /* of a degree of freedom, and so on */
    ZI_LETTER_STIFFNESS, /* k */
    ZI_LETTER_REST,
    ZI_LETTER_DAMPING,
    ZI_LETTER_FRICTION,
    ZI_LETTER_SPRINGS, /* entry of the stiffness matrix of a joint, of its upper half: zi_matrix_entry */
    ZI_LETTER_DAMPERS, /* of the damping matrix */
    ZI_LETTER_ROD,     /* length of a rod that closes a loop */
    ZI_LETTER_GRAVITY,
    ZI_LETTER_KINDS
} ziLetterKind;

enum { ZI_LETTER_SIZE = 32 };

typedef struct ziLetter {
    ziLetterKind kind;
    int element, component;
    double value;              /* as the file has it */
    double sign;               /* the parameter is sign times the letter: gravity along one axis is a positive number */
    bool chosen, used;         /* used: it stands in the equations */
    int input;                 /* its number among the chosen */
    char name[ZI_LETTER_SIZE]; /* in programs */
    char family[ZI_LETTER_SIZE]; /* name without a component: "J1" */
    char about[96];              /* what it is: "mass of link1" */
} ziLetter;

typedef struct ziLetters {
    int count, chosen;
    ziLetter *letter; /* all that may be chosen */
    bool origin;      /* moments are about the origins of the link frames, not the centres of mass */
} ziLetters;

/* All letters of a model, with those chosen that `symbols` names: "all", or a list of names and families with a letter
 * of one's own where wanted, "m,l,J1zz=I1". NULL: none. frame: index of the frame on which external forces act, or -1.
 * ZV_NAME for names that are unknown or clash. zi_letters_free in either case. */
zvStatus zi_letters_make(const zvModel *model, const char *symbols, bool origin, int frame, ziLetters *letters,
                         zvError *error);
void zi_letters_free(ziLetters *letters);

/* Points of links: the origin of a joint in its parent, of a loop's end, of the frame. */
static inline int zi_point_of_joint(int joint) { return 3 * joint; }
static inline int zi_point_of_loop(int loop, bool child) { return 3 * loop + (child ? 2 : 1); }
enum { ZI_POINT_OF_FRAME = -1 };

/* Entry i, k of a joint's matrix as the component of a letter: that of i <= k stands for both halves. */
static inline int zi_matrix_entry(int i, int k) { return i < k ? i * ZV_MAX_DOF + k : k * ZV_MAX_DOF + i; }

/* Short names where they are as good: J1zz becomes J1 when it is the only moment of link 1 that is used. */
void zi_letters_shorten(ziLetters *letters);

/* The letter of a parameter, or NULL: it has none, or is not chosen. */
const ziLetter *zi_letter_of(const ziLetters *letters, ziLetterKind kind, int element, int component);

/* "J1zz" as LaTeX writes it: J_{1zz}; Greek words become Greek letters. size is that of text. */
void zi_letter_latex(const char *name, char *text, int size);

/* Moments of a link as the letters have them. */
void zi_link_moment(const zvInertia *inertia, bool origin, double moment[6]);

#endif
