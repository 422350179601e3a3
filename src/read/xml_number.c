/* Numbers in attributes of XML. */
#include <stdio.h>
#include <string.h>

#include "read/xml.h"

static const char blanks[] = " \t\r\n";

static int count_words(const char *text) {
    int count = 0;
    for (;;) {
        text += strspn(text, blanks);
        if (*text == '\0') return count;
        text += strcspn(text, blanks);
        count++;
    }
}

/* Tells which word of an attribute is no number, and how numbers are written. */
static zvStatus refuse_word(const ziXmlElement *element, const ziXmlAttribute *attribute, int index, const char *word,
                            ziNumberFault fault, zvError *error) {
    char token[ZI_QUOTE_SIZE];
    const size_t length = strcspn(word, blanks);
    zi_text_quote(token, word, length);
    const char *advice = fault != ZI_NUMBER_NONE     ? ""
                         : memchr(word, ',', length) ? "; separate numbers by blanks and write decimals with a point"
                                                     : "; write a plain number such as 0.5 or 1e-3";
    return zv_fail(error, ZV_NUMBER, zi_xml_word_mark(attribute, index), token,
                   "%s of <%s>: expected %s, found \"%s\"%s", attribute->name, element->name, zi_number_expected(fault),
                   token, advice);
}

/* INFINITE wants the word alone, so it is looked at in a copy that ends where the word ends. */
static ziNumberFault read_word(const char *word, double *value) {
    const size_t length = strcspn(word, blanks);
    const char *end;
    const ziNumberFault fault = zi_number_scan(word, &end, value);
    if (fault == ZI_NUMBER_GOOD && (size_t)(end - word) != length) return ZI_NUMBER_NONE;
    char copy[16];
    if (fault != ZI_NUMBER_NONE || length >= sizeof copy) return fault;
    memcpy(copy, word, length);
    copy[length] = '\0';
    return zi_number_scan(copy, &end, value);
}

static zvStatus refuse_count(const ziXmlElement *element, const ziXmlAttribute *attribute, const ziXmlCount *wanted,
                             int found, zvError *error) {
    char range[40];
    if (wanted->least == wanted->most)
        snprintf(range, sizeof range, "%d number%s", wanted->most, wanted->most == 1 ? "" : "s");
    else
        snprintf(range, sizeof range, "%d to %d numbers", wanted->least, wanted->most);
    return zv_fail(error, ZV_SCHEMA, attribute->value_mark, attribute->value, "%s of <%s>: expected %s, found %d; %s",
                   attribute->name, element->name, range, found, wanted->advice);
}

/* Words are judged before they are counted: a word that is no number says more than their count. */
zvStatus zi_xml_numbers(const ziXmlElement *element, const ziXmlAttribute *attribute, const ziXmlCount *wanted,
                        double *values, int *count, zvError *error) {
    const int words = count_words(attribute->value);
    const bool fits = words >= wanted->least && words <= wanted->most;
    const char *p = attribute->value;
    for (int i = 0; i < words; i++) {
        p += strspn(p, blanks);
        double value;
        const ziNumberFault fault = read_word(p, &value);
        if (fault != ZI_NUMBER_GOOD) return refuse_word(element, attribute, i, p, fault, error);
        if (fits) values[i] = value;
        p += strcspn(p, blanks);
    }
    if (count) *count = words;
    return fits ? ZV_OK : refuse_count(element, attribute, wanted, words, error);
}
