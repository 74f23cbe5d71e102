// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/run.h: making a run, what it says is to be done, and its log.
#include "accp/run.h"

#include "base/random.h"
#include "base/status.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/run_handle.h"

using namespace accp;
using namespace accp::capi;
using execute::Answer;
using execute::Effect;

namespace {

constexpr uint32_t kFlags = ACCP_RUN_LENIENT | ACCP_RUN_RECORDS | ACCP_RUN_REASONS;
constexpr size_t kScanBytes = 1 << 20;
constexpr const char *kForeignLog = "the log is not of this run, or damaged";

void end_run(accp_run *run) noexcept {
    if (!run) return;
    if (run->session) run->session->close();
    accp_store *store = run->store;
    destroy_handle(run);
    store::drop_store(store);
}

Status check_request(const accp_run_request &request) {
    if (request.size != sizeof(accp_run_request))
        return fail(ACCP_ERR_ARG, 0, "the request's size is not that of this library");
    if (!are_texts(request.message, request.library, request.policy, request.session))
        return fail(ACCP_ERR_ARG, 0, kNoText);
    if (request.flags & ~kFlags) return fail(ACCP_ERR_ARG, 0, "no such flag");
    if (request.store && (request.flags & ACCP_RUN_RECORDS))
        return fail(ACCP_ERR_ARG, 0, "the log is kept by a store or by the caller, not by both");
    if (!request.store != !request.session.len)
        return fail(ACCP_ERR_ARG, 0, "a store goes with the name of a session in it");
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

// What the session has, told to the run.
Status read_log(accp_run &run) {
    store::StoreRecords records(run.memory);
    for (uint64_t next = 1; next <= run.session->row().last;) {
        Status status = run.session->scan(next, 0, false, kScanBytes, records);
        if (status.failed()) return status;
        for (size_t i = 0; i < records.size(); ++i) {
            next = records[i].seq + 1;
            if (run.run.replay(records[i].bytes) == Answer::kTaken) continue;
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

// Makes durable what the run has recorded.
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

// Past records, which go where the log is kept. What comes after one is held back until the log is
// durable.
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
            effect.kind = run->told_end ? Effect::kNone : Effect::kEnded;
            run->told_end = true;
        } else {
            run->asked = true;
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
        if (!run->keeps_records || run->refused || run->asked)
            return fail(ACCP_ERR_ARG, 0,
                        "records come before all else, and none where nothing runs");
        return run->change([&] {
            if (run->run.replay(to_view(record, record_len)) != Answer::kTaken)
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
    if (!run || run->refused || run->run.due() == execute::kNever) return -1;
    return static_cast<int64_t>(run->run.due());
}

}  // extern "C"
