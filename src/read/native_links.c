/* Links and frames of native files. */
#include "read/native_elastic.h"
#include "read/native_parts.h"

static zvStatus read_link(const ziReading *reading, const ziElement *element, ziArena *arena) {
    zvLink link = zv_link_default(element->name);
    link.mark = zi_reading_mark(reading, element->node->mark);
    link.mass_spot = zi_element_spot(element, "mass");
    link.inertia_spot = zi_element_spot(element, "inertia");
    zvStatus status = zi_native_inertia(reading, element, &link);
    if (status >= 0) status = zi_native_elastic(reading, element, arena, &link);
    return status < 0 ? status : zv_builder_add_link(reading->builder, &link, reading->error);
}

zvStatus zi_native_links(const ziReading *reading, const zvNode *list) {
    static const char *const keys[] = {"name", ZI_INERTIA_KEYS, ZI_ELASTIC_KEYS, "shapes"};
    for (int i = 0; i < list->count; i++) {
        ziElement element;
        zvStatus status =
            zi_element_open(reading, list->items[i], "link", "name", keys, sizeof keys / sizeof *keys, &element);
        if (status < 0) return status;
        ziArena arena = {0}; /* the builder copies */
        status = read_link(reading, &element, &arena);
        zi_arena_free(&arena);
        if (status < 0) return status;
        const zvNode *shapes = NULL;
        if ((status = zi_element_list(reading, &element, "shapes", &shapes)) < 0) return status;
        if (shapes && (status = zi_native_shapes(reading, shapes, element.name, NULL)) < 0) return status;
    }
    return ZV_OK;
}

zvStatus zi_native_frames(const ziReading *reading, const zvNode *list) {
    static const char *const keys[] = {"name", "link", "pose"};
    for (int i = 0; i < list->count; i++) {
        ziElement element;
        zvStatus status =
            zi_element_open(reading, list->items[i], "frame", "name", keys, sizeof keys / sizeof *keys, &element);
        if (status < 0) return status;
        zvFrame frame = zv_frame_default(element.name, NULL);
        frame.mark = zi_reading_mark(reading, element.node->mark);
        status = zi_element_need(reading, &element, "link", "link, the name of the link it is fixed to");
        if (status < 0) return status;
        if ((status = zi_element_text(reading, &element, "link", &frame.link)) < 0) return status;
        if ((status = zi_native_pose(reading, &element, "pose", &frame.pose)) < 0) return status;
        if ((status = zv_builder_add_frame(reading->builder, &frame, reading->error)) < 0) return status;
    }
    return ZV_OK;
}
