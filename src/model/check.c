/* The physics linter: runs every rule and passes on what they find. */
#include "model/check.h"

#include <stdarg.h>
#include <stdio.h>

const char *zv_severity_word(zvSeverity severity) {
    static const char *const words[] = {"note", "warning", "error"};
    return words[severity];
}

zvAbout zv_about_link(const zvBuilder *b, size_t link) {
    return (zvAbout){"link", b->links[link].name, b->links[link].mark};
}

zvAbout zv_about_joint(const zvBuilder *b, size_t joint) {
    return (zvAbout){"joint", b->joints[joint].name, b->joints[joint].mark};
}

zvAbout zv_about_loop(const zvBuilder *b, size_t loop) {
    return (zvAbout){"loop", b->loops[loop].name, b->loops[loop].mark};
}

zvAbout zv_about_spot(zvAbout about, zvSpot spot) {
    if (spot.line > 0) {
        about.mark.line = spot.line;
        about.mark.column = spot.column;
    }
    return about;
}

void zv_report(zvChecker *c, zvWeight weight, zvStatus status, const char *rule, zvAbout about, const char *token,
               const char *repair, const char *why, ...) {
    if (c->stopped) return;
    char sentence[512], element[160];
    va_list args;
    va_start(args, why);
    vsnprintf(sentence, sizeof sentence, why, args);
    va_end(args);
    snprintf(element, sizeof element, "%s \"%s\"", about.kind, about.name ? about.name : "");
    zvFinding finding = {.severity = weight == ZV_WEIGH_FATAL ? ZV_ERROR : (zvSeverity)weight,
                         .fatal = weight == ZV_WEIGH_FATAL,
                         .status = status,
                         .rule = rule,
                         .element = element,
                         .token = token ? token : "",
                         .why = sentence,
                         .repair = repair,
                         .mark = about.mark};
    if (!c->sink(c->context, &finding)) c->stopped = true;
}

/* In this order the first fatal finding is the one that explains best. */
static void run_rules(zvChecker *c) {
    zv_check_names(c);
    zv_check_numbers(c);
    zv_check_topology(c);
    zv_check_joints(c);
    zv_check_mimic(c);
    zv_check_loops(c);
    zv_check_cuts(c);
    zv_check_elastic(c);
    zv_check_inertia(c);
    zv_check_proportions(c);
    zv_check_massless(c);
}

static void report_remarks(zvChecker *c) {
    for (size_t i = 0; i < c->builder->nremark; i++) {
        const zvRemark *r = &c->builder->remarks[i];
        zv_report(c, r->severity == ZV_NOTE ? ZV_WEIGH_NOTE : ZV_WEIGH_WARNING, r->status, r->rule,
                  (zvAbout){r->kind, r->name, r->mark}, r->token, r->repair, "%s", r->why);
    }
}

zvStatus zv_check(const zvBuilder *builder, zvFindingSink sink, void *context, zvError *error) {
    zvOrder order;
    if (!zv_order_make(builder, &order)) {
        return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while checking the model");
    }
    zvChecker c = {.builder = builder, .order = &order, .sink = sink, .context = context};
    run_rules(&c);
    report_remarks(&c);
    zv_order_free(&order);
    if (c.out_of_memory) return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while checking the model");
    return ZV_OK;
}

static bool stop_at_fatal(void *context, const zvFinding *f) {
    if (!f->fatal) return true;
    zv_fail(context, f->status, f->mark, f->token, "%s: %s%s%s", f->element, f->why, f->repair[0] ? "; " : "",
            f->repair);
    return false;
}

zvStatus zv_first_fatal(const zvBuilder *builder, const zvOrder *order, zvError *error) {
    zvError own = {.status = ZV_OK};
    zvChecker c = {.builder = builder, .order = order, .sink = stop_at_fatal, .context = &own};
    run_rules(&c);
    if (c.out_of_memory) return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while checking the model");
    if (own.status != ZV_OK && error) *error = own;
    return own.status;
}
