// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/context.h
#include "accp/context.h"

#include <cstddef>

#include "capi/session_call.h"
#include "session/context_pages.h"
#include "session/history.h"
#include "session/request.h"
#include "session/resolve_tool.h"

using namespace accp;
using namespace accp::capi;

namespace {

static_assert(int{ACCP_BLOCK_GAP} == int(context::BlockKind::kGap) &&
              int{ACCP_BLOCK_CLOSED} == int(context::BlockKind::kClosed) &&
              int{ACCP_BLOCK_NEWEST} == int(context::BlockKind::kNewest));

constexpr const char *kInterfaces[] = {"openai",    "anthropic", "mcp",   "claude-code",
                                       "swe-agent", "specstory", "aider", "speakers",
                                       "codex",     "opencode",  "pi",    "gemini"};

// The common parts of all definitions of the tool.
#define TOOL_HEAD                                                                             \
    "\"name\":\"resolve\",\"description\":\"Brings back what the context shortens or leaves " \
    "out. It names it: $cold.m19 is message 19, $warm.ckpt_2 a checkpoint. Ask before you "   \
    "guess, and for no more than you need: all of it, some lines, or the lines that have a "  \
    "text.\","
#define TOOL_SHAPE                                                                           \
    "{\"type\":\"object\",\"properties\":{\"ref\":{\"type\":\"string\",\"description\":\"A " \
    "name from the context, such as $cold.m19\"},\"lines\":{\"type\":\"string\","            \
    "\"description\":\"Only these lines, such as 10-40\"},\"query\":{\"type\":\"string\","   \
    "\"description\":\"Only lines that have this text, in letters of either case, and two "  \
    "around each\"}},\"required\":[\"ref\"],\"additionalProperties\":false}"

constexpr const char *kTools[] = {
    "{\"type\":\"function\",\"function\":{" TOOL_HEAD "\"parameters\":" TOOL_SHAPE "}}",
    "{" TOOL_HEAD "\"input_schema\":" TOOL_SHAPE "}",
    "{" TOOL_HEAD "\"inputSchema\":" TOOL_SHAPE "}",
};

#undef TOOL_HEAD
#undef TOOL_SHAPE

template <size_t N>
const char *one_of(const char *const (&all)[N], int32_t place) {
    return place >= 1 && place <= static_cast<int32_t>(N) ? all[place - 1] : nullptr;
}

constexpr const char *kNoMessages = "an interface that has no such messages: openai, anthropic";
constexpr const char *kNoTranscript =
    "an interface whose messages cannot be read: openai, anthropic, claude-code, swe-agent, "
    "specstory, aider, speakers, codex, opencode, pi, gemini";

std::string_view name_of(int32_t an_interface) {
    const char *name = one_of(kInterfaces, an_interface);
    return name ? name : "";
}

}  // namespace

extern "C" {

accp_status accp_session_context_blocks(accp_session *session, uint64_t budget_tokens,
                                        const accp_context_block **out, size_t *count_out,
                                        accp_error *err) noexcept {
    if (!session || !out || !count_out) return capi::refuse(err, capi::kNoHandle);
    const SessionUse use(session);
    accp_status status = call_session(session, err, [&](session::Scratch &scratch) {
        Buffer<context::Block> blocks(scratch.memory);
        session->out.recycle(0);
        Status made = session->session.blocks(budget_tokens, scratch, blocks, session->out);
        session->blocks.recycle(0);
        for (const context::Block &block : blocks) {
            const std::string_view text =
                session->out.view().substr(block.begin, block.end - block.begin);
            session->blocks.push({static_cast<int32_t>(block.kind), block.is_stable,
                                  block.checkpoint, 0, block.tokens, block.since, to_text(text)});
        }
        return made;
    });
    if (status != ACCP_OK) return status;
    uint64_t tokens = 0;
    for (const accp_context_block &block : session->blocks) tokens += block.tokens;
    const Status kept = count_context(*session, tokens);
    if (kept.failed()) return capi::report(kept, err);
    *out = session->blocks.data();
    *count_out = session->blocks.size();
    return ACCP_OK;
}

accp_status accp_session_context_pages(accp_session *session, accp_text *out,
                                       accp_error *err) noexcept {
    return return_text(session, out, err, [&](session::Scratch &scratch, Buffer<char> &to) {
        return session::write_pages(session->session, scratch, to);
    });
}

const char *accp_interface_name(int32_t an_interface) noexcept {
    return one_of(kInterfaces, an_interface);
}

int32_t accp_interface_find(const char *name, size_t name_len) noexcept {
    if (!capi::is_text(name, name_len)) return -1;
    for (int32_t i = 1; one_of(kInterfaces, i); ++i)
        if (to_view(name, name_len) == one_of(kInterfaces, i)) return i;
    return -1;
}

int32_t accp_interface_detect(const char *text, size_t text_len) noexcept {
    transcript::Format format;
    if (!capi::is_text(text, text_len) ||
        !transcript::detect_format(to_view(text, text_len), format))
        return -1;
    const std::string_view name = transcript::format_name(format);
    return accp_interface_find(name.data(), name.size());
}

const char *accp_interface_tool(int32_t an_interface) noexcept {
    return one_of(kTools, an_interface);
}

accp_status accp_session_answer(accp_session *session, const char *text, size_t text_len,
                                int64_t now_ms, accp_text *out, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (is_own_text(session, text)) return capi::refuse(err, capi::kOwnText);
    return return_text(session, out, err, [&](session::Scratch &scratch, Buffer<char> &to) {
        return session::run_resolve_tool(session->session.refs, to_view(text, text_len), now_ms,
                                         scratch, to);
    });
}

accp_status accp_session_context_messages(accp_session *session, int32_t an_interface,
                                          uint64_t budget_tokens, accp_text *out,
                                          uint64_t *tokens_out, accp_error *err) noexcept {
    transcript::Provider provider;
    if (!transcript::find_provider(name_of(an_interface), provider))
        return capi::refuse(err, kNoMessages);
    return make_context(session, out, tokens_out, err,
                        [&](session::Scratch &scratch, Buffer<char> &to, uint64_t &tokens) {
                            return session::write_request(session->session, provider, budget_tokens,
                                                          scratch, to, tokens);
                        });
}

accp_status accp_session_append_messages(accp_session *session, const char *text, size_t text_len,
                                         int32_t an_interface, int64_t now_ms, uint64_t *out,
                                         accp_error *err) noexcept {
    return accp_session_append_messages_from(session, text, text_len, an_interface, now_ms, nullptr,
                                             out, err);
}

accp_status accp_session_append_messages_from(accp_session *session, const char *text,
                                              size_t text_len, int32_t an_interface, int64_t now_ms,
                                              const accp_peer *peer, uint64_t *out,
                                              accp_error *err) noexcept {
    transcript::Format format;
    if (!transcript::find_format(name_of(an_interface), format))
        return capi::refuse(err, kNoTranscript);
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    session::Peer from;
    if (accp_status status = read_peer(peer, from, err)) return status;
    uint64_t count = 0;
    const std::string_view messages = to_view(text, text_len);
    accp_status status = call_session(session, err,
                                      [&](session::Scratch &scratch) {
                                          return session::append_transcript(
                                              session->session, format, messages,
                                              peer ? &from : nullptr, now_ms, scratch, count);
                                      },
                                      {CallSubject::kAppended, messages});
    if (status == ACCP_OK && out) *out = count;
    return status;
}

}  // extern "C"

namespace {

// The size of the options in callers that were compiled without `peer`.
constexpr size_t kMinOptionsSize = offsetof(accp_history_options, peer);

constexpr const char *kNoList =
    "an interface whose messages cannot be read: 0 (messages of ours), openai, anthropic, "
    "claude-code, swe-agent, specstory, aider, speakers, codex, opencode, pi, gemini";

Status check_options(const accp_history_options &options) {
    if (options.size < kMinOptionsSize)
        return fail(ACCP_ERR_ARG, 0, "the size of the options matches no version of this library");
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
    if (is_own_text(session, text)) return capi::refuse(err, capi::kOwnText);
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
    const accp_status status =
        call_session(session, err, append, {CallSubject::kAppended, messages});
    const bool is_known = status == ACCP_OK || status == ACCP_E3003 || status == ACCP_ERR_IO;
    if (is_known && out)
        *out = {made.count, made.same, made.added, made.item, made.record, made.is_branched, 0};
    return status;
}

}  // extern "C"
