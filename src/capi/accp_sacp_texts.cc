// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/sacp.h: what becomes of a message: another spelling, a message of ACCP, a plan that
// is whole, another version; and what a model is told.
#include "accp/sacp.h"

#include "capi/guard.h"
#include "capi/sacp_handle.h"
#include "capi/verdicts.h"
#include "sacp/agents/prompt.h"
#include "value/time.h"

using namespace accp;
using namespace accp::capi;

namespace {

// One whose answer is a text, where the verdict is no error.
template <class Body>
accp_status write(accp_sacp *sacp, accp_text *out, accp_error *err, Body body) noexcept {
    return guard(err, [&]() -> Status {
        sacp->out.recycle(kKeptBytes);
        if (!body()) return failure_of(sacp->verdict);
        hand_out(sacp->out, out);
        return {};
    });
}

// A message of one version becomes one of the other.
template <class Body>
accp_status adapt(accp_sacp *sacp, std::string_view text, accp_text *out, accp_error *err,
                  Body body) noexcept {
    return write(sacp, out, err, [&] {
        sacp->verdict.clear();
        return sacp::read_json(sacp->reader, text, sacp->max_bytes(), sacp->value, sacp->verdict) &&
               body(sacp->value.view());
    });
}

// Names with a line feed between two.
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
    return write(sacp, out, err, [&] {
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
        return refuse(err, "a msg_id is 1 to 128 letters, digits, . _ : -");
    if (lies_in(text, sacp->out) || lies_in(to->role.text, sacp->out) ||
        lies_in(to->formatters.text, sacp->out) || lies_in(to->msg_id.text, sacp->out))
        return refuse(err, kOwnText);
    return write(sacp, out, err, [&] {
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
    return write(sacp, out, err, [&] {
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
    if (lies_in(text, sacp->out) || lies_in(agent, sacp->out)) return refuse(err, kOwnText);
    return write(sacp, out, err, [&] {
        return sacp->mapper.to_accp(to_view(text, text_len), to_view(agent, agent_len),
                                    sacp->max_bytes(), sacp->out, sacp->verdict);
    });
}

accp_status accp_sacp_from_message(accp_sacp *sacp, const char *text, size_t text_len,
                                   accp_text *out, accp_error *err) noexcept {
    if (!sacp || !out) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (lies_in(text, sacp->out)) return refuse(err, kOwnText);
    return write(sacp, out, err, [&] {
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
    return write(sacp, out, err, [&] {
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
    if (lies_in(text, sacp->out)) return refuse(err, kOwnText);
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
                      "an agent, its verbs and its tools have names of one line each, in UTF-8");
    if (lies_in(agent, sacp->out) || lies_in(verbs, sacp->out) || lies_in(tools, sacp->out) ||
        lies_in(message, sacp->out))
        return refuse(err, kOwnText);
    return write(sacp, out, err, [&] {
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
