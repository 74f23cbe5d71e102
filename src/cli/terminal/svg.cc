// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/svg.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/terminal/table_text.h"

namespace cli {
namespace {

// Returns 1, 2 or 5 times a power of ten, at least 1, so that about five steps reach `max`.
double step_for(double max) {
    const double power = std::pow(10, std::floor(std::log10(std::max(max / 5, 1.0))));
    for (const double factor : {1.0, 2.0, 5.0})
        if (max / (factor * power) <= 6) return factor * power;
    return 10 * power;
}

}  // namespace

Svg::Svg(double width, double height, std::string_view title) {
    out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\" role=\"img\"";
    number("width", width);
    number("height", height);
    out_.append(" viewBox=\"0 0 ")
        .append(with_digits(width, 0))
        .append(" ")
        .append(with_digits(height, 0))
        .append("\">\n<title>");
    escaped(title);
    out_.append("</title>\n");
    rectangle({0, 0}, width, height, "#ffffff");
}

void Svg::line(Point from, Point to, const Stroke &line_stroke) {
    out_.append("<line");
    number("x1", from.x);
    number("y1", from.y);
    number("x2", to.x);
    number("y2", to.y);
    stroke(line_stroke);
}

void Svg::path(const std::vector<Point> &corners, const Stroke &line_stroke) {
    out_.append("<polyline fill=\"none\" stroke-linejoin=\"round\"");
    points(corners);
    stroke(line_stroke);
}

void Svg::area(const std::vector<Point> &corners, const char *colour) {
    out_.append("<polygon fill=\"").append(colour).append("\"");
    points(corners);
    out_.append("/>\n");
}

void Svg::dot(Point at, double radius, const char *colour) {
    out_.append("<circle fill=\"").append(colour).append("\"");
    number("cx", at.x);
    number("cy", at.y);
    number("r", radius);
    out_.append("/>\n");
}

void Svg::rectangle(Point at, double width, double height, const char *colour) {
    out_.append("<rect fill=\"").append(colour).append("\"");
    number("x", at.x);
    number("y", at.y);
    number("width", width);
    number("height", height);
    out_.append("/>\n");
}

void Svg::text(Point at, Anchor anchor, double size, const char *colour, std::string_view text) {
    static constexpr const char *kAnchors[] = {"start", "middle", "end"};
    out_.append("<text fill=\"").append(colour).append("\" text-anchor=\"");
    out_.append(kAnchors[static_cast<int>(anchor)]).append("\"");
    number("x", at.x);
    number("y", at.y);
    number("font-size", size);
    out_.append(">");
    escaped(text);
    out_.append("</text>\n");
}

void Svg::begin_group(std::string_view tip) {
    out_.append("<g><title>");
    escaped(tip);
    out_.append("</title>\n");
}

void Svg::number(const char *before, double number) {
    out_.append(" ").append(before).append("=\"").append(with_digits(number, 1)).append("\"");
}

void Svg::points(const std::vector<Point> &points) {
    out_.append(" points=\"");
    for (const Point &point : points)
        out_.append(with_digits(point.x, 1))
            .append(",")
            .append(with_digits(point.y, 1))
            .append(" ");
    out_.append("\"");
}

void Svg::escaped(std::string_view text) {
    for (const char c : text) {
        if (c == '<') out_.append("&lt;");
        else if (c == '&') out_.append("&amp;");
        else out_.push_back(c);
    }
}

void Svg::stroke(const Stroke &stroke) {
    out_.append(" stroke=\"").append(stroke.colour).append("\"");
    number("stroke-width", stroke.width);
    if (*stroke.dashes != 0) out_.append(" stroke-dasharray=\"").append(stroke.dashes).append("\"");
    out_.append("/>\n");
}

Panel::Panel(Svg &svg, Point upper_left, Point lower_right, double x_max, double y_max)
    : svg_(svg),
      upper_left_(upper_left),
      lower_right_(lower_right),
      x_max_(std::max(x_max, 1.0)),
      y_step_(step_for(y_max)),
      y_max_(std::max(std::ceil(y_max / y_step_), 1.0) * y_step_) {}

void Panel::draw_frame(std::string_view title, const char *unit) {
    for (double y = 0; y <= y_max_; y += y_step_) {
        const Point left = at(0, y);
        svg_.line(left, {lower_right_.x, left.y}, {y > 0 ? kFaintInk : kInk});
        svg_.text({left.x - 8, left.y + 4}, Anchor::kEnd, 11, kInk,
                  grouped(static_cast<uint64_t>(y)) + unit);
    }
    svg_.text({upper_left_.x, upper_left_.y - 10}, Anchor::kStart, 14, kInk, title);
}

void Panel::draw_x_numbers(std::string_view label) {
    const double step = step_for(x_max_);
    for (double x = 0; x <= x_max_; x += step)
        svg_.text({at(x, 0).x, lower_right_.y + 16}, Anchor::kMiddle, 11, kInk,
                  grouped(static_cast<uint64_t>(x)));
    svg_.text({(upper_left_.x + lower_right_.x) / 2, lower_right_.y + 34}, Anchor::kMiddle, 12,
              kInk, label);
}

Point Panel::at(double x, double y) const {
    return {upper_left_.x + x / x_max_ * (lower_right_.x - upper_left_.x),
            lower_right_.y - y / y_max_ * (lower_right_.y - upper_left_.y)};
}

}  // namespace cli
