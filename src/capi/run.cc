// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/run.h
#include "accp/run.h"

#include "base/random.h"
#include "base/status.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "sacp/run/run.h"
#include "store/handle.h"

struct accp_run {
    // The arguments of the constructor.
    struct Source {
        const accp::Settings &settings;
        accp_store *store;
    };

    explicit accp_run(const Source &from)
        : settings(from.settings),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          store(accp::store::share_store(from.store)),
          library(memory),
          verdict(memory),
          run(memory),
          batch(memory),
          out(memory) {}

    // If memory runs out during an event, the run cannot continue, but its log is intact.
    template <class Body>
    accp::Status change(Body body) {
        if (broken)
            return accp::fail(ACCP_ERR_CLOSED, 0,
                              "the run ran out of memory earlier: make a new one from its log");
        broken = true;
        const accp::Status status = body();
        broken = false;
        return status;
    }

    accp::Settings settings;
    accp::Memory memory;
    accp_store *store;
    accp::store::StoreSession *session = nullptr;
    accp::sacp::Library library;
    accp::sacp::Verdict verdict;
    accp::sacp::Run run;
    accp::store::StoreBatch batch;  // records that are not committed yet
    accp::Buffer<char> out;
    bool refused = false;  // the message was refused, so nothing runs
    bool end_reported = false;
    bool begun = false, next_called = false;
    bool keeps_records = false;  // the caller keeps the log
    bool unsynced = false;       // some commits are not durable yet
    bool broken = false;
};

using namespace accp;
using namespace accp::capi;
using sacp::Effect;
using sacp::Outcome;
using sacp::Reception;

namespace {

constexpr uint32_t kFlags = ACCP_RUN_LENIENT | ACCP_RUN_RECORDS | ACCP_RUN_REASONS;
constexpr size_t kScanBytes = 1 << 20;
constexpr const char *kForeignLog = "the log belongs to another run, or is damaged";

void end_run(accp_run *run) noexcept {
    if (!run) return;
    if (run->session) run->session->close();
    accp_store *store = run->store;
    destroy_handle(run);
    store::drop_store(store);
}

Status check_request(const accp_run_request &request) {
    if (request.size != sizeof(accp_run_request))
        return fail(ACCP_ERR_ARG, 0, "the size of the request matches no version of this library");
    if (!are_texts(request.message, request.library, request.policy, request.session))
        return fail(ACCP_ERR_ARG, 0, kNoText);
    if (request.flags & ~kFlags) return fail(ACCP_ERR_ARG, 0, "no such flag");
    if (request.store && (request.flags & ACCP_RUN_RECORDS))
        return fail(ACCP_ERR_ARG, 0, "either a store or the caller keeps the log, not both");
    if (!request.store != !request.session.len)
        return fail(ACCP_ERR_ARG, 0,
                    "a store requires the name of a session, and a session a store");
    if (request.now_ms < 0) return fail(ACCP_ERR_ARG, 0, kNoTime);
    return {};
}

Status read_documents(accp_run &run, const accp_run_request &request) {
    const uint64_t max_bytes = run.settings.limit(ACCP_LIMIT_JSON_BYTES);
    if (!run.library.read(to_view(request.library), max_bytes, run.verdict))
        return fail(ACCP_E1004, run.verdict.byte(),
                    interned_text({"the library: ", run.verdict.details()}, "no library"));
    if (!run.run.policy().read(to_view(request.policy), max_bytes, run.verdict))
        return fail(ACCP_ERR_ARG, run.verdict.byte(),
                    interned_text({"the policy: ", run.verdict.details()}, "no policy"));
    if (request.flags & ACCP_RUN_REASONS) run.run.keep_reasons();
    run.refused = !run.run.read(to_view(request.message), max_bytes, run.library,
                                !(request.flags & ACCP_RUN_LENIENT), run.verdict);
    run.keeps_records = request.flags & ACCP_RUN_RECORDS;
    return {};
}

// Replays the log of the session into the run.
Status read_log(accp_run &run) {
    store::StoreRecords records(run.memory);
    for (uint64_t next = 1; next <= run.session->row().last;) {
        Status status = run.session->scan(next, 0, false, kScanBytes, records);
        if (status.failed()) return status;
        for (size_t i = 0; i < records.size(); ++i) {
            next = records[i].seq + 1;
            if (run.run.replay(records[i].bytes) == Reception::kAccepted) continue;
            status = fail(ACCP_ERR_CORRUPT, 0, kForeignLog);
            status.record = static_cast<uint32_t>(records[i].seq);
            return status;
        }
        if (!records.size()) return fail(ACCP_ERR_CORRUPT, 0, kForeignLog);
        run.begun = true;
    }
    return {};
}

void begin_run(accp_run &run, int64_t now_ms) {
    if (run.begun) return;
    const uint64_t words[] = {random_secret(), random_secret()};
    char id[2 * sizeof words];
    for (size_t i = 0; i < sizeof id; ++i)
        id[i] = "0123456789abcdef"[words[i / 16] >> i % 16 * 4 & 15];
    run.begun = true;
    run.run.start({id, sizeof id}, static_cast<uint64_t>(now_ms));
}

// Makes the records of the run durable.
Status keep_log(accp_run &run) {
    if (!run.batch.empty()) {
        const Status status = run.session->commit(run.batch);
        if (status.failed()) return status;
        run.batch.clear();
        run.unsynced = true;
    }
    if (run.unsynced) {
        const Status status = run.session->sync();
        if (status.failed()) return status;
        run.unsynced = false;
    }
    return {};
}

// Returns the next effect that is not a record; records go to the log. The effect is returned only
// when the log is durable.
Status find_effect(accp_run &run, uint64_t now, Effect &effect) {
    Status status;
    while (status.ok() && run.run.has_records() && !run.keeps_records)
        status = run.change([&] {
            effect = run.run.next(now);
            if (run.session) run.batch.append(effect.text);
            return Status{};
        });
    if (status.ok() && run.session) status = keep_log(run);
    if (status.failed()) return status;
    return run.change([&] {
        effect = run.run.next(now);
        return Status{};
    });
}

int32_t kind_of(Effect::Kind kind) {
    switch (kind) {
        case Effect::kRecord: return ACCP_RUN_RECORD;
        case Effect::kCall: return ACCP_RUN_CALL;
        case Effect::kStop: return ACCP_RUN_STOP;
        case Effect::kEnded: return ACCP_RUN_ENDED;
        default: return ACCP_RUN_NOTHING;
    }
}

}  // namespace

extern "C" {

accp_status accp_run_new(const accp_run_request *request, const accp_config *config, accp_run **out,
                         accp_error *err) noexcept {
    if (!request || !out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        Status status = check_request(*request);
        if (status.failed()) return status;
        const Settings settings = capi::settings_of(config);
        const accp_run::Source source = {settings, request->store};
        Held<accp_run, end_run> made(make_handle<accp_run>(settings, source));
        status = read_documents(*made.handle, *request);
        if (status.ok() && request->store && !made->refused)
            status =
                request->store->store.open_session(to_view(request->session), true, made->session);
        if (status.ok() && made->session) status = read_log(*made.handle);
        if (status.ok() && !made->refused && !made->keeps_records)
            begin_run(*made.handle, request->now_ms);
        if (status.ok()) *out = made.release();
        return status;
    });
}

void accp_run_free(accp_run *run) noexcept { end_run(run); }

accp_status accp_run_next(accp_run *run, int64_t now_ms, accp_run_effect *out,
                          accp_error *err) noexcept {
    if (!run || !out) return capi::refuse(err, capi::kNoHandle);
    if (now_ms < 0) return capi::refuse(err, capi::kNoTime);
    return capi::guard(err, [&] {
        Effect effect;
        if (run->refused) {
            effect.kind = run->end_reported ? Effect::kNone : Effect::kEnded;
            run->end_reported = true;
        } else {
            run->next_called = true;
            begin_run(*run, now_ms);
            const Status status = find_effect(*run, static_cast<uint64_t>(now_ms), effect);
            if (status.failed()) return status;
        }
        *out = {kind_of(effect.kind), effect.part,
                effect.call,          static_cast<int64_t>(effect.due),
                to_text(effect.path), to_text(effect.verb),
                to_text(effect.tool), to_text(effect.text),
                to_text(effect.key)};
        return Status{};
    });
}

accp_status accp_run_replay(accp_run *run, const char *record, size_t record_len,
                            accp_error *err) noexcept {
    if (!run) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(record, record_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&]() -> Status {
        if (!run->keeps_records || run->refused || run->next_called)
            return fail(
                ACCP_ERR_ARG, 0,
                "replay records before any other call, and only if the run keeps records and runs");
        return run->change([&] {
            if (run->run.replay(to_view(record, record_len)) != Reception::kAccepted)
                return fail(ACCP_ERR_CORRUPT, 0, kForeignLog);
            run->begun = true;
            return Status{};
        });
    });
}

int32_t accp_run_state(const accp_run *run) noexcept {
    if (!run) return -1;
    if (run->refused) return ACCP_RUN_REFUSED;
    if (!run->run.ended()) return ACCP_RUN_GOING_ON;
    return run->run.succeeded() ? ACCP_RUN_DONE : ACCP_RUN_FAILED;
}

int64_t accp_run_due(const accp_run *run) noexcept {
    if (!run || run->refused || run->run.due() == sacp::kNever) return -1;
    return static_cast<int64_t>(run->run.due());
}

}  // extern "C"

namespace {

// Applies an event to a run.
template <class Tell>
accp_status apply_event(accp_run *run, int64_t now_ms, accp_error *err, Tell what) noexcept {
    if (!run) return capi::refuse(err, capi::kNoHandle);
    if (now_ms < 0) return capi::refuse(err, capi::kNoTime);
    return capi::guard(err, [&]() -> Status {
        if (run->refused) return fail(ACCP_DROPPED, 0, "nothing runs");
        return run->change([&] {
            const Reception reception = what(run->run, static_cast<uint64_t>(now_ms));
            if (reception == Reception::kLate)
                return fail(ACCP_DROPPED, 0, "this call has already ended");
            if (reception == Reception::kWrongSender)
                return fail(
                    ACCP_ERR_ARG, 0,
                    "the result comes from another tool or agent than the one that was called");
            if (reception == Reception::kRefused)
                return fail(ACCP_E1001, 0,
                            "the reply is not a JSON object with the id of its request");
            return Status{};
        });
    });
}

static_assert(static_cast<int>(sacp::Part::kStep) == ACCP_RUN_STEP &&
              static_cast<int>(sacp::Part::kParallel) == ACCP_RUN_PARALLEL &&
              static_cast<int>(sacp::Part::kList) == ACCP_RUN_BRANCH);
static_assert(static_cast<int>(sacp::State::kInProgress) == ACCP_RUN_STEP_IN_PROGRESS &&
              static_cast<int>(sacp::State::kFailed) == ACCP_RUN_STEP_FAILED);

constexpr size_t kMaxName = 256;  // bytes

Status refusal_of(sacp::RequestStatus status) {
    switch (status) {
        case sacp::RequestStatus::kWritten: return {};
        case sacp::RequestStatus::kLate:
            return fail(ACCP_DROPPED, 0, "this call has already ended");
        case sacp::RequestStatus::kJoin:
            return fail(ACCP_ERR_ARG, 0, "a join cannot be a plan by itself");
        case sacp::RequestStatus::kTooDeep:
            return fail(ACCP_ERR_ARG, 0, "the params are nested too deep for a message");
    }
    return {};
}

Outcome outcome_of(int32_t cause) {
    return cause == ACCP_RUN_TIMED_OUT  ? Outcome::kTimeout
           : cause == ACCP_RUN_NO_AGENT ? Outcome::kNoAgent
                                        : Outcome::kToolFailed;
}

}  // namespace

extern "C" {

accp_status accp_run_complete(accp_run *run, uint64_t call, const char *tool, size_t tool_len,
                              const char *output, size_t output_len, int64_t now_ms,
                              accp_error *err) noexcept {
    if (!capi::is_text(tool, tool_len) || !capi::is_text(output, output_len))
        return capi::refuse(err, capi::kNoText);
    return apply_event(run, now_ms, err, [&](sacp::Run &to, uint64_t now) {
        return to.complete(call, to_view(tool, tool_len), to_view(output, output_len), now);
    });
}

accp_status accp_run_fail(accp_run *run, uint64_t call, const char *tool, size_t tool_len,
                          int32_t cause, const char *reason, size_t reason_len, int64_t now_ms,
                          accp_error *err) noexcept {
    if (!capi::is_text(tool, tool_len) || !capi::is_text(reason, reason_len))
        return capi::refuse(err, capi::kNoText);
    if (cause < ACCP_RUN_TOOL_FAILED || cause > ACCP_RUN_NO_AGENT)
        return capi::refuse(err, "no such cause");
    return apply_event(run, now_ms, err, [&](sacp::Run &to, uint64_t now) {
        return to.fail(call, to_view(tool, tool_len), outcome_of(cause),
                       to_view(reason, reason_len), now);
    });
}

accp_status accp_run_receive_reply(accp_run *run, uint64_t call, const char *tool, size_t tool_len,
                                   const char *role, size_t role_len, const char *reply,
                                   size_t reply_len, int64_t now_ms, accp_error *err) noexcept {
    if (!capi::is_text(tool, tool_len) || !capi::is_text(role, role_len) ||
        !capi::is_text(reply, reply_len))
        return capi::refuse(err, capi::kNoText);
    return apply_event(run, now_ms, err, [&](sacp::Run &to, uint64_t now) {
        return to.reply(call, to_view(tool, tool_len), to_view(role, role_len),
                        to_view(reply, reply_len), now);
    });
}

accp_status accp_run_print_request(accp_run *run, uint64_t call, const char *agent,
                                   size_t agent_len, const char *role, size_t role_len,
                                   accp_text *out, accp_error *err) noexcept {
    if (!run || !out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(agent, agent_len) || !capi::is_text(role, role_len))
        return capi::refuse(err, capi::kNoText);
    if (capi::any_lies_in(run->out, agent, role)) return capi::refuse(err, capi::kOwnText);
    if (!agent_len || agent_len > kMaxName || role_len > kMaxName)
        return capi::refuse(err,
                            "an agent has a name of 1 to 256 bytes, and a role of at most 256");
    return capi::guard(err, [&]() -> Status {
        if (run->refused) return fail(ACCP_DROPPED, 0, "nothing runs");
        if (run->broken)
            return fail(ACCP_ERR_CLOSED, 0,
                        "the run ran out of memory earlier: make a new one from its log");
        run->out.clear();
        const sacp::RequestStatus status = run->run.write_request(
            call, {to_view(agent, agent_len), to_view(role, role_len)}, run->out);
        if (status == sacp::RequestStatus::kWritten) capi::hand_out(run->out, out);
        return refusal_of(status);
    });
}

accp_status accp_run_receive(accp_run *run, const char *sender, size_t sender_len, const char *text,
                             size_t text_len, int64_t now_ms, accp_error *err) noexcept {
    if (!capi::is_text(sender, sender_len) || !capi::is_text(text, text_len))
        return capi::refuse(err, capi::kNoText);
    return apply_event(run, now_ms, err, [&](sacp::Run &to, uint64_t now) {
        return to.receive(to_view(sender, sender_len), to_view(text, text_len), now);
    });
}

accp_status accp_run_tick(accp_run *run, int64_t now_ms, accp_error *err) noexcept {
    return apply_event(run, now_ms, err, [](sacp::Run &to, uint64_t now) {
        to.tick(now);
        return Reception::kAccepted;
    });
}

accp_status accp_run_cancel(accp_run *run, int64_t now_ms, accp_error *err) noexcept {
    return apply_event(run, now_ms, err, [](sacp::Run &to, uint64_t now) {
        to.cancel(now);
        return Reception::kAccepted;
    });
}

uint32_t accp_run_step_count(const accp_run *run) noexcept {
    return run && !run->refused ? run->run.progress().program.part_count() : 0;
}

accp_status accp_run_step_at(accp_run *run, uint32_t index, accp_run_step *out,
                             accp_error *err) noexcept {
    if (!run || !out) return capi::refuse(err, capi::kNoHandle);
    if (index >= accp_run_step_count(run))
        return capi::refuse(err, "the plan does not have this part");
    return capi::guard(err, [&] {
        const sacp::Progress &progress = run->run.progress();
        const sacp::PartProgress &part = progress.parts[index];
        const bool is_step = progress.program.is_step(index);
        run->out.clear();
        progress.program.scopes().write_path(progress.program.scope(part.scope), index, run->out);
        *out = {static_cast<int32_t>(progress.program.part(index).kind),
                static_cast<int32_t>(part.state),
                is_step ? part.count : 0,
                to_text(run->out.view()),
                to_text(is_step ? progress.program.verb(index) : std::string_view()),
                to_text(is_step ? run->run.tool_of(index) : std::string_view())};
        return Status{};
    });
}

accp_status accp_run_print_trace(accp_run *run, accp_text *out, accp_error *err) noexcept {
    if (!run || !out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        run->out.clear();
        if (run->refused) run->out.append("[]");
        else run->run.write_trace(run->out);
        capi::hand_out(run->out, out);
        return Status{};
    });
}

accp_status accp_run_print_final(accp_run *run, accp_text *out, accp_error *err) noexcept {
    if (!run || !out) return capi::refuse(err, capi::kNoHandle);
    if (!run->refused && !run->run.ended()) return capi::refuse(err, "the plan has not ended");
    return capi::guard(err, [&] {
        run->out.clear();
        if (run->refused) run->verdict.write(run->out);
        else run->run.write_final(run->out);
        capi::hand_out(run->out, out);
        return Status{};
    });
}

accp_status accp_run_print_reply(accp_run *run, const char *id, size_t id_len, accp_text *out,
                                 accp_error *err) noexcept {
    if (!run || !out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(id, id_len)) return capi::refuse(err, capi::kNoText);
    if (capi::lies_in(id, run->out)) return capi::refuse(err, capi::kOwnText);
    if (!run->refused && !run->run.ended()) return capi::refuse(err, "the plan has not ended");
    if (!sacp::is_id(to_view(id, id_len)))
        return capi::refuse(err, "a message cannot have this id");
    return capi::guard(err, [&] {
        run->out.clear();
        if (run->refused) run->verdict.write(run->out);
        else run->run.write_reply(to_view(id, id_len), run->out);
        capi::hand_out(run->out, out);
        return Status{};
    });
}

}  // extern "C"
