/* STL. Binary: 80 bytes of anything, a count, 50 bytes a triangle (normal, three corners, two bytes of anything), all
 * little-endian. Text: words in a fixed order. Binary files that begin with "solid" exist, so the size decides first.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "mesh/build.h"
#include "mesh/scan.h"

enum { HEAD = 84, RECORD = 50, NORMAL = 12 };

static uint32_t word_at(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static zvStatus read_binary(ziMeshBuild *m, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const size_t start = HEAD + RECORD * i + NORMAL;
        const zvStatus status = zi_mesh_room(m);
        if (status < 0) return status;
        float *corner = m->mesh.corners + 9 * i;
        for (size_t k = 0; k < 9; k++) {
            const uint32_t bits = word_at(bytes + start + 4 * k);
            memcpy(corner + k, &bits, sizeof bits);
            if (isfinite(corner[k])) continue;
            return zv_fail(m->error, ZV_NUMBER, (zvMark){m->file, 0, 0}, "",
                           "triangle %zu (byte %zu) has a corner that is not finite; write the file again", i + 1,
                           start + 4 * k);
        }
        m->mesh.count = i + 1;
    }
    return ZV_OK;
}

/* Words that must follow, with a space behind each. */
static zvStatus expect(ziMeshScan *s, const char *text) {
    const ziMeshWord word = zi_mesh_word(s);
    if (zi_mesh_is(word, text)) return ZV_OK;
    return zi_mesh_fail(s, word, ZV_SYNTAX,
                        "a facet is: facet normal, outer loop, three times vertex, endloop, endfacet");
}

/* Three numbers, or the three words of a normal, which may be anything. */
static zvStatus take_three(ziMeshScan *s, float *values) {
    for (int k = 0; k < 3; k++) {
        const ziMeshWord word = zi_mesh_word(s);
        if (!word.size) return zi_mesh_fail(s, word, ZV_SYNTAX, "the file ends within a facet; write it again");
        const zvStatus status = values ? zi_mesh_number(s, word, values + k) : ZV_OK;
        if (status < 0) return status;
    }
    return ZV_OK;
}

/* Behind "facet". */
static zvStatus read_facet(ziMeshBuild *m, ziMeshScan *s) {
    zvStatus status = zi_mesh_room(m);
    if (status >= 0) status = expect(s, "normal");
    if (status >= 0) status = take_three(s, NULL);
    if (status >= 0) status = expect(s, "outer");
    if (status >= 0) status = expect(s, "loop");
    for (size_t k = 0; k < 3; k++) {
        if (status >= 0) status = expect(s, "vertex");
        if (status >= 0) status = take_three(s, m->mesh.corners + 9 * m->mesh.count + 3 * k);
    }
    if (status >= 0) status = expect(s, "endloop");
    if (status >= 0) status = expect(s, "endfacet");
    if (status >= 0) m->mesh.count++;
    return status;
}

static zvStatus read_text(ziMeshBuild *m, const char *bytes, size_t size) {
    ziMeshScan s = zi_mesh_scan(m->file, bytes, size, m->error);
    for (;;) {
        const ziMeshWord word = zi_mesh_word(&s);
        zvStatus status = ZV_OK;
        if (!word.size) return ZV_OK;
        if (zi_mesh_is(word, "facet"))
            status = read_facet(m, &s);
        else if (zi_mesh_is(word, "solid") || zi_mesh_is(word, "endsolid"))
            zi_mesh_skip_line(&s); /* a name */
        else
            status =
                zi_mesh_fail(&s, word, ZV_SYNTAX, "this is no word of an STL file; facet or endsolid belongs here");
        if (status < 0) return status;
    }
}

static bool begins_as_text(const char *bytes, size_t size) {
    ziMeshScan s = zi_mesh_scan("", bytes, size, NULL);
    return zi_mesh_is(zi_mesh_word(&s), "solid");
}

zvStatus zi_mesh_read_stl(ziMeshBuild *m, const char *bytes, size_t size) {
    const zvMark mark = {m->file, 0, 0};
    const size_t count = size >= HEAD ? word_at(bytes + HEAD - 4) : 0;
    const bool fits = size >= HEAD && (size - HEAD) % RECORD == 0 && (size - HEAD) / RECORD == count;
    if (!fits && begins_as_text(bytes, size)) return read_text(m, bytes, size);
    if (size < HEAD) return zv_fail(m->error, ZV_SYNTAX, mark, "", "the file is too short for an STL file");
    if (!fits)
        return zv_fail(
            m->error, ZV_SYNTAX, mark, "",
            "the file is to have %zu triangles (byte 80) of 50 bytes, but %zu bytes follow; it is cut, or no "
            "STL file",
            count, size - HEAD);
    return read_binary(m, bytes, count);
}
