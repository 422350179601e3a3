/* Values of expressions: from text and to text, as Python does it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/expression.h"
#include "read/text.h"

/* Numbers that Python writes without a point are integers. */
static bool is_whole_number(const char *text) {
    const char *digits = text + strspn(text, "+-");
    return *digits && digits[strspn(digits, "0123456789")] == '\0';
}

/* A text with an underscore is none: Python would read 1_000 as a number, xacro does not. */
ziExpressionValue zi_expression_literal(const char *text) {
    static const char *const words[] = {"false", "False", "true", "True"};
    const char *end = text;
    double number = 0;
    for (int i = 0; i < 4; i++)
        if (strcmp(text, words[i]) == 0) return (ziExpressionValue){.kind = ZI_EXPRESSION_BOOL, .number = i >= 2};
    const char *start = text + strspn(text, " \t\r\n");
    if (*start && !strchr(text, '_') && zi_number_scan(start, &end, &number) == ZI_NUMBER_GOOD && end > start &&
        end[strspn(end, " \t\r\n")] == '\0')
        return (ziExpressionValue){.kind = is_whole_number(start) && fabs(number) < 9e15 ? ZI_EXPRESSION_INTEGER
                                                                                         : ZI_EXPRESSION_FLOAT,
                                   .number = number};
    return (ziExpressionValue){.kind = ZI_EXPRESSION_TEXT, .text = text};
}

/* The shortest decimal that reads back the same; a float always shows that it is one. */
const char *zi_expression_text(const ziExpressionValue *value, char buffer[40]) {
    if (value->kind == ZI_EXPRESSION_TEXT) return value->text;
    if (value->kind == ZI_EXPRESSION_BOOL) return value->number != 0 ? "True" : "False";
    if (value->kind == ZI_EXPRESSION_INTEGER) {
        snprintf(buffer, 40, "%.0f", value->number);
        return buffer;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, 36, "%.*g", digits, value->number);
        if (strtod(buffer, NULL) == value->number) break;
    }
    char *comma = strchr(buffer, ','); /* of the locale */
    if (comma) *comma = '.';
    if (!strpbrk(buffer, ".en")) strcat(buffer, ".0");
    return buffer;
}
