// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/sacp/agents.h"

#include "cli/host.h"
#include "cli/settings.h"

namespace cli {

Handle<accp_store> open_store(const std::string &name, uint32_t flags) {
    if (name.empty()) return {};
    const std::string place = name.find(':') == name.npos ? "sqlite:" + name : name;
    accp_store *store = nullptr;
    accp_error err = {};
    if (accp_store_open(place.data(), place.size(), flags, nullptr, &store, &err) != ACCP_OK)
        throw Failure(place + ": " + accp_status_code_name(err.code) + ": " + message_of(err));
    return Handle<accp_store>(store);
}

void load_agents(accp_capabilities *agents, const std::string &name, std::string_view text) {
    accp_error err = {};
    if (accp_capabilities_register_all(agents, text.data(), text.size(), &err) == ACCP_OK) return;
    const std::string_view verdict = to_view(accp_capabilities_verdict(agents));
    const bool has_verdict = err.code > 0 && verdict.starts_with(R"({"status":"ERR")");
    const std::string entry = text.find_first_not_of(" \t\r\n") == text.find('[')
                                  ? ": entry " + std::to_string(err.record)
                                  : std::string();
    throw Failure(name + entry + ": " + (has_verdict ? std::string(verdict) : message_of(err)));
}

AgentRegistry::AgentRegistry(Handle<accp_store> store, const accp_config *config)
    : store_(std::move(store)) {
    accp_capabilities *made = nullptr;
    accp_error err = {};
    if (accp_capabilities_open(store_.get(), config, &made, &err) != ACCP_OK)
        throw Failure(std::string("registry: ") + message_of(err));
    registry_.reset(made);
}

namespace {

bool queries_store_only(const Arguments &arguments) {
    return arguments.action == "query" && arguments.registry.empty();
}

}  // namespace

AgentRegistry::AgentRegistry(const Arguments &arguments, const accp_config *config)
    : AgentRegistry(
          open_store(arguments.store, queries_store_only(arguments) ? ACCP_STORE_EXISTING : 0),
          config) {
    if (arguments.registry.empty() && arguments.store.empty())
        throw Failure(
            "sacp " + arguments.action +
            " needs agents: give --registry FILE (a JSON array of entries) or --store FILE");
    if (!arguments.registry.empty())
        load_agents(get(), arguments.registry, read_file(arguments.registry));
}

accp_status AgentRegistry::load(std::string_view json, accp_error &err) {
    return accp_capabilities_register_all(get(), json.data(), json.size(), &err);
}

accp_status AgentRegistry::query(std::string_view json, const Arguments &arguments, int64_t now_ms,
                                 std::string &out, accp_error &err) {
    accp_text answer = {};
    const uint32_t ranking = arguments.lexical ? uint32_t{ACCP_RANK_LEXICAL} : 0;
    const accp_status status =
        accp_capabilities_query(get(), json.data(), json.size(), now_ms, ranking, &answer, &err);
    if (status != ACCP_OK) return append_verdict(status, out);
    out.append("{\"answer\":").append(to_view(answer)).append("}");
    return ACCP_OK;
}

accp_status AgentRegistry::add(std::string_view json, std::string &out, accp_error &err) {
    return append_verdict(accp_capabilities_register(get(), json.data(), json.size(), &err), out);
}

accp_status AgentRegistry::append_verdict(accp_status status, std::string &out) {
    const std::string_view verdict = to_view(accp_capabilities_verdict(get()));
    const bool is_valid = verdict == R"({"status":"VALID"})";
    if (verdict.empty() || (status != ACCP_OK && is_valid)) return status;
    out.append("{\"verdict\":").append(verdict).append("}");
    return ACCP_OK;
}

}  // namespace cli
