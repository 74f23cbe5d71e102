// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Handoffs of a session (session_call.h), and accp_session_set_panes() of include/accp/panes.h.
#include "capi/session_call.h"

#include "capi/panes_handle.h"
#include "frame/message/json.h"
#include "session/checkpoint_form.h"

using namespace accp;
using namespace accp::capi;

namespace {

// Stores the open handoffs, as durable as other values of the session.
void save(accp_session *session) {
    call_session(session, nullptr, [&](session::Scratch &scratch) {
        session::Driver &driver = session->session.driver;
        Status status = driver.prepare_write(scratch);
        if (status.failed()) return status;
        scratch.log.batch.put(store::Tier::kWarm, session::kHandoffsKey,
                              session->tasks->handoffs.bytes());
        return driver.commit_batch(scratch);
    });
}

// Stores new handoffs before it reports them to the project. If the process is killed in between,
// they are reported when the session is opened again.
void settle(accp_session *session, bool is_new, int64_t now_ms) {
    SessionTasks &tasks = *session->tasks;
    if (is_new) save(session);
    if (tasks.handoffs.report(tasks.panes, static_cast<uint64_t>(now_ms))) save(session);
}

accp_status load(accp_session *session, accp_error *err) {
    return call_session(session, err, [&](session::Scratch &scratch) {
        session::Driver &driver = session->session.driver;
        Status status = driver.prepare_write(scratch);
        if (status.failed()) return status;
        Buffer<char> &found = scratch.refs.found;
        status = driver.store().blob(store::Tier::kWarm, session::kHandoffsKey, 0, found);
        if (status.ok()) session->tasks->handoffs.load(found.view());
        return status.code == ACCP_E2001 ? Status{} : status;
    });
}

Status note(accp_session *session, std::string_view json, bool ours, int64_t now_ms) {
    SessionTasks &tasks = *session->tasks;
    if (!tasks.handoffs.may_concern(json)) return {};
    message::Message message;
    Status status =
        tasks.reader.read(json.data(), json.size(), {kMaxTextBytes, kMaxJsonDepth}, tasks.value);
    if (status.ok()) status = message::read_message(tasks.value.view(), 0, {}, message).status;
    if (status.ok()) settle(session, tasks.handoffs.observe(message, ours), now_ms);
    return status;
}

}  // namespace

void accp::capi::note_message(accp_session *session, std::string_view json, bool ours,
                              int64_t now_ms) noexcept {
    if (session->tasks) capi::guard(nullptr, [&] { return note(session, json, ours, now_ms); });
}

void accp::capi::note_received(accp_session *session, size_t place, int64_t now_ms) noexcept {
    if (!session || !session->tasks) return;
    const session::Deliveries &all = session->session.deliveries;
    for (size_t i = place; i < all.size(); ++i)
        if (all.at(i).status == ACCP_OK) note_message(session, all.at(i).json, false, now_ms);
}

void accp::capi::note_sent(accp_session *session, std::string_view frame, int64_t now_ms) noexcept {
    if (!session->tasks || !session->tasks->handoffs.may_concern_frame(frame)) return;
    Buffer<char> &json = session->tasks->sent;
    const accp_status status = call_session(session, nullptr, [&](session::Scratch &scratch) {
        char ref[session::kRefBytes];
        json.clear();
        session::Session &of = session->session;
        return of.refs.resolve(session::message_ref(of.last_record(), ref), now_ms, scratch, json);
    });
    if (status == ACCP_OK) note_message(session, json.view(), true, now_ms);
}

void accp::capi::end_tasks(accp_session *session) noexcept {
    if (!session || !session->tasks) return;
    accp_store *store = session->tasks->store;
    destroy_handle(session->tasks);
    store::drop_store(store);
    session->tasks = nullptr;
}

extern "C" {

accp_status accp_session_set_panes(accp_session *session, accp_panes *panes, int64_t now_ms,
                                   accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (accp_status status = check_idle(session, err)) return status;
    const SessionUse use(session);
    end_tasks(session);
    if (!panes) return ACCP_OK;
    accp_status status = capi::guard(err, [&] {
        const SessionTasks::Source source = {session->settings, panes->store};
        session->tasks = make_handle<SessionTasks>(session->settings, source);
        return session->tasks->panes.open_like(panes->panes);
    });
    if (status == ACCP_OK) status = load(session, err);
    if (status != ACCP_OK) end_tasks(session);
    else capi::guard(nullptr, [&] { return settle(session, false, now_ms), Status{}; });
    return status;
}

}  // extern "C"
