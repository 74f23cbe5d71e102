// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/sacp/sacp_reader.h"

#include <algorithm>
#include <iterator>

#include "server/library/failure.h"
#include "server/json/json_object.h"
#include "server/json/json_parts.h"

namespace server {
namespace {

// Whom a frame is for is no member of the message that it carries.
std::string without_target(std::string_view message) {
    host::JsonObject out, payload;
    for (const auto &[name, value] : host::json_members(message)) {
        if (name != "payload") {
            out.json(name, value);
            continue;
        }
        for (const auto &[member, what] : host::json_members(value))
            if (member != "target" && member != "who") payload.json(member, what);
        out.json(name, payload.end());
    }
    return out.end();
}

}  // namespace

SacpReader::SacpReader() {
    const host::Handle<accp_config> config = host::new_config();
    const accp_text document = accp_sacp_registry();
    accp_registry *registry = nullptr;
    accp_sacp *sacp = nullptr;
    accp_error err = {};
    const auto check_reader = [&](accp_status status) {
        if (status != ACCP_OK) throw host::Failure("sacp: " + host::message_of(err));
    };
    check_reader(accp_registry_new(ACCP_PROFILE_ALL, document.text, document.len, config.get(),
                                   &registry, &err));
    registry_.reset(registry);
    check_reader(accp_config_set_rule(config.get(), ACCP_RULE_EXTENSIONS,
                                      ACCP_EXT_Q1 | ACCP_EXT_T1 | ACCP_EXT_P1, &err));
    check_reader(accp_config_set_registry(config.get(), registry, &err));
    codec_ = host::new_codec(config.get());
    check_reader(accp_sacp_new(nullptr, config.get(), &sacp, &err));
    sacp_.reset(sacp);
}

std::string SacpReader::read_frame(std::string_view frame) {
    accp_text message = {};
    accp_error err = {};
    if (accp_codec_decode(codec_.get(), frame.data(), frame.size(), &message, &err) != ACCP_OK)
        return {};
    return read_message(without_target(host::to_view(message)));
}

std::string SacpReader::read_message(std::string_view message) {
    accp_text read = {};
    accp_error err = {};
    if (accp_sacp_from_message(sacp_.get(), message.data(), message.size(), &read, &err) != ACCP_OK)
        return {};
    return std::string(host::to_view(read));
}

bool SacpReader::may_carry(std::string_view message) {
    constexpr std::string_view kOperations[] = {"execute", "route", "clarify", "error"};
    const std::string_view operation = host::json_word(host::json_member(message, "operation"));
    return std::find(std::begin(kOperations), std::end(kOperations), operation) !=
           std::end(kOperations);
}

}  // namespace server
