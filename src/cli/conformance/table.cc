// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The page of all rows: what each asks for, and the command, the test or the page that shows it.
#include <map>

#include "cli/host.h"
#include "cli/conformance/rows.h"
#include "cli/conformance/vectors.h"
#include "cli/conformance/verbs.h"

namespace conformance {

using namespace cli;
namespace {

// The vectors of one row.
struct Shown {
    std::string set, what;
    std::vector<std::string> commands;  // of those that run one
    size_t count = 0;
};

std::map<std::string, Shown> built_in_shown() {
    std::map<std::string, Shown> all;
    const Handle<accp_value> value = new_value(nullptr);
    for (const VectorSet &set : kVectorSets) {
        each_line(built_in_text(set.number), [&](std::string_view line, size_t) {
            accp_error err = {};
            if (accp_value_parse_json(value.get(), line.data(), line.size(), &err) != ACCP_OK)
                throw Failure("the vectors: " + message_of(err));
            const Vector vector(value.get());
            Shown &shown = all[vector.text("id")];
            shown.set = set.name;
            shown.what = vector.text("what");
            ++shown.count;
            if (vector.text("do") == "run") shown.commands.push_back(command_line(vector));
        });
    }
    return all;
}

std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

// In a cell of a table.
std::string cell(std::string_view text) {
    std::string out;
    for (const char c : text) out.append(c == '|' ? "\\|" : std::string(1, c));
    return out;
}

class Table {
public:
    std::string page() {
        const std::vector<Row> rows = built_in_rows();
        std::string body;
        for (const Row &row : rows) {
            if (row.section.empty()) add_row(row, body);
            else
                body.append("\n## " + row.section +
                            "\n\n| row | requirement | level | shown by |\n|---|---|---|---|\n");
        }
        return head() + body;
    }

private:
    std::string head() const {
        std::string out =
            "# Conformance\n\nWritten by `accp conformance --table` from `data/conformance`; do "
            "not "
            "edit it by hand.\n\nEach requirement of the specification has a row with its "
            "evidence: vectors, which are cases as data for `accp conformance`, tests, which "
            "`ctest -R` runs by name, or a page. *Level* is the specification's word. Test names "
            "contain row names: `ctest -R ACCP_3_1_14`.\n\n";
        out.append(std::to_string(shown_ + waiting_) + " rows: " + std::to_string(shown_) +
                   " are shown, " + std::to_string(waiting_) + " wait:\n\n");
        for (const auto &[what, count] : waits_)
            out.append("- " + std::to_string(count) + " for " + what + "\n");
        return out;
    }

    void add_row(const Row &row, std::string &out) {
        const auto found = vectors_.find(row.id);
        const bool has_vectors = found != vectors_.end();
        if (has_vectors == row.at.empty() || has_vectors != row.what.empty())
            throw Failure("the rows: " + row.id + " has vectors, or says what it asks for");
        std::vector<std::string> by;
        if (has_vectors) add_vectors(row, found->second, by);
        if (!row.level.empty()) by.push_back(code("accp conformance --level " + row.level));
        for (const std::string &test : row.tests) by.push_back("test " + code(test));
        if (!row.file.empty()) by.push_back("[" + row.file + "](../" + row.file + ")");
        if (!row.page.empty()) by.push_back("[" + row.page + "](" + row.page + ")");
        if (!row.waits.empty()) by.insert(by.begin(), "**waits** for " + row.waits);
        if (by.empty()) throw Failure("the rows: nothing shows " + row.id);
        ++(row.waits.empty() ? shown_ : waiting_);
        if (!row.waits.empty()) ++waits_[row.waits];
        out.append("| " + row.id + " | " + cell(has_vectors ? found->second.what : row.what) +
                   " | " + row.must + " | ");
        for (size_t i = 0; i < by.size(); ++i) out.append(i == 0 ? "" : "; ").append(cell(by[i]));
        out.append(" |\n");
    }

    static void add_vectors(const Row &row, const Shown &shown, std::vector<std::string> &by) {
        if (shown.set != row.at)
            throw Failure("the rows: the vectors of " + row.id + " are at " + shown.set);
        by.push_back(code("accp conformance --row " + row.id) + ", " + std::to_string(shown.count) +
                     (shown.count == 1 ? " vector" : " vectors") + " of " + row.at);
        for (const std::string &command : shown.commands) by.push_back(code(command));
    }

    const std::map<std::string, Shown> vectors_ = built_in_shown();
    std::map<std::string, size_t> waits_;
    size_t shown_ = 0, waiting_ = 0;
};

}  // namespace

std::string table_of_rows() { return Table().page(); }

}  // namespace conformance
