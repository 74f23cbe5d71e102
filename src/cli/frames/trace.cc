// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See trace.h.
#include "cli/frames/trace.h"

#include "cli/host.h"
#include "cli/settings.h"
#include "cli/frames/tokenizers.h"

namespace cli {
namespace {

// "  2 keys    ", or as much blank.
void label(const char *step, std::string &out) {
    out.append("  ").append(step).append(
        10 - std::min<size_t>(10, std::char_traits<char>::length(step)), ' ');
}

bool is_quoted(std::string_view wire) {
    return wire.size() >= 2 && wire.front() == '"' && wire.back() == '"';
}

// How a value came onto the wire: "str, quoted".
std::string spelling(const accp_node &wire, std::string_view text, const accp_node &json) {
    if (wire.kind == ACCP_MAP && json.kind == ACCP_ARRAY) return "table";
    if (wire.kind != ACCP_STRING) return kind_name(wire);
    if (json.kind == ACCP_NUMBER || json.kind == ACCP_DEC) return "number, as text";
    return is_quoted(text) ? "str, quoted" : "str, plain";
}

}  // namespace

Trace::Trace(const accp_config *config, Handle<accp_codec> codec)
    : frame_(new_frame(config)),
      value_(new_value(config)),
      codec_(std::move(codec)),
      tokenizer_(open_tokenizer({}, config)),
      counter_(new_counter(tokenizer_.get(), config)) {}

// Both sides as trees; false where there is nothing to compare.
bool Trace::read(std::string_view message, std::string_view frame) {
    if (codec_) {  // what the frame says, in its own order, and what it does not say
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

// Is this the mark of a value by position that was left out?
bool Trace::is_left_out(uint32_t w) const {
    return wire_.nodes[w].kind == ACCP_STRING && wire_.raw(w) == "!";
}

// A param's key, or the place of a value by position.
std::string Trace::wire_name(uint32_t w) const {
    if (!by_position() || w >= wire_.nodes[4].next) return std::string(wire_.key(w));
    uint32_t place = 0;
    for (uint32_t i = 5; i < w; i = wire_.nodes[i].next) ++place;
    return std::string(wire_.key(4)) + "[" + std::to_string(place) + "]";
}

// Params stand on the wire in the order of the message's payload; values by position first.
template <typename Tell>
void Trace::for_each_param(Tell tell) const {
    const bool positions = by_position();
    uint32_t w = positions ? 5 : 4;
    uint32_t j = payload_ + 1;
    while (w < wire_.nodes[3].next && j < json_.nodes[payload_].next) {
        if (positions && w < wire_.nodes[4].next && is_left_out(w)) {
            w = wire_.nodes[w].next;
            continue;
        }
        tell(w, j);
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

// The fifth step and what the sixth made of it.
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
    if (parts == 1 && read(message, frame)) {
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
    if (message.empty() || !read(message, frame)) return;
    schema("2 schema", out);
    keys("3 keys", false, out);
    defaults("4 default", out);
    values("5 values", false, out);
    label("6 message", out);
    append_printable(message, out);
    out.append(" (").append(std::to_string(message.size())).append(" bytes)\n");
}

}  // namespace cli
