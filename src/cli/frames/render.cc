// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp render: writes messages, frames and other JSON as text for a model. --parse reads that text
// back.
#include <algorithm>

#include "cli/commands.h"
#include "cli/frames/filter.h"
#include "cli/settings.h"

namespace cli {
namespace {

uint32_t render_flags(const Arguments &arguments) {
    return (arguments.untrusted ? uint32_t{ACCP_RENDER_UNTRUSTED} : 0) |
           (arguments.one_line ? uint32_t{ACCP_RENDER_ONE_LINE} : 0) |
           (arguments.envelope ? uint32_t{ACCP_RENDER_ENVELOPE} : 0);
}

int run_writer(const Arguments &arguments, Streams &io, accp_render *render) {
    const uint32_t flags = render_flags(arguments);
    return run_filter(arguments, io, Lines::kMessages,
                      [&](std::string_view line, Streams &streams, accp_error &err) {
                          accp_text text = {};
                          const auto call = !line.empty() && line[0] == '@' ? accp_render_frame
                                                                            : accp_render_json;
                          const accp_status status =
                              call(render, line.data(), line.size(), flags, &text, &err);
                          if (status == ACCP_OK) streams.out.text.append(text.text, text.len);
                          return status;
                      });
}

// Joins lines to records: a table states how many rows follow it, and after these rows a line that
// begins with a space continues the record.
class RecordReader {
public:
    RecordReader(Streams &io, accp_render *render, uint64_t limit)
        : io_(io), render_(render), limit_(limit) {}

    void add_line(std::string_view line) {
        if (open_ && rows_ == 0 && (line.empty() || line[0] != ' ')) finish();
        if (open_) {
            append("\n");
            append(line);
        } else {
            record_.assign(line);
        }
        if (rows_ > 0) --rows_;
        else rows_ = accp_render_row_count(line.data(), line.size()), in_table_ = rows_ > 0;
        open_ = true;
        if (!in_table_) finish();
    }

    // Parses the complete record and writes its JSON.
    void finish() {
        if (!open_) return;
        open_ = in_table_ = false;
        rows_ = 0;
        accp_error err = {};
        accp_text text = {};
        ++io_.records;
        if (accp_render_parse(render_, record_.data(), record_.size(), &text, &err) == ACCP_OK)
            io_.out.text.append(text.text, text.len);
        else io_.refuse(err, record_);
        io_.out.text.push_back('\n');
    }

private:
    // Keeps at most one byte more than the limit, which makes the record too long.
    void append(std::string_view text) {
        record_.append(text.substr(0, limit_ + 1 - std::min<uint64_t>(record_.size(), limit_ + 1)));
    }

    Streams &io_;
    accp_render *render_;
    uint64_t limit_;
    std::string record_;
    uint64_t rows_ = 0;
    bool open_ = false;
    bool in_table_ = false;
};

}  // namespace

int run_render(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_render> render = new_render(config.get());
    if (!arguments.parse) return run_writer(arguments, io, render.get());
    const uint64_t limit = record_limit(arguments, ACCP_LIMIT_JSON_BYTES);
    RecordReader reader(io, render.get(), limit);
    for_each_line(arguments, io, limit, Lines::kMessages,
                  [&](std::string_view line) { reader.add_line(line); });
    reader.finish();
    return io.status();
}

}  // namespace cli
