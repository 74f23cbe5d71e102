// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads the requirements (data/conformance/rows.jsonl) and writes the page that lists them: what
// each asks for, and the command, test or page that shows it.
#include <map>

#include "cli/conformance/vectors.h"
#include "cli/conformance/verbs.h"
#include "cli/host.h"

namespace conformance {

using namespace cli;

std::vector<Row> built_in_rows() {
    std::vector<Row> rows;
    const Handle<accp_value> value = new_value(nullptr);
    each_line(built_in_text(kRows), [&](std::string_view line, size_t) {
        accp_error err = {};
        if (accp_value_parse_json(value.get(), line.data(), line.size(), &err) != ACCP_OK)
            throw Failure("rows.jsonl: " + message_of(err));
        const Vector from(value.get());
        Row row;
        row.section = from.text("section");
        for (const auto &[name, to] : {std::pair<const char *, std::string *>{"id", &row.id},
                                       {"must", &row.must},
                                       {"at", &row.at},
                                       {"what", &row.what},
                                       {"level", &row.level},
                                       {"page", &row.page},
                                       {"file", &row.file},
                                       {"waits", &row.waits}})
            *to = from.text(name);
        from.each("test", [&](std::string_view test) { row.tests.emplace_back(test); });
        if (row.section.empty() == row.id.empty())
            throw Failure("rows.jsonl: a line has neither a section nor an id, or both");
        rows.push_back(std::move(row));
    });
    return rows;
}

namespace {

// The vectors of one requirement.
struct RowVectors {
    std::string set, what;
    std::vector<std::string> commands;  // command lines that vectors run
    size_t count = 0;
};

std::map<std::string, RowVectors> vectors_by_row() {
    std::map<std::string, RowVectors> all;
    const Handle<accp_value> value = new_value(nullptr);
    for (const VectorSet &set : kVectorSets) {
        each_line(built_in_text(set.number), [&](std::string_view line, size_t) {
            accp_error err = {};
            if (accp_value_parse_json(value.get(), line.data(), line.size(), &err) != ACCP_OK)
                throw Failure("the vectors: " + message_of(err));
            const Vector vector(value.get());
            RowVectors &row = all[vector.text("id")];
            row.set = set.name;
            row.what = vector.text("what");
            ++row.count;
            if (vector.text("do") == "run") row.commands.push_back(command_line(vector));
        });
    }
    return all;
}

std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

// Escapes text for a cell of a table.
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
            "not edit it by hand.\n\nEach requirement of the specification has a row with its "
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
            throw Failure("rows.jsonl: " + row.id + " needs either vectors or a member \"what\"");
        std::vector<std::string> by;
        if (has_vectors) add_vectors(row, found->second, by);
        if (!row.level.empty()) by.push_back(code("accp conformance --level " + row.level));
        for (const std::string &test : row.tests) by.push_back("test " + code(test));
        if (!row.file.empty()) by.push_back("[" + row.file + "](../" + row.file + ")");
        if (!row.page.empty()) by.push_back("[" + row.page + "](" + row.page + ")");
        if (!row.waits.empty()) by.insert(by.begin(), "**waits** for " + row.waits);
        if (by.empty()) throw Failure("rows.jsonl: nothing shows " + row.id);
        ++(row.waits.empty() ? shown_ : waiting_);
        if (!row.waits.empty()) ++waits_[row.waits];
        out.append("| " + row.id + " | " + cell(has_vectors ? found->second.what : row.what) +
                   " | " + row.must + " | ");
        for (size_t i = 0; i < by.size(); ++i) out.append(i == 0 ? "" : "; ").append(cell(by[i]));
        out.append(" |\n");
    }

    static void add_vectors(const Row &row, const RowVectors &vectors,
                            std::vector<std::string> &by) {
        if (vectors.set != row.at)
            throw Failure("rows.jsonl: the vectors of " + row.id + " are in the set " +
                          vectors.set);
        by.push_back(code("accp conformance --row " + row.id) + ", " +
                     std::to_string(vectors.count) + (vectors.count == 1 ? " vector" : " vectors") +
                     " of " + row.at);
        for (const std::string &command : vectors.commands) by.push_back(code(command));
    }

    const std::map<std::string, RowVectors> vectors_ = vectors_by_row();
    std::map<std::string, size_t> waits_;
    size_t shown_ = 0, waiting_ = 0;
};

}  // namespace

std::string table_of_rows() { return Table().page(); }

}  // namespace conformance
