#include "codegen/latex_name.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { BREAK = 12 };

/* The next character and how many bytes it takes; 0xFFFD for bytes that are none. */
static unsigned decode(const char *text, int *bytes) {
    const unsigned char *c = (const unsigned char *)text;
    const int more = c[0] < 0x80 ? 0 : c[0] >= 0xF0 && c[0] < 0xF5 ? 3 : c[0] >= 0xE0 ? 2 : c[0] >= 0xC2 ? 1 : -1;
    unsigned x = more <= 0 ? c[0] : c[0] & (0x3Fu >> more);
    *bytes = 1;
    if (more < 0 || c[0] >= 0xF5) return 0xFFFD;
    for (int k = 1; k <= more; k++) {
        if ((c[k] & 0xC0) != 0x80) return 0xFFFD;
        x = x << 6 | (c[k] & 0x3F);
    }
    *bytes = 1 + more;
    return x;
}

/* Character by character; breaks are allowed behind signs that part words, and within long ones. */
void zi_latex_name(ziCode *code, const char *name) {
    int bytes, together = 0;
    for (const char *c = name; *c; c += bytes) {
        const unsigned x = decode(c, &bytes);
        const bool break_here = strchr("_-./ :", *c) != NULL;
        if (*c == '\\' || *c == '^' || *c == '~')
            zi_code(code, "\\char%d{}", *c);
        else if (strchr("_%&#$%{}", *c))
            zi_code(code, "\\%c", *c);
        else if (x == 0xFFFD || x < 0x20 || x == 0x7F)
            zi_code_puts(code, "?");
        else
            zi_code(code, "%.*s", bytes, c);
        together = break_here ? 0 : together + 1;
        if ((break_here || together == BREAK) && c[bytes]) zi_code_puts(code, "\\allowbreak{}");
        if (together == BREAK) together = 0;
    }
}

/* Letters that plain LaTeX has are not noted. */
void zi_alphabet_note(ziAlphabet *a, const char *name) {
    int bytes;
    for (const char *c = name; *c; c += bytes) {
        const unsigned x = decode(c, &bytes);
        size_t k = 0;
        while (k < a->count && a->letter[k] != x) k++;
        if (x < 0x80 || x == 0xFFFD || k < a->count) continue;
        if (zi_grow(&a->letter, a->count, &a->capacity, sizeof *a->letter))
            a->letter[a->count++] = x;
        else
            a->full = true;
    }
}

void zi_alphabet_free(ziAlphabet *a) {
    free(a->letter);
    *a = (ziAlphabet){0};
}

/* A character as two to four bytes. */
static void write_utf8(ziCode *code, unsigned x) {
    char text[5] = {0};
    if (x < 0x800) {
        text[0] = (char)(0xC0 | x >> 6), text[1] = (char)(0x80 | (x & 0x3F));
    } else if (x < 0x10000) {
        text[0] = (char)(0xE0 | x >> 12), text[1] = (char)(0x80 | (x >> 6 & 0x3F)), text[2] = (char)(0x80 | (x & 0x3F));
    } else {
        text[0] = (char)(0xF0 | x >> 18), text[1] = (char)(0x80 | (x >> 12 & 0x3F));
        text[2] = (char)(0x80 | (x >> 6 & 0x3F)), text[3] = (char)(0x80 | (x & 0x3F));
    }
    zi_code_puts(code, text);
}

/* Letters of U+0391 ... U+03C9 in mathematics; those that Latin has too are theirs. */
static const char *greek(unsigned x) {
    static const char *const large[] = {
        "A",    "B", "\\Gamma", "\\Delta", "E",  "Z",       "H", "\\Theta",   "I",     "K", "\\Lambda", "M",      "N",
        "\\Xi", "O", "\\Pi",    "P",       NULL, "\\Sigma", "T", "\\Upsilon", "\\Phi", "X", "\\Psi",    "\\Omega"};
    static const char *const small[] = {
        "\\alpha", "\\beta",   "\\gamma",   "\\delta", "\\epsilon", "\\zeta", "\\eta",  "\\theta", "\\iota",
        "\\kappa", "\\lambda", "\\mu",      "\\nu",    "\\xi",      "o",      "\\pi",   "\\rho",   "\\varsigma",
        "\\sigma", "\\tau",    "\\upsilon", "\\phi",   "\\chi",     "\\psi",  "\\omega"};
    if (x >= 0x391 && x <= 0x3A9) return large[x - 0x391];
    return x >= 0x3B1 && x <= 0x3C9 ? small[x - 0x3B1] : NULL;
}

/* U+0410 ... U+044F by ISO 9. */
static const char *latin(unsigned x) {
    static const char *const table[] = {
        "A", "B", "V", "G", "D", "E", "\\v Z", "Z",     "I",     "J",    "K",  "L", "M", "N",    "O",    "P",
        "R", "S", "T", "U", "F", "H", "C",     "\\v C", "\\v S", "\\^S", "''", "Y", "'", "\\`E", "\\^U", "\\^A",
        "a", "b", "v", "g", "d", "e", "\\v z", "z",     "i",     "j",    "k",  "l", "m", "n",    "o",    "p",
        "r", "s", "t", "u", "f", "h", "c",     "\\v c", "\\v s", "\\^s", "''", "y", "'", "\\`e", "\\^u", "\\^a"};
    if (x >= 0x410 && x <= 0x44F) return table[x - 0x410];
    return x == 0x401 ? "\\\"E" : x == 0x451 ? "\\\"e" : NULL;
}

/* How pdfLaTeX prints a character for which no package has a letter. */
static void declare(ziCode *code, unsigned x) {
    zi_code_puts(code, "\\ifcsname u8:\\detokenize{");
    write_utf8(code, x);
    zi_code(code, "}\\endcsname\\else\\DeclareUnicodeCharacter{%04X}{", x);
    if (greek(x))
        zi_code(code, "\\ensuremath{%s}", greek(x));
    else if (latin(x))
        zi_code(code, "{%s}", latin(x));
    else
        zi_code(code, "[U+%04X]", x);
    zi_code_puts(code, "}\\fi\n");
}

/* One branch for each kind of engine: only one of them knows fonts. */
void zi_latex_alphabets(ziCode *code, const ziAlphabet *a) {
    if (a->full) code->failed = true;
    if (!a->count) return;
    zi_code_puts(code, "% names in other alphabets: XeLaTeX and LuaLaTeX have them of the font, pdfLaTeX as it can\n"
                       "\\ifdefined\\DeclareUnicodeCharacter\n"
                       "\\IfFileExists{t2aenc.def}{\\usepackage[T2A,OT1]{fontenc}}{}\n");
    for (size_t k = 0; k < a->count; k++) declare(code, a->letter[k]);
    zi_code_puts(code, "\\else\n"
                       "\\IfFileExists{fontspec.sty}{\\usepackage{fontspec}"
                       "\\IfFontExistsTF{DejaVu Sans Mono}{\\setmonofont{DejaVu Sans Mono}}{}}{}\n"
                       "\\fi\n");
}
