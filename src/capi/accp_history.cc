// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/context.h: accp_session_append_history().
#include "session/history.h"

#include <cstddef>

#include "accp/context.h"
#include "capi/session_call.h"

using namespace accp;
using namespace accp::capi;

namespace {

// The size of the options in callers that were compiled without `peer`.
constexpr size_t kMinOptionsSize = offsetof(accp_history_options, peer);

constexpr const char *kNoList =
    "an interface whose messages cannot be read: 0 (messages of ours), openai, anthropic, "
    "claude-code, swe-agent, specstory, aider, speakers";

Status check_options(const accp_history_options &options) {
    if (options.size < kMinOptionsSize)
        return fail(ACCP_ERR_ARG, 0, "the options' size is not that of this library");
    if (!are_texts(options.branch)) return fail(ACCP_ERR_ARG, 0, capi::kNoText);
    return {};
}

}  // namespace

extern "C" {

accp_status accp_session_append_history(accp_session *session, const char *text, size_t text_len,
                                        int32_t an_interface, int64_t now_ms,
                                        const accp_history_options *options,
                                        accp_history_report *out, accp_error *err) noexcept {
    transcript::Format format;
    const char *name = accp_interface_name(an_interface);
    if (an_interface && (!name || !transcript::find_format(name, format)))
        return capi::refuse(err, kNoList);
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (own_text(session, text)) return capi::refuse(err, capi::kOwnText);
    const Status good = options ? check_options(*options) : Status{};
    if (good.failed()) return capi::report(good, err);
    const accp_peer *peer = options && options->size >= sizeof *options ? options->peer : nullptr;
    session::Peer from;
    if (accp_status status = read_peer(peer, from, err)) return status;
    const session::HistoryCall call = {options ? to_view(options->branch) : std::string_view(),
                                       peer ? &from : nullptr, now_ms};
    session::HistoryReport made;
    const std::string_view messages = to_view(text, text_len);
    const auto append = [&](session::Scratch &scratch) {
        session::MessageList list(scratch.memory);
        Status read = list.read(an_interface ? &format : nullptr, messages, scratch);
        return read.ok() ? session::append_history(session->session, list, call, scratch, made)
                         : read;
    };
    const accp_status status = act(session, err, append, {CallSubject::kAppended, messages});
    const bool is_known = status == ACCP_OK || status == ACCP_E3003 || status == ACCP_ERR_IO;
    if (is_known && out)
        *out = {made.count, made.same, made.added, made.item, made.record, made.is_branched, 0};
    return status;
}

}  // extern "C"
