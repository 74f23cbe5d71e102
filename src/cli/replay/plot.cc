// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/replay/report.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "cli/terminal/svg.h"
#include "cli/terminal/table_text.h"

namespace cli {
namespace {

constexpr double kWidth = 1000, kHeight = 910;
constexpr double kLeft = 84, kRight = 760, kPanelHeight = 215, kTop = 90, kPitch = 275;
constexpr const char *kCheckpoint = "#b03060", *kCheckpointLine = "#dba6b8";

struct Series {
    const char *row;  // its name in the report
    const char *label;
    const char *colour;
    double width;
};
constexpr Series kSeries[] = {
    {"everything", "the history resent", "#666666", 1.5},
    {"stubbed at once", "results stubbed at once", "#c9772d", 1.5},
    {"stubbed by 16,000", "results stubbed by 16,000", "#8a5fb0", 1.5},
    {"stubbed by 8,000", "results stubbed by 8,000", "#4f9a5b", 1.5},
    {"accp session", "accp session", "#1f5fa8", 3},
};

class ReplayPlot {
public:
    ReplayPlot(const ReplayFigures &figures, const RunFigures &run)
        : figures_(figures),
          run_(run),
          svg_(kWidth, kHeight, "A recorded run, replayed: price, tokens and recall") {}

    std::string draw() {
        const std::string run = grouped(run_.messages) + " messages, " +
                                grouped(run_.calls.size()) + " calls of a model, tokens " +
                                (figures_.is_approximate ? "estimated by " : "by ") +
                                figures_.tokenizer;
        svg_.text({kLeft, 26}, Anchor::kStart, 17, kInk, "A recorded run, replayed");
        svg_.text({kLeft, 48}, Anchor::kStart, 12, kInk, run);
        draw_tokens();
        draw_checkpoints();
        draw_price();
        draw_recall();
        return svg_.finish();
    }

private:
    Panel panel(int number, double y_max) {
        const double top = kTop + number * kPitch;
        return Panel(svg_, {kLeft, top}, {kRight, top + kPanelHeight},
                     static_cast<double>(run_.calls.size()), y_max);
    }

    void legend(const Panel &panel, int row, const char *colour, const std::string &text) {
        const double x = kRight + 18, y = panel.upper_left().y + 12 + 22 * row;
        svg_.rectangle({x, y - 8}, 14, 8, colour);
        svg_.text({x + 20, y}, Anchor::kStart, 12, kInk, text);
    }

    const RowFigures *row_of(const char *name) const {
        for (const RowFigures &row : run_.rows)
            if (row.name == name) return &row;
        return nullptr;
    }

    void draw_price() {
        double most = 1;
        for (const Series &series : kSeries)
            most = std::max(most, static_cast<double>(row_of(series.row)->bill.price()) / 1000);
        Panel price = panel(0, most);
        price.draw_frame("Billed so far, in tokens of plain input", "");
        int line = 0;
        for (const Series &series : kSeries) {
            const RowFigures &row = *row_of(series.row);
            std::vector<Point> points = {price.at(0, 0)};
            for (size_t i = 0; i < row.billed.size(); ++i)
                points.push_back(price.at(static_cast<double>(i + 1),
                                          static_cast<double>(row.billed[i]) / 1000));
            svg_.path(points, {series.colour, series.width});
            const double share = ratio(row.bill.price(), run_.everything().bill.price());
            legend(price, line++, series.colour,
                   std::string(series.label) + " " + with_digits(share, 2));
        }
    }

    // Stacks the blocks, the first at the bottom.
    void draw_tokens() {
        uint64_t most = 1;
        for (const CallFigures &call : run_.calls) most = std::max(most, call.tokens);
        Panel tokens = panel(1, static_cast<double>(most));
        tokens.draw_frame("Tokens of each context", "");
        std::vector<uint64_t> below(run_.calls.size());
        int line = 0;
        for (size_t kind = 0; kind < kContextBlocks; ++kind) {
            const std::vector<uint64_t> before = below;
            for (size_t i = 0; i < below.size(); ++i) below[i] += run_.calls[i].blocks[kind];
            if (below == before) continue;
            std::vector<Point> corners;
            for (size_t i = 0; i < below.size(); ++i)
                corners.push_back(
                    tokens.at(static_cast<double>(i + 1), static_cast<double>(below[i])));
            for (size_t i = below.size(); i-- > 0;)
                corners.push_back(
                    tokens.at(static_cast<double>(i + 1), static_cast<double>(before[i])));
            svg_.area(corners, kBlockKinds[kind].colour);
            legend(tokens, line++, kBlockKinds[kind].colour, kBlockKinds[kind].name);
        }
    }

    void draw_recall() {
        Panel recall = panel(2, 100);
        recall.draw_frame(
            "Share of what a call uses of the history that is in its context (larger dot: it uses "
            "more)",
            " %");
        recall.draw_x_numbers("calls of the model");
        draw_share(recall, 0, "phrases", "#d08030", &RecallFigures::phrases);
        draw_share(recall, 1, "identifiers", "#1f5fa8", &RecallFigures::names);
    }

    // One dot for each call that needs anything, larger if the call needs more.
    void draw_share(const Panel &recall, int line, const char *label, const char *colour,
                    Share RecallFigures::*of) {
        for (size_t i = 0; i < run_.calls.size(); ++i) {
            const Share &share = run_.calls[i].recall.*of;
            if (share.needed == 0) continue;
            const auto needed = static_cast<double>(share.needed);
            svg_.begin_group("step " + grouped(run_.calls[i].step) + ": " + grouped(share.present) +
                             " of " + grouped(share.needed) + " " + label);
            svg_.dot(
                recall.at(static_cast<double>(i + 1), 100 * ratio(share.present, share.needed)),
                std::min(2 + std::sqrt(needed) / 4, 7.0), colour);
            svg_.end_group();
        }
        const Share &all = run_.session().recall.*of;
        legend(recall, line, colour,
               label + (" " + with_digits(100 * ratio(all.present, all.needed), 1)) + " %");
    }

    // Returns a line for each checkpoint before a call, and how the call's context changed.
    std::string checkpoint_tip(size_t call) const {
        std::string tip;
        for (const CheckpointFigures &one : run_.checkpoints)
            if (one.call == call)
                tip.append("step ")
                    .append(grouped(one.step))
                    .append(": checkpoint ")
                    .append(grouped(one.number))
                    .append(one.ends_task ? ", made because of this message\n"
                                          : ", made by price or for room\n");
        const CallFigures &after = run_.calls[call];
        if (call != 0)
            tip += "context before: " + grouped(run_.calls[call - 1].tokens) + " tokens\n";
        return tip + "context after: " + grouped(after.tokens) + " tokens, of which " +
               grouped(after.tokens - after.shared) + " written again";
    }

    void draw_checkpoints() {
        std::set<size_t> calls;
        for (const CheckpointFigures &one : run_.checkpoints)
            if (one.call < run_.calls.size()) calls.insert(one.call);
        for (const size_t call : calls) {
            svg_.begin_group(checkpoint_tip(call));
            for (int i = 0; i < 3; ++i)
                draw_checkpoint(panel(i, 1), static_cast<double>(call) + 0.5);
            svg_.end_group();
        }
        if (!calls.empty()) legend(panel(1, 1), 5, kCheckpoint, "new checkpoint");
    }

    void draw_checkpoint(const Panel &under, double call) {
        const double x = under.at(call, 0).x;
        const double top = under.upper_left().y, bottom = under.lower_right().y;
        svg_.line({x, top}, {x, bottom}, {kCheckpointLine, 1, "3 3"});
        svg_.area({{x - 4, top - 6}, {x + 4, top - 6}, {x, top}}, kCheckpoint);
    }

    const ReplayFigures &figures_;
    const RunFigures &run_;
    Svg svg_;
};

}  // namespace

std::string plot_replay(const ReplayFigures &figures, const RunFigures &run) {
    return ReplayPlot(figures, run).draw();
}

}  // namespace cli
