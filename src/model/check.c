/* The physics linter: runs every rule and passes on what they find. */
#include "model/check.h"
#include "base/require.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *zv_severity_word(zvSeverity severity) {
    static const char *const words[] = {"note", "warning", "error"};
    return words[severity];
}

ziAbout zi_about_robot(const zvBuilder *b) { return (ziAbout){"robot", b->name, b->mark}; }
ziAbout zi_about_gravity(const zvBuilder *b) { return (ziAbout){"robot", b->name, b->gravity_mark}; }

ziAbout zi_about_link(const zvBuilder *b, size_t link) {
    return (ziAbout){"link", b->links[link].name, b->links[link].mark};
}

ziAbout zi_about_joint(const zvBuilder *b, size_t joint) {
    return (ziAbout){"joint", b->joints[joint].name, b->joints[joint].mark};
}

ziAbout zi_about_loop(const zvBuilder *b, size_t loop) {
    return (ziAbout){"loop", b->loops[loop].name, b->loops[loop].mark};
}

ziAbout zi_about_spot(ziAbout about, zvSpot spot) {
    if (spot.line > 0) {
        about.mark.line = spot.line;
        about.mark.column = spot.column;
    }
    return about;
}

/* One finding, with its sentence written out; the sink decides whether rules go on. */
void zi_report(ziChecker *c, ziWeight weight, zvStatus status, const char *rule, ziAbout about, const char *token,
               const char *repair, const char *why, ...) {
    if (c->stopped) return;
    char sentence[512], element[160];
    va_list args;
    va_start(args, why);
    vsnprintf(sentence, sizeof sentence, why, args);
    va_end(args);
    snprintf(element, sizeof element, "%s \"%s\"", about.kind, about.name ? about.name : "");
    zvFinding finding = {.severity = weight == ZI_WEIGH_FATAL ? ZV_SEVERITY_ERROR : (zvSeverity)weight,
                         .fatal = weight == ZI_WEIGH_FATAL,
                         .status = status,
                         .rule = rule,
                         .element = element,
                         .token = token ? token : "",
                         .why = sentence,
                         .repair = repair,
                         .mark = about.mark,
                         .count = 1,
                         .others = ""};
    if (!c->sink(c->context, &finding)) c->stopped = true;
}

/* In this order the first fatal finding is the one that explains best. */
static void run_rules(ziChecker *c) {
    c->held = zi_held_values(c->builder);
    if (!c->held) {
        c->out_of_memory = c->stopped = true;
        return;
    }
    zi_check_names(c);
    zi_check_numbers(c);
    zi_check_topology(c);
    zi_check_joints(c);
    zi_check_mimic(c);
    zi_check_loops(c);
    zi_check_cuts(c);
    zi_check_elastic(c);
    zi_check_inertia(c);
    zi_check_proportions(c);
    zi_check_massless(c);
    zi_check_whole(c);
    free(c->held);
    c->held = NULL;
}

static void report_remarks(ziChecker *c) {
    for (size_t i = 0; i < c->builder->nremark; i++) {
        const zvRemark *r = &c->builder->remarks[i];
        zi_report(c, r->severity == ZV_SEVERITY_NOTE ? ZI_WEIGH_NOTE : ZI_WEIGH_WARNING, r->status, r->rule,
                  (ziAbout){r->kind, r->name, r->mark}, r->token, r->repair, "%s", r->why);
    }
}

/* All rules on the whole description, then what readers remarked. */
zvStatus zv_check(const zvBuilder *builder, zvFindingSink sink, void *context, zvError *error) {
    ZI_REQUIRE(builder);
    ziOrder order;
    if (!zi_order_make(builder, &order)) {
        return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while checking the model");
    }
    ziChecker c = {.builder = builder, .order = &order, .sink = sink, .context = context};
    run_rules(&c);
    report_remarks(&c);
    zi_order_free(&order);
    if (c.out_of_memory) return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while checking the model");
    return ZV_OK;
}

static bool stop_at_fatal(void *context, const zvFinding *f) {
    if (!f->fatal) return true;
    zv_fail(context, f->status, f->mark, f->token, "%s: %s%s%s", f->element, f->why, f->repair[0] ? "; " : "",
            f->repair);
    return false;
}

zvStatus zi_first_fatal(const zvBuilder *builder, const ziOrder *order, zvError *error) {
    zvError own = {.status = ZV_OK};
    ziChecker c = {.builder = builder, .order = order, .sink = stop_at_fatal, .context = &own};
    run_rules(&c);
    if (c.out_of_memory) return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while checking the model");
    if (own.status != ZV_OK && error) *error = own;
    return own.status;
}
