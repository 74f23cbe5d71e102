// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See plan_view.h.
#include "cli/plan_view.h"

#include <unistd.h>
#include <algorithm>
#include <cstdlib>

#include "cli/node_view.h"
#include "cli/svg.h"

namespace cli {
namespace {

constexpr uint32_t kMaxLines = 30;
constexpr const char *kStates[] = {"pending", "in progress", "done", "failed"};
constexpr const char *kSigns[] = {"  ", "> ", "+ ", "! "};
constexpr const char *kColours[] = {"#eeeeee", "#ffe08a", "#a8d5a2", "#f2a6a0"};

bool is_step(const accp_run_step &step) { return step.kind == ACCP_RUN_STEP; }

// A step as it is shown: verbs and tools are somebody's texts.
std::string label_of(const accp_run_step &step) {
    std::string label(to_view(step.path));
    if (!is_step(step)) return label + (step.kind == ACCP_RUN_PARALLEL ? " parallel" : " branch");
    label += ' ';
    append_printable(to_view(step.verb), label);
    label += ' ';
    append_printable(to_view(step.tool), label);
    return label;
}

// How many parts a path stands in.
size_t nesting_of(std::string_view path) {
    return static_cast<size_t>(std::count(path.begin(), path.end(), '.') +
                               std::count(path.begin(), path.end(), '/'));
}

// Is `path` somewhere inside `around`?
bool lies_in(std::string_view path, std::string_view around) {
    return path.size() > around.size() && path.starts_with(around) &&
           (path[around.size()] == '.' || path[around.size()] == '/');
}

// A label within quotes of Mermaid.
std::string mermaid_text(std::string_view text) {
    std::string made = "\"";
    for (char c : text) {
        if (c == '"' || c == '#' || c == '&' || c == '<' || c == '>')
            made += "#" + std::to_string(static_cast<int>(c)) + ";";
        else made += c;
    }
    return made + "\"";
}

// The chart as it is drawn: one box in another, and an arrow from each part to the next.
class Chart {
public:
    void add(uint32_t number, const accp_run_step &step) {
        const std::string path(to_view(step.path)), id = "p" + std::to_string(number);
        // steps of a message inside another have their own beginning
        const std::string place = path.substr(0, path.rfind('/') + 1);
        close_to(place == place_ ? path : "");
        if (place != place_) boxes_[0].last.clear();
        place_ = place;
        Box &around = boxes_.back();
        if (!around.is_parallel && !around.last.empty())
            links_.append("  " + around.last + " --> " + id + "\n");
        around.last = id;
        indent();
        if (is_step(step)) {
            out_.append(id + "[" + mermaid_text(label_of(step)) + "]:::s" +
                        std::to_string(step.state) + "\n");
            return;
        }
        out_.append("subgraph " + id + "[" + mermaid_text(label_of(step)) + "]\n");
        boxes_.push_back({path, step.kind == ACCP_RUN_PARALLEL, {}});
    }

    std::string finish() {
        close_to("");
        out_.append(links_);
        for (int i = 0; i < 4; ++i)
            out_.append("  classDef s" + std::to_string(i) + " fill:" + kColours[i] + "\n");
        return out_;
    }

private:
    struct Box {
        std::string path;
        bool is_parallel;
        std::string last;  // what was put into it last
    };

    void indent() { out_.append(2 * boxes_.size(), ' '); }
    void close_to(std::string_view path) {
        while (boxes_.size() > 1 && !lies_in(path, boxes_.back().path)) {
            boxes_.pop_back();
            indent();
            out_.append("end\n");
        }
    }

    std::string out_ = "flowchart TD\n", links_, place_;
    std::vector<Box> boxes_ = {{"", false, {}}};
};

}  // namespace

PlanView::PlanView() {
    const char *terminal = std::getenv("TERM");
    on_ = isatty(STDERR_FILENO) && terminal && std::string_view(terminal) != "dumb";
}

void PlanView::show(PlanRun &run) {
    if (!on_) return;
    const uint32_t count = run.step_count();
    uint32_t states[4] = {};
    std::string text;
    for (uint32_t i = 0; i < count; ++i) {
        const accp_run_step step = run.step(i);
        if (!is_step(step)) continue;
        ++states[step.state];
        if (count > kMaxLines) continue;
        text.append(2 * nesting_of(to_view(step.path)), ' ').append(kSigns[step.state]);
        text.append(label_of(step)).append(": ").append(kStates[step.state]);
        if (step.tries > 1) text.append(", " + std::to_string(step.tries) + " tries");
        text.append("\x1b[K\n");
    }
    for (int i = 0; i < 4 && count > kMaxLines; ++i)
        text.append(std::to_string(states[i])).append(" ").append(kStates[i]).append("  ");
    if (count > kMaxLines) text.append("\x1b[K\n");
    if (text == shown_) return;
    shown_ = text;
    if (lines_) text.insert(0, "\x1b[" + std::to_string(lines_) + "A");
    lines_ = static_cast<uint32_t>(std::count(shown_.begin(), shown_.end(), '\n'));
    if (write(STDERR_FILENO, text.data(), text.size()) < 0) on_ = false;
}

void PlanView::say(const std::string &text) {
    std::string line;
    if (on_ && lines_) line = "\x1b[" + std::to_string(lines_) + "A\x1b[J";
    append_printable(text, line);
    line += '\n';
    lines_ = 0;
    shown_.clear();
    if (write(STDERR_FILENO, line.data(), line.size()) < 0) on_ = false;
}

std::string mermaid_of(PlanRun &run) {
    Chart chart;
    for (uint32_t i = 0; i < run.step_count(); ++i) chart.add(i, run.step(i));
    return chart.finish();
}

std::string svg_of(PlanRun &run) {
    constexpr double kLine = 30, kIndent = 24, kWidth = 420;
    const uint32_t count = run.step_count();
    Svg svg(kWidth + 12 * kIndent, kLine * count + 20, "A plan");
    for (uint32_t i = 0; i < count; ++i) {
        const accp_run_step step = run.step(i);
        const double x = 10 + kIndent * static_cast<double>(nesting_of(to_view(step.path))),
                     y = 10 + kLine * i;
        svg.begin_group(kStates[step.state]);
        svg.rectangle({x, y}, kWidth, kLine - 6, kColours[step.state]);
        svg.text({x + 8, y + 16}, Anchor::kStart, 12, kInk, label_of(step));
        svg.end_group();
    }
    return svg.finish();
}

}  // namespace cli
