// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The verb `session` of conformance vectors: does steps on one session and returns their results.
#include "cli/conformance/verbs.h"
#include "cli/host.h"
#include "cli/session/sessions.h"

namespace conformance {

using namespace cli;
namespace {

constexpr int64_t kBegin = 1'714'000'000'000;

// A session, and a second session of the same store that may read from it.
class SessionSteps {
public:
    explicit SessionSteps(const Vector &vector) {
        accp_error err = {};
        accp_store *store = nullptr;
        need(accp_store_open("memory:", 7, 0, nullptr, &store, &err), err);
        store_.reset(store);
        const Handle<accp_config> config = new_config();
        need(accp_config_set_store(config.get(), store, &err), err);
        need(accp_config_set_rule(config.get(), ACCP_RULE_SPECIFICATION, 1, &err), err);
        vector.each("rules",
                    [&](std::string_view rule) { set_rule(config.get(), std::string(rule)); });
        accp_engine *engine = nullptr;
        need(accp_engine_new(config.get(), &engine, &err), err);
        engine_.reset(engine);
        open();
    }

    // Does one step and returns its result as JSON. The first character selects what is done with
    // the rest of the line.
    std::string run(std::string_view line) {
        const std::string rest(line.substr(1));
        accp_error err = {};
        switch (line[0]) {
            case '@':
                return status(accp_session_receive(session_.get(), line.data(), line.size(), now_,
                                                   nullptr, &err));
            case '=':
                return status(
                    accp_session_append(session_.get(), rest.data(), rest.size(), now_, &err));
            case '#': return status(accp_session_checkpoint(session_.get(), now_, &err));
            case '^': return status(accp_session_expire(session_.get(), now_, &err));
            case '&':
                return text([&](auto... out) {
                    return accp_session_retry(session_.get(), std::stoull(rest), now_, out...);
                });
            case '+': now_ += std::stoll(rest); return "\"OK\"";
            case '*': open(); return "\"OK\"";
            case '>':
                return text([&](auto... out) {
                    return accp_session_send(session_.get(), rest.data(), rest.size(), now_,
                                             out...);
                });
            case '~':
                return text([&](auto... out) {
                    return accp_session_send_state(session_.get(), "a", 1, rest.data(), rest.size(),
                                                   now_, out...);
                });
            case '$':
                return text([&](auto... out) {
                    return accp_session_resolve(session_.get(), rest.data(), rest.size(), nullptr,
                                                0, now_, out...);
                });
            case '!': return text([&](auto... out) { return foreign(rest, out...); });
            case '?': return query(rest);
            default: return put(line);
        }
    }

private:
    static void need(accp_status status, const accp_error &err) {
        if (status != ACCP_OK) throw Failure(std::string("session: ") + message_of(err));
    }
    static std::string status(accp_status status) {
        return std::string("\"") + accp_status_code_name(status) + "\"";
    }

    // Returns a result as a JSON string. Cuts the envelope of a frame, because its numbers vary.
    template <typename Call>
    static std::string text(Call call) {
        accp_text out = {};
        accp_error err = {};
        const accp_status code = call(&out, &err);
        if (code != ACCP_OK) return status(code);
        std::string json;
        append_json_string(to_view(out).substr(0, to_view(out).find("[mid:")), json);
        return json;
    }

    void open() {
        accp_error err = {};
        accp_session *made = nullptr;
        need(accp_session_open(engine_.get(), "s", 1, 0, &made, &err), err);
        session_.reset(made);
    }

    // Resolves a ref of this session from the other session.
    accp_status foreign(const std::string &ref, accp_text *out, accp_error *err) {
        accp_session *made = nullptr;
        need(accp_session_open(engine_.get(), "other", 5, 0, &made, err), *err);
        other_.reset(made);
        return accp_session_resolve(made, ref.data(), ref.size(), "s", 1, now_, out, err);
    }

    // "ref json" and "ref json until N" store a value; "grant prefix" lets the other session read.
    std::string put(std::string_view line) {
        const size_t space = line.find(' '), last = line.rfind(" until ");
        const std::string ref(line.substr(0, space)),
            json(line.substr(space + 1, last == std::string_view::npos ? last : last - space - 1));
        if (ref == "grant")
            return status(accp_session_add_grant(session_.get(), "other", 5, json.data(),
                                                 json.size(), 0, nullptr));
        const int64_t until = last == std::string_view::npos
                                  ? 0
                                  : kBegin + std::stoll(std::string(line.substr(last + 7)));
        return status(accp_session_put(session_.get(), ref.data(), ref.size(), json.data(),
                                       json.size(), until, nullptr));
    }

    // Returns a property of the session, or whether its context contains the text.
    std::string query(const std::string &what) {
        accp_budget use = {};
        accp_session_budget(session_.get(), &use, nullptr);
        if (what == "checkpoints")
            return std::to_string(accp_session_newest_checkpoint(session_.get()));
        if (what == "records") return std::to_string(accp_session_record_count(session_.get()));
        if (what == "hot within")
            return use.hot_used <= use.hot_max && use.hot_max == 500 ? "true" : "false";
        if (what == "warm within")
            return use.warm_used <= 200 * uint64_t{accp_session_newest_checkpoint(session_.get())}
                       ? "true"
                       : "false";
        if (what == "state") {
            const accp_text state = accp_session_state(session_.get(), nullptr);
            return std::string(state.text, state.len);
        }
        if (what == "delivered") {
            std::string all = "[";
            for (accp_delivery one; accp_session_next_delivery(session_.get(), &one) != 0;)
                all.append(all.size() > 1 ? "," : "")
                    .append(one.status == ACCP_OK ? std::to_string(one.seq) : status(one.status));
            return all + "]";
        }
        accp_text out = {};
        accp_session_context(session_.get(), 0, &out, nullptr, nullptr);
        return std::string_view(out.text, out.len).find(what) != std::string_view::npos ? "true"
                                                                                        : "false";
    }

    Handle<accp_store> store_;
    Handle<accp_engine> engine_;
    Handle<accp_session> session_, other_;
    int64_t now_ = kBegin;
};

}  // namespace

std::string session_result(const Vector &vector) {
    SessionSteps session(vector);
    std::string results;
    vector.each("steps", [&](std::string_view step) {
        results.append(results.empty() ? "" : ",").append(session.run(step));
    });
    return "{\"ok\":true,\"answers\":[" + results + "]}";
}

}  // namespace conformance
