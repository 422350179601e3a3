/* Scenarios from memory. Files are looked up beside a folder that does not exist, so the input stays alone. A line of
 * the form "#set key=value" at the start is a change. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"
#include "zveno/simulate.h"

/* What every scenario that was read must answer. */
static void ask(const zvScenario *scenario) {
    demand(zv_scenario_duration(scenario) > 0, "the duration is positive");
    demand(strlen(zv_scenario_fingerprint(scenario)) == 16, "the fingerprint has 16 digits");
    demand(zv_scenario_title(scenario) != NULL, "there is a title");
    demand(zv_model_nv(zv_scenario_model(scenario)) > 0, "the robot moves");
    demand(zv_drives_naccount(zv_scenario_drives(scenario)) >= 0, "there are drives");
    demand(zv_integration_method_find(zv_scenario_method(scenario)) != NULL, "the method exists");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char mark[] = "#set ";
    char change[64];
    const char *changes[1] = {change};
    const char *bytes = (const char *)data;
    int count = 0;
    const size_t lead = sizeof mark - 1;
    if (size > lead && memcmp(bytes, mark, lead) == 0) {
        size_t length = 0;
        while (lead + length < size && length + 1 < sizeof change && bytes[lead + length] != '\n' &&
               bytes[lead + length]) {
            change[length] = bytes[lead + length];
            length++;
        }
        change[length] = '\0';
        count = 1;
    }
    zvError error = {0};
    zvScenario *scenario = NULL;
    const zvStatus status =
        zv_scenario_read_memory("nowhere/fuzz.yaml", bytes, size, count, changes, &scenario, &error);
    demand(status >= 0 || (!scenario && error.text[0] && error.status == status), "a refusal has a text");
    if (scenario) ask(scenario);
    zv_scenario_destroy(scenario);
    return 0;
}
