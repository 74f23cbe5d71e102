// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See sessions.h.
#include "cli/session/sessions.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <thread>

#include "cli/host.h"
#include "cli/packet/panes_project.h"
#include "cli/session/agreement.h"
#include "cli/settings.h"

namespace cli {
namespace {

template <typename Make>
auto made(Make make, const char *what) {
    accp_error err = {};
    auto result = make(&err);
    if (!result)
        throw Failure(std::string(what) + ": " + accp_status_code_name(err.code) + ": " +
                      message_of(err));
    return result;
}

}  // namespace

Rule set_rule(accp_config *config, const std::string &text) {
    const size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const int32_t rule = accp_rule_find(name.data(), name.size());
    std::string names;
    for (int32_t i = 0; rule < 0 && accp_rule_name(i) != nullptr; ++i)
        names.append(names.empty() ? "" : ", ").append(accp_rule_name(i));
    if (rule < 0) throw Failure("no such rule: " + name + "; there are " + names);
    int64_t value = 0;
    const char *from = text.data() + (equals == std::string::npos ? text.size() : equals + 1),
               *end = text.data() + text.size();
    const auto read = std::from_chars(from, end, value);
    if (read.ec != std::errc() || read.ptr != end)
        throw Failure("--rule takes NAME=N, and not " + text);
    accp_error err = {};
    if (accp_config_set_rule(config, rule, value, &err) != ACCP_OK)
        throw Failure(text + ": " + message_of(err));
    return {rule, value};
}

namespace {

void set_untrusted(accp_config *config, const std::string &agent) {
    accp_error err = {};
    if (accp_config_set_agent_origin(config, agent.data(), agent.size(), ACCP_ORIGIN_UNTRUSTED,
                                     &err) != ACCP_OK)
        throw Failure("--untrusted-agents: " + agent + ": " + message_of(err));
}

}  // namespace

SessionStore::SessionStore(const Arguments &arguments, bool existing, const std::string &lines)
    : config_(make_config(arguments)) {
    const std::string name =
        arguments.store.empty() || !lines.empty() ? "memory:" : arguments.store;
    store_ = made(
        [&](accp_error *err) {
            accp_store *store = nullptr;
            accp_store_open(name.data(), name.size(), existing ? ACCP_STORE_EXISTING : 0,
                            config_.get(), &store, err);
            return Handle<accp_store>(store);
        },
        name.c_str());
    accp_error err = {};
    if (!lines.empty() &&
        accp_store_import(store_.get(), lines.data(), lines.size(), &err) != ACCP_OK)
        throw Failure("the export: line " + std::to_string(err.record + 1) + ": " +
                      accp_status_code_name(err.code) + ": " + message_of(err));
}

SessionEngine::SessionEngine(const Arguments &arguments, bool reads, const std::string &lines,
                             bool agreement, const std::string &own_agents)
    : config_(make_config(arguments)), store_(arguments, reads, lines) {
    tokenizer_ = open_tokenizer(arguments, config_.get());
    registry_ = open_registry(arguments, config_.get());
    accp_config *config = config_.get();
    accp_config_set_store(config, store_.get(), nullptr);
    accp_config_set_registry(config, registry_.get(), nullptr);
    accp_config_set_rule(config, ACCP_RULE_STRICTNESS, strictness(arguments), nullptr);
    accp_config_set_tokenizer(config, tokenizer_.get(), nullptr);
    if (agreement) go_by_agreement(arguments, config);
    if (arguments.rule_set == "specification")
        accp_config_set_rule(config, ACCP_RULE_SPECIFICATION, 1, nullptr);
    if (arguments.no_name_lists) accp_config_set_rule(config, ACCP_RULE_NAME_LISTS, 0, nullptr);
    for (const std::string &text : arguments.rules) {
        const Rule rule = set_rule(config, text);
        if (rule.number == ACCP_RULE_DURABLE) waits_ = rule.value != 0;
    }
    // whoever syncs knows what became of what was taken
    accp_config_set_rule(config, ACCP_RULE_DURABLE, 0, nullptr);
    for (const std::string &list : arguments.untrusted_agents)
        for (const std::string &agent : split_commas(list)) set_untrusted(config, agent);
    for (const std::string &agent : split_commas(own_agents))
        accp_config_add_own_agent(config, agent.data(), agent.size(), nullptr);
    engine_ = made(
        [&](accp_error *err) {
            accp_engine *engine = nullptr;
            accp_engine_new(config, &engine, err);
            return Handle<accp_engine>(engine);
        },
        "sessions");
}

SessionTools::SessionTools(const Arguments &arguments, bool reads, const std::string &lines)
    : arguments_(arguments), engine_(arguments, reads, lines, true) {
    session_ = made(
        [&](accp_error *err) {
            accp_session *session = nullptr;
            accp_session_open(engine_.get(), arguments.session.data(), arguments.session.size(),
                              reads ? ACCP_SESSION_READ_ONLY : 0, &session, err);
            return Handle<accp_session>(session);
        },
        "the session");
    if (!arguments.project.empty() && !reads) tell_project();
}

// The journal is the project's own: --store is the session's.
void SessionTools::tell_project() {
    Arguments of_project = arguments_;
    of_project.directory = arguments_.project;
    of_project.store.clear();
    const PanesProject project(of_project, JournalUse::kWrite);
    accp_error err = {};
    if (accp_session_set_panes(session_.get(), now(), project.get(), &err) != ACCP_OK)
        throw Failure("--project: " + message_of(err));
}

accp_session *SessionTools::session() const {
    if (closed_)
        throw Failure(
            "stopped, as the store could not be written for a while; everything up to here is "
            "kept");
    return session_.get();
}

accp_status SessionTools::keep(const Streams &io, accp_error &err) {
    return engine_.waits() ? keep_now(io, err) : ACCP_OK;
}

void SessionTools::finish(const Streams &io) {
    accp_error err = {};
    if (!engine_.waits() && !closed_ && keep_now(io, err) != ACCP_OK)
        throw Failure(std::string("what was taken is lost: ") + accp_status_code_name(err.code) +
                      ": " + message_of(err));
}

accp_status SessionTools::keep_now(const Streams &io, accp_error &err) {
    constexpr auto kPause = std::chrono::milliseconds(200);
    for (int tries = 5; tries > 0; --tries) {
        const accp_status status = accp_session_sync(session_.get(), &err);
        if (status != ACCP_ERR_IO && status != ACCP_ERR_BUSY && status != ACCP_ERR_NOMEM)
            return status;
        std::this_thread::sleep_for(kPause);
    }
    closed_ = true;
    if (engine_.store().close(err) == ACCP_OK) return ACCP_OK;
    std::string told = io.records == 0 ? "" : "record " + std::to_string(io.records) + ": ";
    told.append(accp_status_code_name(err.code)).append(": ").append(message_of(err));
    if (!engine_.waits()) throw Failure(told + ": what was taken since the last sync is lost");
    // Of another failure than these, nobody knows what is on the disk.
    const bool is_sure =
        err.code != ACCP_ERR_IO || told.find("the disk is full") != std::string::npos;
    told.append(is_sure ? ": it is not kept" : ": it may be kept (see accp session log)");
    if (io.records != 0)
        told.append(", nor is any record after it; all that were answered before it are");
    throw Failure(told);
}

int64_t SessionTools::now() const { return now_ms(arguments_); }

MessageReader::MessageReader(const Arguments &arguments)
    : config_(make_config(arguments)), value_(new_value(config_.get())) {
    for (const std::string &list : arguments.ignore)
        for (const std::string &name : split_commas(list)) ignored_.push_back(name);
}

accp_status MessageReader::read(std::string_view line, std::string &compact, accp_error &err) {
    accp_status status = accp_value_parse_json(value_.get(), line.data(), line.size(), &err);
    accp_text json = {};
    if (status == ACCP_OK) status = accp_value_print_json(value_.get(), &json, &err);
    if (status != ACCP_OK) return status;
    const Tree tree = tree_of(value_.get());
    texts_.clear();
    compact.assign(json.text, json.len);
    if (tree.nodes[0].kind != ACCP_MAP) return ACCP_OK;
    bool request = false, arguments = false;
    std::string kept = "{";
    size_t at = 1;  // in compact: where the member begins
    for (uint32_t i = 1; i < tree.nodes[0].next; i = tree.nodes[i].next) {
        const size_t end = member_end(compact, at);
        const bool ignored =
            std::find(ignored_.begin(), ignored_.end(), tree.key(i)) != ignored_.end();
        if (!ignored) kept.append(kept.size() > 1 ? "," : "").append(compact, at, end - at);
        at = end + 1;
        if (tree.key(i) == "intent") request = tree.raw(i) == "req";
        if (tree.key(i) != "payload") continue;
        for (uint32_t node = i + 1; node < tree.nodes[i].next; ++node) {
            arguments = arguments || tree.key(node) == "arguments";
            if (tree.nodes[node].kind == ACCP_STRING) texts_.push_back(tree.raw(node));
        }
        if (tree.nodes[i].kind == ACCP_STRING) texts_.push_back(tree.raw(i));
    }
    is_act_ = request && arguments;
    compact = kept + "}";
    return ACCP_OK;
}

}  // namespace cli
