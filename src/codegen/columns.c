#include "codegen/columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/traced.h"
#include "work/coupling.h"

enum { MOST_LIMBS = 32 };

static size_t entries_of_L(const zvModel *model) {
    const ltdlPaths w = zi_dof_paths(model);
    size_t count = 0;
    for (int i = 0; i < model->nv; i++)
        for (int j = ltdl_parent(w, i); j >= 0; j = ltdl_parent(w, j)) count++;
    return count;
}

/* Freedoms: a block has four columns, and blocks are put down on the stack, two matrices of this size at most. */
enum { FEWEST = 4, MOST = 200 };

/* Entries of L from which on it is faster, or, of the inverse alone, compiles in seconds. */
bool zi_columns_looped(const zvModel *model, zvGenerated function) {
    if (model->nv < FEWEST || model->nv > MOST) return false;
    switch (function) {
    case ZV_GENERATED_FORWARD_DERIVATIVES: return entries_of_L(model) >= 15;
    case ZV_GENERATED_MINV: return entries_of_L(model) >= 200;
    default: return false;
    }
}

size_t zi_columns_factors(const zvModel *model) { return (size_t)model->nv + entries_of_L(model); }

size_t zi_columns_part(const zvModel *model, zvGenerated function, int part) {
    const int factors = function == ZV_GENERATED_MINV ? 0 : 3;
    if (part < factors) return zi_generated_part(model, function, part);
    return part == factors ? zi_columns_factors(model) : 0;
}

size_t zi_columns_size(const zvModel *model, zvGenerated function) {
    size_t sum = 0, size;
    for (int part = 0; (size = zi_columns_part(model, function, part)) > 0; part++) sum += size;
    return sum;
}

/* -- the pattern -------------------------------------------------------------------------------------------------- */

/* A limb ends where a freedom is not the only one behind the one before it. */
static void find_limbs(ziColumns *c) {
    int *children = c->factor; /* borrowed */
    for (int i = 0; i < c->n; i++)
        if (c->before[i] >= 0) children[c->before[i]]++;
    for (int i = 0; i < c->n; i++) {
        const int up = c->before[i];
        c->limb[i] = up >= 0 && children[up] == 1 ? c->limb[up] : c->limbs++;
    }
    memset(children, 0, (size_t)c->n * sizeof *children);
}

uint32_t zi_columns_bit(const ziColumns *c, int freedom) {
    return UINT32_C(1) << (c->limb[freedom] < MOST_LIMBS ? c->limb[freedom] : MOST_LIMBS - 1);
}

/* Forces and changes meet where one is on the path of the other. */
static void find_zeros(ziColumns *c) {
    for (int i = 0; i < c->n; i++)
        for (int j = i; j >= 0; j = c->before[j]) {
            c->unit[i] |= zi_columns_bit(c, j);
            c->full[i] |= zi_columns_bit(c, j);
            c->full[j] |= zi_columns_bit(c, i);
        }
}

/* Factors are numbered from the last freedom on, as the factorisation makes them. */
bool zi_columns_make(ziColumns *c, const zvModel *model, const ziTape *tape, const ziEdge *factor) {
    const size_t n = (size_t)model->nv, factors = zi_columns_factors(model);
    *c = (ziColumns){.n = model->nv};
    c->before = calloc(3 * n, sizeof *c->before);
    c->full = calloc(2 * n, sizeof *c->full);
    c->vanishes = calloc(factors, sizeof *c->vanishes);
    if (!c->before || !c->full || !c->vanishes) return false;
    c->limb = c->before + n;
    c->factor = c->limb + n;
    c->unit = c->full + n;
    for (int i = 0; i < c->n; i++) c->before[i] = ltdl_parent(zi_dof_paths(model), i);
    find_limbs(c);
    int at = c->n;
    for (int i = c->n - 1; i >= 0; i--) {
        c->factor[i] = at;
        for (int j = c->before[i]; j >= 0; j = c->before[j]) at++;
    }
    double value;
    for (size_t k = 0; k < factors && factor; k++)
        c->vanishes[k] = zi_tape_known(tape, factor[k], &value) && value == 0;
    find_zeros(c);
    return true;
}

void zi_columns_free(ziColumns *c) {
    free(c->before);
    free(c->full);
    free(c->vanishes);
    *c = (ziColumns){0};
}

/* -- what it takes ------------------------------------------------------------------------------------------------ */

static int entries(const ziColumns *c, int freedom) {
    int count = 0, at = c->factor[freedom];
    for (int j = c->before[freedom]; j >= 0; j = c->before[j]) count += !c->vanishes[at++];
    return count;
}

/* Each freedom of a column takes one product, and a product and a sum for each entry of L it meets. */
zvOperations zi_columns_operations(const ziColumns *c, zvGenerated function) {
    zvOperations o = {0};
    const bool derivatives = function == ZV_GENERATED_FORWARD_DERIVATIVES;
    for (int i = 0; i < c->n; i++) {
        const int count = entries(c, i);
        int times = c->n * (derivatives ? 3 : 1);
        o.mul += times;
        for (int k = 0; k < c->n; k++)
            times +=
                !!(c->unit[k] & zi_columns_bit(c, i)) + (derivatives ? 2 * !!(c->full[k] & zi_columns_bit(c, i)) : 0);
        o.mul += (long long)times * count;
        o.add += (long long)times * count;
    }
    return o;
}

/* The loop as C. */

/* As many columns side by side as a register of AVX2 has doubles; one where there are no vectors. */
static const char types[] =
    "\n/* -- columns of a matrix, several at once, divided by the mass matrix -- */\n\n"
    "#if defined(__GNUC__)\n"
    "#define @_WIDE 4\n"
    "typedef @_real @_wide __attribute__((vector_size(@_WIDE * sizeof(@_real))));\n"
    "typedef @_real @_row __attribute__((vector_size(@_WIDE * sizeof(@_real)), aligned(sizeof(@_real)), may_alias));\n"
    "#define @_ROW(x, i) (*(@_row *)((x) + (i) * @_NV))\n"
    "#define @_OUTLINE __attribute__((noinline, aligned(64)))\n"
    "#else\n"
    "#define @_WIDE 1\n"
    "typedef @_real @_wide;\n"
    "#define @_ROW(x, i) ((x)[(i) * @_NV])\n"
    "#define @_OUTLINE\n"
    "#endif\n\n";

typedef struct ColumnsWriter {
    ziCode *code;
    const char *name;
    const ziColumns *c;
    const char *row; /* macro of a row */
    bool *loaded;    /* per limb */
} ColumnsWriter;

static void write_table(const ColumnsWriter *t, const char *what, const uint32_t *limbs) {
    zi_code(t->code, "static const uint32_t %s_%s[%d] = {", t->name, what, t->c->n);
    for (int i = 0; i < t->c->n; i++)
        zi_code(t->code, "%s%s0x%" PRIx32, i ? "," : "", i % 12 ? " " : "\n    ", limbs[i]);
    zi_code_puts(t->code, "};\n");
}

/* -- one block of columns ----------------------------------------------------------------------------------------- */

static int last_of(const ziColumns *c, int first) {
    int last = first;
    while (last + 1 < c->n && c->limb[last + 1] == c->limb[first]) last++;
    return last;
}

static void open_limb(const ColumnsWriter *t, int first) {
    zi_code(t->code, "    if (limbs & 0x%" PRIx32 ") {\n", zi_columns_bit(t->c, first));
}

/* Rows of the limbs between a freedom and the root that are not there yet. */
static void load_path(const ColumnsWriter *t, int freedom) {
    for (int i = freedom; i >= 0; i = t->c->before[i]) {
        if (t->loaded[t->c->limb[i]]) continue;
        t->loaded[t->c->limb[i]] = true;
        int first = i;
        while (t->c->before[first] >= 0 && t->c->limb[t->c->before[first]] == t->c->limb[i])
            first = t->c->before[first];
        open_limb(t, first);
        for (int k = first; k <= last_of(t->c, first); k++)
            zi_code(t->code, "        x%d = %s_%s(x, %d), y%d = %s_%s(y, %d);\n", k, t->name, t->row, k, k, t->name,
                    t->row, k);
        zi_code_puts(t->code, "    }\n");
    }
}

/* x = L^-T x: limbs from the last to the first, freedoms from the tip on. */
static void write_inward(const ColumnsWriter *t) {
    const ziColumns *c = t->c;
    for (int last = c->n - 1, first; last >= 0; last = first - 1) {
        for (first = last; first > 0 && c->limb[first - 1] == c->limb[last];) first--;
        load_path(t, last);
        open_limb(t, first);
        for (int k = last; k >= first; k--) {
            int at = c->factor[k];
            for (int j = c->before[k]; j >= 0; j = c->before[j], at++)
                if (!c->vanishes[at])
                    zi_code(t->code, "        x%d -= f[%d] * x%d, y%d -= f[%d] * y%d;\n", j, at, k, j, at, k);
        }
        zi_code_puts(t->code, "    }\n");
    }
}

/* x = -L^-1 D^-1 x. The nearest freedom, which is ready last, comes last. */
static void write_outward(const ColumnsWriter *t, int i) {
    const ziColumns *c = t->c;
    int depth = 0;
    for (int j = c->before[i]; j >= 0; j = c->before[j]) depth++;
    zi_code(t->code, "    x%d *= f[%d], y%d *= f[%d];\n", i, i, i, i);
    for (int k = depth - 1; k >= 0; k--) {
        const int at = c->factor[i] + k;
        int j = c->before[i];
        for (int step = 0; step < k; step++) j = c->before[j];
        if (!c->vanishes[at]) zi_code(t->code, "    x%d -= f[%d] * x%d, y%d -= f[%d] * y%d;\n", i, at, j, i, at, j);
    }
    zi_code(t->code, "    %s_%s(to_x, %d) = x%d, %s_%s(to_y, %d) = y%d;\n", t->name, t->row, i, i, t->name, t->row, i,
            i);
}

/* The function that solves for some columns: all rows are named numbers, so that they stay in registers. */
static void write_block(const ColumnsWriter *t, bool lanes) {
    const char *name = t->name, *kind = lanes ? "lanes" : "wide";
    zi_code_puts(t->code,
                 "/* Some columns times -M^-1: f has the factors of M, limbs (bits) are those that are not zero. */\n");
    if (lanes)
        zi_code(t->code, "%s_APART static void %s_solve_lanes(size_t stride, const %s_lanes *f, ", name, name, name);
    else
        zi_code(t->code, "%s_OUTLINE static void %s_solve(const %s_real *restrict f, ", name, name, name);
    zi_code(t->code, "uint32_t limbs, %s_real *x, %s_real *y, %s_real *to_x, %s_real *to_y) {\n", name, name, name,
            name);
    zi_code(t->code, "    const %s_%s zero = {0};\n    %s_%s ", name, kind, name, kind);
    for (int i = 0; i < t->c->n; i++)
        zi_code(t->code, "%s%sx%d = zero, y%d = zero", i ? "," : "", i % 8 ? " " : i ? "\n        " : "", i, i);
    zi_code_puts(t->code, ";\n");
    write_inward(t);
    zi_code(t->code, "    %s_ANEW(f);\n", name);
    for (int i = 0; i < t->c->n; i++) write_outward(t, i);
    zi_code_puts(t->code, "}\n\n");
}

/* -- all columns -------------------------------------------------------------------------------------------------- */

/* What does not fill a block: the last columns once more, with some before them that are thrown away. */
static const char two_matrices[] =
    "static void @_columns(const @_real *f, const uint32_t *limbs, @_real *X, @_real *Y) {\n"
    "    enum { REST = @_NV % @_WIDE, END = @_NV - @_WIDE };\n"
    "    @_real last[2][REST > 0 ? @_NV * @_NV : 1];\n"
    "    if (REST > 0) @_solve(f, @_any(limbs + END), X + END, Y + END, last[0], last[1]);\n"
    "    for (int c = 0; c <= END; c += @_WIDE) @_solve(f, @_any(limbs + c), X + c, Y + c, X + c, Y + c);\n"
    "    for (int i = 0; i < @_NV; i++)\n"
    "        for (int c = @_NV - REST; c < @_NV; c++) {\n"
    "            X[i * @_NV + c] = last[0][i * @_NV + c - END];\n"
    "            Y[i * @_NV + c] = last[1][i * @_NV + c - END];\n"
    "        }\n"
    "}\n\n";

/* Rounding depends on the block: what is below the diagonal is taken from above. */
static const char inverting[] =
    "/* -M^-1 times minus the identity, exactly symmetric. */\n"
    "static void @_invert(const @_real *f, const uint32_t *limbs, @_real *X) {\n"
    "    enum { TWO = 2 * @_WIDE, REST = @_NV % TWO, END = @_NV - TWO, LAST = @_NV - @_WIDE };\n"
    "    @_real last[REST > 0 ? @_NV * @_NV : 1];\n"
    "    if (END < 0) @_solve(f, @_any(limbs) | @_any(limbs + LAST), X, X + LAST, X, X + LAST);\n"
    "    if (END > 0 && REST > 0)\n"
    "        @_solve(f, @_any(limbs + END) | @_any(limbs + LAST), X + END, X + LAST, last, last + @_WIDE);\n"
    "    for (int c = 0; c <= END; c += TWO) {\n"
    "        @_real *x = X + c, *y = x + @_WIDE;\n"
    "        @_solve(f, @_any(limbs + c) | @_any(limbs + c + @_WIDE), x, y, x, y);\n"
    "    }\n"
    "    for (int i = 0; i < @_NV && END > 0; i++)\n"
    "        for (int c = @_NV - REST; c < @_NV; c++) X[i * @_NV + c] = last[i * @_NV + c - END];\n"
    "    for (int i = 1; i < @_NV; i++) {\n"
    "        int k = i % 4;\n"
    "        for (int c = 0; c < k; c++) X[i * @_NV + c] = X[c * @_NV + i];\n"
    "        for (; k < i; k += 4) {\n"
    "            const @_real *from = X + k * @_NV + i;\n"
    "            @_real *to = X + i * @_NV + k;\n"
    "            to[0] = from[0], to[1] = from[@_NV], to[2] = from[2 * @_NV], to[3] = from[3 * @_NV];\n"
    "        }\n"
    "    }\n"
    "}\n\n"
    "static void @_units(@_real *X) {\n"
    "    for (int i = 0; i < @_NV * @_NV; i++) X[i] = 0;\n"
    "    for (int i = 0; i < @_NV; i++) X[(@_NV + 1) * i] = -1;\n"
    "}\n";

static const char any_of[] = "\nstatic uint32_t @_any(const uint32_t *limbs) {\n"
                             "    uint32_t any = 0;\n"
                             "    for (int i = 0; i < @_WIDE; i++) any |= limbs[i];\n"
                             "    return any;\n"
                             "}\n\n";

static const char two_matrices_lanes[] =
    "static void @_columns_lanes(const @_lanes *f, const uint32_t *limbs, size_t stride, @_real *X, @_real *Y) {\n"
    "    for (size_t c = 0; c < @_NV * stride; c += stride)\n"
    "        @_solve_lanes(@_NV * stride, f, *limbs++, X + c, Y + c, X + c, Y + c);\n"
    "}\n\n";

static const char inverting_lanes[] =
    "static void @_invert_lanes(const @_lanes *f, const uint32_t *limbs, size_t stride, @_real *X) {\n"
    "    for (size_t c = 0; c < @_NV; c += 2) {\n"
    "        const size_t next = c + 1 < @_NV ? c + 1 : c;\n"
    "        @_real *x = X + c * stride, *y = X + next * stride;\n"
    "        @_solve_lanes(@_NV * stride, f, limbs[c] | limbs[next], x, y, x, y);\n"
    "    }\n"
    "    for (size_t i = 1; i < @_NV; i++)\n"
    "        for (size_t k = 0; k < i; k++) @_PUT(X, i * @_NV + k) = @_GET(X, k * @_NV + i);\n"
    "}\n\n"
    "static void @_units_lanes(size_t stride, @_real *X) {\n"
    "    for (size_t i = 0; i < @_NV; i++)\n"
    "        for (size_t k = 0; k < @_NV; k++) @_PUT(X, @_NV * i + k) = @_ALL((@_real)(i == k ? -1 : 0));\n"
    "}\n";

/* Types and tables once, then the block and the loops over it that the functions need. */
void zi_code_columns(ziCode *code, const char *name, const ziColumns *c, unsigned functions, bool lanes) {
    const bool derivatives = functions & 1u << ZV_GENERATED_FORWARD_DERIVATIVES;
    ColumnsWriter t = {
        .code = code, .name = name, .c = c, .row = lanes ? "PUT" : "ROW", .loaded = calloc((size_t)c->limbs, 1)};
    code->failed |= !t.loaded;
    if (!code->failed) {
        if (!lanes) {
            zi_code_pattern(code, types, name);
            if (derivatives) write_table(&t, "limbs_full", c->full);
            write_table(&t, "limbs_unit", c->unit);
            zi_code_pattern(code, any_of, name);
        } else {
            zi_code_puts(code, "\n");
        }
        write_block(&t, lanes);
        if (derivatives) zi_code_pattern(code, lanes ? two_matrices_lanes : two_matrices, name);
        zi_code_pattern(code, lanes ? inverting_lanes : inverting, name);
    }
    free(t.loaded);
}

static const char *inverse(zvGenerated function) { return function == ZV_GENERATED_MINV ? "W" : "dtau"; }

void zi_code_columns_begin(ziCode *code, const char *name, zvGenerated function, bool lanes) {
    zi_code(code, "    %s_units%s(%s%s);\n", name, lanes ? "_lanes" : "", lanes ? "stride, " : "", inverse(function));
}

void zi_code_columns_end(ziCode *code, const char *name, zvGenerated function, bool lanes) {
    const char *kind = lanes ? "_lanes" : "", *stride = lanes ? "stride, " : "";
    if (function == ZV_GENERATED_FORWARD_DERIVATIVES)
        zi_code(code, "    %s_columns%s(f, %s_limbs_full, %sdq, dv);\n", name, kind, name, stride);
    zi_code(code, "    %s_invert%s(f, %s_limbs_unit, %s%s);\n", name, kind, name, stride, inverse(function));
}
