// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/sacp/sacp.h"

#include <algorithm>
#include <iterator>

#include "server/http/access.h"
#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/failure.h"

namespace server {
namespace {

// Removes the target of the frame, which is not a part of its SACP message.
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

// Removes the prompt of the new agent, which has too many tokens for a frame; `accp sacp prompt`
// prints it.
std::string without_prompt(std::string_view result) {
    host::JsonObject out;
    for (const auto &[name, value] : host::json_members(result))
        if (name != "prompt") out.json(name, value);
    return out.end();
}

constexpr int kForbidden = 403, kBroken = 500, kUnavailable = 503;

HttpReply sacp_refusal(int status, const accp_error &err) {
    std::string json;
    host::append_refusal_json(err, json);
    return json_reply(std::move(json), status);
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
    check_reader(accp_registry_new(document.text, document.len, ACCP_PROFILE_ALL, config.get(),
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

Spawner::Spawner(std::string_view library, accp_store *agents) : makes_agents_(agents) {
    accp_error err = {};
    accp_library *read = nullptr;
    if (accp_library_new(library.data(), library.size(), nullptr, &read, &err) != ACCP_OK)
        throw host::Failure("the library: " + host::message_of(err));
    library_.reset(read);
    accp_sacp *sacp = nullptr;
    if (accp_sacp_new(read, nullptr, &sacp, &err) != ACCP_OK)
        throw host::Failure(host::message_of(err));
    sacp_.reset(sacp);
    accp_capabilities *opened = nullptr;
    if (accp_capabilities_open(agents, nullptr, &opened, &err) != ACCP_OK)
        throw host::Failure("the registry of agents: " + host::message_of(err));
    agents_.reset(opened);
}

// The confirmation has its own id, so that it can be referred to.
accp_status Spawner::spawn(std::string_view request, accp_text &out, accp_error &err) {
    constexpr size_t kDigits = 16;
    const std::string id = "spawn-" + random_digits().substr(0, kDigits);
    accp_spawn_rules rules = {};
    rules.allow = makes_agents_ ? 1 : 0;
    rules.msg_id = {id.data(), id.size()};
    return accp_capabilities_spawn(agents_.get(), sacp_.get(), request.data(), request.size(),
                                   &rules, &out, &err);
}

// Removes the schema, because the session's registry may not have it.
std::string Spawner::answer_frame(std::string_view frame, std::string_view agent,
                                  std::string_view cid) {
    const std::string request = reader_.read_frame(frame);
    if (request.empty() || host::json_word(host::json_member(request, "g")) != "SPAWN_AGENT")
        return {};
    accp_error err = {};
    accp_text verdict = {}, message = {};
    if (spawn(request, verdict, err) != ACCP_OK) return {};
    const std::string answer(host::to_view(verdict));
    if (accp_sacp_to_message(sacp_.get(), answer.data(), answer.size(), agent.data(), agent.size(),
                             &message, &err) != ACCP_OK)
        return {};
    host::JsonObject out, payload;
    for (const auto &[name, value] :
         host::json_members(host::json_member(host::to_view(message), "payload")))
        if (name == "result") payload.json(name, without_prompt(value));
        else if (name != "schema") payload.json(name, value);
    for (const auto &[name, value] : host::json_members(host::to_view(message)))
        if (name != "payload") out.json(name, value);
    out.json("payload", payload.end());
    return out.json("meta", host::JsonObject().text("cid", cid).end()).end();
}

HttpReply SacpHttp::answer(const HttpRequest &request, const Grant &grant) {
    accp_error err = {};
    accp_text out = {};
    const bool is_spawn = request.path == kSpawn;
    if (is_spawn && !grant.may_write)
        return sacp_refusal(
            kForbidden, host::error_of(ACCP_E5001, "this token may only read, not create agents"));
    const accp_status status =
        is_spawn ? spawner_.spawn(request.body, out, err) : validate(request, out, err);
    if (status != ACCP_OK) return sacp_refusal(is_spawn ? kUnavailable : kBroken, err);
    return json_reply(std::string(host::to_view(out)));
}

accp_status SacpHttp::validate(const HttpRequest &request, accp_text &out, accp_error &err) {
    const bool is_lenient = request.parameter("lenient") == "1";
    const accp_status status =
        accp_sacp_check(spawner_.sacp(), request.body.data(), request.body.size(),
                        is_lenient ? ACCP_SACP_LENIENT : ACCP_SACP_STRICT, nullptr, &err);
    return status == ACCP_OK ? accp_sacp_print_verdict(spawner_.sacp(), &out, &err) : status;
}

}  // namespace server
