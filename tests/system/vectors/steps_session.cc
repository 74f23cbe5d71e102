// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Steps of stores, engines and sessions.
#include <algorithm>
#include <optional>

#include "vectors/steps.h"

namespace accp_steps {

using accp_ref::Members;

namespace {

int collect(const char *text, size_t len, void *user) {
    static_cast<Json *>(user)->items.push_back(string(std::string(text, len)));
    return 0;
}

// A call of a session, with the usual arguments.
struct Call {
    Call(const Step &step, accp_session *session)
        : handle(session),
          text(step.text("text")),
          ref(step.text("ref")),
          prefix(step.text("prefix")),
          who(step.text("who")),
          now(step.number("now_ms")),
          expires(step.number("expires_ms")) {
        const Json *given = step.find("peer");
        if (!given) return;
        for (const std::string &name : Step{*given}.list("agents"))
            agents += (agents.empty() ? "" : ",") + name;
        from = accp_peer{view(agents), Step{*given}.flag("untrusted"), 0};
    }

    accp_session *handle;
    std::string text, ref, prefix, who, agents;
    std::optional<accp_peer> from;
    int64_t now, expires;
    accp_error err = {};

    const accp_peer *peer() const { return from ? &*from : nullptr; }
    Json done(accp_status status) const { return gives(status, err); }
};

// Returns -1 if the step names none; calls refuse that.
int32_t interface_of(const Step &step) {
    const std::string name = step.text("interface");
    return accp_interface_find(name.data(), name.size());
}

}  // namespace

#define ACCP_CALL Call call(step, sessions_.at(step.text("of")).get())

Json Runner::store(const Step &step) {
    accp_store *made = nullptr;
    accp_error err = {};
    std::string path = step.text("path");
    accp_status status =
        accp_store_open(path.data(), path.size(), 0, config_of(step).get(), &made, &err);
    if (status == ACCP_OK) stores_[step.text("name")].reset(made);
    return gives(status, err);
}

Json Runner::store_sessions(const Step &step) {
    Json ids = Json::array({});
    accp_error err = {};
    accp_status status =
        accp_store_each_session(stores_.at(step.text("of")).get(), collect, &ids, &err);
    return gives(status, err, [&](Members &members) { members.emplace_back("ids", ids); });
}

Json Runner::store_stats(const Step &step) {
    accp_counts stats = {};
    accp_error err = {};
    accp_status status = accp_store_counts(stores_.at(step.text("of")).get(), &stats, &err);
    return gives(status, err, [&](Members &members) {
        members = {{"sessions", integer(static_cast<int64_t>(stats.sessions))},
                   {"records", integer(static_cast<int64_t>(stats.records))},
                   {"mids", integer(static_cast<int64_t>(stats.mids))},
                   {"grants", integer(static_cast<int64_t>(stats.grants))}};
    });
}

Json Runner::store_export(const Step &step) {
    Json lines = Json::array({});
    accp_error err = {};
    std::string id = step.text("id");
    accp_status status = accp_store_export(stores_.at(step.text("of")).get(), id.data(), id.size(),
                                           collect, &lines, &err);
    return gives(status, err, [&](Members &members) {
        std::string whole;
        for (const Json &line : lines.items) whole += line.text;
        members.emplace_back("lines", integer(std::count(whole.begin(), whole.end(), '\n')));
    });
}

// Imports the export of a session in another store, or a text.
Json Runner::store_import(const Step &step) {
    std::string text = step.text("text"), from = step.text("from"), id = step.text("id");
    if (!from.empty()) {
        Json lines = Json::array({});
        accp_store_export(stores_.at(from).get(), id.data(), id.size(), collect, &lines, nullptr);
        for (const Json &line : lines.items) text += line.text;
    }
    accp_error err = {};
    accp_status status =
        accp_store_import(stores_.at(step.text("of")).get(), text.data(), text.size(), &err);
    return gives(status, err);
}

Json Runner::store_erase(const Step &step) {
    std::string id = step.text("id");
    accp_error err = {};
    accp_status status =
        accp_store_remove_session(stores_.at(step.text("of")).get(), id.data(), id.size(), &err);
    return gives(status, err);
}

Json Runner::store_prune(const Step &step) {
    uint64_t out = 0;
    accp_error err = {};
    accp_status status = accp_store_prune(stores_.at(step.text("of")).get(), step.number("now_ms"),
                                          static_cast<uint64_t>(step.number("keep")), &out, &err);
    return gives(status, err, [&](Members &members) {
        members.emplace_back("pruned", integer(static_cast<int64_t>(out)));
    });
}

Json Runner::store_verify(const Step &step) {
    accp_error err = {};
    accp_status status =
        accp_store_verify(stores_.at(step.text("of")).get(), nullptr, nullptr, &err);
    return gives(status, err);
}

Json Runner::engine(const Step &step) {
    accp_engine *made = nullptr;
    accp_error err = {};
    const Config config = config_of(step);
    if (step.find("store"))
        accp_config_set_store(config.get(), stores_.at(step.text("store")).get(), &err);
    if (step.find("registry"))
        accp_config_set_registry(config.get(), registries_.at(step.text("registry")).get(), &err);
    Host &host = hosts_["engine " + step.text("name")] = Host();
    const accp_hooks hooks = hooks_of(step, host);
    accp_status status = accp_config_set_hooks(config.get(), &hooks, &err);
    if (status == ACCP_OK)
        status =
            accp_config_set_rule(config.get(), ACCP_RULE_EXTENSIONS, extensions_of(step), &err);
    for (const std::string &name : step.list("own"))
        if (status == ACCP_OK)
            status = accp_config_add_own_agent(config.get(), name.data(), name.size(), &err);
    if (const Json *rules = step.find("rules"))
        for (const auto &[name, value] : rules->members)
            if (status == ACCP_OK)
                status =
                    accp_config_set_rule(config.get(), accp_rule_find(name.data(), name.size()),
                                         std::stoll(value.text), &err);
    if (status == ACCP_OK && step.find("agreement")) {
        accp_agreement agreed = {};
        status = accp_negotiation_agreement(sides_.at(step.text("agreement")).get(), &agreed, &err);
        if (status == ACCP_OK) status = accp_config_set_agreement(config.get(), &agreed, &err);
    }
    if (status == ACCP_OK) status = accp_engine_new(config.get(), &made, &err);
    engines_[step.text("name")].reset(made);
    return gives(status, err);
}

Json Runner::open(const Step &step) {
    accp_session *made = nullptr;
    accp_error err = {};
    std::string id = step.text("id");
    accp_status status =
        accp_session_open(engines_.at(step.text("engine")).get(), id.data(), id.size(),
                          step.flag("local") ? ACCP_SESSION_LOCAL : 0, &made, &err);
    if (status == ACCP_OK) sessions_[step.text("name")].reset(made);
    return gives(status, err);
}

Json Runner::close(const Step &step) {
    sessions_.erase(step.text("of"));
    return object();
}

Json Runner::send(const Step &step) {
    ACCP_CALL;
    return gives_text([&](accp_text *out, accp_error *err) {
        return accp_session_send(call.handle, call.text.data(), call.text.size(), call.now, out,
                                 err);
    });
}

Json Runner::reply(const Step &step) {
    ACCP_CALL;
    std::string request = step.text("request");
    return gives_text([&](accp_text *out, accp_error *err) {
        return accp_session_reply(call.handle, request.data(), request.size(), call.text.data(),
                                  call.text.size(), call.now, out, err);
    });
}

Json Runner::outcome(const Step &step) {
    ACCP_CALL;
    accp_outcome got = {};
    accp_status status = accp_session_outcome(call.handle, &got, &call.err);
    return gives(status, call.err, [&](Members &members) {
        members = {{"parts", integer(static_cast<int64_t>(got.parts))},
                   {"kept", integer(static_cast<int64_t>(got.kept))},
                   {"warnings", integer(got.warnings)}};
    });
}

Json Runner::receive(const Step &step) {
    ACCP_CALL;
    return call.done(accp_session_receive(call.handle, call.text.data(), call.text.size(), call.now,
                                          call.peer(), &call.err));
}

// Returns all deliveries.
Json Runner::next(const Step &step) {
    ACCP_CALL;
    Json list = Json::array({});
    for (accp_delivery one = {}; accp_session_next_delivery(call.handle, &one);)
        list.items.push_back(
            object({{"status", string(accp_status_code_name(one.status))},
                    {"seq", integer(one.seq)},
                    {"message", string(copy(one.message))},
                    {"mid", string(copy(one.mid))},
                    {"cid", string(copy(one.cid))},
                    {"reason", string(one.reason ? one.reason : "")},
                    {"warnings", integer(accp_session_delivery_warnings(call.handle))}}));
    return object({{"deliveries", list}});
}

Json Runner::append(const Step &step) {
    ACCP_CALL;
    return call.done(accp_session_append_from(call.handle, call.text.data(), call.text.size(),
                                              call.now, call.peer(), &call.err));
}

Json Runner::checkpoint(const Step &step) {
    ACCP_CALL;
    accp_status status = accp_session_checkpoint(call.handle, call.now, &call.err);
    return gives(status, call.err, [&](Members &members) {
        members = {
            {"checkpoints", integer(accp_session_newest_checkpoint(call.handle))},
            {"records", integer(static_cast<int64_t>(accp_session_record_count(call.handle)))}};
    });
}

Json Runner::context(const Step &step) {
    ACCP_CALL;
    accp_text out = {};
    uint64_t tokens = 0;
    accp_status status = accp_session_context(
        call.handle, static_cast<uint64_t>(step.number("budget_tokens")), &out, &tokens, &call.err);
    return gives(status, call.err, [&](Members &members) {
        members = {{"out", string(std::string(out.text, out.len))},
                   {"tokens", integer(static_cast<int64_t>(tokens))}};
    });
}

Json Runner::tool(const Step &step) {
    const int32_t found = interface_of(step);
    const char *back = accp_interface_name(found), *out = accp_interface_tool(found);
    return object({{"number", integer(found)},
                   {"name", back ? string(back) : Json()},
                   {"out", out ? string(out) : Json()}});
}

Json Runner::append_messages(const Step &step) {
    ACCP_CALL;
    uint64_t count = 0;
    accp_status status = accp_session_append_messages_from(
        call.handle, call.text.data(), call.text.size(), interface_of(step), call.now, call.peer(),
        &count, &call.err);
    return gives(status, call.err, [&](Members &members) {
        members = {{"count", integer(static_cast<int64_t>(count))}};
    });
}

Json Runner::append_history(const Step &step) {
    ACCP_CALL;
    const std::string branch = step.text("branch");
    accp_history_options options = {};
    options.size = sizeof options;
    options.branch = {branch.data(), branch.size()};
    options.peer = call.peer();
    accp_history_report report = {};
    accp_status status =
        accp_session_append_history(call.handle, call.text.data(), call.text.size(),
                                    step.text("interface").empty() ? 0 : interface_of(step),
                                    call.now, &options, &report, &call.err);
    return gives(status, call.err, [&](Members &members) {
        members = {{"count", integer(static_cast<int64_t>(report.count))},
                   {"same", integer(static_cast<int64_t>(report.same))},
                   {"added", integer(static_cast<int64_t>(report.added))},
                   {"item", integer(static_cast<int64_t>(report.item))},
                   {"record", integer(static_cast<int64_t>(report.record))},
                   {"branched", integer(report.is_branched)}};
    });
}

Json Runner::blocks(const Step &step) {
    ACCP_CALL;
    const accp_context_block *blocks = nullptr;
    size_t count = 0;
    accp_status status = accp_session_context_blocks(
        call.handle, static_cast<uint64_t>(step.number("budget_tokens")), &blocks, &count,
        &call.err);
    return gives(status, call.err, [&](Members &members) {
        Json list = Json::array({});
        for (size_t i = 0; i < count; ++i)
            list.items.push_back(
                object({{"kind", integer(blocks[i].kind)},
                        {"is_stable", integer(blocks[i].is_stable)},
                        {"checkpoint", integer(blocks[i].checkpoint)},
                        {"tokens", integer(static_cast<int64_t>(blocks[i].tokens))},
                        {"since", integer(static_cast<int64_t>(blocks[i].since))},
                        {"out", string(copy(blocks[i].text))}}));
        members.emplace_back("blocks", std::move(list));
    });
}

Json Runner::messages(const Step &step) {
    ACCP_CALL;
    accp_text out = {};
    uint64_t tokens = 0;
    accp_status status = accp_session_context_messages(
        call.handle, interface_of(step), static_cast<uint64_t>(step.number("budget_tokens")), &out,
        &tokens, &call.err);
    return gives(status, call.err, [&](Members &members) {
        members = {{"out", string(copy(out))}, {"tokens", integer(static_cast<int64_t>(tokens))}};
    });
}

Json Runner::pages(const Step &step) {
    ACCP_CALL;
    return gives_text([&](accp_text *out, accp_error *err) {
        return accp_session_context_pages(call.handle, out, err);
    });
}

Json Runner::answer(const Step &step) {
    ACCP_CALL;
    return gives_text([&](accp_text *out, accp_error *err) {
        return accp_session_answer(call.handle, call.text.data(), call.text.size(), call.now, out,
                                   err);
    });
}

Json Runner::budget(const Step &step) {
    ACCP_CALL;
    accp_budget got = {};
    accp_status status = accp_session_budget(call.handle, &got, &call.err);
    return gives(status, call.err, [&](Members &members) {
        const std::pair<const char *, uint64_t> all[] = {
            {"hot_used", got.hot_used},     {"hot_max", got.hot_max},
            {"warm_used", got.warm_used},   {"warm_max", got.warm_max},
            {"total_used", got.total_used}, {"total_max", got.total_max}};
        for (const auto &[name, tokens] : all)
            members.emplace_back(name, integer(static_cast<int64_t>(tokens)));
    });
}

Json Runner::record(const Step &step) {
    ACCP_CALL;
    accp_log_record got = {};
    accp_status status = accp_session_record(
        call.handle, static_cast<uint64_t>(step.number("number")), &got, &call.err);
    return gives(status, call.err, [&](Members &members) {
        members = {{"kind", string(std::string(1, static_cast<char>(got.kind)))},
                   {"time_ms", integer(got.time_ms)},
                   {"out", string(copy(got.text))}};
    });
}

Json Runner::record_registry(const Step &step) {
    ACCP_CALL;
    accp_registry *found = nullptr;
    accp_status status = accp_session_share_registry(
        call.handle, static_cast<uint64_t>(step.number("number")), &found, &call.err);
    const Registry under(found);
    return gives(status, call.err,
                 [&](Members &members) { members.emplace_back("hash", string(hash_of(found))); });
}

Json Runner::resolve(const Step &step) {
    ACCP_CALL;
    return gives_text([&](accp_text *out, accp_error *err) {
        return accp_session_resolve(call.handle, call.ref.data(), call.ref.size(), nullptr, 0,
                                    call.now, out, err);
    });
}

Json Runner::resolve_of(const Step &step) {
    ACCP_CALL;
    return gives_text([&](accp_text *out, accp_error *err) {
        return accp_session_resolve(call.handle, call.ref.data(), call.ref.size(), call.who.data(),
                                    call.who.size(), call.now, out, err);
    });
}

Json Runner::put(const Step &step) {
    ACCP_CALL;
    return call.done(accp_session_put(call.handle, call.ref.data(), call.ref.size(),
                                      call.text.data(), call.text.size(), call.expires, &call.err));
}

Json Runner::erase(const Step &step) {
    ACCP_CALL;
    return call.done(accp_session_remove(call.handle, call.ref.data(), call.ref.size(), &call.err));
}

Json Runner::grant(const Step &step) {
    ACCP_CALL;
    return call.done(accp_session_add_grant(call.handle, call.who.data(), call.who.size(),
                                            call.prefix.data(), call.prefix.size(), call.expires,
                                            &call.err));
}

Json Runner::revoke(const Step &step) {
    ACCP_CALL;
    return call.done(accp_session_remove_grant(call.handle, call.who.data(), call.who.size(),
                                               call.prefix.data(), call.prefix.size(), &call.err));
}

Json Runner::send_state(const Step &step) {
    ACCP_CALL;
    std::string agent = step.text("agent");
    return gives_text([&](accp_text *out, accp_error *err) {
        return accp_session_send_state(call.handle, agent.data(), agent.size(), call.text.data(),
                                       call.text.size(), call.now, out, err);
    });
}

Json Runner::state(const Step &step) {
    ACCP_CALL;
    int64_t version = 0;
    accp_text text = accp_session_state(call.handle, &version);
    return object({{"out", string(copy(text))}, {"version", integer(version)}});
}

Json Runner::is_cancelled(const Step &step) {
    ACCP_CALL;
    std::string cid = step.text("cid");
    return object(
        {{"cancelled", integer(accp_session_is_cancelled(call.handle, cid.data(), cid.size()))}});
}

Json Runner::end(const Step &step) {
    ACCP_CALL;
    return call.done(accp_session_end(call.handle, call.now, &call.err));
}

}  // namespace accp_steps
