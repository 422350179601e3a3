/* Forces and moments on frames. */
#include "simulate/scenario_read.h"

/* Three entries of a load: a law, or zero when the key is absent. */
static zvLaw *read_half(ziScenarioReader *reader, const ziElement *load, const char *key, const char *kind) {
    const zvNode *node = zv_node_get(load->node, key);
    const ziLawPlace place = {.kind = kind, .name = load->name, .width = 3, .strict = true};
    const double zero[3] = {0};
    return node ? zi_scenario_law(reader, node, &place) : zv_law_constant(3, zero, reader->error);
}

static zvStatus add_load(ziScenarioReader *reader, const ziElement *load, int frame, zvAxes axes) {
    zvLaw *halves[2] = {read_half(reader, load, "force", "force of load"), NULL};
    if (!halves[0]) return reader->error->status;
    if (!(halves[1] = read_half(reader, load, "moment", "moment of load"))) {
        zv_law_destroy(halves[0]);
        return reader->error->status;
    }
    zvLaw *law = zv_law_join(2, halves, reader->error);
    if (!law) return reader->error->status;
    const zvStatus status = zv_drives_add_load(reader->scenario->drives, load->name, frame, axes, law, reader->error);
    return status < 0 ? zi_scenario_blame(reader, load, load->node, status) : status;
}

static zvStatus read_load(ziScenarioReader *reader, const zvNode *node) {
    static const char *const keys[] = {"frame", "axes", "force", "moment", "name"};
    static const char *const words[] = {[ZV_AXES_WORLD] = "world", [ZV_AXES_LOCAL] = "local"};
    const ziReading *reading = &reader->reading;
    ziElement load;
    int frame = 0, axes = ZV_AXES_WORLD;
    zvStatus status = zi_element_open(reading, node, "load", NULL, ZI_KEYS(keys), &load);
    if (status >= 0) status = zi_element_text(reading, &load, "name", &load.name);
    if (status >= 0) status = zi_scenario_frame(reader, &load, "frame", &frame);
    if (status >= 0) status = zi_element_word(reading, &load, "axes", ZI_KEYS(words), &axes);
    if (status < 0) return status;
    char what[ZI_WHAT];
    if (!zi_element_has(&load, "force") && !zi_element_has(&load, "moment"))
        return zv_fail(reader->error, ZV_SCHEMA, node->mark, "force", "%s has neither force nor moment; add one",
                       zi_element_what(&load, NULL, what));
    if (zv_model_frame_body(reader->scenario->model, frame) == 0)
        return zi_element_refuse(reading, &load, "frame", "stands still on the ground; a load there does nothing");
    if (!load.name) load.name = zv_model_frame(reader->scenario->model, frame).name;
    return add_load(reader, &load, frame, (zvAxes)axes);
}

zvStatus zi_scenario_loads(ziScenarioReader *reader, const ziElement *root) {
    const zvNode *list = NULL;
    zvStatus status = zi_element_list(&reader->reading, root, "loads", &list);
    for (int i = 0; status >= 0 && list && i < list->count; i++) status = read_load(reader, list->items[i]);
    return status;
}
