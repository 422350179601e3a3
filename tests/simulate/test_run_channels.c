/* Descriptions of channels: names, labels, units, widths, and those that would be empty. */
#include "simulate/runs.h"
#include "simulate/scenario.h"
#include "support/run_tests.h"

#define ZOO "{zveno_scenario: 1, model: " ZV_SOURCE_DIR "/models/joints_zoo.yaml, duration: 1}"

static zvChannel describe(const zvScenario *scenario, ziArena *arena, ziChannelKind kind, int index) {
    zvChannel channel;
    zvError error = {0};
    if (zi_channel_describe(scenario, (ziChannelSpec){kind, index}, arena, &channel, &error) < 0)
        fail_msg("%s", error.text);
    assert_int_equal(channel.width, zi_channel_width(scenario, (ziChannelSpec){kind, index}));
    for (int i = 0; i < channel.width; i++) {
        assert_non_null(channel.labels[i]);
        for (int k = 0; k < i; k++) assert_string_not_equal(channel.labels[i], channel.labels[k]);
    }
    return channel;
}

static void expect_entry(const zvChannel *channel, const char *label, const char *unit) {
    for (int i = 0; i < channel->width; i++) {
        if (strcmp(channel->labels[i], label) != 0) continue;
        assert_string_equal(channel->units ? channel->units[i] : channel->unit, unit);
        return;
    }
    fail_msg("channel %s has no entry %s", channel->name, label);
}

static void names_and_units(void **state) {
    (void)state;
    ziArena arena = {0};
    zvScenario *scenario = scenario_of(ZOO);
    const zvModel *model = zv_scenario_model(scenario);
    zvChannel c = describe(scenario, &arena, ZI_CHANNEL_Q, -1);
    assert_string_equal(c.name, "q");
    assert_int_equal(c.width, zv_model_nq(model));
    expect_entry(&c, "revolute_joint", "rad");
    expect_entry(&c, "prismatic_joint", "m");
    expect_entry(&c, "cylindrical_joint.displacement", "m");
    expect_entry(&c, "cylindrical_joint.angle", "rad");
    expect_entry(&c, "spherical_joint.qw", "1");
    c = describe(scenario, &arena, ZI_CHANNEL_V, -1);
    assert_int_equal(c.width, zv_model_nv(model));
    expect_entry(&c, "spherical_joint.wz", "rad/s");
    expect_entry(&c, "planar_joint.y", "m/s");
    c = describe(scenario, &arena, ZI_CHANNEL_TERMS, -1);
    expect_entry(&c, "prismatic_joint.Ma", "N");
    expect_entry(&c, "revolute_joint.g", "N m");
    c = describe(scenario, &arena, ZI_CHANNEL_REACTIONS, -1);
    expect_entry(&c, "fixed_joint.mz", "N m");
    c = describe(scenario, &arena, ZI_CHANNEL_REACTIONS, zv_model_find_joint(model, "revolute_joint"));
    assert_string_equal(c.name, "reactions revolute_joint");
    expect_entry(&c, "fx", "N");
    c = describe(scenario, &arena, ZI_CHANNEL_POSE, zv_model_find_frame(model, "drone"));
    assert_string_equal(c.name, "pose drone");
    expect_entry(&c, "qx", "1");
    c = describe(scenario, &arena, ZI_CHANNEL_ENERGY, -1);
    assert_null(c.units);
    assert_string_equal(c.unit, "J");
    c = describe(scenario, &arena, ZI_CHANNEL_POWER, -1);
    assert_string_equal(c.unit, "W");
    describe(scenario, &arena, ZI_CHANNEL_FORCES, -1);
    describe(scenario, &arena, ZI_CHANNEL_WORK, -1);
    describe(scenario, &arena, ZI_CHANNEL_REFERENCE, -1);
    describe(scenario, &arena, ZI_CHANNEL_MOMENTUM, -1);
    describe(scenario, &arena, ZI_CHANNEL_COM, -1);
    zi_arena_free(&arena);
    zv_scenario_destroy(scenario);
}

static void empty_ones(void **state) {
    (void)state;
    static const ziChannelKind kinds[] = {ZI_CHANNEL_STATES, ZI_CHANNEL_FORCES, ZI_CHANNEL_POWER, ZI_CHANNEL_WORK};
    zvScenario *scenario = scenario_of("{zveno_scenario: 1, duration: 1, model: " PENDULUM "}");
    for (int i = 0; i < 4; i++) {
        ziArena arena = {0};
        zvChannel channel;
        zvError error = {0};
        assert_int_equal(zi_channel_describe(scenario, (ziChannelSpec){kinds[i], -1}, &arena, &channel, &error),
                         ZV_SCHEMA);
        assert_string_equal(error.token, zi_channel_rows[kinds[i]].word);
        assert_non_null(strstr(error.text, "expected a channel with entries, found"));
        zi_arena_free(&arena);
    }
    zv_scenario_destroy(scenario);
}

/* Loads have power and work, but no force of one joint. */
static void loads_have_no_force(void **state) {
    (void)state;
    ziArena arena = {0};
    zvScenario *scenario = scenario_of("{zveno_scenario: 1, duration: 1, model: " TWO_RODS
                                       ", joints: {elbow: {damping: 1}}, loads: [{frame: tip, force: [1, 0, 0]}]}");
    assert_int_equal(describe(scenario, &arena, ZI_CHANNEL_FORCES, -1).width, 1);
    assert_int_equal(describe(scenario, &arena, ZI_CHANNEL_POWER, -1).width, 2);
    zi_arena_free(&arena);
    zv_scenario_destroy(scenario);
}

TESTS(names_and_units, empty_ones, loads_have_no_force)
