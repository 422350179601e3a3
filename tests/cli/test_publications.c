/* Runs every row of the tables of docs/publications.md: the command of the row, or of the nearest row above that has
 * one, prints JSON in which the numbers at the paths of the row are those expected, within the row's tolerance. The
 * path `output` means the first line that was printed, as a number or as a text.
 *
 * And the list of errata is complete: as many rows per publication as are known. */
#define _XOPEN_SOURCE 700
#include <ctype.h>
#include <math.h>

#include "pages.h"
#include "support/run_tests.h"

enum { MOST_CELLS = 12, MOST_NUMBERS = 32, CELL = 2048 };

typedef struct Row {
    int line, count;
    char cell[MOST_CELLS][CELL];
} Row;

/* The cells of "| a | b |", blanks around them off; \| is no border. */
static void read_row(const char *line, int number, Row *row) {
    row->line = number, row->count = 0;
    for (const char *at = line + 1; *at && *at != '\n';) {
        char *cell = row->cell[row->count];
        size_t size = 0;
        assert_true(row->count < MOST_CELLS);
        at += strspn(at, " ");
        for (; *at && *at != '\n' && *at != '|' && size < CELL - 1; at++) {
            if (at[0] == '\\' && at[1] == '|') at++;
            cell[size++] = *at;
        }
        while (size && cell[size - 1] == ' ') size--;
        cell[size] = '\0';
        if (*at == '|') row->count++, at++;
    }
}

/* The text between backticks, or the cell when there are none. */
static const char *plain(char *cell) {
    const size_t size = strlen(cell);
    if (size < 2 || cell[0] != '`' || cell[size - 1] != '`') return cell;
    cell[size - 1] = '\0';
    return cell + 1;
}

/* What the tables have in common: where the columns are that are run. */
typedef struct Columns {
    int command, number, expected, within;
} Columns;

static int column_of(const Row *heading, const char *name) {
    for (int i = 0; i < heading->count; i++)
        if (!strcmp(heading->cell[i], name)) return i;
    return -1;
}

static bool is_run(const Row *heading, Columns *columns) {
    *columns = (Columns){column_of(heading, "command"), column_of(heading, "number"), column_of(heading, "expected"),
                         column_of(heading, "within")};
    return columns->command >= 0 && columns->number >= 0 && columns->expected >= 0 && columns->within >= 0;
}

static double number_of(const zvNode *node, const char *path) {
    double value = 0;
    zvError error = {0};
    if (zv_node_number(node, path, &value, &error) != ZV_OK) fail_msg("%s: %s", path, error.text);
    return value;
}

/* The number at a path, or all numbers of the list there. */
static int add_numbers(const zvNode *root, const char *path, double *numbers, int count) {
    const zvNode *node = node_at(root, path);
    const int more = node->kind == ZV_NODE_LIST ? node->count : 1;
    assert_true(count + more <= MOST_NUMBERS);
    for (int i = 0; i < more; i++)
        numbers[count + i] = number_of(node->kind == ZV_NODE_LIST ? node->items[i] : node, path);
    return count + more;
}

static int printed_numbers(char *paths, double *numbers) {
    zvDocument *document = parse(printed);
    char *next = NULL;
    int count = 0;
    for (char *path = strtok_r(paths, " ", &next); path; path = strtok_r(NULL, " ", &next))
        count = add_numbers(zv_document_root(document), path, numbers, count);
    zv_document_destroy(document);
    return count;
}

static int expected_numbers(const char *text, double *numbers) {
    int count = 0;
    for (const char *at = text; *at; count++) {
        char *end;
        assert_true(count < MOST_NUMBERS);
        numbers[count] = strtod(at, &end);
        if (end == at) fail_msg("expected a number at \"%s\"", at);
        at = end + strspn(end, ", ");
    }
    return count;
}

/* The first line that was printed, without blanks before it. */
static bool is_output(const char *expected, double within) {
    char *end, *shown = printed + strspn(printed, " ");
    shown[strcspn(shown, "\n")] = '\0';
    const double wanted = strtod(expected, &end);
    if (end == expected || *end) return !strcmp(shown, expected);
    return fabs(strtod(shown, NULL) - wanted) <= within;
}

/* What the last command printed is what the row expects. */
static void check_row(Row *row, const Columns *columns) {
    double got[MOST_NUMBERS], wanted[MOST_NUMBERS];
    const char *expected = plain(row->cell[columns->expected]), *number = plain(row->cell[columns->number]);
    const double within = strtod(row->cell[columns->within], NULL);
    if (!strcmp(number, "output")) {
        if (!is_output(expected, within))
            fail_msg("docs/publications.md:%d: expected %s, found %s", row->line, expected, printed);
        return;
    }
    const int count = printed_numbers((char *)number, got), size = expected_numbers(expected, wanted);
    if (count != size) fail_msg("docs/publications.md:%d: expected %d numbers, found %d", row->line, size, count);
    for (int i = 0; i < count; i++)
        if (!(fabs(got[i] - wanted[i]) <= within))
            fail_msg("docs/publications.md:%d: number %d is %.17g, expected %.17g within %g; it differs by %.2g",
                     row->line, i + 1, got[i], wanted[i], within, fabs(got[i] - wanted[i]));
}

static const char *next_line(const char *at) {
    const char *end = strchr(at, '\n');
    return end ? end + 1 : "";
}

/* Every table with the four columns, from top to bottom: rows may use files that commands above them wrote. */
static void rows(void **state) {
    (void)state;
    static Row heading, row;
    Columns columns = {0};
    bool inside = false, run = false;
    int line = 0, checked = 0;
    for (const char *at = read_page("docs/publications.md"); *at; at = next_line(at)) {
        line++;
        if (*at != '|') {
            inside = false;
            continue;
        }
        if (!inside) {
            read_row(at, line, &heading);
            run = is_run(&heading, &columns);
            inside = true;
        } else if (run && strncmp(at, "|---", 4)) {
            read_row(at, line, &row);
            if (row.count != heading.count)
                fail_msg("docs/publications.md:%d: expected %d cells, found %d", line, heading.count, row.count);
            const char *command = plain(row.cell[columns.command]);
            if (*command) run_in_tree(command, strlen(command), "");
            check_row(&row, &columns);
            checked++;
        }
    }
    assert_true(checked >= 107);
}

/* Rows of the table below "### Errata N", to the next heading. */
static int errata_of(const char *page, int publication) {
    char heading[40];
    snprintf(heading, sizeof heading, "\n### Errata %d\n", publication);
    const char *at = strstr(page, heading);
    if (!at) fail_msg("docs/publications.md: expected a heading%s", heading);
    const char *end = strstr(at + 5, "\n#");
    int count = -1; /* its own heading */
    for (at += strlen(heading); (at = strstr(at, "\n| ")) && (!end || at < end); at += 2) count++;
    return count;
}

static void errata(void **state) {
    (void)state;
    static const int known[] = {9, 14, 10, 9, 14};
    const char *page = read_page("docs/publications.md");
    for (int i = 0; i < 5; i++)
        if (errata_of(page, i + 1) < known[i])
            fail_msg("publication %d: expected %d errata, found %d", i + 1, known[i], errata_of(page, i + 1));
}

TESTS_BETWEEN(make_tree, remove_folder, rows, errata)
