// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/session/sessions.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "cli/host.h"
#include "cli/packet/panes_project.h"
#include "cli/settings.h"

namespace cli {
namespace {

template <typename Make>
auto make_or_throw(Make make, const char *what) {
    accp_error err = {};
    auto result = make(&err);
    if (!result)
        throw Failure(std::string(what) + ": " + accp_status_code_name(err.code) + ": " +
                      message_of(err));
    return result;
}

}  // namespace

std::string stored_negotiation(accp_session *session, const char *member) {
    const std::string ref = std::string("ctx.negotiation.") + member;
    accp_text json = {};
    const bool is_stored = accp_session_resolve(session, ref.data(), ref.size(), nullptr, 0, 0,
                                                &json, nullptr) == ACCP_OK;
    return is_stored ? std::string(to_view(json)) : std::string();
}

Rule set_rule(accp_config *config, const std::string &text) {
    const size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const int32_t rule = accp_rule_find(name.data(), name.size());
    std::string names;
    for (int32_t i = 0; rule < 0 && accp_rule_name(i) != nullptr; ++i)
        names.append(names.empty() ? "" : ", ").append(accp_rule_name(i));
    if (rule < 0) throw Failure("unknown rule: " + name + "; known rules are " + names);
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

// Applies what the session of the arguments has negotiated, if anything. Failures to open the
// session are ignored: the caller opens it again and reports them.
void apply_agreement(const Arguments &arguments, accp_config *config) {
    accp_engine *made = nullptr;
    accp_session *opened = nullptr;
    if (accp_engine_new(config, &made, nullptr) != ACCP_OK) return;
    const Handle<accp_engine> engine(made);
    if (accp_session_open(made, arguments.session.data(), arguments.session.size(),
                          ACCP_SESSION_READ_ONLY, &opened, nullptr) != ACCP_OK)
        return;
    const Handle<accp_session> session(opened);
    accp_agreement agreement = {};
    agreement.state = std::atoi(stored_negotiation(opened, "state").c_str());
    if (agreement.state != ACCP_NEGOTIATION_AGREED && agreement.state != ACCP_NEGOTIATION_BARE)
        return;
    const auto bits = [&](const char *member) {
        return static_cast<uint32_t>(std::atoi(stored_negotiation(opened, member).c_str()));
    };
    agreement.extensions = bits("extensions");
    agreement.features = bits("features");
    const std::string document = stored_negotiation(opened, "registry");
    accp_error err = {};
    accp_registry *registry = nullptr;
    accp_status status = ACCP_OK;
    if (agreement.state == ACCP_NEGOTIATION_AGREED)
        status = accp_registry_new(document.data(), document.size(), ACCP_PROFILE_NONE, config,
                                   &registry, &err);
    const Handle<accp_registry> owner(registry);
    agreement.registry = registry;
    if (status == ACCP_OK) status = accp_config_set_agreement(config, &agreement, &err);
    if (status != ACCP_OK) throw Failure(std::string("$ctx.negotiation: ") + message_of(err));
}

}  // namespace

accp_status SessionStore::append_ids(std::vector<std::string> &ids, accp_error &err) const {
    const auto append = [](const char *id, size_t id_len, void *user) {
        static_cast<std::vector<std::string> *>(user)->emplace_back(id, id_len);
        return 0;
    };
    return accp_store_each_session(store_.get(), append, &ids, &err);
}

SessionStore::SessionStore(const Arguments &arguments, bool existing,
                           const std::string &export_text)
    : config_(make_config(arguments)) {
    const std::string name =
        arguments.store.empty() || !export_text.empty() ? "memory:" : arguments.store;
    store_ = make_or_throw(
        [&](accp_error *err) {
            accp_store *store = nullptr;
            accp_store_open(name.data(), name.size(), existing ? ACCP_STORE_EXISTING : 0,
                            config_.get(), &store, err);
            return Handle<accp_store>(store);
        },
        name.c_str());
    accp_error err = {};
    if (!export_text.empty() &&
        accp_store_import(store_.get(), export_text.data(), export_text.size(), &err) != ACCP_OK)
        throw Failure("the export: line " + std::to_string(err.record + 1) + ": " +
                      accp_status_code_name(err.code) + ": " + message_of(err));
}

SessionEngine::SessionEngine(const Arguments &arguments, bool existing,
                             const std::string &export_text, bool agreement,
                             const std::string &own_agents)
    : config_(make_config(arguments)), store_(arguments, existing, export_text) {
    tokenizer_ = open_tokenizer(arguments, config_.get());
    registry_ = open_registry(arguments, config_.get());
    accp_config *config = config_.get();
    accp_config_set_store(config, store_.get(), nullptr);
    accp_config_set_registry(config, registry_.get(), nullptr);
    accp_config_set_rule(config, ACCP_RULE_STRICTNESS, strictness(arguments), nullptr);
    accp_config_set_tokenizer(config, tokenizer_.get(), nullptr);
    if (agreement) apply_agreement(arguments, config);
    if (arguments.rule_set == "specification")
        accp_config_set_rule(config, ACCP_RULE_SPECIFICATION, 1, nullptr);
    for (const std::string &text : arguments.rules) {
        const Rule rule = set_rule(config, text);
        if (rule.number == ACCP_RULE_DURABLE) is_durable_ = rule.value != 0;
    }
    // The caller syncs, and reports what is lost.
    accp_config_set_rule(config, ACCP_RULE_DURABLE, 0, nullptr);
    for (const std::string &list : arguments.untrusted_agents)
        for (const std::string &agent : split_commas(list)) set_untrusted(config, agent);
    for (const std::string &agent : split_commas(own_agents))
        accp_config_add_own_agent(config, agent.data(), agent.size(), nullptr);
    engine_ = make_or_throw(
        [&](accp_error *err) {
            accp_engine *engine = nullptr;
            accp_engine_new(config, &engine, err);
            return Handle<accp_engine>(engine);
        },
        "sessions");
}

CommandSession::CommandSession(const Arguments &arguments, bool read_only,
                               const std::string &export_text)
    : arguments_(arguments), engine_(arguments, read_only, export_text, true) {
    const bool is_in_memory = arguments.store.empty() || arguments.store == "memory:";
    const std::string name =
        "session " + arguments.session + (is_in_memory ? " (in memory, without --store)" : "");
    session_ = make_or_throw(
        [&](accp_error *err) {
            accp_session *session = nullptr;
            accp_session_open(engine_.get(), arguments.session.data(), arguments.session.size(),
                              read_only ? ACCP_SESSION_READ_ONLY : 0, &session, err);
            return Handle<accp_session>(session);
        },
        name.c_str());
    if (!arguments.project.empty() && !read_only) attach_project();
}

// --store names the session's store, so the project uses its default journal.
void CommandSession::attach_project() {
    Arguments project_arguments = arguments_;
    project_arguments.directory = arguments_.project;
    project_arguments.store.clear();
    const PanesProject project(project_arguments, JournalUse::kWrite);
    accp_error err = {};
    if (accp_session_set_panes(session_.get(), project.get(), now(), &err) != ACCP_OK)
        throw Failure("--project: " + message_of(err));
}

accp_session *CommandSession::get() const {
    if (is_closed_)
        throw Failure(
            "stopped because the store could not be written for a while; everything up to here is "
            "stored");
    return session_.get();
}

accp_status CommandSession::make_durable(const Streams &io, accp_error &err) {
    return engine_.is_durable() ? sync_or_close(io, err) : ACCP_OK;
}

void CommandSession::finish(const Streams &io) {
    accp_error err = {};
    if (!engine_.is_durable() && !is_closed_ && sync_or_close(io, err) != ACCP_OK)
        throw Failure(std::string("what was accepted is lost: ") + accp_status_code_name(err.code) +
                      ": " + message_of(err));
}

accp_status CommandSession::sync_or_close(const Streams &io, accp_error &err) {
    constexpr auto kPause = std::chrono::milliseconds(200);
    for (int tries = 5; tries > 0; --tries) {
        const accp_status status = accp_session_sync(session_.get(), &err);
        if (status != ACCP_ERR_IO && status != ACCP_ERR_BUSY && status != ACCP_ERR_NOMEM)
            return status;
        std::this_thread::sleep_for(kPause);
    }
    is_closed_ = true;
    if (engine_.store().close(err) == ACCP_OK) return ACCP_OK;
    std::string message = io.records == 0 ? "" : "record " + std::to_string(io.records) + ": ";
    message.append(accp_status_code_name(err.code)).append(": ").append(message_of(err));
    if (!engine_.is_durable())
        throw Failure(message + ": what was accepted since the last sync is lost");
    // After any other I/O error the record may or may not be on the disk.
    const bool is_lost =
        err.code != ACCP_ERR_IO || message.find("the disk is full") != std::string::npos;
    message.append(is_lost ? ": it is not stored" : ": it may be stored (see accp session log)");
    if (io.records != 0)
        message.append("; no later record is stored; all records reported before it are stored");
    throw Failure(message);
}

int64_t CommandSession::now() const { return now_ms(arguments_); }

MessageReader::MessageReader(const Arguments &arguments)
    : config_(make_config(arguments)), value_(new_value(config_.get())) {
    for (const std::string &list : arguments.ignore)
        for (const std::string &name : split_commas(list)) ignored_.push_back(name);
}

void MessageReader::read_time(uint32_t meta) {
    constexpr int64_t kMaxSeconds = 100'000'000'000;
    const Tree tree = tree_of(value_.get());
    if (tree.nodes[meta].kind != ACCP_MAP) return;
    for (uint32_t i = meta + 1; i < tree.nodes[meta].next; i = tree.nodes[i].next) {
        if (tree.key(i) != "ts" || tree.nodes[i].kind != ACCP_INT) continue;
        const std::string_view digits = tree.raw(i);
        int64_t time = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), time);
        if (time > 0) time_ms_ = time < kMaxSeconds ? time * 1000 : time;
    }
}

accp_status MessageReader::read(std::string_view line, std::string &compact, accp_error &err) {
    is_call_ = false;
    time_ms_ = 0;
    accp_status status = accp_value_parse_json(value_.get(), line.data(), line.size(), &err);
    accp_text json = {};
    if (status == ACCP_OK) status = accp_value_print_json(value_.get(), &json, &err);
    if (status != ACCP_OK) return status;
    const Tree tree = tree_of(value_.get());
    compact.assign(json.text, json.len);
    if (tree.nodes[0].kind != ACCP_MAP) return ACCP_OK;
    bool is_request = false, has_arguments = false;
    std::string kept = "{";
    size_t at = 1;  // the offset of the member in compact
    for (uint32_t i = 1; i < tree.nodes[0].next; i = tree.nodes[i].next) {
        const size_t end = member_end(compact, at);
        const bool is_ignored =
            std::find(ignored_.begin(), ignored_.end(), tree.key(i)) != ignored_.end();
        if (!is_ignored) kept.append(kept.size() > 1 ? "," : "").append(compact, at, end - at);
        at = end + 1;
        if (tree.key(i) == "intent") is_request = tree.raw(i) == "req";
        if (tree.key(i) == "meta") read_time(i);
        if (tree.key(i) != "payload") continue;
        for (uint32_t node = i + 1; node < tree.nodes[i].next; ++node)
            has_arguments = has_arguments || tree.key(node) == "arguments";
    }
    is_call_ = is_request && has_arguments;
    compact = kept + "}";
    return ACCP_OK;
}

}  // namespace cli
