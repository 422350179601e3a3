/* MJCF from a tree. No geometry, contacts, limits or actuators.
 *
 * The XML parser limits how deep elements may nest, so a long chain is cut into parts that include each other.
 * The inertias in the XML are placeholders, overwritten in the compiled model: MuJoCo's compiler refuses some
 * inertias that robot files do contain (triangle inequality), its dynamics does not mind them. */
#include "mjcf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "principal.h"

enum { LEVELS_PER_PART = 40 };

/* A file being written; parts nest like the bodies they hold. */
typedef struct Part {
    FILE *file;
    char *text;
    size_t size;
    int number;
} Part;

typedef struct Writer {
    mjVFS *vfs;
    Part *stack;
    int depth; /* of the stack of parts */
    int parts; /* begun so far */
    bool loops;
} Writer;

static FILE *top(Writer *w) { return w->stack[w->depth - 1].file; }

static void part_name(int number, char name[32]) { snprintf(name, 32, "part%d.xml", number); }

static void begin_part(Writer *w) {
    Part *part = &w->stack[w->depth++];
    *part = (Part){.number = w->parts++};
    part->file = open_memstream(&part->text, &part->size);
    if (!part->file) abort();
}

/* Closes the innermost part and files it where MuJoCo's loader will look. */
static void end_part(Writer *w) {
    Part *part = &w->stack[--w->depth];
    char name[32];
    part_name(part->number, name);
    fclose(part->file);
#if MUJOCO_CURRENT
    mj_addBufferVFS(w->vfs, name, part->text, (int)part->size);
#else
    mj_makeEmptyFileVFS(w->vfs, name, (int)part->size);
    memcpy(w->vfs->filedata[mj_findFileVFS(w->vfs, name)], part->text, part->size);
#endif
    free(part->text);
}

static void write_numbers(FILE *file, const char *key, const double *x, int count) {
    fprintf(file, " %s=\"", key);
    for (int i = 0; i < count; ++i) fprintf(file, i ? " %.17g" : "%.17g", x[i]);
    fputs("\"", file);
}

/* The points of loops that lie on a body. */
static void write_ends(FILE *file, const Tree *tree, int b) {
    for (int k = 0; k < tree->nloop; ++k)
        for (int end = 0; end < 2; ++end) {
            if (tree->loop[k].body[end] != b) continue;
            fprintf(file, "<site name=\"end%d_%d\"", k, end);
            write_numbers(file, "pos", tree->loop[k].point[end], 3);
            fputs("/>\n", file);
        }
}

/* As stiff as steps of a millisecond bear. */
static void write_loops(FILE *file, const Tree *tree) {
    fputs("<equality>\n", file);
    for (int k = 0; k < tree->nloop; ++k)
        fprintf(file, "<connect site1=\"end%d_0\" site2=\"end%d_1\" solref=\"0.002 1\" solimp=\"0.99 0.9999 1e-6\"/>\n",
                k, k);
    fputs("</equality>\n", file);
}

/* Deep robots are written in parts: MuJoCo's reader of XML has a limit of depth. */
static void open_body(Writer *w, const Tree *tree, int b, int level) {
    const Body *body = &tree->body[b];
    if (level > 0 && level % LEVELS_PER_PART == 0) {
        char name[32];
        part_name(w->parts, name);
        fprintf(top(w), "<include file=\"%s\"/>\n", name);
        begin_part(w);
        fputs("<mujocoinclude>\n", top(w));
    }
    FILE *file = top(w);
    double quaternion[4], value[3], axes[9];
    fprintf(file, "<body name=\"b%d\"", b);
    write_numbers(file, "pos", body->origin.p, 3);
    quaternion_wxyz(body->origin.R, quaternion);
    write_numbers(file, "quat", quaternion, 4);
    fputs(">\n<inertial mass=\"1\" diaginertia=\"1 1 1\"", file);
    write_numbers(file, "pos", body->inertia.com, 3);
    principal_axes(body->inertia.moment, value, axes);
    quaternion_wxyz(axes, quaternion);
    write_numbers(file, "quat", quaternion, 4);
    fputs("/>\n", file);
    if (body->type == ZV_JOINT_FREE) {
        fputs("<freejoint/>\n", file);
    } else {
        const char *type = body->type == ZV_JOINT_SPHERICAL   ? "ball"
                           : body->type == ZV_JOINT_PRISMATIC ? "slide"
                                                              : "hinge";
        fprintf(file, "<joint type=\"%s\" limited=\"false\"", type);
        if (body->type != ZV_JOINT_SPHERICAL) write_numbers(file, "axis", body->axis, 3);
        fputs("/>\n", file);
    }
    if (w->loops) write_ends(file, tree, b);
}

static void close_body(Writer *w, int level) {
    fputs("</body>\n", top(w));
    if (level > 0 && level % LEVELS_PER_PART == 0) {
        fputs("</mujocoinclude>\n", top(w));
        end_part(w);
    }
}

/* Bodies come in depth-first order: those that are not an ancestor of the next one are closed before it. */
static void write_bodies(Writer *w, const Tree *tree) {
    int *open = malloc((size_t)tree->nbody * sizeof *open);
    int level = 0;
    if (!open) abort();
    for (int b = 1; b < tree->nbody; ++b) {
        while (level > 0 && open[level - 1] != tree->body[b].parent) close_body(w, --level);
        open_body(w, tree, b, level);
        open[level++] = b;
    }
    while (level > 0) close_body(w, --level);
    free(open);
}

/* The whole robot as MJCF; memory sizes by the number of bodies, since MuJoCo allocates once. */
static void write_robot(Writer *w, const Tree *tree) {
    begin_part(w);
    fputs("<mujoco>\n<compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n", top(w));
#if MUJOCO_CURRENT
    fprintf(top(w), "<size memory=\"%dK\"/>\n<option", 2000 + 10 * tree->nbody);
#else
    fprintf(top(w), "<size nstack=\"%d\" njmax=\"1\" nconmax=\"1\"/>\n<option", 200000 + 1000 * tree->nbody);
#endif
    write_numbers(top(w), "gravity", tree->gravity, 3);
    fputs("/>\n<worldbody>\n", top(w));
    if (w->loops) write_ends(top(w), tree, 0);
    write_bodies(w, tree);
    fputs("</worldbody>\n", top(w));
    if (w->loops) write_loops(top(w), tree);
    fputs("</mujoco>\n", top(w));
    end_part(w);
}

static void set_inertias(mjModel *m, const Tree *tree) {
    for (int b = 0; b < tree->nbody; ++b) {
        double axes[9];
        m->body_mass[b] = b ? tree->body[b].inertia.mass : 0;
        m->body_subtreemass[b] = m->body_mass[b];
        if (b) principal_axes(tree->body[b].inertia.moment, m->body_inertia + 3 * b, axes);
    }
    for (int b = tree->nbody - 1; b > 0; --b) m->body_subtreemass[m->body_parentid[b]] += m->body_subtreemass[b];
}

/* Through files in memory: nothing is written to the disk. */
mjModel *mjcf_load(const Tree *tree, bool loops) {
    char error[500] = "";
    Writer w = {malloc(sizeof(mjVFS)), calloc((size_t)tree->nbody / LEVELS_PER_PART + 2, sizeof(Part)), 0, 0, loops};
    if (!w.vfs || !w.stack) abort();
    mj_defaultVFS(w.vfs);
    write_robot(&w, tree);
    mjModel *m = mj_loadXML("part0.xml", w.vfs, error, sizeof error);
    if (m)
        set_inertias(m, tree);
    else
        fprintf(stderr, "MuJoCo: %s\n", error);
    mj_deleteVFS(w.vfs);
    free(w.vfs);
    free(w.stack);
    return m;
}
