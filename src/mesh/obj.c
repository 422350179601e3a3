/* OBJ: lines "v x y z" and "f a b c ...", where a corner is a vertex, counted from 1 or back from the last one, and
 * after slashes what is not needed here. All other lines (normals, groups, materials) are passed over. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "mesh/build.h"
#include "mesh/scan.h"

typedef struct Vertices {
    float (*at)[3];
    size_t count, capacity;
} Vertices;

static zvStatus read_vertex(ziMeshScan *s, Vertices *v) {
    if (!zi_grow(&v->at, v->count, &v->capacity, sizeof *v->at))
        return zi_mesh_fail(s, (ziMeshWord){"", 0, 0}, ZV_MEMORY, "out of memory while reading vertices");
    for (int k = 0; k < 3; k++) {
        const ziMeshWord word = zi_mesh_word_in_line(s);
        if (!word.size) return zi_mesh_fail(s, word, ZV_SYNTAX, "a vertex has three numbers; write the file again");
        const zvStatus status = zi_mesh_number(s, word, &v->at[v->count][k]);
        if (status < 0) return status;
    }
    v->count++;
    return ZV_OK;
}

/* The vertex that a corner names. */
static zvStatus find_vertex(const ziMeshScan *s, ziMeshWord word, const Vertices *v, size_t *vertex) {
    const char *p = word.text, *stop = p + word.size;
    const bool back = p < stop && *p == '-';
    size_t number = 0;
    if (back) p++;
    for (; p < stop && *p >= '0' && *p <= '9' && number <= v->count; p++) number = 10 * number + (size_t)(*p - '0');
    if (number > v->count) return zi_mesh_fail(s, word, ZV_NAME, "there is no such vertex above this line");
    if (number == 0 || (p < stop && *p != '/'))
        return zi_mesh_fail(s, word, ZV_SYNTAX,
                            "a corner is the number of a vertex, from 1 on, or -1 for the last one");
    *vertex = back ? v->count - number : number - 1;
    return ZV_OK;
}

/* The triangles first, second, third; first, third, fourth; ... */
static zvStatus read_face(ziMeshBuild *m, ziMeshScan *s, const Vertices *v) {
    size_t corners = 0, of[3];
    for (;;) {
        const ziMeshWord word = zi_mesh_word_in_line(s);
        if (!word.size || *word.text == '#') {
            if (corners >= 3) return ZV_OK;
            return zi_mesh_fail(s, word, ZV_SYNTAX, "a face has three corners or more; write the file again");
        }
        if (corners >= 3) of[1] = of[2];
        zvStatus status = find_vertex(s, word, v, &of[corners < 2 ? corners : 2]);
        if (status < 0) return status;
        if (++corners < 3) continue;
        status = zi_mesh_room(m);
        if (status < 0) return status;
        for (size_t k = 0; k < 3; k++) memcpy(m->mesh.corners + 9 * m->mesh.count + 3 * k, v->at[of[k]], sizeof *v->at);
        m->mesh.count++;
    }
}

zvStatus zi_mesh_read_obj(ziMeshBuild *m, const char *bytes, size_t size) {
    ziMeshScan s = zi_mesh_scan(m->file, bytes, size, m->error);
    Vertices v = {0};
    zvStatus status = ZV_OK;
    while (status >= 0) {
        const ziMeshWord word = zi_mesh_word(&s);
        if (!word.size) break;
        if (zi_mesh_is(word, "v")) status = read_vertex(&s, &v);
        if (zi_mesh_is(word, "f")) status = read_face(m, &s, &v);
        zi_mesh_skip_line(&s);
    }
    free(v.at);
    return status;
}
