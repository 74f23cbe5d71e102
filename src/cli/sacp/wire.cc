// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/sacp/wire.h"

#include <algorithm>

#include "cli/host.h"
#include "cli/sacp/actions.h"
#include "cli/settings.h"

namespace cli {
namespace {

constexpr uint64_t kMaxBytes = uint64_t{1} << 30, kMaxItems = uint64_t{1} << 24;

// Returns the verdict if there is one, because it has more detail than the error.
std::string fault_text(accp_sacp *sacp, const accp_error &err) {
    accp_text verdict = {};
    if (accp_sacp_print_verdict(sacp, &verdict, nullptr) == ACCP_OK && verdict.len)
        return std::string(to_view(verdict));
    return message_of(err);
}

}  // namespace

Handle<accp_registry> new_sacp_registry(uint32_t profiles, const accp_config *config) {
    accp_registry *made = nullptr;
    accp_error err = {};
    const accp_text document = accp_sacp_registry();
    if (accp_registry_new(document.text, document.len, profiles, config, &made, &err) != ACCP_OK)
        throw Failure("sacp: " + message_of(err));
    return Handle<accp_registry>(made);
}

// Escaping JSON inside JSON can double its length.
SacpWire::SacpWire(const Arguments &arguments, size_t max_bytes)
    : max_line_(std::min<size_t>(kMaxBytes, 2 * max_bytes + (64 << 10))),
      config_(make_config(arguments)) {
    registry_ = new_sacp_registry(profiles(arguments), config_.get());
    accp_config_set_rule(config_.get(), ACCP_RULE_EXTENSIONS,
                         ACCP_EXT_Q1 | ACCP_EXT_T1 | ACCP_EXT_P1, nullptr);
    accp_config_set_registry(config_.get(), registry_.get(), nullptr);
    for (const accp_limit limit : {ACCP_LIMIT_FRAME_BYTES, ACCP_LIMIT_JSON_BYTES})
        accp_config_set_limit(config_.get(), limit, max_line_, nullptr);
    accp_config_set_limit(config_.get(), ACCP_LIMIT_ITEMS, kMaxItems, nullptr);
    sacp_ = new_sacp(nullptr, config_.get());
    codec_ = new_codec(config_.get());
}

bool SacpWire::to_frame(std::string_view sacp, std::string_view agent, std::string &frame,
                        std::string &fault) {
    accp_text text = {};
    accp_error err = {};
    if (accp_sacp_to_message(sacp_.get(), sacp.data(), sacp.size(), agent.data(), agent.size(),
                             &text, &err) != ACCP_OK)
        return fault = fault_text(sacp_.get(), err), false;
    if (accp_codec_encode(codec_.get(), text.text, text.len, &text, &err) != ACCP_OK)
        return fault = describe(err), false;
    frame.assign(text.text, text.len);
    return true;
}

bool SacpWire::from_frame(std::string_view frame, Received &out, std::string &fault) {
    accp_text message = {}, sacp = {};
    accp_error err = {};
    if (accp_codec_decode(codec_.get(), frame.data(), frame.size(), &message, &err) != ACCP_OK)
        return fault = describe(err), false;
    out.agent = json_word(json_member(to_view(message), "agent"));
    out.is_request = json_member(to_view(message), "intent") == "\"req\"";
    if (accp_sacp_from_message(sacp_.get(), message.text, message.len, &sacp, &err) != ACCP_OK)
        return fault = fault_text(sacp_.get(), err), false;
    out.sacp = to_view(sacp);
    return true;
}

void SacpWire::check_name(std::string_view name, const std::string &option) {
    constexpr std::string_view kAllowed =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    if (name.empty() || name.find_first_not_of(kAllowed) != name.npos)
        throw Failure(option + ": a name consists of letters, digits, _ and -, not " +
                      std::string(name));
    std::string frame, fault;
    if (!to_frame(R"({"status":"VALID"})", name, frame, fault))
        throw Failure(option + " " + std::string(name) + ": " + fault);
}

bool take_line(std::string &text, std::string &line) {
    const size_t end = text.find('\n');
    if (end == text.npos) return false;
    line.assign(text, 0, end);
    text.erase(0, end + 1);
    return true;
}

}  // namespace cli
