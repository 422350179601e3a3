/* What can be set in a scenario: its own parameters and numbers, and those of its robot. */
#include <string.h>

#include "kinds.h"
#include "parameters.h"
#include "zveno/simulate.h"

/* Behind "model.": what the robot is made of, as the scenario has read it. */
static zvStatus add_robot(SettableList *list, const zvScenario *scenario, zvError *error) {
    zvDocument *document = NULL;
    const char *text = zv_scenario_model_text(scenario), *file = zv_scenario_model_file(scenario);
    int count = 0;
    const char *const *changes = zv_scenario_model_changes(scenario, &count);
    zvStatus status = file ? settable_add_parameters(list, file, "model.", count, changes, error) : ZV_OK;
    if (status >= 0) status = zv_document_read_memory("the model", text, strlen(text), &document, error);
    if (status >= 0 && !settable_add_numbers(list, zv_document_root(document), "model."))
        status = zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "%s", zv_status_sentence(ZV_MEMORY));
    zv_document_destroy(document);
    return status;
}

/* Its own numbers but those of a model written in place, which come with the robot. */
static zvStatus add_scenario(SettableList *list, const Args *args, zvError *error) {
    zvDocument *document = NULL;
    zvStatus status = settable_add_parameters(list, args->operand, "", args->change_count, args->changes, error);
    if (status >= 0) status = zv_document_read_file(args->operand, &document, error);
    for (int i = 0; status >= 0 && i < args->change_count; i++)
        if (strncmp(args->changes[i], "model.", strlen("model.")) != 0)
            status = zv_document_change(document, args->changes[i], error);
    if (status >= 0) status = zv_document_expand(document, error);
    const zvNode *root = status >= 0 ? zv_document_root(document) : NULL;
    for (int i = 0; status >= 0 && root && i < root->count; i++) {
        if (strcmp(root->keys[i], "model") == 0 || strcmp(root->keys[i], "zveno_scenario") == 0) continue;
        if (!settable_add_numbers(list, root->items[i], root->keys[i]))
            status = zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "%s", zv_status_sentence(ZV_MEMORY));
    }
    zv_document_destroy(document);
    return status;
}

/* The scenario must be sound: what can be set is that of a machine that there is. */
Code parameters_of_scenario(const Args *args, Text *out) {
    zvError error = {0};
    zvScenario *scenario = NULL;
    if (zv_scenario_read_file(args->operand, args->change_count, args->changes, &scenario, &error) < 0) {
        file_blame_kind(args->operand, FILE_SCENARIO, &error);
        return complain_error(&error);
    }
    SettableList *list = settable_create();
    zvStatus status = list ? add_scenario(list, args, &error) : ZV_MEMORY;
    if (status >= 0) status = add_robot(list, scenario, &error);
    if (status >= 0) settable_print(list, (args->given & OPTION_JSON) != 0, out);
    settable_destroy(list);
    zv_scenario_destroy(scenario);
    return status < 0 ? complain_error(&error) : CODE_DONE;
}
