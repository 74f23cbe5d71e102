// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes a self-contained SVG of shapes and text on a white ground. Coordinates are pixels from the
// upper left corner.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

inline constexpr const char *kInk = "#333333", *kFaintInk = "#dddddd";

struct Point {
    double x, y;
};

struct Stroke {
    const char *colour;
    double width = 1;
    const char *dashes = "";  // "4 3"; "" draws a solid line
};

enum class Anchor { kStart, kMiddle, kEnd };

class Svg {
public:
    Svg(double width, double height, std::string_view title);

    void line(Point from, Point to, const Stroke &stroke);
    void path(const std::vector<Point> &points, const Stroke &stroke);
    void area(const std::vector<Point> &points, const char *colour);
    void dot(Point at, double radius, const char *colour);
    void rectangle(Point at, double width, double height, const char *colour);
    void text(Point at, Anchor anchor, double size, const char *colour, std::string_view text);
    // Everything drawn until end_group() shows `tip` under the pointer.
    void begin_group(std::string_view tip);
    void end_group() { out_.append("</g>\n"); }
    std::string finish() { return out_ + "</svg>\n"; }

private:
    void number(const char *before, double number);
    void points(const std::vector<Point> &points);
    void escaped(std::string_view text);
    void stroke(const Stroke &stroke);

    std::string out_;
};

// One diagram in an SVG, with its scales and title.
class Panel {
public:
    // The corners bound the plot area. x runs from 0 to x_max, y from 0 to a round number that is
    // at least y_max.
    Panel(Svg &svg, Point upper_left, Point lower_right, double x_max, double y_max);
    // Draws the grid lines and numbers of the y axis, and a title above the plot.
    void draw_frame(std::string_view title, const char *unit);
    void draw_x_numbers(std::string_view label);
    Point at(double x, double y) const;
    Point upper_left() const { return upper_left_; }
    Point lower_right() const { return lower_right_; }

private:
    Svg &svg_;
    Point upper_left_, lower_right_;
    double x_max_, y_step_, y_max_;
};

}  // namespace cli
