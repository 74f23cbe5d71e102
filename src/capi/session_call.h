// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The common parts of calls on a session. They run one at a time, with a scratch. If a call fails
// halfway it is undone. Each call adds to the metrics of the engine (include/accp/metrics.h), and
// reports its messages to the hooks `log` and `event` and to a project of panes.
#pragma once

#include <algorithm>

#include "accp/hooks.h"
#include "capi/guard.h"
#include "capi/session_handles.h"
#include "packet/panes/handoffs.h"
#include "store/handle.h"
#include "value/json_reader.h"

namespace accp::capi {

// The kind of a call: it receives a frame, makes the frames in session->out, or appends messages.
struct CallSubject {
    enum Kind : uint8_t { kOther, kReceived, kSent, kAppended } kind = kOther;
    std::string_view text = {};  // the input of the call
};

// Calls the hook `event` after a call on a session. Finds the events by comparing the session
// before and after the call, as Tally does for counts. Without a hook it does nothing.
class SessionEvents {
public:
    explicit SessionEvents(accp_session &session) : session_(session) {
        if (session.hooks->event) before_ = now();
    }
    // Call this while the session is still busy, because the hook may not use it.
    void report(const CallSubject &subject, accp_status status) noexcept {
        if (session_.hooks->event) report_all(subject, status);
    }
    // Reports a new context with so many tokens, of which a cache serves `cached`.
    void report_context(uint64_t tokens, uint64_t cached) noexcept;

private:
    struct Marks {
        size_t deliveries = 0, marks = 0;
        uint32_t gaps = 0, checkpoints = 0;
        uint64_t taken = 0, messages = 0, closed = 0, history = 0;
    };
    Marks now() const;
    accp_event event_of(int32_t kind, accp_status status) const;
    void send(const accp_event &event) const {
        session_.hooks->event(&event, session_.hooks->user);
    }
    void report_all(const CallSubject &subject, accp_status status) noexcept;
    void report_sent(accp_status status, session::Scratch &scratch);
    void report_appended(std::string_view text, accp_status status);
    void report_checkpoints(const Marks &after);
    void report_frame(int32_t direction, std::string_view text, accp_status status,
                      session::Scratch &scratch);
    void report_delivery(const session::Delivery &one, session::Scratch &scratch);

    accp_session &session_;
    Marks before_;
    uint32_t opened_ = 0;  // new gaps
    accp_text own_mid_ = {};
};

// Reports to a project which packets a session hands to workers (packet/panes/handoffs.h). The
// session stores the open handoffs as a blob, `handoffs!` in warm.
struct SessionTasks {
    // The arguments of the constructor.
    struct Source {
        const Settings &settings;
        accp_store *store;
    };

    explicit SessionTasks(const Source &from)
        : settings(from.settings),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          store(store::share_store(from.store)),
          panes(store->store, memory),
          handoffs(memory),
          reader(memory),
          value(memory),
          sent(memory) {}

    const Settings &settings;
    Memory memory;
    accp_store *store;    // has the project's journal
    packet::Panes panes;  // separate, because another thread may use the caller's
    packet::Handoffs handoffs;
    value::JsonReader reader;
    value::Value value;
    Buffer<char> sent;  // the message of the last sent frame
};

// These report to the project, if there is one. They cannot fail: what cannot be reported now is
// reported with the next such message. note_message() reports an accepted message; `ours`: it was
// sent or appended.
void note_message(accp_session *session, std::string_view json, bool ours, int64_t now_ms) noexcept;
// Reports the new deliveries from `place` on.
void note_received(accp_session *session, size_t place, int64_t now_ms) noexcept;
// Reports the last sent frame.
void note_sent(accp_session *session, std::string_view frame, int64_t now_ms) noexcept;
void end_tasks(accp_session *session) noexcept;

// Adds the effects of a call to the metrics, by comparing the session before and after it.
class Tally {
public:
    explicit Tally(accp_session &session) : session_(session), before_(now()) {}
    Tally(const Tally &) = delete;
    Tally &operator=(const Tally &) = delete;
    ~Tally() {
        const Marks after = now();
        add(ACCP_METRIC_RECORDS, before_.records, after.records);
        add(ACCP_METRIC_CHECKPOINTS, before_.checkpoints, after.checkpoints);
        add(ACCP_METRIC_COMMITS, before_.commits, after.commits);
        const session::Deliveries &all = session_.session.deliveries;
        for (size_t i = before_.deliveries; i < all.size(); ++i) count(all.at(i));
    }

private:
    struct Marks {
        uint64_t records, checkpoints, commits;
        size_t deliveries;
    };
    Marks now() const {
        const session::Session &of = session_.session;
        return {of.last_record(), of.core().context.checkpoints(), of.driver.commits(),
                of.deliveries.size()};
    }
    // A call that failed halfway may have been undone.
    void add(accp_metric metric, uint64_t before, uint64_t after) {
        session_.metrics.add(metric, std::max(before, after) - before);
    }
    void count(const session::Delivery &one) {
        session::MetricsShare &metrics = session_.metrics;
        if (one.status == ACCP_OK) metrics.add(ACCP_METRIC_MESSAGES_DELIVERED, 1);
        if (one.status == ACCP_E3001) metrics.add(ACCP_METRIC_REQUESTS_EXPIRED, 1);
        if (one.status == ACCP_E3003 && one.mid.empty()) metrics.add(ACCP_METRIC_GAPS, 1);
    }

    accp_session &session_;
    const Marks before_;
};

inline void count_received(accp_session &session, size_t bytes, accp_status status) {
    session::MetricsShare &metrics = session.metrics;
    metrics.add(ACCP_METRIC_FRAMES_RECEIVED, 1);
    metrics.add(ACCP_METRIC_BYTES_RECEIVED, bytes);
    metrics.add(session::Metrics::outcome(ACCP_RECEIVED, row_of(status)), 1);
}

// `frames` are separated by newlines; empty if no frame was sent.
inline void count_sent(accp_session &session, std::string_view frames, accp_status status) {
    session::MetricsShare &metrics = session.metrics;
    const auto newlines = std::count(frames.begin(), frames.end(), '\n');
    metrics.add(ACCP_METRIC_FRAMES_SENT, frames.empty() ? 0 : static_cast<uint64_t>(newlines) + 1);
    metrics.add(ACCP_METRIC_BYTES_SENT, frames.size() - static_cast<size_t>(newlines));
    metrics.add(session::Metrics::outcome(ACCP_SENT, row_of(status)), 1);
}

constexpr const char *kNotDurable =
    "accepted but not yet durable, because another process writes or memory is short: call "
    "session_sync until it succeeds";
constexpr const char *kOnlyEarlier =
    "frames that waited were applied, but this call failed and changed nothing else: repeat it";
constexpr const char *kSessionBusy = "a callback may not use the session that called it";

// Fails if the handle is NULL or a call works with it.
inline accp_status check_idle(const accp_session *session, accp_error *err) noexcept {
    if (!session) return capi::refuse(err, capi::kNoHandle);
    return session->busy ? capi::report(fail(ACCP_ERR_BUSY, 0, kSessionBusy), err)
                         : accp_status{ACCP_OK};
}

// Runs a call on a session with a scratch, which returns only a status.
template <class Work>
accp_status call_session(accp_session *session, accp_error *err, Work work,
                         const CallSubject &subject = {}) noexcept {
    if (accp_status status = check_idle(session, err)) return status;
    const SessionUse use(session);
    session->busy = true;
    const Tally tally(*session);
    SessionEvents events(*session);
    const session::Driver &driver = session->session.driver;
    const uint64_t commits = driver.commits(), own = driver.own_commits();
    accp_status status = capi::guard(err, [&] {
        session::ScratchLoan scratch(*session->engine);
        return session->session.driver.check_owner(work(*scratch));
    });
    // ERR_IO and more records mean that the change was stored: only its durability failed, and the
    // host must not repeat it.
    const bool is_stored = driver.own_commits() != own;
    if (is_stored && (status == ACCP_ERR_BUSY || status == ACCP_ERR_NOMEM))
        status = capi::report(fail(ACCP_ERR_IO, 0, kNotDurable), err);
    if (!is_stored && status == ACCP_ERR_IO && driver.commits() != commits)
        status = capi::report(fail(ACCP_ERR_BUSY, 0, kOnlyEarlier), err);
    // Undo a half-done call at once, so that getters return the right values too. If that fails as
    // well, the next call does it.
    if (session->session.driver.is_stale())
        guard(nullptr, [&] {
            return session->session.driver.refresh(*session::ScratchLoan(*session->engine));
        });
    events.report(subject, status);
    session->busy = false;
    const Status kept = check_kept(*session);
    return kept.ok() ? status : capi::report(kept, err);
}

// Logs a message or a refusal. A failure here does not fail the call: if there is no memory for the
// line, it is left out.
inline void log_message(session::Engine &engine, session::Scratch &scratch, int32_t direction,
                        const Status &status, std::string_view json) {
    scratch.debug_log.hook = engine.hooks.log;
    scratch.debug_log.user = engine.hooks.user;
    capi::guard(nullptr, [&] {
        if (status.failed()) scratch.debug_log.write(direction, status);
        else scratch.debug_log.write(direction, json, engine.redacted.view());
        return Status{};
    });
}

// Logs a received frame: the new deliveries from `place` on, and a refusal if there is one.
inline void log_received(accp_session *session, size_t place, const accp_error &answer) {
    if (!session || !session->engine->hooks.log) return;
    call_session(session, nullptr, [&](session::Scratch &scratch) {
        const session::Deliveries &all = session->session.deliveries;
        for (size_t i = place; i < all.size(); ++i) {
            const session::Delivery one = all.at(i);
            log_message(*session->engine, scratch, ACCP_RECEIVED, fail(one.status, 0, one.reason),
                        one.json);
        }
        if (answer.code != ACCP_OK && answer.code != ACCP_HELD)
            log_message(*session->engine, scratch, ACCP_RECEIVED, status_of(answer), {});
        return Status{};
    });
}

// The same for a call that returns a text, which `work` appends to session->out.
template <class Work>
accp_status return_text(accp_session *session, accp_text *out, accp_error *err, Work work,
                        const CallSubject &subject = {}) noexcept {
    if (!session || !out) return capi::refuse(err, capi::kNoHandle);
    const SessionUse use(session);
    accp_status status = call_session(
        session, err,
        [&](session::Scratch &scratch) {
            session->out.recycle(0);
            return work(scratch, session->out);
        },
        subject);
    if (status != ACCP_OK && status != ACCP_ERR_IO) return status;
    hand_out(session->out, out);
    return status;
}

// The same for a call that makes a frame. `work` leaves its message in scratch.json.out.
template <class Work>
accp_status make_frame(accp_session *session, int64_t now_ms, accp_text *out, accp_error *err,
                       Work work) noexcept {
    if (!session || !out) return capi::refuse(err, capi::kNoHandle);
    const SessionUse use(session);
    const size_t queued = session->session.deliveries.size();
    accp_text frames = {};
    accp_status status = return_text(
        session, &frames, err,
        [&](session::Scratch &scratch, Buffer<char> &to) {
            Status status = work(scratch, to);
            if (session->engine->hooks.log && (status.failed() || !to.empty()))
                log_message(*session->engine, scratch, ACCP_SENT, status, scratch.json.out.view());
            return status;
        },
        {CallSubject::kSent});
    const bool made = status == ACCP_OK || status == ACCP_ERR_IO;
    count_sent(*session, made ? session->out.view() : std::string_view(), status);
    if (session->session.deliveries.size() > queued) log_received(session, queued, {});
    note_received(session, queued, now_ms);
    if (made) note_sent(session, session->out.view(), now_ms);
    if (const Status kept = check_kept(*session); kept.failed()) return capi::report(kept, err);
    if (made) *out = frames;
    return status;
}

// Counts a new context and calls the event hook. Fails if the hook closed the session: the call
// must not return a view into it.
inline Status count_context(accp_session &session, uint64_t tokens) {
    session::MetricsShare &metrics = session.metrics;
    metrics.add(ACCP_METRIC_CONTEXTS, 1);
    metrics.add(ACCP_METRIC_CONTEXT_TOKENS, tokens);
    context::Context &context = session.session.driver.core().context;
    metrics.add(ACCP_METRIC_CONTEXT_HISTORY_TOKENS, context.history_tokens());
    const context::Context::Price price = context.charge(tokens);
    metrics.add(ACCP_METRIC_CONTEXT_PRICE, price.context);
    metrics.add(ACCP_METRIC_CONTEXT_HISTORY_PRICE, price.history);
    SessionEvents(session).report_context(tokens, price.cached);
    return check_kept(session);
}

// Runs a call that returns a context as text. `work` also counts its tokens.
template <class Work>
accp_status make_context(accp_session *session, accp_text *out, uint64_t *tokens_out,
                         accp_error *err, Work work) noexcept {
    if (!session || !out) return capi::refuse(err, capi::kNoHandle);
    const SessionUse use(session);
    uint64_t tokens = 0;
    accp_text text = {};
    const accp_status status = return_text(
        session, &text, err,
        [&](session::Scratch &scratch, Buffer<char> &to) { return work(scratch, to, tokens); });
    if (status != ACCP_OK) return status;
    const Status kept = count_context(*session, tokens);
    if (kept.failed()) return capi::report(kept, err);
    *out = text;
    if (tokens_out) *tokens_out = tokens;
    return ACCP_OK;
}

// Reads the peer of a call. Without one, `out` stays a trusted peer with any name.
inline accp_status read_peer(const accp_peer *peer, session::Peer &out, accp_error *err) noexcept {
    if (!peer) return ACCP_OK;
    if (!capi::is_text(peer->agents.text, peer->agents.len))
        return capi::refuse(err, capi::kNoText);
    if (!is_origin(peer->origin)) return capi::refuse(err, capi::kNoOrigin);
    out = {to_view(peer->agents), peer->origin == ACCP_ORIGIN_UNTRUSTED};
    return ACCP_OK;
}

template <typename... Texts>
bool is_own_text(const accp_session *session, Texts... texts) {
    return session && capi::any_lies_in(session->out, texts...);
}

}  // namespace accp::capi
