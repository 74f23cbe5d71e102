// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp encode: writes messages, given as JSON, as frames. --envelope adds mid, seq and ts. A
// refused message uses no seq, so the numbers have no gaps; a split message uses one for each part.
// accp decode: writes frames as messages. It inverts accp encode under the same options.
#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "cli/commands.h"
#include "cli/frames/filter.h"
#include "cli/frames/frame_codec.h"
#include "cli/host.h"
#include "cli/settings.h"

namespace cli {
namespace {

// Implements --trace: reports on standard error what each step of the pipeline (specification 7.2
// and 7.3) did to a record. It parses input and output again through the library and compares them.
// Under a registry, keys are shown as the frame has them, and a value by position as CODE[place].
// A split message is shown with its frames only.
class Trace {
public:
    // `codec` marks defaults and has the registry of the run; NULL without a registry.
    Trace(const accp_config *config, Handle<accp_codec> codec);

    // Reports one record of encode or decode. The output is empty if the record was refused.
    void encoded(Streams &io, std::string_view message, std::string_view frame, uint64_t parts);
    void decoded(Streams &io, std::string_view frame, std::string_view message);

private:
    bool parse(std::string_view message, std::string_view frame);
    void schema(const char *step, std::string &out) const;
    void defaults(const char *step, std::string &out) const;
    bool by_position() const;
    uint64_t count(std::string_view text) const;
    void budget(std::string_view frame, uint64_t parts, std::string &out) const;
    bool is_left_out(uint32_t w) const;
    std::string wire_name(uint32_t w) const;
    void keys(const char *step, bool encoding, std::string &out) const;
    void values(const char *step, bool encoding, std::string &out) const;
    template <typename Use>
    void for_each_param(Use use) const;

    Handle<accp_frame> frame_;
    Handle<accp_value> value_;
    Handle<accp_codec> codec_;
    Handle<accp_tokenizer> tokenizer_;
    Handle<accp_counter> counter_;
    Tree wire_;
    Tree json_;
    uint32_t payload_ = 0;  // in json_
};

// Appends "  2 keys    ", or spaces of the same width for "".
void label(const char *step, std::string &out) {
    out.append("  ").append(step).append(
        10 - std::min<size_t>(10, std::char_traits<char>::length(step)), ' ');
}

bool is_quoted(std::string_view wire) {
    return wire.size() >= 2 && wire.front() == '"' && wire.back() == '"';
}

// Returns how a value is written on the wire, such as "str, quoted".
std::string spelling(const accp_node &wire, std::string_view text, const accp_node &json) {
    if (wire.kind == ACCP_MAP && json.kind == ACCP_ARRAY) return "table";
    if (wire.kind != ACCP_STRING) return kind_name(wire);
    if (json.kind == ACCP_NUMBER || json.kind == ACCP_DEC) return "number, as text";
    return is_quoted(text) ? "str, quoted" : "str, plain";
}

Trace::Trace(const accp_config *config, Handle<accp_codec> codec)
    : frame_(new_frame(config)),
      value_(new_value(config)),
      codec_(std::move(codec)),
      tokenizer_(open_tokenizer({}, config)),
      counter_(new_counter(tokenizer_.get(), config)) {}

// Parses both sides into trees. Returns false if there is no payload to compare.
bool Trace::parse(std::string_view message, std::string_view frame) {
    if (codec_) {  // decode the frame again: its own order of members, and the defaults
        accp_text text = {};
        if (accp_codec_decode(codec_.get(), frame.data(), frame.size(), &text, nullptr) != ACCP_OK)
            return false;
        message = {text.text, text.len};
    }
    if (accp_value_parse_json(value_.get(), message.data(), message.size(), nullptr) != ACCP_OK)
        return false;
    if (accp_frame_parse(frame_.get(), frame.data(), frame.size(), nullptr) != ACCP_OK)
        return false;
    json_ = tree_of(value_.get());
    wire_ = tree_of(frame_.get());
    payload_ = accp_value_find(value_.get(), 0, "payload", 7);
    return payload_ != 0 && json_.nodes[payload_].kind == ACCP_MAP;
}

bool Trace::by_position() const {
    const uint32_t schema = accp_value_find(value_.get(), payload_, "schema", 6);
    return schema != 0 && wire_.nodes[3].len != 0 && wire_.key(4) == json_.raw(schema) && codec_;
}

void Trace::schema(const char *step, std::string &out) const {
    if (!codec_) return;
    label(step, out);
    const uint32_t schema = accp_value_find(value_.get(), payload_, "schema", 6);
    if (schema != 0) append_printable(json_.raw(schema), out);
    else out.append("not named");
    out.append(by_position() ? ", by position\n" : "\n");
}

void Trace::defaults(const char *step, std::string &out) const {
    const uint32_t list = codec_ ? accp_value_find(value_.get(), 0, "defaults", 8) : 0;
    if (list == 0) return;
    label(step, out);
    for (uint32_t i = list + 1; i < json_.nodes[list].next; ++i) {
        if (i > list + 1) out.append(", ");
        append_printable(json_.raw(i), out);
    }
    out.append(json_.nodes[list].len == 0 ? "none\n" : "\n");
}

// Returns whether this is "!", the mark of a value by position that was left out.
bool Trace::is_left_out(uint32_t w) const {
    return wire_.nodes[w].kind == ACCP_STRING && wire_.raw(w) == "!";
}

// Returns the key of a param, or CODE[place] for a value by position.
std::string Trace::wire_name(uint32_t w) const {
    if (!by_position() || w >= wire_.nodes[4].next) return std::string(wire_.key(w));
    uint32_t place = 0;
    for (uint32_t i = 5; i < w; i = wire_.nodes[i].next) ++place;
    return std::string(wire_.key(4)) + "[" + std::to_string(place) + "]";
}

// Calls use(wire node, JSON node) for each param. Params are on the wire in the order of the
// payload, with the values by position first.
template <typename Use>
void Trace::for_each_param(Use use) const {
    const bool positions = by_position();
    uint32_t w = positions ? 5 : 4;
    uint32_t j = payload_ + 1;
    while (w < wire_.nodes[3].next && j < json_.nodes[payload_].next) {
        if (positions && w < wire_.nodes[4].next && is_left_out(w)) {
            w = wire_.nodes[w].next;
            continue;
        }
        use(w, j);
        w = wire_.nodes[w].next;
        j = json_.nodes[j].next;
    }
}

void Trace::keys(const char *step, bool encoding, std::string &out) const {
    for_each_param([&](uint32_t w, uint32_t j) {
        label(step, out);
        step = "";
        const std::string name = wire_name(w);
        const std::string_view from = encoding ? json_.key(j) : std::string_view(name);
        const std::string_view to = encoding ? std::string_view(name) : json_.key(j);
        append_printable(from, out);
        out.append(from == to ? "" : " -> ");
        if (from != to) append_printable(to, out);
        out += '\n';
    });
}

void Trace::values(const char *step, bool encoding, std::string &out) const {
    for_each_param([&](uint32_t w, uint32_t j) {
        label(step, out);
        step = "";
        const std::string wire = shown(frame_.get(), w);
        append_printable(wire_name(w), out);
        out.append(" = ").append(encoding ? wire : shown(json_, j)).append(" (");
        out.append(spelling(wire_.nodes[w], wire_.raw(w), json_.nodes[j])).append(")\n");
    });
}

uint64_t Trace::count(std::string_view text) const {
    uint64_t tokens = 0;
    accp_counter_count(counter_.get(), text.data(), text.size(), UINT64_MAX, &tokens, nullptr);
    return tokens;
}

// Reports step 5, the count of tokens, and step 6, whether the frame was split.
void Trace::budget(std::string_view frame, uint64_t parts, std::string &out) const {
    label("5 tokens", out);
    uint64_t total = 0;
    for (size_t at = 0; at < frame.size();) {
        const size_t end = std::min(frame.find('\n', at), frame.size());
        const uint64_t tokens = count(frame.substr(at, end - at));
        out.append(at == 0 ? "" : " + ").append(std::to_string(tokens));
        total += tokens;
        at = end + 1;
    }
    if (parts == 1) {
        const auto texts = parts_of(frame);
        const auto limits = part_limits();
        for (size_t i = 0; i < kWholePart; ++i)
            out.append(i == 0 ? ": " : ", ")
                .append(limits[i].name)
                .append(" ")
                .append(std::to_string(count(texts[i])));
    }
    if (parts > 1) out.append(" = ").append(std::to_string(total));
    out.append(" (").append(to_view(accp_tokenizer_name(tokenizer_.get()))).append(")\n");
    label("6 budget", out);
    out.append(parts > 1 ? "split in " + std::to_string(parts) : "emitted").append("\n");
}

void Trace::encoded(Streams &io, std::string_view message, std::string_view frame, uint64_t parts) {
    std::string &out = io.err.text;
    out.append("encode record ").append(std::to_string(io.records)).append("\n");
    label("1 read", out);
    out.append(std::to_string(message.size())).append(" bytes of JSON\n");
    if (frame.empty()) return;
    if (parts == 1 && parse(message, frame)) {
        schema("1 schema", out);
        keys("2 keys", true, out);
        values("3 values", true, out);
        defaults("4 default", out);
    }
    budget(frame, parts, out);
    label("7 emit", out);
    out.append(frame).append(" (").append(std::to_string(frame.size())).append(" bytes)\n");
}

void Trace::decoded(Streams &io, std::string_view frame, std::string_view message) {
    std::string &out = io.err.text;
    out.append("decode record ").append(std::to_string(io.records)).append("\n");
    label("1 parse", out);
    out.append(std::to_string(frame.size())).append(" bytes of frame\n");
    if (message.empty() || !parse(message, frame)) return;
    schema("2 schema", out);
    keys("3 keys", false, out);
    defaults("4 default", out);
    values("5 values", false, out);
    label("6 message", out);
    append_printable(message, out);
    out.append(" (").append(std::to_string(message.size())).append(" bytes)\n");
}

// Numbers the envelopes of one run. seq counts up, and the counter in the mid equals seq.
class EnvelopeCounter {
public:
    explicit EnvelopeCounter(const Arguments &arguments)
        : issuer_(arguments.issuer), seq_(arguments.first_seq), ts_(arguments.ts) {
        if (arguments.letter.size() != 1 || arguments.letter[0] < 'a' || arguments.letter[0] > 'f')
            throw Failure("--letter " + arguments.letter + ": use one letter from a to f");
        if (ts_ && *ts_ < 0) throw Failure("--ts " + std::to_string(*ts_) + ": use 0 or more");
        letter_ = static_cast<uint32_t>(arguments.letter[0] - 'a');
    }

    // Sets the envelope of the next message.
    void set_on(FrameCodec &codec) {
        accp_error err = {};
        accp_envelope envelope = {};
        taken_ = 0;
        envelope.fields = ACCP_ENVELOPE_TS;
        envelope.ts =
            ts_ ? *ts_ : std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
        if (number(envelope, err) != ACCP_OK || codec.set_envelope(&envelope, err) != ACCP_OK) {
            throw Failure("--envelope: issuer " + std::to_string(issuer_) + ", seq " +
                          std::to_string(seq_) + ": " + message_of(err));
        }
    }

    // Fills the envelope of the next part of this message.
    static accp_status next(accp_envelope *envelope, void *user) {
        accp_error err = {};
        return static_cast<EnvelopeCounter *>(user)->number(*envelope, err);
    }

    void advance(uint64_t count) { seq_ += count; }

private:
    accp_status number(accp_envelope &envelope, accp_error &err) {
        const uint64_t seq = seq_ + taken_++;
        envelope.fields |= ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ;
        envelope.seq = static_cast<int64_t>(seq);
        envelope.mid = {mid_, sizeof mid_};
        return accp_mid_format(letter_, issuer_, seq, mid_, &err);
    }

    char mid_[12] = {};
    uint64_t taken_ = 0;  // numbers used by the current message
    uint32_t letter_;
    uint32_t issuer_;
    uint64_t seq_;
    std::optional<int64_t> ts_;
};

}  // namespace

int run_encode(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    EnvelopeCounter envelopes(arguments);
    FrameCodec codec(arguments, io, arguments.split ? EnvelopeCounter::next : nullptr, &envelopes);
    std::optional<Trace> trace;
    if (arguments.trace) trace.emplace(config.get(), codec.new_marking_codec());
    return run_filter(arguments, io, Lines::kMessages,
                      [&](std::string_view line, Streams &streams, accp_error &err) {
                          if (arguments.envelope) envelopes.set_on(codec);
                          std::string_view text;
                          const accp_status status = codec.encode(line, text, err);
                          if (status == ACCP_OK) {
                              envelopes.advance(codec.parts());
                              streams.out.text.append(text);
                              codec.print_record_warnings(streams);
                          }
                          if (trace) trace->encoded(streams, line, text, codec.parts());
                          return status;
                      });
}

int run_decode(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    FrameCodec codec(arguments, io);
    std::optional<Trace> trace;
    if (arguments.trace) trace.emplace(config.get(), codec.new_marking_codec());
    return run_filter(arguments, io, Lines::kFrames,
                      [&](std::string_view line, Streams &streams, accp_error &err) {
                          std::string_view text;
                          const accp_status status = codec.decode(line, text, err);
                          if (status == ACCP_OK) streams.out.text.append(text);
                          if (status == ACCP_OK) codec.print_record_warnings(streams);
                          if (status == ACCP_HELD) return accp_status{ACCP_OK};
                          if (trace) trace->decoded(streams, line, text);
                          return status;
                      });
}

}  // namespace cli
