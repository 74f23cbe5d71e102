// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See rows.h.
#include "cli/conformance/rows.h"

#include "cli/host.h"
#include "cli/conformance/vectors.h"
#include "cli/conformance/verbs.h"

namespace conformance {

using namespace cli;

std::vector<Row> built_in_rows() {
    std::vector<Row> rows;
    const Handle<accp_value> value = new_value(nullptr);
    each_line(built_in_text(kRows), [&](std::string_view line, size_t) {
        accp_error err = {};
        if (accp_value_parse_json(value.get(), line.data(), line.size(), &err) != ACCP_OK)
            throw Failure("the rows: " + message_of(err));
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
        if (row.section.empty() == row.id.empty()) throw Failure("the rows: a line without a name");
        rows.push_back(std::move(row));
    });
    return rows;
}

}  // namespace conformance
