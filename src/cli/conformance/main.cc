// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp-conformance, the program that `accp conformance` starts: runs vectors and prints a verdict
// for each requirement. A requirement that this version cannot show, or that has no vector, is "not
// yet": it is counted separately, never as passed. The exit status is 1 unless everything passed.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/conformance/vectors.h"
#include "cli/host.h"

namespace conformance {

using namespace cli;

namespace {

// The results of the vectors of one requirement.
struct Requirement {
    std::string id;
    std::string what;
    std::string needs;  // what is missing, if not_yet > 0
    size_t passed = 0;
    size_t failed = 0;
    size_t not_yet = 0;
    std::string failures;

    const char *verdict() const { return failed > 0 ? "FAIL" : not_yet > 0 ? "not yet" : "pass"; }
};

class Report {
public:
    // Runs all vectors of a text, or only those of one requirement.
    void run(const std::string &name, std::string_view text, const std::string &only = {}) {
        each_line(text, [&](std::string_view line, size_t number) {
            try {
                const Verdict verdict = runner_.run(line, only);
                if (only.empty() || verdict.id == only) count(verdict);
            } catch (const Failure &failure) {
                throw Failure(name + " line " + std::to_string(number) + ": " + failure.what());
            }
        });
    }

    bool is_empty() const { return rows_.empty(); }

    // Adds a requirement that must have results by the next call of print().
    void expect(const std::string &id) {
        const auto is_it = [&id](const Requirement &row) { return row.id == id; };
        if (std::any_of(rows_.begin(), rows_.end(), is_it)) return;
        rows_.push_back({id, "", "no vector shows it", 0, 0, 1, ""});
    }

    // Prints the results since the last call. Returns whether all passed.
    bool print(const std::string &title, std::string &out) {
        size_t passed = 0;
        size_t failed = 0;
        size_t not_yet = 0;
        size_t vectors = 0;
        for (const Requirement &row : rows_) {
            print_row(row, out);
            vectors += row.passed + row.failed;
            ++(row.failed > 0 ? failed : row.not_yet > 0 ? not_yet : passed);
        }
        out.append(title + ": " + std::to_string(rows_.size()) +
                   " requirements: " + std::to_string(passed) + " pass, ");
        out.append(std::to_string(failed) + " fail, " + std::to_string(not_yet) + " not yet (" +
                   std::to_string(vectors) + " vectors run)");
        out.append(failed > 0    ? ": not met\n"
                   : not_yet > 0 ? ": not complete in this version\n"
                                 : ": met\n");
        rows_.clear();
        return failed == 0 && not_yet == 0 && vectors > 0;
    }

private:
    void count(const Verdict &verdict) {
        if (rows_.empty() || rows_.back().id != verdict.id) {
            for (Requirement &row : rows_) {
                if (row.id == verdict.id)
                    throw Failure("the vectors of " + verdict.id + " are not on consecutive lines");
            }
            rows_.emplace_back();
            rows_.back().id = verdict.id;
            rows_.back().what = verdict.what;
        }
        Requirement &row = rows_.back();
        ++(verdict.outcome == Outcome::kPass   ? row.passed
           : verdict.outcome == Outcome::kFail ? row.failed
                                               : row.not_yet);
        if (verdict.outcome == Outcome::kNotYet) row.needs = verdict.detail;
        if (verdict.outcome == Outcome::kFail)
            row.failures.append("    ").append(verdict.detail).append("\n");
    }

    static void print_row(const Requirement &row, std::string &out) {
        const auto column = [&out](const std::string &text, size_t width) {
            out.append(text).append(text.size() < width ? width - text.size() : 1, ' ');
        };
        const size_t run = row.passed + row.failed;
        column(row.verdict(), 9);
        column(row.id, 17);
        column(run == 0 ? "-" : std::to_string(row.passed) + "/" + std::to_string(run), 7);
        out.append(row.what);
        if (row.not_yet > 0) out.append(" [" + row.needs + "]");
        out.append("\n").append(row.failures);
    }

    VectorRunner runner_;
    std::vector<Requirement> rows_;
};

std::string read_vectors(const std::string &name) {
    std::ifstream file(name, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file) throw Failure(name + ": cannot be read");
    return text;
}

// Runs and reports a built-in set. Returns whether all its requirements passed.
bool run_set(const VectorSet &set, const std::vector<Row> &rows, Report &report, std::string &out) {
    out.append(std::string(set.name) + ": " + set.what + "\n");
    report.run(set.name, built_in_text(set.number));
    for (const Row &row : rows)
        if (row.at == set.name) report.expect(row.id);
    return report.print(set.name, out);
}

void print_waiting(const std::vector<Row> &rows, std::string &out) {
    for (const Row &row : rows)
        if (!row.waits.empty())
            out.append("waits    " + row.id + " for " + row.waits + ": " + row.what + "\n");
}

bool run_row(const std::string &id, Report &report, std::string &out) {
    for (const VectorSet &set : kVectorSets) report.run(set.name, built_in_text(set.number), id);
    if (report.is_empty())
        throw Failure(id +
                      ": no vectors show this row; accp conformance --table lists all rows and "
                      "what shows them");
    return report.print(id, out);
}

int run(const Arguments &arguments, Streams &io) {
    Report report;
    if (arguments.table) {
        io.out.text.append(table_of_rows());
        return 0;
    }
    if (!arguments.vectors.empty()) {
        report.run(arguments.vectors, read_vectors(arguments.vectors));
        return report.print(arguments.vectors, io.out.text) ? 0 : 1;
    }
    if (!arguments.row.empty()) return run_row(arguments.row, report, io.out.text) ? 0 : 1;
    const std::vector<Row> rows = built_in_rows();
    bool complete = true;
    for (const VectorSet &set : kVectorSets)  // level 3 also runs the badges
        if (set.number <= arguments.level || arguments.level == 3)
            complete = run_set(set, rows, report, io.out.text) && complete;
    if (arguments.level == 3) print_waiting(rows, io.out.text);
    return complete ? 0 : 1;
}

}  // namespace

}  // namespace conformance

// Takes the arguments of the subcommand, with or without its name.
int main(int argc, char **argv) {
    std::vector<char *> all(argv, argv + argc);
    std::string name = "conformance";
    if (argc < 2 || name != argv[1]) all.insert(all.begin() + (argc > 0), name.data());
    return cli::run_program(static_cast<int>(all.size()), all.data(), conformance::run);
}
