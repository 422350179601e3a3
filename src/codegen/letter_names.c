#include "codegen/letter_names.h"
#include "codegen/code.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const zvMark nowhere = {0};

/* The letters before the first digit: "J" of "J1zz", "lc" of "lc2x". */
static bool is_of_sort(const ziLetter *letter, const char *word) {
    const size_t length = strcspn(letter->family, "0123456789");
    return strlen(word) == length && !strncmp(word, letter->family, length);
}

static bool is_meant(const ziLetter *letter, const char *word) {
    return !strcmp(word, "all") || !strcmp(word, letter->name) || !strcmp(word, letter->family) ||
           is_of_sort(letter, word);
}

/* The name of all names nearest to the word; where none is, all sorts are told. */
static zvStatus unknown(const ziLetters *s, const char *word, zvError *error) {
    const char **names = calloc((size_t)s->count + 1, sizeof *names);
    if (!names) return zv_fail(error, ZV_MEMORY, nowhere, NULL, "out of memory");
    for (int i = 0; i < s->count; i++) names[i] = s->letter[i].name;
    const char *near = zv_nearest_name(word, names, (size_t)s->count);
    free(names);
    if (near)
        return zv_fail(error, ZV_NAME, nowhere, word,
                       "expected a parameter that is not zero, found \"%.40s\"; did you mean \"%.40s\"?", word, near);
    char list[160];
    int length = 0, told = 0;
    for (int i = 0; i < s->count && told < 8; i++, told++)
        length += snprintf(list + length, sizeof list - (size_t)length, "%s%.15s", told ? ", " : "", s->letter[i].name);
    return zv_fail(error, ZV_NAME, nowhere, word,
                   "expected a parameter that is not zero, found \"%.40s\"; this robot has %s%s", word, list,
                   s->count > told ? ", ..." : "");
}

static bool is_identifier(const char *word) {
    if (!isalpha((unsigned char)word[0])) return false;
    for (const char *c = word; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_') return false;
    return strlen(word) < ZI_LETTER_SIZE;
}

/* One entry of the list: NAME, or NAME=LETTER for a single parameter. */
static zvStatus choose_one(ziLetters *s, char *word, zvError *error) {
    char *own = strchr(word, '=');
    int meant = 0;
    ziLetter *last = NULL;
    if (own) *own++ = '\0';
    for (int i = 0; i < s->count; i++) {
        if (!is_meant(&s->letter[i], word)) continue;
        last = &s->letter[i];
        last->chosen = true;
        meant++;
    }
    if (!meant) return unknown(s, word, error);
    if (!own) return ZV_OK;
    if (meant > 1)
        return zv_fail(
            error, ZV_NAME, nowhere, word,
            "expected one parameter for the letter \"%.31s\", found %d that \"%.31s\" stands for; name one, as "
            "\"%s=%.31s\"",
            own, meant, word, last->name, own);
    if (!is_identifier(own))
        return zv_fail(error, ZV_NAME, nowhere, own,
                       "expected a letter with digits, as l1 or rho2, of at most %d characters, found \"%.40s\"",
                       ZI_LETTER_SIZE - 1, own);
    snprintf(last->name, sizeof last->name, "%.31s", own);
    return ZV_OK;
}

/* q1, v2, a10, tau1 ... are coordinates and forces, whatever the number. */
static bool is_numbered(const char *name) {
    static const char *const words[] = {"q",   "v",   "a",  "tau", "lam", "u",  "th",
                                        "thv", "tha", "Mm", "Kf",  "Df",  "Kc", "Dm"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        const size_t length = strlen(words[k]);
        if (strncmp(name, words[k], length) || !name[length]) continue;
        if (strspn(name + length, "0123456789") == strlen(name + length)) return true;
    }
    return false;
}

/* Names that the files give to something else, or that Maxima, Python or SymPy have. */
static bool is_reserved(const char *name) {
    static const char *const words[] = {
        "M",       "C",       "c",     "g",         "p",      "tau",   "q",      "v",           "a",       "J",
        "F",       "phi",     "G",     "Gdot",      "gamma",  "lam",   "Delta",  "Num",         "P",       "Pdot",
        "Dr",      "Cr",      "Gr",    "numbers",   "values", "sin",   "cos",    "sign",        "signum",  "matrix",
        "Matrix",  "symbols", "e",     "E",         "I",      "N",     "O",      "Q",           "S",       "pi",
        "do",      "then",    "thru",  "step",      "unless", "next",  "block",  "load",        "ratsimp", "true",
        "false",   "inf",     "minf",  "transpose", "diff",   "Fx",    "Fy",     "Fz",          "Nx",      "Ny",
        "Nz",      "xi",      "taum",  "spring",    "diag",   "zeros", "fpprec", "fpprintprec", "ibase",   "obase",
        "linenum", "linel",   "numer", "float",     "bfloat", "simp",  "domain", "ev",          "map"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (!strcmp(name, words[k])) return true;
    return is_numbered(name) || zi_is_python_word(name);
}

/* Every chosen letter against the names of the files and the letters before it. */
static zvStatus check_clashes(const ziLetters *s, zvError *error) {
    for (int i = 0; i < s->count; i++) {
        const ziLetter *x = &s->letter[i];
        if (!x->chosen) continue;
        if (is_reserved(x->name))
            return zv_fail(error, ZV_NAME, nowhere, x->name,
                           "expected a letter of its own for the %s, found \"%s\", which the equations have for "
                           "something else; choose another one, as %s1",
                           x->about, x->name, x->name);
        for (int k = 0; k < i; k++)
            if (s->letter[k].chosen && !strcmp(s->letter[k].name, x->name))
                return zv_fail(
                    error, ZV_NAME, nowhere, x->name,
                    "expected a letter of its own for the %s, found \"%s\", which is the %s; choose another one",
                    x->about, x->name, s->letter[k].about);
    }
    return ZV_OK;
}

/* Entry by entry; only when all are known can letters clash. */
zvStatus zi_letters_choose(const zvModel *model, const char *symbols, ziLetters *s, zvError *error) {
    char word[2 * ZI_LETTER_SIZE + 8];
    zvStatus status = ZV_OK;
    (void)model;
    for (const char *at = symbols; status >= 0;) {
        const size_t length = strcspn(at, ",");
        if (length == 0 || length >= sizeof word)
            return zv_fail(error, ZV_NAME, nowhere, symbols,
                           "expected all or parameters parted by commas, as m,l1,J1zz=I1, found \"%.60s\"", symbols);
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        status = choose_one(s, word, error);
        at += length;
        if (*at++ != ',') break;
    }
    return status < 0 ? status : check_clashes(s, error);
}

static const char *const greek[] = {"alpha", "beta",  "gamma", "delta",  "epsilon", "zeta", "eta",
                                    "theta", "iota",  "kappa", "lambda", "mu",      "nu",   "xi",
                                    "rho",   "sigma", "tau",   "phi",    "chi",     "psi",  "omega",
                                    "Gamma", "Delta", "Theta", "Lambda", "Sigma",   "Omega"};

/* The first letter or Greek word with the rest as its index, k1_2 with a comma; g0 is the g of all lectures. */
void zi_letter_latex(const char *name, char *text, int size) {
    size_t head = 1;
    const char *back = "";
    for (size_t k = 0; k < sizeof greek / sizeof *greek; k++) {
        const size_t length = strlen(greek[k]);
        if (strncmp(name, greek[k], length) || isalpha((unsigned char)name[length]) || length < head) continue;
        head = length;
        back = "\\";
    }
    char index[ZI_LETTER_SIZE];
    int count = 0;
    for (const char *c = name + head; *c; c++) {
        const bool between = *c == '_' && isdigit((unsigned char)c[-1]) && isdigit((unsigned char)c[1]);
        if (*c != '_' || between) index[count++] = (char)(between ? ',' : *c);
    }
    index[count] = '\0';
    const bool bare = !count || !strcmp(name, "g0");
    snprintf(text, (size_t)size, bare ? "%s%.*s" : "%s%.*s_{%s}", back, (int)head, name, index);
}
