// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Runs a vector: its result is one JSON object, which is compared with the members that it expects.
#include "cli/conformance/vectors.h"

#include <charconv>

#include "cli/conformance/verbs.h"
#include "cli/host.h"
#include "cli/settings.h"

namespace conformance {

using namespace cli;
namespace {

// These members have the names of the command's options.
Arguments arguments_of(const Vector &vector) {
    Arguments arguments;
    arguments.dialect = vector.text("dialect");
    if (vector.find("ext") != 0) arguments.ext.push_back(vector.text("ext"));
    if (vector.find("limit") != 0) arguments.limits.push_back(vector.text("limit"));
    arguments.abbrev = vector.flag("abbrev");
    arguments.keep_refs = vector.flag("keep_refs");
    arguments.command = vector.text("do");
    return arguments;
}

// Returns the input: "frame" or "json" as text, or "hex" for bytes that JSON cannot hold.
std::string input_of(const Vector &vector) {
    const std::string hex = vector.text("hex");
    if (hex.empty()) return vector.text(vector.find("json") != 0 ? "json" : "frame");
    std::string bytes;
    for (size_t i = 0; i + 1 < hex.size(); i += 2) {
        unsigned byte = 0;
        std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16);
        bytes.push_back(static_cast<char>(byte));
    }
    return bytes;
}

void set_envelope(accp_codec *codec, const Vector &vector) {
    const uint32_t member = vector.find("envelope");
    if (member == 0) return;
    char mid[12];
    accp_error err = {};
    accp_envelope envelope = {};
    envelope.fields = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ | ACCP_ENVELOPE_TS;
    envelope.seq = static_cast<int64_t>(vector.number("seq", member));
    envelope.ts = static_cast<int64_t>(vector.number("ts", member));
    envelope.mid = {mid, sizeof mid};
    if (accp_mid_format(0, 0, vector.number("seq", member), mid, &err) != ACCP_OK ||
        accp_codec_set_envelope(codec, &envelope, &err) != ACCP_OK) {
        throw Failure(std::string("envelope: ") + message_of(err));
    }
}

// Runs the vector's verb on its input and returns the result as JSON.
std::string result_of(const Vector &vector) {
    const std::string input = input_of(vector);
    const std::string verb = vector.text("do");
    const Handle<accp_config> config = make_config(arguments_of(vector));
    const Handle<accp_frame> frame = new_frame(config.get());
    accp_error err = {};
    accp_text out = {};
    if (verb == "run") return command_result(vector, input);
    if (std::string made = verb_result(vector, verb, input, config.get()); !made.empty())
        return made;
    const Handle<accp_codec> codec = new_codec(config.get());
    set_envelope(codec.get(), vector);
    if (verb == "encode") {
        if (accp_codec_encode(codec.get(), input.data(), input.size(), &out, &err) != ACCP_OK)
            return refusal(err);
        return frame_result({out.text, out.len});
    }
    if (verb == "decode") {
        if (accp_codec_decode(codec.get(), input.data(), input.size(), &out, &err) != ACCP_OK)
            return refusal(err);
        return "{\"ok\":true,\"message\":" + std::string(out.text, out.len) + "}";
    }
    if (verb != "parse" && verb != "canon") throw Failure("unknown verb \"" + verb + "\"");
    if (accp_frame_parse(frame.get(), input.data(), input.size(), &err) != ACCP_OK)
        return refusal(err);
    if (verb == "canon") {
        if (accp_frame_print(frame.get(), &out, &err) != ACCP_OK) return refusal(err);
        return frame_result({out.text, out.len});
    }
    std::string typed;
    append_typed_json(frame.get(), typed);
    return typed;
}

// Returns whether two values are equal to the last digit, with members in the same order.
bool same(const Tree &a, uint32_t i, const Tree &b, uint32_t j) {
    const uint32_t count = a.nodes[i].next - i;
    if (b.nodes[j].next - j != count) return false;
    for (uint32_t k = 0; k < count; ++k) {
        const accp_node &left = a.nodes[i + k];
        const accp_node &right = b.nodes[j + k];
        if (left.kind != right.kind || left.len != right.len ||
            (left.flags ^ right.flags) & ACCP_NODE_TRUE)
            return false;
        if (k > 0 && (left.key_len != right.key_len || a.key(i + k) != b.key(j + k))) return false;
        if (left.kind != ACCP_ARRAY && left.kind != ACCP_MAP && a.raw(i + k) != b.raw(j + k))
            return false;
    }
    return true;
}

}  // namespace

VectorRunner::VectorRunner() : vector_(new_value(nullptr)), result_(new_value(nullptr)) {}

// Returns whether the result has every expected member with the expected value.
bool VectorRunner::is_met(uint32_t expect, std::string_view result) {
    if (accp_value_parse_json(result_.get(), result.data(), result.size(), nullptr) != ACCP_OK)
        return false;
    const Tree want = tree_of(vector_.get());
    const Tree got = tree_of(result_.get());
    if (want.nodes[expect].kind != ACCP_MAP || want.nodes[expect].len == 0)
        throw Failure("the vector expects nothing; \"expect\" needs a member");
    for (uint32_t i = expect + 1; i < want.nodes[expect].next; i = want.nodes[i].next) {
        const std::string_view key = want.key(i);
        const uint32_t j = accp_value_find(result_.get(), 0, key.data(), key.size());
        if (j == 0 || !same(want, i, got, j)) return false;
    }
    return true;
}

Verdict VectorRunner::run(std::string_view line, std::string_view only) {
    accp_error err = {};
    if (accp_value_parse_json(vector_.get(), line.data(), line.size(), &err) != ACCP_OK)
        throw Failure(message_of(err));
    const Vector vector(vector_.get());
    Verdict verdict;
    verdict.id = vector.text("id");
    verdict.what = vector.text("what");
    if (verdict.id.empty()) throw Failure("the vector has no id");
    if (!only.empty() && verdict.id != only) return verdict;
    if (vector.find("not_yet") != 0) {
        verdict.outcome = Outcome::kNotYet;
        verdict.detail = vector.text("not_yet");
        return verdict;
    }
    const uint32_t expect = vector.find("expect");
    if (expect == 0) throw Failure("the vector has neither \"expect\" nor \"not_yet\"");
    const std::string result = result_of(vector);
    if (!is_met(expect, result)) {
        verdict.outcome = Outcome::kFail;
        append_printable(line, verdict.detail);
        verdict.detail.append("\n    got ");
        append_printable(result, verdict.detail);
    }
    return verdict;
}

}  // namespace conformance
