// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp stats: what messages cost a model, in each of the forms that they could be given in. All
// forms carry the same: agent, intent, operation and payload of a message, or any other JSON as it
// is; only the row with the envelope carries more.
#include <algorithm>
#include <array>
#include <optional>

#include "cli/commands.h"
#include "cli/frames/external_format.h"
#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/terminal/pretty_json.h"
#include "cli/settings.h"
#include "cli/frames/stats_table.h"
#include "cli/frames/tokenizers.h"

namespace cli {
namespace {

// every ts of our time has as many digits, and so as many tokens
constexpr int64_t kTs = 1750000000;

// What was asked for. The baselines may be frames of any size: this measures, and refuses nothing
// for being large.
Arguments without_limits(Arguments arguments) {
    for (const char *limit : {"frame_bytes=1073741824", "depth=64", "items=16777216",
                              "params=1048576", "key_bytes=65535"})
        arguments.limits.insert(arguments.limits.begin(), limit);
    return arguments;
}

// What people would have said, in members beside a message's own (`--baseline nl`).
struct NaturalForm {
    const char *member, *row;
};
constexpr std::array<NaturalForm, 2> kNaturalForms = {
    NaturalForm{"nl", "natural language"}, NaturalForm{"nl_short", "natural language, short"}};

bool asks_for_natural(const Arguments &arguments) {
    for (const std::string &list : arguments.baseline)
        for (const std::string &name : split_commas(list))
            if (name == "nl") return true;
    return false;
}

// The messages are then read without those members.
Arguments without_natural(Arguments arguments) {
    if (asks_for_natural(arguments))
        for (const NaturalForm &form : kNaturalForms) arguments.ignore.push_back(form.member);
    return arguments;
}

std::vector<ExternalFormat> external_formats(const Arguments &arguments, bool &pretty) {
    std::vector<ExternalFormat> formats;
    pretty = arguments.baseline.empty();
    if (arguments.baseline.empty() && is_there(external_format("toon")))
        formats.push_back(external_format("toon"));
    for (const std::string &list : arguments.baseline) {
        for (const std::string &name : split_commas(list)) {
            if (name == "pretty") pretty = true;
            else if (name != "json" && name != "nl") formats.push_back(external_format(name));
        }
    }
    return formats;
}

// One that spells by the tokenizer, where --spell asks for it.
Handle<accp_codec> new_spelling_codec(accp_config *config, const accp_tokenizer *tokenizer) {
    accp_config_set_tokenizer(config, tokenizer, nullptr);
    return new_codec(config);
}

class Stats {
public:
    explicit Stats(const Arguments &arguments)
        : config_(make_config(without_limits(without_natural(arguments)))),
          frame_(new_frame(config_.get())),
          value_(new_value(config_.get())),
          render_(new_render(config_.get())),
          tokenizer_(open_tokenizer(arguments, config_.get())),
          codec_(new_spelling_codec(config_.get(), tokenizer_.get())),
          counter_(new_counter(tokenizer_.get(), config_.get())),
          natural_(asks_for_natural(arguments)),
          externals_(external_formats(arguments, pretty_)) {
        for (const char *name :
             {"compact JSON", "pretty JSON", "wire, body", "wire, with envelope", "render"})
            rows_.push_back({name});
        for (const ExternalFormat &format : externals_) rows_.push_back({format.name});
        for (const NaturalForm &form : kNaturalForms) rows_.push_back({form.row});
        if (!pretty_) rows_[kPretty].left_out = true;
    }

    accp_status add(std::string_view line, accp_error &err) {
        std::string wire, json;
        size_t body = 0;
        NaturalTexts natural;
        accp_status status = read_natural(line, natural, err);
        if (status == ACCP_OK) status = read(line, wire, body, json, err);
        if (status != ACCP_OK) return status;
        base_ = count(json);
        put(kCompact, json);
        if (pretty_) put(kPretty, pretty_json(json));
        if (!wire.empty()) {
            put(kBody, std::string_view(wire).substr(0, body));
            put(kEnvelope, wire);
            check_parts(wire);
        }
        accp_text text = {};
        status = accp_render_json(render_.get(), json.data(), json.size(), 0, &text, &err);
        if (status != ACCP_OK) return status;
        put(kRender, {text.text, text.len});
        for (size_t i = 0; i < externals_.size(); ++i)
            put(kExternals + i, convert(externals_[i], json));
        // what is no message has the members itself
        for (size_t i = 0; i < natural.size() && !wire.empty(); ++i)
            if (natural[i]) put(kExternals + externals_.size() + i, *natural[i]);
        return ACCP_OK;
    }

    StatsTable table() const {
        return {std::string(to_view(accp_tokenizer_name(tokenizer_.get()))),
                accp_tokenizer_approx(tokenizer_.get()) != 0, rows_, over_};
    }

private:
    using NaturalTexts = std::array<std::optional<std::string>, kNaturalForms.size()>;
    enum : size_t { kCompact, kPretty, kBody, kEnvelope, kRender, kExternals };

    // The texts beside the message; a frame has none.
    accp_status read_natural(std::string_view line, NaturalTexts &out, accp_error &err) {
        if (!natural_ || line.empty() || line[0] == '@') return ACCP_OK;
        const accp_status status =
            accp_value_parse_json(value_.get(), line.data(), line.size(), &err);
        if (status != ACCP_OK) return status;
        const Tree tree = tree_of(value_.get());
        if (tree.nodes[0].kind != ACCP_MAP) return ACCP_OK;
        for (size_t i = 0; i < out.size(); ++i) {
            const std::string_view member = kNaturalForms[i].member;
            const uint32_t node = accp_value_find(value_.get(), 0, member.data(), member.size());
            if (node == 0) continue;
            if (tree.nodes[node].kind != ACCP_STRING) {
                err = {ACCP_E1004, 0, 0, "nl and nl_short are texts", 0, 0};
                return ACCP_E1004;
            }
            out[i] = tree.raw(node);
        }
        return ACCP_OK;
    }

    // The record as compact JSON, without what a frame has after its body, and as a frame where it
    // is a message; a frame is read as one.
    accp_status read(std::string_view line, std::string &wire, size_t &body, std::string &json,
                     accp_error &err) {
        accp_text text = {};
        std::string message(line);
        accp_status status = ACCP_OK;
        if (!line.empty() && line[0] == '@') {
            status = accp_codec_decode(codec_.get(), line.data(), line.size(), &text, &err);
            if (status != ACCP_OK) return status;
            message.assign(text.text, text.len);
        }
        stamp();
        if (accp_codec_encode(codec_.get(), message.data(), message.size(), &text, nullptr) ==
            ACCP_OK) {
            wire.assign(text.text, text.len);
            status = accp_frame_parse(frame_.get(), wire.data(), wire.size(), &err);
            if (status != ACCP_OK) return status;
            const Tree tree = tree_of(frame_.get());
            // there is an envelope, so there is metadata
            body = tree.nodes[tree.nodes[3].next].offset;
            status = accp_codec_decode(codec_.get(), wire.data(), body, &text, &err);
        } else {
            status = accp_value_parse_json(value_.get(), message.data(), message.size(), &err);
            if (status == ACCP_OK) status = accp_value_print_json(value_.get(), &text, &err);
        }
        if (status == ACCP_OK) json.assign(text.text, text.len);
        return status;
    }

    void stamp() {
        char mid[12];
        accp_envelope envelope = {};
        envelope.fields = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ | ACCP_ENVELOPE_TS;
        envelope.seq = static_cast<int64_t>(++seq_);
        envelope.ts = kTs;
        envelope.mid = {mid, sizeof mid};
        accp_error err = {};
        if (accp_mid_format(0, 0, seq_, mid, &err) != ACCP_OK ||
            accp_codec_set_envelope(codec_.get(), &envelope, &err) != ACCP_OK)
            throw Failure(message_of(err));
    }

    uint64_t count(std::string_view text) {
        uint64_t tokens = 0;
        accp_error err = {};
        if (accp_counter_count(counter_.get(), text.data(), text.size(), UINT64_MAX, &tokens,
                               &err) != ACCP_OK)
            throw Failure(message_of(err));
        return tokens;
    }

    void put(size_t row, std::string_view text) { rows_[row].add(count(text), text.size(), base_); }

    void check_parts(std::string_view wire) {
        const auto parts = parts_of(wire);
        const auto limits = part_limits();
        for (size_t i = 0; i < kFrameParts; ++i) over_[i].add(count(parts[i]), limits[i]);
    }

    Handle<accp_config> config_;
    Handle<accp_frame> frame_;
    Handle<accp_value> value_;
    Handle<accp_render> render_;
    Handle<accp_tokenizer> tokenizer_;
    Handle<accp_codec> codec_;
    Handle<accp_counter> counter_;
    bool pretty_ = true;
    const bool natural_;
    std::vector<ExternalFormat> externals_;
    std::vector<StatsRow> rows_;
    OverLimits over_ = {};
    uint64_t seq_ = 0;
    uint64_t base_ = 0;  // tokens of the record as compact JSON
};

}  // namespace

int run_stats(const Arguments &arguments, Streams &io) {
    Stats stats(arguments);
    const uint64_t limit = record_limit(arguments, ACCP_LIMIT_JSON_BYTES);
    for_each_line(arguments, io, limit, Lines::kMessages, [&](std::string_view line) {
        accp_error err = {};
        ++io.records;
        if (line.size() > limit)
            err = {ACCP_E1001, 0, limit, "the line is longer than json_bytes", line.size(), limit};
        else if (stats.add(line, err) == ACCP_OK) return;
        io.refuse(err, line);
    });
    write_stats(stats.table(), arguments.json, io.out.text);
    return io.status();
}

}  // namespace cli
