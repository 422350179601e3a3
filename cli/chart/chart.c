/* Paper and pen by cairo, and the files that come of it. No other file knows cairo. */
#define _POSIX_C_SOURCE 200809L
#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/chart.h"
#include "chart/parts.h"
#include "text.h"
#include "zveno/record.h"

struct Paper {
    cairo_t *cr;
};

enum { FINE = 2 }; /* pixels of a PNG for one of the chart, when its size is not asked for */

bool chart_available(void) { return true; }

/* Strokes ---------------------------------------------------------------------------------------------- */

void paper_pen(Paper *paper, Colour colour, double width, double dash, double gap) {
    const double dashes[2] = {dash, gap};
    cairo_set_source_rgb(paper->cr, colour.red, colour.green, colour.blue);
    cairo_set_line_width(paper->cr, width);
    cairo_set_dash(paper->cr, dashes, dash > 0 ? 2 : 0, 0);
}

void paper_move(Paper *paper, double x, double y) { cairo_move_to(paper->cr, x, y); }
void paper_line(Paper *paper, double x, double y) { cairo_line_to(paper->cr, x, y); }
void paper_lift(Paper *paper) { cairo_new_sub_path(paper->cr); }
void paper_stroke(Paper *paper) { cairo_stroke(paper->cr); }

void paper_fill(Paper *paper) {
    cairo_close_path(paper->cr);
    cairo_fill(paper->cr);
}

void paper_disc(Paper *paper, double x, double y, double radius) {
    cairo_new_path(paper->cr);
    cairo_arc(paper->cr, x, y, radius, 0, 2 * acos(-1));
    cairo_fill(paper->cr);
}

void paper_clip(Paper *paper, const Box *box) {
    cairo_save(paper->cr);
    cairo_rectangle(paper->cr, box->left, box->top, box->right - box->left, box->bottom - box->top);
    cairo_clip(paper->cr);
}

void paper_unclip(Paper *paper) { cairo_restore(paper->cr); }

/* Letters ---------------------------------------------------------------------------------------------- */

/* A copy that cairo takes: bytes that are no UTF-8 and control characters become "?". */
static size_t clean(const char *text, char *copy, size_t size) {
    size_t used = 0;
    while (*text) {
        const size_t length = utf8_length(text);
        if (used + (length ? length : 1) >= size) break;
        if (!length || (unsigned char)*text < 0x20 || *text == 0x7f)
            copy[used++] = '?';
        else
            memcpy(copy + used, text, length), used += length;
        text += length ? length : 1;
    }
    copy[used] = '\0';
    return used;
}

static double clean_width(Paper *paper, const char *text, double size) {
    cairo_text_extents_t extents;
    cairo_set_font_size(paper->cr, size);
    cairo_text_extents(paper->cr, text, &extents);
    return extents.x_advance;
}

double paper_text_width(Paper *paper, const char *text, double size) {
    char copy[512];
    clean(text, copy, sizeof copy);
    return clean_width(paper, copy, size);
}

/* Shortens what is too wide by whole letters of UTF-8 and ends it with dots, for half a letter would be no text. */
void paper_text(Paper *paper, double x, double y, double anchor, double space, double size, const char *text) {
    static const char dots[] = "\u2026";
    char copy[512];
    size_t length = clean(text, copy, sizeof copy - sizeof dots);
    while (length && clean_width(paper, copy, size) > space) {
        while (length && ((unsigned char)copy[--length] & 0xc0) == 0x80) continue;
        memcpy(copy + length, dots, sizeof dots);
    }
    if (!length) return;
    cairo_move_to(paper->cr, x - anchor * clean_width(paper, copy, size), y);
    cairo_show_text(paper->cr, copy);
    cairo_new_path(paper->cr);
}

void paper_text_up(Paper *paper, double x, double y, double space, double size, const char *text) {
    cairo_save(paper->cr);
    cairo_translate(paper->cr, x, y);
    cairo_rotate(paper->cr, -acos(-1) / 2);
    paper_text(paper, 0, 0, 0.5, space, size, text);
    cairo_restore(paper->cr);
}

void paper_power(Paper *paper, double x, double y, double anchor, const char *before, int exponent) {
    char base[16], raised[16];
    snprintf(base, sizeof base, "%s10", before);
    snprintf(raised, sizeof raised, "%s%d", exponent < 0 ? "\u2212" : "", abs(exponent));
    const double first = clean_width(paper, base, SMALL_SIZE), second = clean_width(paper, raised, TINY_SIZE - 1);
    const double start = x - anchor * (first + second);
    paper_text(paper, start, y, 0, INFINITY, SMALL_SIZE, base);
    paper_text(paper, start + first, y - 5, 0, INFINITY, TINY_SIZE - 1, raised);
}

/* Files ------------------------------------------------------------------------------------------------ */

static cairo_status_t collect_bytes(void *closure, const unsigned char *bytes, unsigned length) {
    Text *text = closure;
    text_put(text, (const char *)bytes, length);
    return text->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

/* Metrics without hinting: SVG and PNG then place their letters alike. */
static void draw(const Chart *chart, cairo_surface_t *surface, double scale) {
    Paper paper = {.cr = cairo_create(surface)};
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE); /* the same places in every form of file */
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(paper.cr, options);
    cairo_font_options_destroy(options);
    cairo_select_font_face(paper.cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_line_join(paper.cr, CAIRO_LINE_JOIN_ROUND);
    cairo_scale(paper.cr, scale, scale);
    cairo_set_source_rgb(paper.cr, 1, 1, 1);
    cairo_paint(paper.cr);
    chart_draw(chart, &paper);
    cairo_destroy(paper.cr);
}

static void put_xml(Text *out, const char *text) {
    char copy[512];
    clean(text, copy, sizeof copy);
    for (const char *c = copy; *c; c++) {
        if (*c == '<' || *c == '>' || *c == '&')
            text_puts(out, *c == '<' ? "&lt;" : *c == '>' ? "&gt;" : "&amp;");
        else
            text_put(out, c, 1);
    }
}

/* What the picture shows in words: letters become shapes in SVG, and nobody could search or hear them. */
static void put_description(const Chart *chart, Text *out) {
    text_puts(out, "\n<title>");
    put_xml(out, chart->title ? chart->title : "chart");
    text_puts(out, "</title>\n<desc>\n");
    for (int i = 0; i < chart->pane_count; i++) {
        const ChartPane *pane = &chart->panes[i];
        put_xml(out, pane->y.label ? pane->y.label : "");
        for (int k = 0; k < pane->count; k++) {
            text_puts(out, k ? ", " : ": ");
            put_xml(out, pane->series[k].label ? pane->series[k].label : "");
        }
        if (pane->note) text_puts(out, "; "), put_xml(out, pane->note);
        text_puts(out, "\n");
    }
    text_puts(out, "</desc>");
}

/* As cairo writes it, with a description at its head for those who cannot see the picture. */
static cairo_status_t render_svg(const Chart *chart, double width, double height, Text *out) {
    Text plain = {0};
    cairo_surface_t *surface = cairo_svg_surface_create_for_stream(collect_bytes, &plain, width, height);
    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    draw(chart, surface, 1);
    cairo_surface_finish(surface);
    const cairo_status_t status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    const char *head = plain.size ? strstr(plain.bytes, "<svg ") : NULL;
    const char *body = head ? strchr(head, '>') : NULL;
    if (body) {
        text_put(out, plain.bytes, (size_t)(body + 1 - plain.bytes));
        put_description(chart, out);
        text_puts(out, body + 1);
    }
    text_free(&plain);
    return status;
}

static cairo_status_t render_png(const Chart *chart, double width, double height, Text *out) {
    const double scale = chart->width && chart->height ? 1 : FINE;
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(scale * width), (int)(scale * height));
    draw(chart, surface, scale);
    cairo_status_t status = cairo_surface_status(surface);
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_write_to_png_stream(surface, collect_bytes, out);
    cairo_surface_destroy(surface);
    return status;
}

static bool ends_in(const char *path, const char *suffix) {
    const size_t length = strlen(path), tail = strlen(suffix);
    return length > tail && !strcmp(path + length - tail, suffix);
}

/* Draws into memory first and replaces the file at the end: a drawing that fails leaves the old one. */
zvStatus chart_write(const Chart *chart, const char *path, zvError *error) {
    const zvMark mark = {.file = path};
    const bool svg = ends_in(path, ".svg");
    double width, height;
    if (!svg && !ends_in(path, ".png"))
        return zv_fail(error, ZV_NOT_SUPPORTED, mark, "", "pictures are drawn as .svg or .png; choose one of these");
    chart_size(chart, &width, &height);
    Text bytes = {0};
    const cairo_status_t drawn =
        svg ? render_svg(chart, width, height, &bytes) : render_png(chart, width, height, &bytes);
    zvStatus status;
    if (bytes.failed || drawn == CAIRO_STATUS_NO_MEMORY)
        status = zv_fail(error, ZV_MEMORY, mark, "", "%s", zv_status_sentence(ZV_MEMORY));
    else if (drawn != CAIRO_STATUS_SUCCESS || !bytes.size)
        status = zv_fail(error, ZV_NOT_SUPPORTED, mark, "", "the picture cannot be drawn: %s",
                         cairo_status_to_string(drawn));
    else
        status = zv_output_write(path, bytes.bytes, bytes.size, error);
    text_free(&bytes);
    return status;
}
