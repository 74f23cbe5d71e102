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
    std::string model;
    bool is_held_out = false;
    proxy::Totals sum;
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
JsonObject &add_sum(const proxy::Totals &sum, JsonObject &out) {
    return out.json("calls", std::to_string(sum.calls))
        .json("unknown_calls", std::to_string(sum.unknown_calls))
        .json("evictions", std::to_string(sum.evictions))
        .json("resolve_calls", std::to_string(sum.resolve_calls))
        .json("resolve_billed", exact(sum.resolve_bill))
        .json("billed", exact(sum.bill.billed))
        .json("untouched", exact(sum.bill.untouched))
        .json("error", exact(sum.bill.error))
        .json("rewriting", exact(sum.bill.rewriting));
}

// Columns: conversation, calls, billed, untouched, error, saved, model.
std::string bill_line(const std::string &name, const BillRow &row) {
    const proxy::CallBill &bill = row.sum.bill;
    std::string saved = "-";
    if (row.is_held_out) saved = "held out";
    else if (bill.untouched > 0)
        saved = std::to_string(std::lround(100 * bill.saved_share())) + " %";
    return left(name, 17) + right(grouped(row.sum.calls), 6) +
           right(with_digits(bill.billed, 4), 12) + right(with_digits(bill.untouched, 4), 12) +
           right(with_digits(bill.error, 4), 10) + right(saved, 10) + "  " + row.model + "\n";
}

// The bills of a file: by conversation, and of all.
struct Bills {
    std::map<std::string, BillRow> rows;
    BillRow rewritten, held_out;
};

Bills sum_up(const std::vector<LoggedCall> &calls) {
    Bills bills;
    bills.held_out.is_held_out = true;
    for (const LoggedCall &call : calls) {
        BillRow &row = bills.rows[call.conversation];
        row.model = call.model;
        row.is_held_out = call.is_held_out;
        row.sum.add(call.sum);
        (row.is_held_out ? bills.held_out : bills.rewritten).sum.add(call.sum);
    }
    return bills;
}

std::string bills_json(const Bills &bills) {
    JsonObject all, of_rewritten, of_held_out;
    JsonList conversations;
    for (const auto &[name, row] : bills.rows) {
        JsonObject one;
        one.text("conversation", name).flag("held_out", row.is_held_out);
        conversations.json(add_sum(row.sum, one).end());
    }
    all.json("rewritten", add_sum(bills.rewritten.sum, of_rewritten).end())
        .json("held_out", add_sum(bills.held_out.sum, of_held_out).end())
        .json("conversations", conversations.end());
    return all.end() + "\n";
}

std::string bills_table(const Bills &bills) {
    const auto &[rows, rewritten, held_out] = bills;
    std::string out = left("conversation", 17) + right("calls", 6) + right("billed", 12) +
                      right("untouched", 12) + right("error", 10) + right("saved", 10) +
                      "  model\n";
    for (const auto &[name, row] : rows) out += bill_line(name, row);
    out += bill_line("all", rewritten);
    if (held_out.sum.calls) out += bill_line("held out", held_out);
    if (rewritten.sum.resolve_calls)
        out += "of all: " + grouped(rewritten.sum.resolve_calls) +
               " further calls for accp_resolve, billed " +
               with_digits(rewritten.sum.resolve_bill, 4) + "\n";
    for (const BillRow *row : {&rewritten, &held_out})
        if (row->sum.unknown_calls)
            out += std::string(row->is_held_out ? "held out: " : "of all: ") +
                   grouped(row->sum.calls) + " calls; " + left_out_text(row->sum) + "; " +
                   unknown_usage_text(row->sum) + "\n";
    return out;
}

// Throws Failure if the line is not a call. `place` is the file and the line.
LoggedCall read_call(const std::string &line, const std::string &place) {
    LoggedCall call;
    call.time_ms = static_cast<int64_t>(call_number(line, "time_ms", place));
    call.conversation = json_text(json_member(line, "conversation"));
    call.model = json_text(json_member(line, "model"));
    call.is_held_out = json_member(line, "held_out") == "true";
    call.sum.calls = 1;
    call.sum.unknown_calls = json_member(line, "input").empty();
    call.sum.evictions = static_cast<uint64_t>(call_number(line, "evicted_now", place));
    call.sum.bill = {call_number(line, "billed", place), call_number(line, "untouched", place),
                     call_number(line, "error", place), call_number(line, "rewriting", place)};
    if (json_member(line, "resolve") == "true") {
        call.sum.resolve_calls = 1;
        call.sum.resolve_bill = call.sum.bill.billed;
    }
    return call;
}

// Skips the last line if the proxy has not written all of it.
std::vector<LoggedCall> read_calls(const std::string &path, Streams &io) {
    const std::string text = read_file(path);
    std::vector<LoggedCall> calls;
    size_t number = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string place = path + ":" + std::to_string(++number);
        std::string line;
        try {
            line = compact_json(std::string_view(text).substr(at, end - at));
        } catch (const Failure &failure) {
            const std::string fault = failure.what();  // "E1001 at byte 17: what is wrong"
            if (end < text.size())
                throw Failure(place + ": not a line of --calls (" +
                              fault.substr(fault.find(": ") + 2) + ")");
            append_printable("accp: " + place + ": skipped, because the line is incomplete",
                             io.err.text);
            io.err.text.append("\n");
            break;
        }
        calls.push_back(read_call(line, place));
        at = end + 1;
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
