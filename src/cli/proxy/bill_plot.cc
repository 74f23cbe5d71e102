// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/proxy/bill_plot.h"

#include <algorithm>

#include "cli/proxy/accounts.h"
#include "cli/terminal/svg.h"
#include "cli/terminal/table_text.h"
#include "proxy/prices.h"

namespace cli {
namespace {

constexpr double kPlotWidth = 1000, kPlotHeight = 640, kPlotLeft = 84, kPlotRight = 970;
constexpr double kUpperTop = 90, kUpperBottom = 330, kLowerTop = 410, kLowerBottom = 580;
constexpr const char *kBilledColour = "#1f5fa8", *kUntouchedColour = "#999999",
                     *kErrorColour = "#eeeeee";
// Bills are small numbers, and the scales of a panel are whole ones.
constexpr double kThousand = 1000;

struct BillBar {
    std::string label;
    proxy::Totals sum;
};

// The answered calls of one unit, in order of time.
struct PlottedCalls {
    std::vector<const LoggedCall *> calls;
    bool is_priced = false;
    size_t others = 0;  // calls whose bill has the other unit

    std::string amount(double value) const { return amount_text(value, is_priced); }
    // Returns a sentence about the other calls; empty: there are none.
    std::string others_text() const {
        return others ? grouped(others) + " calls of models without a price are left out" : "";
    }
};

PlottedCalls plotted_calls(const std::vector<LoggedCall> &calls) {
    PlottedCalls plotted;
    std::vector<const LoggedCall *> &all = plotted.calls;
    const auto is_shown = [](const LoggedCall &call) {
        return !call.is_held_out && call.sum.calls;
    };
    plotted.is_priced = std::any_of(calls.begin(), calls.end(), [&](const LoggedCall &call) {
        return is_shown(call) && call.is_priced;
    });
    for (const LoggedCall &call : calls) {
        if (!is_shown(call)) continue;
        if (call.is_priced == plotted.is_priced) all.push_back(&call);
        else ++plotted.others;
    }
    std::stable_sort(all.begin(), all.end(), [](const LoggedCall *a, const LoggedCall *b) {
        return a->time_ms < b->time_ms;
    });
    return plotted;
}

// One bar for each day, or for at most kMaxBars groups of calls if there is only one day.
std::vector<BillBar> group_calls(const std::vector<const LoggedCall *> &calls) {
    constexpr size_t kMaxBars = 24;
    const bool has_days = !calls.empty() && proxy::day_of(calls.front()->time_ms) !=
                                                proxy::day_of(calls.back()->time_ms);
    const size_t group = (calls.size() + kMaxBars - 1) / kMaxBars;
    std::vector<BillBar> bars;
    for (size_t i = 0; i < calls.size(); ++i) {
        const std::string day = proxy::day_of(calls[i]->time_ms);
        const bool is_new = has_days ? bars.empty() || bars.back().label != day : i % group == 0;
        if (is_new) {
            const size_t last = std::min(i + group, calls.size());
            const std::string range =
                group == 1 ? "call " + std::to_string(i + 1)
                           : "calls " + std::to_string(i + 1) + "-" + std::to_string(last);
            bars.push_back({has_days ? day : range, {}});
        }
        bars.back().sum.add(calls[i]->sum);
    }
    return bars;
}

std::string bill_tip(const std::string &label, const proxy::CallBill &bill, bool is_priced) {
    return label + ": billed " + amount_text(bill.billed, is_priced) + ", untouched about " +
           amount_text(bill.untouched, is_priced);
}

// The sums so far, with the range of the estimate behind them.
void draw_sums(const PlottedCalls &plotted, Svg &svg) {
    const std::vector<const LoggedCall *> &calls = plotted.calls;
    proxy::CallBill all;
    for (const LoggedCall *call : calls) {
        all.billed += call->sum.bill.billed;
        all.untouched += call->sum.bill.untouched;
        all.error += call->sum.bill.error;
    }
    Panel panel(svg, {kPlotLeft, kUpperTop}, {kPlotRight, kUpperBottom},
                static_cast<double>(calls.size()),
                kThousand * std::max(all.billed, all.untouched + all.error));
    std::vector<Point> billed = {panel.at(0, 0)}, untouched = billed, upper = billed,
                       lower = billed;
    proxy::CallBill sum;
    for (size_t i = 0; i < calls.size(); ++i) {
        const proxy::CallBill &bill = calls[i]->sum.bill;
        sum.billed += bill.billed;
        sum.untouched += bill.untouched;
        sum.error += bill.error;
        const auto at = [&](double value) {
            return panel.at(static_cast<double>(i + 1), kThousand * std::max(value, 0.0));
        };
        billed.push_back(at(sum.billed));
        untouched.push_back(at(sum.untouched));
        upper.push_back(at(sum.untouched + sum.error));
        lower.push_back(at(sum.untouched - sum.error));
    }
    upper.insert(upper.end(), lower.rbegin(), lower.rend());
    svg.area(upper, kErrorColour);
    panel.draw_frame(plotted.is_priced ? "Billed so far, in thousandths of a US dollar"
                                       : "Billed so far, in thousands of plain input tokens",
                     "");
    panel.draw_x_numbers("calls of the model");
    svg.path(untouched, {kUntouchedColour, 2, "5 4"});
    svg.path(billed, {kBilledColour, 3});
}

void draw_bars(const std::vector<BillBar> &bars, bool is_priced, Svg &svg) {
    double most = 0;
    for (const BillBar &bar : bars)
        most = std::max({most, bar.sum.bill.billed, bar.sum.bill.untouched});
    const auto count = static_cast<double>(bars.size());
    Panel panel(svg, {kPlotLeft, kLowerTop}, {kPlotRight, kLowerBottom}, count, kThousand * most);
    panel.draw_frame("By " + std::string(bars.front().label.starts_with("call") ? "calls" : "day"),
                     "");
    for (size_t i = 0; i < bars.size(); ++i) {
        const auto rectangle = [&](double from, double to, double value, const char *colour) {
            const Point corner = panel.at(static_cast<double>(i) + from, kThousand * value);
            const Point end = panel.at(static_cast<double>(i) + to, 0);
            svg.rectangle(corner, end.x - corner.x, end.y - corner.y, colour);
        };
        svg.begin_group(bill_tip(bars[i].label, bars[i].sum.bill, is_priced));
        rectangle(0.1, 0.5, bars[i].sum.bill.untouched, kUntouchedColour);
        rectangle(0.5, 0.9, bars[i].sum.bill.billed, kBilledColour);
        svg.end_group();
    }
    const Point left = panel.at(0.5, 0), right = panel.at(count - 0.5, 0);
    svg.text({left.x, left.y + 16}, Anchor::kMiddle, 11, kInk, bars.front().label);
    if (bars.size() > 1)
        svg.text({right.x, right.y + 16}, Anchor::kMiddle, 11, kInk, bars.back().label);
}

std::string repeated(const char *glyph, size_t count) {
    std::string out;
    while (count--) out += glyph;
    return out;
}

}  // namespace

std::string plot_bills(const std::vector<LoggedCall> &calls) {
    const PlottedCalls plotted = plotted_calls(calls);
    proxy::Totals sum;
    for (const LoggedCall *call : plotted.calls) sum.add(call->sum);
    Svg svg(kPlotWidth, kPlotHeight, "The bill of accp proxy, and of the same calls without it");
    svg.text({kPlotLeft, 28}, Anchor::kStart, 17, kInk, "With the proxy and without");
    svg.text({kPlotLeft, 50}, Anchor::kStart, 12, kInk,
             grouped(sum.calls) + " calls, " +
                 bill_tip("in all", sum.bill, plotted.is_priced).substr(8) + " (error " +
                 plotted.amount(sum.bill.error) + ")" +
                 (plotted.others ? "; " + plotted.others_text() : ""));
    if (plotted.calls.empty()) return svg.finish();
    svg.text({kPlotRight, 28}, Anchor::kEnd, 12, kBilledColour, "billed");
    svg.text({kPlotRight, 50}, Anchor::kEnd, 12, kUntouchedColour,
             "untouched, an estimate with its error");
    draw_sums(plotted, svg);
    draw_bars(group_calls(plotted.calls), plotted.is_priced, svg);
    return svg.finish();
}

std::string draw_bill_bars(const std::vector<LoggedCall> &calls) {
    constexpr double kBarWidth = 40;
    const PlottedCalls plotted = plotted_calls(calls);
    const std::vector<BillBar> bars = group_calls(plotted.calls);
    if (bars.empty()) return "no calls\n";
    double most = 0;
    size_t label = 0;
    for (const BillBar &bar : bars) {
        most = std::max({most, bar.sum.bill.billed, bar.sum.bill.untouched});
        label = std::max(label, bar.label.size());
    }
    std::string out =
        left("", label + 2) +
        "\u2588 billed, \u2591 saved, \u2592 billed more than untouched (an estimate)\n";
    for (const auto &[name, sum] : bars) {
        const auto width = [&](double value) {
            return static_cast<size_t>(most > 0 ? std::max(value, 0.0) / most * kBarWidth + 0.5
                                                : 0);
        };
        const size_t billed = width(sum.bill.billed), untouched = width(sum.bill.untouched),
                     common = std::min(billed, untouched), longer = std::max(billed, untouched);
        out += left(name, label + 2) + repeated("\u2588", common) +
               repeated(billed > untouched ? "\u2592" : "\u2591", longer - common) +
               std::string(static_cast<size_t>(kBarWidth) - longer, ' ') +
               right(plotted.amount(sum.bill.billed), 12) + " of " +
               plotted.amount(sum.bill.untouched) + "\n";
    }
    if (plotted.others) out += plotted.others_text() + "\n";
    return out + unit_lines(plotted.is_priced, !plotted.is_priced);
}

}  // namespace cli
