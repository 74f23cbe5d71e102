// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/proxy/report.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "cli/host.h"
#include "cli/proxy/accounts.h"
#include "cli/proxy/bill_plot.h"
#include "cli/settings.h"
#include "cli/terminal/table_text.h"

namespace cli {
namespace {

struct BillRow {
    std::string models[2];  // without a price and with one: the last of each
    bool is_held_out = false;
    proxy::UnitTotals sums;
};

// Throws Failure if the line is not a call.
double call_number(std::string_view line, std::string_view key, const std::string &place) {
    const std::string text(json_member(line, key));
    char *end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end)
        throw Failure(place + ": not a line of --calls (it has no number \"" + std::string(key) +
                      "\")");
    return value;
}

// Returns the shortest text that is read as the same number.
std::string exact(double value) {
    char text[32];
    const std::to_chars_result done = std::to_chars(text, text + sizeof text, value);
    return std::string(text, done.ptr);
}

// Appends the members of a sum.
JsonObject &add_sum(const proxy::Totals &sum, bool is_priced, JsonObject &out) {
    return out.text("unit", proxy::unit_name(is_priced))
        .json("calls", std::to_string(sum.calls))
        .json("failed_calls", std::to_string(sum.failed_calls))
        .json("unknown_calls", std::to_string(sum.unknown_calls))
        .json("evictions", std::to_string(sum.evictions))
        .json("resolve_calls", std::to_string(sum.resolve_calls))
        .json("resolve_billed", exact(sum.resolve_bill))
        .json("billed", exact(sum.bill.billed))
        .json("untouched", exact(sum.bill.untouched))
        .json("error", exact(sum.bill.error))
        .json("rewriting", exact(sum.bill.rewriting));
}

std::string sum_json(const proxy::Totals &sum, bool is_priced) {
    JsonObject out;
    return add_sum(sum, is_priced, out).end();
}

bool has_any(const proxy::Totals &sum) { return sum.calls || sum.failed_calls; }

// Columns: conversation, calls, failed, billed, untouched, error, saved, model. A line for each
// unit.
std::string bill_lines(const std::string &name, const BillRow &row, bool is_needed = false) {
    std::string out;
    for (const bool is_priced : {true, false}) {
        const proxy::Totals &sum = row.sums.of(is_priced);
        if (!has_any(sum) && !(is_needed && is_priced && !has_any(row.sums.tokens))) continue;
        const proxy::CallBill &bill = sum.bill;
        const auto amount = [&](double value) {
            return sum.calls ? amount_text(value, is_priced) : "-";
        };
        std::string saved = "-";
        if (row.is_held_out) saved = "held out";
        else if (bill.untouched > 0)
            saved = std::to_string(std::lround(100 * bill.saved_share())) + " %";
        out += left(name, 17) + right(grouped(sum.calls), 6) +
               right(sum.failed_calls ? grouped(sum.failed_calls) : "-", 8) +
               right(amount(bill.billed), 13) + right(amount(bill.untouched), 13) +
               right(amount(bill.error), 11) + right(saved, 10) + "  " + row.models[is_priced] +
               "\n";
    }
    return out;
}

// The bills of a file: by conversation, and of all.
struct Bills {
    std::map<std::string, BillRow> rows;
    BillRow rewritten, held_out;
    std::string last_failure;
};

Bills sum_up(const std::vector<LoggedCall> &calls) {
    Bills bills;
    bills.held_out.is_held_out = true;
    for (const LoggedCall &call : calls) {
        BillRow &row = bills.rows[call.conversation];
        row.models[call.is_priced] = call.model;
        row.is_held_out = call.is_held_out;
        row.sums.of(call.is_priced).add(call.sum);
        (row.is_held_out ? bills.held_out : bills.rewritten).sums.of(call.is_priced).add(call.sum);
        if (!call.failure.empty()) bills.last_failure = call.failure;
    }
    return bills;
}

std::string bills_json(const Bills &bills) {
    JsonObject all;
    JsonList conversations;
    for (const auto &[name, row] : bills.rows)
        for (const bool is_priced : {true, false}) {
            if (!has_any(row.sums.of(is_priced))) continue;
            JsonObject one;
            one.text("conversation", name).flag("held_out", row.is_held_out);
            conversations.json(add_sum(row.sums.of(is_priced), is_priced, one).end());
        }
    const auto add = [&](const std::string &name, const proxy::UnitTotals &sums) {
        all.json(name, sum_json(sums.dollars, true))
            .json(name + "_without_price", sum_json(sums.tokens, false));
    };
    add("rewritten", bills.rewritten.sums);
    add("held_out", bills.held_out.sums);
    all.json("conversations", conversations.end());
    return all.end() + "\n";
}

// Returns what the columns and the units are.
std::string legend(const Bills &bills) {
    const auto has = [&](bool is_priced) {
        return bills.rewritten.sums.of(is_priced).calls || bills.held_out.sums.of(is_priced).calls;
    };
    return "billed: by the provider. untouched: an estimate of the same calls without the proxy. "
           "error: one standard deviation of that estimate.\n" +
           unit_lines(has(true), has(false));
}

std::string bills_table(const Bills &bills) {
    std::string out = left("conversation", 17) + right("calls", 6) + right("failed", 8) +
                      right("billed", 13) + right("untouched", 13) + right("error", 11) +
                      right("saved", 10) + "  model\n";
    for (const auto &[name, row] : bills.rows) out += bill_lines(name, row);
    out += bill_lines("all", bills.rewritten, true) + bill_lines("held out", bills.held_out);
    for (const BillRow *row : {&bills.rewritten, &bills.held_out}) {
        const std::string name = row->is_held_out ? "held out: " : "of all: ";
        for (const bool is_priced : {true, false}) {
            const proxy::Totals &sum = row->sums.of(is_priced);
            if (sum.resolve_calls)
                out += name + grouped(sum.resolve_calls) +
                       " further calls for accp_resolve, billed " +
                       amount_text(sum.resolve_bill, is_priced) + "\n";
        }
        const proxy::Totals sum = row->sums.all();
        if (sum.unknown_calls)
            out += name + grouped(sum.calls) + " calls; " + left_out_text(sum) + "; " +
                   unknown_usage_text(sum) + "\n";
    }
    if (!bills.last_failure.empty()) out += "last failure: " + bills.last_failure + "\n";
    return out + legend(bills);
}

// Throws Failure if the line is not a call. `place` is the file and the line.
LoggedCall read_call(const std::string &line, const std::string &place,
                     const proxy::PriceTable &prices) {
    LoggedCall call;
    call.time_ms = static_cast<int64_t>(call_number(line, "time_ms", place));
    call.conversation = json_text(json_member(line, "conversation"));
    call.model = json_text(json_member(line, "model"));
    call.is_held_out = json_member(line, "held_out") == "true";
    const std::string_view unit = json_member(line, "unit");
    // Earlier versions wrote no unit, no status and no calls that failed.
    call.is_priced = unit.empty() ? prices.find(call.model, proxy::day_of(call.time_ms), 0).is_known
                                  : json_text(unit) == proxy::unit_name(true);
    call.failure = json_text(json_member(line, "failed"));
    const std::string_view status = json_member(line, "status");
    call.sum.failed_calls = !call.failure.empty();
    call.sum.calls = status.empty() || (status.size() == 3 && status.starts_with('2'));
    call.sum.unknown_calls = call.sum.calls && json_member(line, "input").empty();
    call.sum.evictions = static_cast<uint64_t>(call_number(line, "evicted_now", place));
    call.sum.bill = {call_number(line, "billed", place), call_number(line, "untouched", place),
                     call_number(line, "error", place), call_number(line, "rewriting", place)};
    if (json_member(line, "resolve") == "true") {
        call.sum.resolve_calls = 1;
        call.sum.resolve_bill = call.sum.bill.billed;
    }
    return call;
}

// Returns whether a line is the beginning of one of --calls, of which the rest was not written.
bool is_cut_line(std::string_view line) {
    constexpr std::string_view kBegin = "{\"time_ms\":";
    return !line.empty() && !line.ends_with('}') &&
           line.substr(0, kBegin.size()) == kBegin.substr(0, line.size());
}

// Skips lines of which the proxy has not written all, because it was killed.
std::vector<LoggedCall> read_calls(const std::string &path, Streams &io) {
    const std::string text = read_file(path);
    const proxy::PriceTable prices;
    std::vector<LoggedCall> calls;
    size_t number = 0, skipped = 0, last_skipped = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view raw = std::string_view(text).substr(at, end - at);
        const std::string place = path + ":" + std::to_string(++number);
        at = end + 1;
        std::string line;
        try {
            line = compact_json(raw);
        } catch (const Failure &failure) {
            const std::string fault = failure.what();  // "E1001 at byte 17: what is wrong"
            if (!is_cut_line(raw))
                throw Failure(place + ": not a line of --calls (" +
                              fault.substr(fault.find(": ") + 2) + ")");
            ++skipped;
            last_skipped = number;
            continue;
        }
        calls.push_back(read_call(line, place, prices));
    }
    if (skipped) {
        append_printable("accp: " + path + ": " + std::to_string(skipped) +
                             (skipped == 1 ? " incomplete line was" : " incomplete lines were") +
                             " skipped (" + (skipped == 1 ? "line " : "the last one is line ") +
                             std::to_string(last_skipped) +
                             "), because the proxy was killed while it wrote",
                         io.err.text);
        io.err.text.append("\n");
    }
    return calls;
}

// Returns whether the file can be replaced by an SVG: it is one, or not a regular file.
bool can_be_plot(const std::string &path) {
    constexpr size_t kLongestBegin = 5;
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return true;
    std::string begin(kLongestBegin, '\0');
    std::ifstream(path, std::ios::binary).read(begin.data(), kLongestBegin);
    return begin.starts_with("<svg") || begin.starts_with("<?xml");
}

void write_plot(const std::string &path, const std::string &svg) {
    if (!can_be_plot(path))
        throw Failure("--plot " + path + ": exists and is not an SVG; give another file");
    std::ofstream file(path, std::ios::binary);
    file << svg;
    file.close();
    if (!file) throw Failure("--plot " + path + ": cannot be written: " + std::strerror(errno));
}

}  // namespace

int report_calls(const Arguments &arguments, Streams &io) {
    if (arguments.files.size() != 1)
        throw Failure(
            "proxy report: give the file that accp proxy --calls FILE has written, before --plot");
    const std::string &path = arguments.files.front();
    const std::vector<LoggedCall> calls = read_calls(path, io);
    if (arguments.plot == "-") {
        io.out.text += draw_bill_bars(calls);
        return 0;
    }
    if (!arguments.plot.empty()) {
        write_plot(arguments.plot, plot_bills(calls));
        return 0;
    }
    const Bills bills = sum_up(calls);
    io.out.text += arguments.json ? bills_json(bills) : bills_table(bills);
    return 0;
}

}  // namespace cli
