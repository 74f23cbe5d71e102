// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/sacp/plan_view.h"

#include <algorithm>
#include <cstdlib>

#include "cli/host.h"
#include "cli/system/descriptors.h"
#include "cli/terminal/svg.h"

namespace cli {
namespace {

constexpr uint32_t kMaxLines = 30;
constexpr int32_t kGivenUp = 4;
constexpr size_t kMinLabel = 8;  // columns
constexpr const char *kStates[] = {"pending", "in progress", "done", "failed", "given up"};
constexpr const char *kSigns[] = {"  ", "> ", "+ ", "! ", "! "};
constexpr const char *kColours[] = {"#eeeeee", "#ffe08a", "#a8d5a2", "#f2a6a0"};

bool is_step(const accp_run_step &step) { return step.kind == ACCP_RUN_STEP; }

// Verbs and tools are untrusted texts.
std::string label_of(const accp_run_step &step) {
    std::string label(to_view(step.path));
    if (!is_step(step)) return label + (step.kind == ACCP_RUN_PARALLEL ? " parallel" : " branch");
    label += ' ';
    append_printable(to_view(step.verb), label);
    label += ' ';
    append_printable(to_view(step.tool), label);
    return label;
}

// Returns the columns of a character by its first byte. Counts every character of three bytes or
// more as wide; if it is not, the line is shorter than it could be.
size_t columns_of(unsigned char first) {
    return (first & 0xC0) == 0x80 ? 0 : first >= 0xE1 ? 2 : 1;
}

size_t columns_of(std::string_view text) {
    size_t columns = 0;
    for (const char c : text) columns += columns_of(static_cast<unsigned char>(c));
    return columns;
}

// Returns the text in at most `columns` columns, with two dots if it was cut.
std::string cut(const std::string &text, size_t columns) {
    if (columns_of(text) <= columns) return text;
    constexpr std::string_view kLeftOut = "..";
    if (columns < kLeftOut.size()) return "";
    size_t end = 0;
    for (size_t taken = kLeftOut.size(); end < text.size(); ++end) {
        taken += columns_of(static_cast<unsigned char>(text[end]));
        if (taken > columns) break;
    }
    return text.substr(0, end).append(kLeftOut);
}

std::string summary_of(const uint32_t (&states)[5]) {
    std::string text;
    for (int i = 0; i < (states[kGivenUp] ? 5 : 4); ++i)
        text += (i ? ", " : "") + std::to_string(states[i]) + " " + kStates[i];
    return text;
}

// Returns the depth of a path.
size_t nesting_of(std::string_view path) {
    return static_cast<size_t>(std::count(path.begin(), path.end(), '.') +
                               std::count(path.begin(), path.end(), '/'));
}

// True if `path` is inside `outer`.
bool is_inside(std::string_view path, std::string_view outer) {
    return path.size() > outer.size() && path.starts_with(outer) &&
           (path[outer.size()] == '.' || path[outer.size()] == '/');
}

// Quotes a label.
std::string mermaid_text(std::string_view text) {
    std::string made = "\"";
    for (char c : text) {
        if (c == '"' || c == '#' || c == '&' || c == '<' || c == '>')
            made += "#" + std::to_string(static_cast<int>(c)) + ";";
        else made += c;
    }
    return made + "\"";
}

// Draws nested boxes, and an arrow from each part to the next.
class MermaidChart {
public:
    void add(uint32_t number, const accp_run_step &step) {
        const std::string path(to_view(step.path)), id = "p" + std::to_string(number);
        // The steps of a message inside another message start a new sequence.
        const std::string sequence = path.substr(0, path.rfind('/') + 1);
        close_boxes_around(sequence == sequence_ ? path : "");
        if (sequence != sequence_) boxes_[0].last.clear();
        sequence_ = sequence;
        Box &outer = boxes_.back();
        if (!outer.is_parallel && !outer.last.empty())
            links_.append("  " + outer.last + " --> " + id + "\n");
        outer.last = id;
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
        close_boxes_around("");
        out_.append(links_);
        for (int i = 0; i < 4; ++i)
            out_.append("  classDef s" + std::to_string(i) + " fill:" + kColours[i] + "\n");
        return out_;
    }

private:
    struct Box {
        std::string path;
        bool is_parallel;
        std::string last;  // the last part in it
    };

    void indent() { out_.append(2 * boxes_.size(), ' '); }
    // Closes the boxes that do not contain the path.
    void close_boxes_around(std::string_view path) {
        while (boxes_.size() > 1 && !is_inside(path, boxes_.back().path)) {
            boxes_.pop_back();
            indent();
            out_.append("end\n");
        }
    }

    std::string out_ = "flowchart TD\n", links_, sequence_;
    std::vector<Box> boxes_ = {{"", false, {}}};
};

}  // namespace

PlanView::PlanView() {
    const char *terminal = std::getenv("TERM");
    is_on_ = is_terminal(STDERR_FILENO) && terminal && std::string_view(terminal) != "dumb";
}

// Counts the rows at the current width, because a narrower terminal has wrapped the lines.
std::string PlanView::rewind(size_t columns) const {
    size_t rows = 0;
    for (const std::string &line : shown_)
        rows += std::max<size_t>(1, (columns_of(line) + columns - 1) / columns);
    return rows ? "\r\x1b[" + std::to_string(rows) + "A\x1b[J" : "\r\x1b[J";
}

void PlanView::show(PlanRun &run) {
    if (!is_on_) return;
    const TerminalSize size = terminal_size();
    const uint32_t count = run.step_count();
    const bool is_long = count > kMaxLines || count >= size.rows;
    uint32_t states[5] = {};
    std::vector<std::string> lines;
    for (uint32_t i = 0; i < count; ++i) {
        accp_run_step step = run.step(i);
        if (!is_step(step)) continue;
        // The plan was cancelled.
        if (run.state() != ACCP_RUN_GOING_ON && step.state == ACCP_RUN_STEP_IN_PROGRESS)
            step.state = kGivenUp;
        ++states[step.state];
        if (!is_long) lines.push_back(step_line(step, size.columns - 1));
    }
    if (is_long) lines.push_back(cut(summary_of(states), size.columns - 1));
    if (lines == shown_ && size.columns == columns_) return;
    std::string text = rewind(size.columns);
    for (const std::string &line : lines) text += line + "\n";
    shown_ = std::move(lines);
    columns_ = size.columns;
    if (write_bytes(STDERR_FILENO, text.data(), text.size()) < 0) is_on_ = false;
}

void PlanView::print_line(const std::string &text) {
    std::string line = is_on_ ? rewind(terminal_size().columns) : std::string();
    append_printable(text, line);
    line += '\n';
    shown_.clear();
    if (write_bytes(STDERR_FILENO, line.data(), line.size()) < 0) is_on_ = false;
}

std::string step_line(const accp_run_step &step, size_t columns) {
    std::string end = std::string(": ") + kStates[step.state];
    if (step.tries > 1) end += ", " + std::to_string(step.tries) + " tries";
    const size_t indent = std::min(2 * nesting_of(to_view(step.path)), columns / 4);
    const std::string begin = std::string(indent, ' ') + kSigns[step.state];
    const size_t taken = begin.size() + end.size();
    // In a narrow terminal the sign alone shows the state.
    if (taken + kMinLabel > columns) return cut(begin + label_of(step), columns);
    return begin + cut(label_of(step), columns - taken) + end;
}

std::string mermaid_of(PlanRun &run) {
    MermaidChart chart;
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
