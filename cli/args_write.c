/* Words and options as a shell reads them back. */
#include <string.h>

#include "args.h"

/* Quoted only where a shell would read the word as something else, so that commands in recordings stay readable. */
void args_put_word(const char *word, Text *out) {
    const bool plain = *word && !strpbrk(word, " \t\n\"'$`\\*?[]{}()<>|&;#~!");
    if (plain) {
        text_printf(out, " %s", word);
        return;
    }
    text_puts(out, " '");
    for (; *word; word++) { /* in a shell nothing but ' itself means anything between two of them */
        if (*word == '\'')
            text_puts(out, "'\\''");
        else
            text_put(out, word, 1);
    }
    text_puts(out, "'");
}

void args_put_option(const char *name, const char *value, Text *out) {
    if (!value) return;
    text_printf(out, " %s", name);
    args_put_word(value, out);
}
