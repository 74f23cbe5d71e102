// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/sacp.h
#include "accp/sacp.h"

#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/sacp_handle.h"
#include "sacp/agents/prompt.h"
#include "sacp/message/mapping.h"
#include "sacp/message/message.h"
#include "value/time.h"

using namespace accp;
using namespace accp::capi;

#define ACCP_SACP_CODE(name, accp_code, retryable) \
    static_assert(static_cast<int>(sacp::Code::k##name) == ACCP_SACP_##name);
#include "sacp/message/codes.def"
#undef ACCP_SACP_CODE
static_assert(static_cast<int>(sacp::Spelling::kBrief) == ACCP_SACP_BRIEF &&
              static_cast<int>(sacp::OutFmt::kSummary) == ACCP_SACP_SUMMARY &&
              static_cast<int>(sacp::Version::k100) == ACCP_SACP_1_0);

namespace {

accp_verdict face_of(const sacp::Verdict &verdict) {
    const int32_t answer = verdict.failed()  ? ACCP_SACP_ERR
                           : verdict.valid() ? ACCP_SACP_VALID
                                             : ACCP_SACP_REQ_CLARIFY;
    return {answer,
            static_cast<int32_t>(verdict.code()),
            verdict.byte(),
            to_text(verdict.details()),
            to_text(verdict.step()),
            verdict.need_count(),
            0};
}

void end_sacp(accp_sacp *sacp) noexcept {
    if (!sacp) return;
    release_handle(sacp->owned);
    destroy_handle(sacp);
}

bool is_reading(int32_t reading) {
    return reading == ACCP_SACP_STRICT || reading == ACCP_SACP_LENIENT;
}
bool is_version(int32_t version) { return version == ACCP_SACP_0_1 || version == ACCP_SACP_1_0; }

// Runs a call that returns a verdict.
template <class Body>
accp_status return_verdict(accp_sacp *sacp, bool good, accp_verdict *out, accp_error *err,
                           Body body) noexcept {
    if (!sacp) return refuse(err, kNoHandle);
    if (!good) return refuse(err, kNoReading);
    return guard(err, [&]() -> Status {
        body();
        if (out) *out = face_of(sacp->verdict);
        return {};
    });
}

}  // namespace

extern "C" {

accp_status accp_library_new(const char *text, size_t text_len, const accp_config *config,
                             accp_library **out, accp_error *err) noexcept {
    if (!out) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    return guard(err, [&]() -> Status {
        Held<accp_library, release_handle<accp_library>> made(
            make_handle<accp_library>(settings_of(config)));
        sacp::Verdict verdict(made->memory);
        made->library.read(to_view(text, text_len), made->settings.limit(ACCP_LIMIT_JSON_BYTES),
                           verdict);
        if (verdict.failed()) return failure_of(verdict);
        *out = made.release();
        return {};
    });
}

void accp_library_free(accp_library *library) noexcept { release_handle(library); }

const char *accp_sacp_code_name(int32_t code) noexcept {
    return code >= ACCP_SACP_MISSING_FIELD && code <= ACCP_SACP_INVALID_STATE_TRANSITION
               ? sacp::code_name(static_cast<sacp::Code>(code)).data()
               : nullptr;
}

int32_t accp_sacp_code_find(const char *name, size_t name_len) noexcept {
    if (!is_text(name, name_len)) return -1;
    const sacp::Code code = sacp::find_code(to_view(name, name_len));
    return code == sacp::Code::kNone ? -1 : static_cast<int32_t>(code);
}

accp_status accp_sacp_new(const accp_library *library, const accp_config *config, accp_sacp **out,
                          accp_error *err) noexcept {
    if (!out) return refuse(err, kNoHandle);
    return guard(err, [&]() -> Status {
        Held<accp_sacp, end_sacp> made(make_handle<accp_sacp>(settings_of(config)));
        made->none.read({}, made->max_bytes(), made->verdict);
        made->owned = retain_handle(library);
        *out = made.release();
        return {};
    });
}

void accp_sacp_free(accp_sacp *sacp) noexcept { end_sacp(sacp); }

accp_status accp_sacp_check(accp_sacp *sacp, const char *text, size_t text_len, int32_t reading,
                            accp_verdict *out, accp_error *err) noexcept {
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    return return_verdict(sacp, is_reading(reading), out, err, [&] {
        sacp->validator.check_fast(to_view(text, text_len), sacp->max_bytes(), sacp->library(),
                                   reading == ACCP_SACP_STRICT, sacp->verdict);
    });
}

accp_status accp_sacp_check_reply(accp_sacp *sacp, const char *text, size_t text_len,
                                  const char *role, size_t role_len, int32_t out_fmt,
                                  int32_t reading, accp_verdict *out, accp_error *err) noexcept {
    if (!is_text(text, text_len) || !is_text(role, role_len)) return refuse(err, kNoText);
    const bool good =
        is_reading(reading) && out_fmt >= ACCP_SACP_RAW && out_fmt <= ACCP_SACP_SUMMARY;
    return return_verdict(sacp, good, out, err, [&] {
        sacp->validator.check_reply(to_view(text, text_len), sacp->max_bytes(), sacp->library(),
                                    reading == ACCP_SACP_STRICT,
                                    {to_view(role, role_len), static_cast<sacp::OutFmt>(out_fmt)},
                                    sacp->verdict);
    });
}

accp_status accp_sacp_check_library(accp_sacp *sacp, const char *text, size_t text_len,
                                    accp_verdict *out, accp_error *err) noexcept {
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    return return_verdict(sacp, true, out, err, [&] {
        sacp->verdict.clear();
        sacp::Library(sacp->memory).read(to_view(text, text_len), sacp->max_bytes(), sacp->verdict);
    });
}

accp_status accp_sacp_verdict(const accp_sacp *sacp, accp_verdict *out, accp_error *err) noexcept {
    if (!sacp || !out) return refuse(err, kNoHandle);
    *out = face_of(sacp->verdict);
    return ACCP_OK;
}

accp_text accp_sacp_need(const accp_sacp *sacp, uint32_t index) noexcept {
    return to_text(sacp && index < sacp->verdict.need_count() ? sacp->verdict.need_at(index)
                                                              : std::string_view());
}

accp_status accp_sacp_print_verdict(accp_sacp *sacp, accp_text *out, accp_error *err) noexcept {
    if (!sacp || !out) return refuse(err, kNoHandle);
    return guard(err, [&]() -> Status {
        sacp->out.recycle(kKeptBytes);
        sacp->verdict.write(sacp->out);
        hand_out(sacp->out, out);
        return {};
    });
}

accp_text accp_sacp_registry(void) noexcept { return to_text(sacp::kRegistryDocument); }

int32_t accp_sacp_state_find(int32_t version, const char *name, size_t name_len) noexcept {
    if (!is_version(version) || !is_text(name, name_len)) return -1;
    const uint32_t state =
        sacp::find_state(static_cast<sacp::Version>(version), to_view(name, name_len));
    return state == sacp::kNoState ? -1 : static_cast<int32_t>(state);
}

const char *accp_sacp_state_name(int32_t version, int32_t state) noexcept {
    return is_version(version) && state >= 0
               ? sacp::state_name(static_cast<sacp::Version>(version), static_cast<uint32_t>(state))
                     .data()
               : nullptr;
}

int accp_sacp_state_is_next(int32_t version, int32_t before, int32_t after) noexcept {
    return accp_sacp_state_name(version, before) && accp_sacp_state_name(version, after) &&
           sacp::may_follow(static_cast<sacp::Version>(version), static_cast<uint32_t>(before),
                            static_cast<uint32_t>(after));
}

}  // extern "C"

namespace {

// Runs a call that returns a text, unless the verdict is an error.
template <class Body>
accp_status return_text(accp_sacp *sacp, accp_text *out, accp_error *err, Body body) noexcept {
    return guard(err, [&]() -> Status {
        sacp->out.recycle(kKeptBytes);
        if (!body()) return failure_of(sacp->verdict);
        hand_out(sacp->out, out);
        return {};
    });
}

// Converts a message to the other version.
template <class Body>
accp_status adapt(accp_sacp *sacp, std::string_view text, accp_text *out, accp_error *err,
                  Body body) noexcept {
    return return_text(sacp, out, err, [&] {
        sacp->verdict.clear();
        return sacp::read_json(sacp->reader, text, sacp->max_bytes(), sacp->value, sacp->verdict) &&
               body(sacp->value.view());
    });
}

// Reports whether a list has one name per line.
bool are_single_lines(std::string_view list) {
    for (;;) {
        const size_t end = list.find('\n');
        if (!sacp::is_single_line(list.substr(0, end)) || !is_utf8(list.substr(0, end)))
            return false;
        if (end == list.npos) return true;
        list.remove_prefix(end + 1);
    }
}

}  // namespace

extern "C" {

accp_status accp_sacp_spell(accp_sacp *sacp, const char *text, size_t text_len, int32_t spelling,
                            accp_text *out, accp_error *err) noexcept {
    if (!sacp || !out) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (spelling < ACCP_SACP_AS_IS || spelling > ACCP_SACP_BRIEF) return refuse(err, kNoReading);
    if (lies_in(text, sacp->out)) return refuse(err, kOwnText);
    return return_text(sacp, out, err, [&] {
        return sacp->validator.spell(to_view(text, text_len), sacp->max_bytes(), sacp->library(),
                                     static_cast<sacp::Spelling>(spelling), sacp->out,
                                     sacp->verdict);
    });
}

accp_status accp_sacp_compose(accp_sacp *sacp, const char *text, size_t text_len,
                              const accp_sacp_receiver *to, accp_text *out,
                              accp_error *err) noexcept {
    if (!sacp || !out || !to) return refuse(err, kNoHandle);
    if (!is_text(text, text_len) || !are_texts(to->role, to->formatters, to->msg_id))
        return refuse(err, kNoText);
    if (to->msg_id.len && !sacp::is_id(to_view(to->msg_id)))
        return refuse(err, "a msg_id has 1 to 128 letters, digits, and . _ : -");
    if (any_lies_in(sacp->out, text, to->role, to->formatters, to->msg_id))
        return refuse(err, kOwnText);
    return return_text(sacp, out, err, [&] {
        return sacp->validator.compose(to_view(text, text_len), sacp->max_bytes(), sacp->library(),
                                       {sacp::talks_to_people(to_view(to->role)),
                                        to_view(to->formatters), to_view(to->msg_id)},
                                       sacp->out, sacp->verdict);
    });
}

accp_status accp_sacp_thread(accp_sacp *sacp, const char *text, size_t text_len, int32_t indented,
                             accp_text *out, accp_error *err) noexcept {
    if (!sacp || !out) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (indented != 0 && indented != 1) return refuse(err, "indented is 0 or 1");
    if (lies_in(text, sacp->out)) return refuse(err, kOwnText);
    return return_text(sacp, out, err, [&] {
        if (!sacp->threads.read(to_view(text, text_len), sacp->max_bytes(), sacp->verdict))
            return false;
        if (indented) sacp->threads.write_indented(sacp->out);
        else sacp->threads.write_json(sacp->out);
        return true;
    });
}

accp_status accp_sacp_to_message(accp_sacp *sacp, const char *text, size_t text_len,
                                 const char *agent, size_t agent_len, accp_text *out,
                                 accp_error *err) noexcept {
    if (!sacp || !out) return refuse(err, kNoHandle);
    if (!is_text(text, text_len) || !is_text(agent, agent_len)) return refuse(err, kNoText);
    if (!is_utf8(to_view(agent, agent_len))) return refuse(err, kNoAgent);
    if (any_lies_in(sacp->out, text, agent)) return refuse(err, kOwnText);
    return return_text(sacp, out, err, [&] {
        return sacp->mapper.to_accp(to_view(text, text_len), to_view(agent, agent_len),
                                    sacp->max_bytes(), sacp->out, sacp->verdict);
    });
}

accp_status accp_sacp_from_message(accp_sacp *sacp, const char *text, size_t text_len,
                                   accp_text *out, accp_error *err) noexcept {
    if (!sacp || !out) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (lies_in(text, sacp->out)) return refuse(err, kOwnText);
    return return_text(sacp, out, err, [&] {
        return sacp->mapper.from_accp(to_view(text, text_len), sacp->max_bytes(), sacp->out,
                                      sacp->verdict);
    });
}

accp_status accp_sacp_plan(accp_sacp *sacp, const char *text, size_t text_len, int32_t beside,
                           accp_text *out, accp_error *err) noexcept {
    if (!sacp || !out) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (beside != 0 && beside != 1) return refuse(err, "beside is 0 or 1");
    if (lies_in(text, sacp->out)) return refuse(err, kOwnText);
    return return_text(sacp, out, err, [&] {
        return sacp->planner.plan(to_view(text, text_len), sacp->library(), beside != 0,
                                  sacp->max_bytes(), sacp->out, sacp->verdict);
    });
}

accp_status accp_sacp_to_1_0(accp_sacp *sacp, const char *text, size_t text_len,
                             const accp_sacp_sender *sender, accp_text *out,
                             accp_error *err) noexcept {
    if (!sacp || !out || !sender) return refuse(err, kNoHandle);
    if (!is_text(text, text_len) || !are_texts(sender->msg_id, sender->sender, sender->recipient))
        return refuse(err, kNoText);
    if (any_lies_in(sacp->out, text, sender->msg_id, sender->sender, sender->recipient))
        return refuse(err, kOwnText);
    if (sender->now_ms < 0 || sender->now_ms / 1000 > packet::kMaxTime) return refuse(err, kNoTime);
    const packet::TimeText time = packet::write_time(sender->now_ms / 1000);
    return adapt(sacp, to_view(text, text_len), out, err, [&](value::TreeView tree) {
        return sacp->adapter.to_v1(tree, sacp->library(),
                                   {to_view(sender->msg_id), time.view(), to_view(sender->sender),
                                    to_view(sender->recipient)},
                                   &sacp->reader, sacp->out, sacp->verdict);
    });
}

accp_status accp_sacp_to_0_1(accp_sacp *sacp, const char *text, size_t text_len, accp_text *out,
                             accp_error *err) noexcept {
    if (!sacp || !out) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (lies_in(text, sacp->out)) return refuse(err, kOwnText);
    return adapt(sacp, to_view(text, text_len), out, err, [&](value::TreeView tree) {
        return sacp->adapter.to_v01(tree, sacp->library(), &sacp->reader, sacp->out, sacp->verdict);
    });
}

accp_status accp_sacp_print_prompt(accp_sacp *sacp, const char *agent, size_t agent_len,
                                   const char *verbs, size_t verbs_len, const char *tools,
                                   size_t tools_len, const char *message, size_t message_len,
                                   accp_text *out, accp_error *err) noexcept {
    if (!sacp || !out) return refuse(err, kNoHandle);
    if (!is_text(agent, agent_len) || !is_text(verbs, verbs_len) || !is_text(tools, tools_len) ||
        !is_text(message, message_len))
        return refuse(err, kNoText);
    const sacp::AgentRole role = {to_view(agent, agent_len), to_view(verbs, verbs_len),
                                  to_view(tools, tools_len)};
    if (!sacp::is_single_line(role.name) || !is_utf8(role.name) || !are_single_lines(role.verbs) ||
        !are_single_lines(role.tools))
        return refuse(err,
                      "the names of an agent, its verbs and its tools are one line of UTF-8 each");
    if (any_lies_in(sacp->out, agent, verbs, tools, message)) return refuse(err, kOwnText);
    return return_text(sacp, out, err, [&] {
        Buffer<char> canonical(sacp->memory);
        if (message_len && !sacp->validator.spell(to_view(message, message_len), sacp->max_bytes(),
                                                  sacp->library(), sacp::Spelling::kAsIs, canonical,
                                                  sacp->verdict))
            return false;
        sacp::write_prompt(role, canonical.view(), sacp->out);
        return true;
    });
}

accp_status accp_sacp_print_specification(accp_sacp *sacp, accp_text *out,
                                          accp_error *err) noexcept {
    if (!sacp || !out) return refuse(err, kNoHandle);
    return guard(err, [&]() -> Status {
        sacp->out.recycle(kKeptBytes);
        sacp::write_specification(sacp->library(), sacp->out);
        hand_out(sacp->out, out);
        return {};
    });
}

}  // extern "C"
