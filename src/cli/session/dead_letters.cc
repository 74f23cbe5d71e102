// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See dead_letters.h.
#include "cli/session/dead_letters.h"

#include <charconv>

#include "cli/host.h"

namespace cli {
namespace {

constexpr std::string_view kRef = "ctx.dead_letters";

bool is_utf8(std::string_view text) {
    const Handle<accp_config> config = new_config();
    const Handle<accp_value> value = new_value(config.get());
    return accp_value_add(value.get(), ACCP_STRING, nullptr, 0, text.data(), text.size(),
                          nullptr) == ACCP_OK;
}

void append_hex(std::string_view bytes, std::string &out) {
    for (const unsigned char c : bytes)
        out.append(1, "0123456789abcdef"[c >> 4]).append(1, "0123456789abcdef"[c & 15]);
}

std::string decode_hex(std::string_view hex) {
    std::string bytes;
    for (size_t i = 0; i + 1 < hex.size(); i += 2) {
        unsigned byte = 0;
        std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16);
        bytes.push_back(static_cast<char>(byte));
    }
    return bytes;
}

uint64_t number_of(std::string_view digits) {
    uint64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

DeadLetter letter_of(const Tree &tree, uint32_t map) {
    DeadLetter letter;
    for (uint32_t i = map + 1; i < tree.nodes[map].next; i = tree.nodes[i].next) {
        const std::string_view key = tree.key(i);
        const bool is_true = (tree.nodes[i].flags & ACCP_NODE_TRUE) != 0;
        if (key == "mid") letter.mid = tree.raw(i);
        else if (key == "code") letter.code = tree.raw(i);
        else if (key == "message") letter.message = tree.raw(i);
        else if (key == "from") letter.from = tree.raw(i);
        else if (key == "frame") letter.frame = tree.raw(i);
        else if (key == "frame_hex") letter.frame = decode_hex(tree.raw(i));
        else if (key == "time_ms") letter.time_ms = static_cast<int64_t>(number_of(tree.raw(i)));
        else if (key == "untrusted") letter.untrusted = is_true;
    }
    return letter;
}

size_t bytes_of(const DeadLetter &letter) {
    return 128 + letter.frame.size() + letter.from.size() + letter.mid.size();
}

}  // namespace

std::string mid_of(std::string_view text) {
    const Handle<accp_config> config = new_config();
    accp_config_set_rule(config.get(), ACCP_RULE_DIALECT, ACCP_U8, nullptr);
    const Handle<accp_frame> frame = new_frame(config.get());
    accp_envelope envelope = {};
    if (accp_frame_parse(frame.get(), text.data(), text.size(), nullptr) != ACCP_OK ||
        accp_frame_envelope(frame.get(), &envelope, nullptr) != ACCP_OK)
        return {};
    return std::string(to_view(envelope.mid));
}

void append_letter(const DeadLetter &letter, std::string &out) {
    const auto text = [&](const char *name, const std::string &value) {
        out.append(name);
        append_json_string(value, out);
    };
    text("{\"mid\":", letter.mid);
    text(",\"code\":", letter.code);
    text(",\"message\":", letter.message);
    out.append(",\"time_ms\":").append(std::to_string(letter.time_ms));
    text(",\"from\":", letter.from);
    out.append(",\"untrusted\":").append(letter.untrusted ? "true" : "false");
    if (is_utf8(letter.frame)) {
        text(",\"frame\":", letter.frame);
    } else {
        out.append(",\"frame_hex\":\"");
        append_hex(letter.frame, out);
        out.append("\"");
    }
    out.append("}");
}

DeadLetters::DeadLetters(accp_session *session) : session_(session) {
    accp_text json = {};
    accp_error err = {};
    const accp_status status =
        accp_session_resolve(session, kRef.data(), kRef.size(), nullptr, 0, 0, &json, &err);
    if (status == ACCP_OK) read(to_view(json));
    else if (status != ACCP_E2001)
        throw Failure("the dead letters: " + std::string(accp_status_code_name(status)) + ": " +
                      message_of(err));
}

void DeadLetters::read(std::string_view json) {
    const Handle<accp_config> config = new_config();
    const Handle<accp_value> value = new_value(config.get());
    if (accp_value_parse_json(value.get(), json.data(), json.size(), nullptr) != ACCP_OK) json = {};
    const Tree tree = tree_of(value.get());
    uint32_t letters = 0;
    for (uint32_t i = 1; !json.empty() && tree.nodes[0].kind == ACCP_MAP && i < tree.nodes[0].next;
         i = tree.nodes[i].next) {
        if (tree.key(i) == "lost") lost_ = number_of(tree.raw(i));
        if (tree.key(i) == "letters" && tree.nodes[i].kind == ACCP_ARRAY) letters = i;
    }
    if (letters == 0)
        throw Failure("$ctx.dead_letters is no list of dead letters: erase it, or use another ref");
    for (uint32_t i = letters + 1; i < tree.nodes[letters].next; i = tree.nodes[i].next)
        letters_.push_back(letter_of(tree, i));
}

void DeadLetters::add(DeadLetter letter) {
    letters_.push_back(std::move(letter));
    size_t bytes = 0, kept = 0;
    for (; kept < letters_.size() && kept < kMaxLetters; ++kept) {
        bytes += bytes_of(letters_[letters_.size() - 1 - kept]);
        if (bytes > kMaxLetterBytes && kept != 0) break;
    }
    const size_t gone = letters_.size() - kept;
    lost_ += gone;
    letters_.erase(letters_.begin(), letters_.begin() + static_cast<std::ptrdiff_t>(gone));
}

accp_status DeadLetters::put(accp_error &err) {
    std::string json = "{\"untrusted\":true,\"lost\":" + std::to_string(lost_) + ",\"letters\":[";
    for (size_t i = 0; i < letters_.size(); ++i) {
        json.append(i == 0 ? "" : ",");
        append_letter(letters_[i], json);
    }
    json.append("]}");
    return accp_session_put(session_, kRef.data(), kRef.size(), json.data(), json.size(), 0, &err);
}

}  // namespace cli
