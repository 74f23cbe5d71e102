// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp stats: counts what messages cost in tokens in each form that they can be sent in. All forms
// carry the same content: agent, intent, operation and payload of a message, or any other JSON as
// it is. Only the row "wire, with envelope" carries more.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/process/child.h"
#include "cli/settings.h"
#include "cli/terminal/table_text.h"

namespace cli {
namespace {

// A format that another program writes: it reads JSON on standard input and writes the format to
// standard output.
struct ExternalFormat {
    std::string name;
    std::vector<std::string> command;  // program and arguments; there is no shell
};

[[noreturn]] void fail(const ExternalFormat &format, const std::string &what) {
    throw Failure("--baseline " + format.name + ": " + what);
}

// Reads "toon" or "NAME=COMMAND ARGUMENTS". Throws Failure for any other text.
ExternalFormat external_format(std::string_view text) {
    const size_t equals = text.find('=');
    if (text == "toon") return {"TOON", {"toon"}};
    if (equals == 0 || equals == std::string_view::npos)
        throw Failure("--baseline: unknown name \"" + std::string(text) +
                      "\"; use one of json, pretty, toon, nl, or NAME=COMMAND");
    ExternalFormat format = {std::string(text.substr(0, equals)), {}};
    format.command = split_command(text.substr(equals + 1));
    if (format.command.empty()) fail(format, "there is no command after =");
    return format;
}

// Converts `json` and drops the newline at the end of the result. Throws Failure if the program
// cannot be started or fails.
std::string convert(const ExternalFormat &format, std::string_view json) {
    ChildResult ran = run_child_on(format.command, json);
    if (ran.error != 0) fail(format, format.command[0] + ": " + std::strerror(ran.error));
    if (ran.status != 0) fail(format, format.command[0] + " failed: " + ran.fault());
    std::string out = std::move(ran.out);
    if (!out.empty() && out.back() == '\n') out.pop_back();
    return out;
}

// The totals of one form, over all records that have this form.
struct StatsRow {
    const std::string name;
    bool left_out = false;
    uint64_t records = 0;
    uint64_t tokens = 0;
    uint64_t bytes = 0;
    uint64_t history = 0;   // tokens if all earlier records are sent again before each record
    uint64_t baseline = 0;  // tokens of the same records as compact JSON
    uint64_t longer = 0;    // records that have more tokens than as compact JSON

    void add(uint64_t record_tokens, uint64_t record_bytes, uint64_t record_baseline) {
        ++records;
        tokens += record_tokens;
        bytes += record_bytes;
        history += tokens;
        baseline += record_baseline;
        longer += record_tokens > record_baseline;
    }
};

// Counts the frames in which a part exceeds its limits, and keeps the largest size.
struct OverLimit {
    uint64_t soft = 0, hard = 0, max = 0;

    void add(uint64_t tokens, const PartLimit &limit) {
        hard += tokens > limit.hard;
        soft += tokens > limit.soft && tokens <= limit.hard;
        if (tokens > max) max = tokens;
    }
};
using OverLimits = std::array<OverLimit, kFrameParts>;

struct StatsTable {
    std::string tokenizer;
    bool approx;
    const std::vector<StatsRow> &rows;
    const OverLimits &over;
};

// Returns a share such as "78.5 %".
std::string share(uint64_t part, uint64_t whole) {
    if (whole == 0) return "-";
    const uint64_t tenths = (part * 1000 + whole / 2) / whole;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

void write_row(const StatsRow &row, uint64_t all, size_t width, std::string &out) {
    if (row.left_out || row.records == 0) return;
    out.append("  ").append(left(row.name, width)).append(right(grouped(row.tokens), 12));
    out.append(right(share(row.tokens, row.baseline), 10))
        .append(right(grouped(row.bytes), 13))
        .append(right(grouped(row.history), 16));
    out.append(right(grouped(row.longer), 9));
    if (row.records != all)
        out.append("   of ").append(grouped(row.records)).append(" records that have this form");
    out.append("\n");
}

void write_limits(const StatsTable &table, std::string &out) {
    for (int i = 0; i < kFrameParts; ++i) {
        const OverLimit &over = table.over[static_cast<size_t>(i)];
        const PartLimit limit = part_limits()[static_cast<size_t>(i)];
        if (over.soft == 0 && over.hard == 0) continue;
        out.append("warning: ").append(limit.name).append(" over the limits of a frame: ");
        out.append(grouped(over.hard))
            .append(" above ")
            .append(std::to_string(limit.hard))
            .append(" tokens (hard), ");
        out.append(grouped(over.soft))
            .append(" more above ")
            .append(std::to_string(limit.soft))
            .append(" (soft); the largest has ");
        out.append(grouped(over.max)).append("\n");
    }
}

void write_json_row(const StatsRow &row, std::string &out) {
    auto number = [&out](const char *name, uint64_t value) {
        out.append(",\"").append(name).append("\":").append(std::to_string(value));
    };
    out.append("{\"format\":\"");
    for (const char c : row.name) out.append(c == '"' || c == '\\' ? "\\" : "").push_back(c);
    out.append("\"");
    number("records", row.records);
    number("tokens", row.tokens);
    number("bytes", row.bytes);
    number("history", row.history);
    number("baseline", row.baseline);
    number("longer", row.longer);
    out.append("}");
}

// Appends the result as one JSON object, or as a table for people.
void write_stats(const StatsTable &table, bool json, std::string &out) {
    if (json) {
        out.append("{\"tokenizer\":\"")
            .append(table.tokenizer)
            .append("\",\"approx\":")
            .append(table.approx ? "true" : "false")
            .append(",\"rows\":[");
        bool first = true;
        for (const StatsRow &row : table.rows) {
            if (row.left_out || row.records == 0) continue;
            if (!first) out.append(",");
            first = false;
            write_json_row(row, out);
        }
        out.append("]}\n");
        return;
    }
    const uint64_t all = table.rows.front().records;
    size_t width = 0;
    for (const StatsRow &row : table.rows) width = std::max(width, row.name.size());
    out.append(grouped(all))
        .append(all == 1 ? " record, tokens " : " records, tokens ")
        .append(table.approx ? "estimated by " : "by ");
    out.append(table.tokenizer)
        .append("\n\n  ")
        .append(left("", width))
        .append(right("tokens", 12))
        .append(right("of JSON", 10));
    out.append(right("bytes", 13))
        .append(right("as history", 16))
        .append(right("longer", 9))
        .append("\n");
    for (const StatsRow &row : table.rows) write_row(row, all, width, out);
    out.append(
        "\nof JSON: compared with the same records as compact JSON. as history: if all earlier "
        "records are sent again before each record.\n"
        "longer: the number of records with more tokens than as compact JSON.\n");
    write_limits(table, out);
}

// Any current timestamp has as many digits, and so as many tokens.
constexpr int64_t kTs = 1750000000;

// Raises the limits of the library, unless the user set them: this command measures and should not
// refuse a large record.
Arguments without_limits(Arguments arguments) {
    for (const char *limit : {"frame_bytes=1073741824", "depth=64", "items=16777216",
                              "params=1048576", "key_bytes=65535"})
        arguments.limits.insert(arguments.limits.begin(), limit);
    return arguments;
}

// The same message in natural language, in extra members of the input (--baseline nl).
struct NaturalForm {
    const char *member, *row;
};
constexpr std::array<NaturalForm, 2> kNaturalForms = {
    NaturalForm{"nl", "natural language"}, NaturalForm{"nl_short", "natural language, short"}};

bool wants_natural(const Arguments &arguments) {
    for (const std::string &list : arguments.baseline)
        for (const std::string &name : split_commas(list))
            if (name == "nl") return true;
    return false;
}

// Ignores these members when a message is encoded.
Arguments without_natural(Arguments arguments) {
    if (wants_natural(arguments))
        for (const NaturalForm &form : kNaturalForms) arguments.ignore.push_back(form.member);
    return arguments;
}

std::vector<ExternalFormat> external_formats(const Arguments &arguments, bool &pretty) {
    std::vector<ExternalFormat> formats;
    pretty = arguments.baseline.empty();
    if (arguments.baseline.empty() && is_command("toon"))
        formats.push_back(external_format("toon"));
    for (const std::string &list : arguments.baseline) {
        for (const std::string &name : split_commas(list)) {
            if (name == "pretty") pretty = true;
            else if (name != "json" && name != "nl") formats.push_back(external_format(name));
        }
    }
    return formats;
}

// Returns a codec that chooses the spelling by the tokenizer, if --spell cheapest is given.
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
          natural_(wants_natural(arguments)),
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
        baseline_ = count(json);
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
        // JSON that is not a message keeps these members as its content
        for (size_t i = 0; i < natural.size() && !wire.empty(); ++i)
            if (natural[i]) put(kExternals + externals_.size() + i, *natural[i]);
        return ACCP_OK;
    }

    StatsTable table() const {
        return {std::string(to_view(accp_tokenizer_name(tokenizer_.get()))),
                accp_tokenizer_is_approximate(tokenizer_.get()) != 0, rows_, over_};
    }

private:
    using NaturalTexts = std::array<std::optional<std::string>, kNaturalForms.size()>;
    enum : size_t { kCompact, kPretty, kBody, kEnvelope, kRender, kExternals };

    // Reads the natural-language members of a message. A frame has none.
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
                err = {ACCP_E1004, 0, 0, "nl and nl_short must be strings", 0, 0};
                return ACCP_E1004;
            }
            out[i] = tree.raw(node);
        }
        return ACCP_OK;
    }

    // Reads a message or a frame. Sets `json` to the record as compact JSON, without metadata. For
    // a message also sets `wire` to its frame and `body` to the length of the frame without
    // metadata.
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
        set_envelope();
        if (accp_codec_encode(codec_.get(), message.data(), message.size(), &text, nullptr) ==
            ACCP_OK) {
            wire.assign(text.text, text.len);
            status = accp_frame_parse(frame_.get(), wire.data(), wire.size(), &err);
            if (status != ACCP_OK) return status;
            const Tree tree = tree_of(frame_.get());
            // the frame has an envelope, so it has metadata
            body = tree.nodes[tree.nodes[3].next].offset;
            status = accp_codec_decode(codec_.get(), wire.data(), body, &text, &err);
        } else {
            status = accp_value_parse_json(value_.get(), message.data(), message.size(), &err);
            if (status == ACCP_OK) status = accp_value_print_json(value_.get(), &text, &err);
        }
        if (status == ACCP_OK) json.assign(text.text, text.len);
        return status;
    }

    // Sets the envelope of the next message.
    void set_envelope() {
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

    void put(size_t row, std::string_view text) {
        rows_[row].add(count(text), text.size(), baseline_);
    }

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
    uint64_t baseline_ = 0;  // tokens of the record as compact JSON
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
