/* Long functions in pieces (program.h): what a piece is called with. */
#include "codegen/emit.h"

#include <stdio.h>

enum { FOUR = 4 };

static const char *type_of(const ziCodeBody *b) { return b->lanes ? "lanes" : "real"; }

/* Sines lie four in a vector, or of each angle those of all states. */
static int sines(const ziCodeBody *b) { return b->lanes ? b->p->angles : (b->p->angles + FOUR - 1) / FOUR; }

void zi_code_pointers(const ziCodeBody *b) {
    int pointers = (b->keep.places + ZI_KEEP_NEAR - 1) / ZI_KEEP_NEAR;
    if (b->lanes || pointers == 0) return;
    if (pointers > ZI_KEEP_POINTERS) pointers = ZI_KEEP_POINTERS;
    if (b->keep.pieces == 1) zi_code(b->code, "    %s_real keep[%d];\n", b->name, pointers * ZI_KEEP_NEAR);
    for (int k = 0; k < pointers; k++)
        zi_code(b->code, "    %s_real *restrict p%d = keep + %d;\n    %s_ANEW(p%d);\n", b->name, k,
                k * ZI_KEEP_NEAR + ZI_KEEP_NEAR / 2, b->name, k);
}

/* Pointers reach to the end of their places. */
void zi_code_piece_arrays(const ziCodeBody *b) {
    const int places = (b->keep.places + ZI_KEEP_NEAR) / ZI_KEEP_NEAR * ZI_KEEP_NEAR;
    zi_code(b->code, "    %s_%s keep[%d];\n", b->name, type_of(b), places);
    if (b->p->angles)
        zi_code(b->code, "    %s_%s s[%d], c[%d];\n", b->name, b->lanes ? "lanes" : "four", sines(b), sines(b));
}

/* Every array between two strings, "q, v, tau, f, s, c, keep". */
static void arrays(const ziCodeBody *b, const char *before, const char *behind) {
    ziCode *code = b->code;
    if (b->lanes) zi_code(code, "%sstride%s", before, behind);
    zi_code_arrays(code, b->function, before, before, behind, "");
    if (b->looped) zi_code(code, "%sf%s", before, behind);
    if (b->p->angles) zi_code(code, "%ss%s%sc%s", before, behind, before, behind);
}

static void piece_name(const ziCodeBody *b, int piece) {
    zi_code(b->code, "%s_%s%s_%d(", b->name, zv_generated_name(b->function), b->lanes ? "_lanes" : "", piece + 1);
}

void zi_code_piece_call(const ziCodeBody *b, int piece) {
    zi_code_puts(b->code, "    ");
    piece_name(b, piece);
    arrays(b, "", ", ");
    zi_code_puts(b->code, "keep);\n");
}

/* Compilers would make one function of them all again. */
static const char apart[] = "#ifndef @_PIECE\n"
                            "#if defined(__GNUC__)\n"
                            "#define @_PIECE __attribute__((noinline))\n"
                            "#else\n"
                            "#define @_PIECE\n"
                            "#endif\n"
                            "#endif\n";

/* Parameters in the order of the call; not every piece uses all of them. */
void zi_code_piece_begin(const ziCodeBody *b, int piece) {
    ziCode *code = b->code;
    const char *name = b->name, *type = type_of(b);
    if (piece == 0) zi_code_pattern(code, apart, name);
    zi_code(code, "%s_PIECE static void ", name);
    piece_name(b, piece);
    if (b->lanes) zi_code_puts(code, "size_t stride, ");
    char input[256], output[256];
    snprintf(input, sizeof input, "const %s_real *restrict ", name);
    snprintf(output, sizeof output, "%s_real *restrict ", name);
    zi_code_arrays(code, b->function, input, output, ", ", "");
    if (b->looped) zi_code(code, "%s_%s *restrict f, ", name, type);
    const char *of_sines = b->lanes ? "lanes" : "four";
    if (b->p->angles)
        zi_code(code, "const %s_%s *restrict s, const %s_%s *restrict c, ", name, of_sines, name, of_sines);
    zi_code(code, "%s_%s *restrict keep) {\n", name, type);
    arrays(b, "    (void)", ";\n");
    zi_code_puts(code, "    (void)keep;\n");
    zi_code_pointers(b);
}
