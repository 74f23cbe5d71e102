// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp-conformance, which `accp conformance` starts: runs vectors and prints a verdict for each
// requirement. A row that this version cannot run is "not yet": counted apart, never as passed.
// Exit status 1 when a vector failed, or when of the highest level asked for nothing could be run.
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cli/failure.h"
#include "cli/program.h"
#include "conformance/vectors.h"

namespace conformance {

using namespace cli;
namespace {

// What the vectors of one requirement came to.
struct Requirement {
    std::string id;
    std::string what;
    std::string needs;  // of its rows that are not yet
    size_t passed = 0;
    size_t failed = 0;
    size_t not_yet = 0;
    std::string failures;

    const char *verdict() const { return failed > 0 ? "FAIL" : not_yet > 0 ? "not yet" : "pass"; }
};

class Report {
public:
    // Runs all vectors of a text, one a line; an empty line is none.
    void run(const std::string &name, std::string_view text) {
        for (size_t number = 1; !text.empty(); ++number) {
            const size_t end = std::min(text.find('\n'), text.size());
            const std::string_view line = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            if (line.empty()) continue;
            try {
                count(runner_.run(line));
            } catch (const Failure &failure) {
                throw Failure(name + " line " + std::to_string(number) + ": " + failure.what());
            }
        }
    }

    // Prints what came in since the last call; answers whether it stands.
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
        return failed == 0 && vectors > 0;
    }

private:
    void count(const Verdict &verdict) {
        if (rows_.empty() || rows_.back().id != verdict.id) {
            for (Requirement &row : rows_) {
                if (row.id == verdict.id)
                    throw Failure("the vectors of " + verdict.id + " do not lie together");
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

int run(const Arguments &arguments, Streams &io) {
    Report report;
    if (!arguments.vectors.empty()) {
        report.run(arguments.vectors, read_vectors(arguments.vectors));
        return report.print(arguments.vectors, io.out.text) ? 0 : 1;
    }
    bool stands = true;
    for (int level = 1; level <= arguments.level; ++level) {
        const std::string name = "level " + std::to_string(level);
        report.run(name, built_in_vectors(level));
        stands = report.print(name, io.out.text) && stands;
    }
    if (arguments.level == 3) {
        report.run("profiles", built_in_vectors(4));
        stands = report.print("profiles", io.out.text) && stands;
    }
    return stands ? 0 : 1;
}

}  // namespace
}  // namespace conformance

// Its arguments are those of the subcommand, whose name may stand first.
int main(int argc, char **argv) {
    std::vector<char *> all(argv, argv + argc);
    std::string name = "conformance";
    if (argc < 2 || name != argv[1]) all.insert(all.begin() + (argc > 0), name.data());
    return cli::run_program(static_cast<int>(all.size()), all.data(), conformance::run);
}
