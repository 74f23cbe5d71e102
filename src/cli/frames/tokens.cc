// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp tokens: counts the tokens of a text: of the whole, of each line, or of each JSON string.
#include <functional>

#include "cli/commands.h"
#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/settings.h"

namespace cli {
namespace {

accp_status refused(accp_error &err, accp_status code, uint64_t offset, const char *message) {
    err = {code, 0, offset, message, 0, 0};
    return code;
}

class TokenFilter {
public:
    explicit TokenFilter(const Arguments &arguments)
        : arguments_(arguments),
          config_(make_config(arguments)),
          tokenizer_(open_tokenizer(arguments, config_.get())),
          counter_(new_counter(tokenizer_.get(), config_.get())),
          value_(new_value(config_.get())) {}

    // Appends "12", or "~12" for an estimate, and with --ids also the ids.
    accp_status count_line(std::string_view text, std::string &out, accp_error &err) {
        accp_status status = count(text, err);
        if (status != ACCP_OK) return status;
        number(tokens_, out);
        ids(" ", " ", out);
        return ACCP_OK;
    }

    // Appends {"tokens":12} for a line that is a JSON string.
    accp_status count_json(std::string_view line, std::string &out, accp_error &err) {
        accp_status status = accp_value_parse_json(value_.get(), line.data(), line.size(), &err);
        if (status != ACCP_OK) return status;
        const Tree tree = tree_of(value_.get());
        if (tree.nodes[0].kind != ACCP_STRING)
            return refused(err, ACCP_E1004, 0, "the line must be one JSON string");
        status = count(tree.raw(0), err);
        if (status != ACCP_OK) return status;
        out.append("{\"tokens\":").append(std::to_string(tokens_));
        if (approx()) out.append(",\"approx\":true");
        if (arguments_.ids) out.append(",\"ids\":[");
        ids("", ",", out);
        out.append(arguments_.ids ? "]}" : "}");
        return ACCP_OK;
    }

    // Counts all input as one text, without keeping it in memory.
    int count_all(Streams &io) {
        accp_error err = {};
        auto need = [&err](accp_status status) {
            if (status != ACCP_OK) throw Failure(message_of(err));
        };
        for_each_block(arguments_, io, [&](std::string_view block) {
            need(accp_counter_append(counter_.get(), block.data(), block.size(), &err));
        });
        need(accp_counter_total(counter_.get(), &tokens_, &err));
        number(tokens_, io.out.text);
        io.out.text.push_back('\n');
        return 0;
    }

private:
    bool approx() const { return accp_tokenizer_is_approximate(tokenizer_.get()) != 0; }

    void number(uint64_t tokens, std::string &out) const {
        out.append(approx() ? "~" : "").append(std::to_string(tokens));
    }

    accp_status count(std::string_view text, accp_error &err) {
        if (!arguments_.ids)
            return accp_counter_count(counter_.get(), text.data(), text.size(), UINT64_MAX,
                                      &tokens_, &err);
        size_t count = 0;
        const accp_status status =
            accp_counter_encode(counter_.get(), text.data(), text.size(), &ids_, &count, &err);
        if (status == ACCP_OK) tokens_ = count;
        return status;
    }

    void ids(const char *before, const char *between, std::string &out) const {
        if (!arguments_.ids) return;
        for (uint64_t i = 0; i < tokens_; ++i)
            out.append(i == 0 ? before : between).append(std::to_string(ids_[i]));
    }

    const Arguments &arguments_;
    Handle<accp_config> config_;
    Handle<accp_tokenizer> tokenizer_;
    Handle<accp_counter> counter_;
    Handle<accp_value> value_;
    uint64_t tokens_ = 0;
    const uint32_t *ids_ = nullptr;
};

}  // namespace

int run_tokens(const Arguments &arguments, Streams &io) {
    TokenFilter filter(arguments);
    const bool lines = arguments.lines || arguments.ids;
    if (!lines && !arguments.jsonl) return filter.count_all(io);
    const uint64_t limit = record_limit(arguments, ACCP_LIMIT_JSON_BYTES);
    for_each_line(arguments, io, limit, arguments.jsonl ? Lines::kMessages : Lines::kFrames,
                  [&](std::string_view line) {
                      accp_error err = {};
                      ++io.records;
                      accp_status status = ACCP_OK;
                      if (line.size() > limit)
                          status =
                              refused(err, ACCP_E1001, limit, "the line is longer than json_bytes");
                      else
                          status = arguments.jsonl ? filter.count_json(line, io.out.text, err)
                                                   : filter.count_line(line, io.out.text, err);
                      if (status != ACCP_OK) io.refuse(err, line);
                      io.out.text.push_back('\n');
                  });
    return io.status();
}

}  // namespace cli
