// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/proxy/report.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "cli/host.h"
#include "cli/settings.h"
#include "cli/terminal/table_text.h"

namespace cli {
namespace {

struct Sum {
    uint64_t calls = 0, evictions = 0;
    double billed = 0, untouched = 0, error = 0, rewriting = 0;

    void add(const Sum &other) {
        calls += other.calls;
        evictions += other.evictions;
        billed += other.billed;
        untouched += other.untouched;
        error += other.error;
        rewriting += other.rewriting;
    }
};

struct Row {
    std::string model;
    bool is_held_out = false;
    Sum sum;
};

// Throws Failure if the line is no call.
double number_of(std::string_view line, std::string_view key, const std::string &place) {
    const std::string text(json_member(line, key));
    char *end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end)
        throw Failure(place + ": has no number \"" + std::string(key) +
                      "\"; give the file that --calls has written");
    return value;
}

std::string fixed(double value) {
    char text[48];
    std::snprintf(text, sizeof text, "%.4f", value);
    return text;
}

std::string json_of(const Sum &sum) {
    return "\"calls\":" + std::to_string(sum.calls) +
           ",\"evictions\":" + std::to_string(sum.evictions) + ",\"billed\":" + fixed(sum.billed) +
           ",\"untouched\":" + fixed(sum.untouched) + ",\"error\":" + fixed(sum.error) +
           ",\"rewriting\":" + fixed(sum.rewriting);
}

// Columns: conversation, calls, billed, untouched, error, saved, model.
std::string line_of(const std::string &name, const Row &row) {
    const Sum &sum = row.sum;
    std::string saved = "-";
    if (row.is_held_out) saved = "held out";
    else if (sum.untouched > 0)
        saved = with_digits(100 * (1 - sum.billed / sum.untouched), 0) + " %";
    return left(name, 17) + right(grouped(sum.calls), 6) + right(fixed(sum.billed), 12) +
           right(fixed(sum.untouched), 12) + right(fixed(sum.error), 10) + right(saved, 10) + "  " +
           row.model + "\n";
}

}  // namespace

int report_calls(const Arguments &arguments, Streams &io) {
    if (arguments.files.size() != 1)
        throw Failure("proxy report: give the file that accp proxy --calls FILE has written");
    const std::string &path = arguments.files.front();
    const std::string text = read_file(path);
    std::map<std::string, Row> rows;
    Row rewritten, held_out;
    held_out.is_held_out = true;
    size_t number = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string place = path + ":" + std::to_string(++number);
        const std::string line = compact_json(std::string_view(text).substr(at, end - at));
        at = end + 1;
        Sum call = {1,
                    static_cast<uint64_t>(number_of(line, "evicted_now", place)),
                    number_of(line, "billed", place),
                    number_of(line, "untouched", place),
                    number_of(line, "error", place),
                    number_of(line, "rewriting", place)};
        Row &row = rows[json_text(json_member(line, "conversation"))];
        row.model = json_text(json_member(line, "model"));
        row.is_held_out = json_member(line, "held_out") == "true";
        row.sum.add(call);
        (row.is_held_out ? held_out : rewritten).sum.add(call);
    }
    std::string &out = io.out.text;
    if (arguments.json) {
        out += "{\"rewritten\":{" + json_of(rewritten.sum) + "},\"held_out\":{" +
               json_of(held_out.sum) + "},\"conversations\":[";
        for (const auto &[name, row] : rows) {
            if (out.back() != '[') out += ',';
            out += "{\"conversation\":\"" + name +
                   "\",\"held_out\":" + (row.is_held_out ? "true," : "false,") + json_of(row.sum) +
                   '}';
        }
        out += "]}\n";
        return 0;
    }
    out += left("conversation", 17) + right("calls", 6) + right("billed", 12) +
           right("untouched", 12) + right("error", 10) + right("saved", 10) + "  model\n";
    for (const auto &[name, row] : rows) out += line_of(name, row);
    out += line_of("all", rewritten);
    if (held_out.sum.calls) out += line_of("held out", held_out);
    return 0;
}

}  // namespace cli
