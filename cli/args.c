/* Reading the words after a verb, and what help says of options. */
#include "args.h"

#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "zveno/document.h"

/* The row of a word such as "--state", "--state=FILE" or "-o", if there is one that is allowed; NULL when it is none.
 */
static const Option *option_find(const char *word, OptionSet allowed) {
    const size_t length = strcspn(word, "=");
    const Option *found = NULL;
    for (int i = 0; i < option_count; i++) {
        const Option *row = &options[i];
        const bool named = strlen(row->name) == length && !strncmp(word, row->name, length);
        if (!named && !(row->letter && !strcmp(word, row->letter))) continue;
        if (!found || row->bit & allowed) found = row;
    }
    return found;
}

/* Names the nearest option of this verb, or says that the option belongs to others: a typing error is the usual cause.
 * */
static Code unknown_option(const char *verb, OptionSet allowed, const char *word) {
    const char *names[OPTIONS_MOST], *words[OPTIONS_MOST]; /* with the hyphens and without */
    size_t count = 0;
    for (int i = 0; i < option_count; i++) {
        if (!(options[i].bit & allowed)) continue;
        words[count] = options[i].name + strlen("--");
        names[count++] = options[i].name;
    }
    char bare[64], what[64];
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(word, "="), word);
    snprintf(what, sizeof what, "option of \"zveno %s\"", verb);
    /* hyphens agree always and say nothing; an option of another verb is no slip of the pen */
    const char *near = option_find(word, allowed) ? NULL : zv_nearest_name(bare + strspn(bare, "-"), words, count);
    complain_near(CODE_USAGE, what, bare, near ? near - strlen("--") : NULL);
    return list_known(CODE_USAGE, names, count);
}

/* One option; *at is the index of its word and moves on when the value is the next word. */
static Code read_option(const char *verb, OptionSet allowed, int count, char *const *words, int *at, Args *args) {
    const char *word = words[*at];
    const Option *option = option_find(word, allowed);
    if (!option || !(option->bit & allowed)) return unknown_option(verb, allowed, word);
    const char *value = strchr(word, '=');
    if (!option->value && value) return complain(CODE_USAGE, "expected no value of option %s, found one", option->name);
    if (option->value && !(option->bit & OPTIONS_REPEATED) && args->given & option->bit)
        return complain(CODE_USAGE, "expected option %s once, found it twice; leave one out", option->name);
    args->given |= option->bit;
    if (!option->value) return CODE_DONE;
    if (value)
        value++;
    else if (++*at < count)
        value = words[*at];
    else
        return complain(CODE_USAGE, "expected a value of option %s, found none: %s %s", option->name, option->name,
                        option->value);
    if (option->take(args, value)) return CODE_DONE;
    return complain(CODE_USAGE, "expected %s %s, found \"%s\": %s", option->name, option->value, value,
                    option->meaning);
}

static Code read_operand(const char *verb, int most, const char *word, Args *args) {
    if (args->operand_count == most)
        return complain(CODE_USAGE, "expected nothing after \"%s\", found \"%s\"; see zveno help %s",
                        args->operands[most - 1], word, verb);
    if (!args->operand) args->operand = word;
    args->operands[args->operand_count++] = word;
    return CODE_DONE;
}

/* Options and operands in any order; after -- everything is an operand, so that files may begin with a hyphen. */
Code args_read(const char *verb, OptionSet allowed, int count, char *const *words, Args *args) {
    *args = (Args){.verb = verb, .smoothing = 0.01};
    bool options_end = false;
    for (int at = 0; at < count; at++) {
        const char *word = words[at];
        Code code;
        if (!options_end && !strcmp(word, "--")) {
            options_end = true;
            continue;
        }
        if (!options_end && word[0] == '-' && word[1])
            code = read_option(verb, allowed, count, words, &at, args);
        else
            code = read_operand(verb, allowed & OPERANDS_MANY ? MAX_OPERANDS : 1, word, args);
        if (code != CODE_DONE || args->given & OPTION_HELP) return code;
    }
    return CODE_DONE;
}

/* A line for each option, its form and what it means. */
void args_describe(OptionSet allowed, Text *out) {
    for (int i = 0; i < option_count; i++) {
        if (!(options[i].bit & allowed)) continue;
        char form[64];
        snprintf(form, sizeof form, "%s%s%s%s%s", options[i].letter ? options[i].letter : "",
                 options[i].letter ? ", " : "", options[i].name, options[i].value ? " " : "",
                 options[i].value ? options[i].value : "");
        /* what does not fit its column has a line to itself */
        text_printf(out, "  %-20s%s%s\n", form, strlen(form) > 20 ? "\n                        " : "  ",
                    options[i].meaning);
    }
}
