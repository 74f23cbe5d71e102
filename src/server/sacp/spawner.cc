// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/sacp/spawner.h"

#include "server/library/failure.h"
#include "server/json/json_object.h"
#include "server/json/json_parts.h"
#include "server/json/typed_json.h"
#include "server/http/access.h"

namespace server {

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

// The confirmation has an id of its own, so that it can be answered.
accp_status Spawner::spawn(std::string_view request, accp_text &out, accp_error &err) {
    constexpr size_t kDigits = 16;
    const std::string id = "spawn-" + random_digits().substr(0, kDigits);
    accp_spawn_rules rules = {};
    rules.allow = makes_agents_ ? 1 : 0;
    rules.msg_id = {id.data(), id.size()};
    return accp_capabilities_spawn(agents_.get(), sacp_.get(), request.data(), request.size(),
                                   &rules, &out, &err);
}

namespace {

// What the new agent's model is told has more tokens than a frame may; `accp sacp prompt` prints
// it.
std::string without_prompt(std::string_view result) {
    host::JsonObject out;
    for (const auto &[name, value] : host::json_members(result))
        if (name != "prompt") out.json(name, value);
    return out.end();
}

}  // namespace

// Without its schema, since the session's registry need not have it.
std::string Spawner::answer_frame(std::string_view frame, std::string_view agent,
                                  std::string_view cid) {
    const std::string request = reader_.read_frame(frame);
    if (request.empty() || host::json_word(host::json_member(request, "g")) != "SPAWN_AGENT")
        return {};
    accp_error err = {};
    accp_text told = {}, message = {};
    if (spawn(request, told, err) != ACCP_OK) return {};
    const std::string answer(host::to_view(told));
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

}  // namespace server
