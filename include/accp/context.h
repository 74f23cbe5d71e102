/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Contexts of a session in the forms that hosts and providers use: as blocks with marks for prompt
 * caches, as ready messages, and the tool by which a model requests what a context leaves out. Also
 * the reverse: provider messages into a session. See docs/context.md.
 *
 * @code
 * // `list` is the whole list of messages in OpenAI's form. `out` replaces it in the request.
 * accp_status next_request(accp_session *session, const char *list, int64_t now_ms, accp_text *out,
 *                          accp_error *err) {
 *     accp_status status = accp_session_append_history(
 *         session, list, strlen(list), ACCP_INTERFACE_OPENAI, now_ms, NULL, NULL, err);
 *     if (status != ACCP_OK) return status;  // ACCP_E3003: the list differs from the session
 *     return accp_session_context_messages(session, ACCP_INTERFACE_OPENAI, 0, out, NULL, err);
 * }
 * @endcode
 */
#ifndef ACCP_CONTEXT_H
#define ACCP_CONTEXT_H

#include "accp/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The kinds of blocks, in the order that they have in a context. */
enum accp_block_kind {
    /** The host's first messages and the first request: a checkpoint never shortens them. */
    ACCP_BLOCK_PINNED = 0,
    /** A line that names the first and the last of messages that are left out. */
    ACCP_BLOCK_GAP = 1,
    /** The messages of a checkpoint, or the text that replaces them. */
    ACCP_BLOCK_CLOSED = 2,
    /** The messages since the last checkpoint, except the newest. */
    ACCP_BLOCK_OPEN = 3,
    /** The newest message. */
    ACCP_BLOCK_NEWEST = 4,
    /** The current values of accp_session_put() in hot and warm, one per line. */
    ACCP_BLOCK_VALUES = 5
};

/** A part of a context's text. All parts in order are the text. */
typedef struct accp_context_block {
    /** accp_block_kind. */
    int32_t kind;
    /** 1 if the next context is expected to begin with everything up to the end of this block. The
     * next message and a requested checkpoint cannot be predicted. Put a cache mark at the end of
     * the last stable block. */
    int32_t is_stable;
    /** For a closed block the newest checkpoint in it ($warm.ckpt_N); else 0. */
    uint32_t checkpoint;
    /** Reserved: 0. */
    uint32_t reserved;
    /** The tokens of its text. */
    uint64_t tokens;
    /** The record since which the block is unchanged; 0 for a gap and for values. */
    uint64_t since;
    /** Its text. */
    accp_text text;
} accp_context_block;

/**
 * Returns the context of accp_session_context() as blocks, the most stable first. See
 * docs/context.md.
 *
 * @param budget_tokens  As accp_session_context().
 * @param out            An array, and its texts: views into `session` until its next call.
 * @param count_out      The number of blocks; 0 if the session has no messages.
 *
 * Errors: ACCP_E2003 as accp_session_context(). Cost: copies the text.
 */
ACCP_API accp_status accp_session_context_blocks(accp_session *session, uint64_t budget_tokens,
                                                 const accp_context_block **out, size_t *count_out,
                                                 accp_error *err) ACCP_NOEXCEPT;

/**
 * Explains the context of accp_session_context() page by page: what each message costs, whether it
 * is in the context, and why. See docs/context.md.
 *
 * The result is a JSON object. "pages" has an object for each page, in the order of the context:
 * - "ref": of the whole message ($cold.m19), the checkpoint whose text it is ($warm.ckpt_2), or the
 *   first and the last message of a range ($cold.m3 to $cold.m17).
 * - "agent", "intent", "operation", and "tool" if the message names one; for messages only.
 * - "state": "resident" (whole), "pinned", "cut" (too long when it came), "evicted" (one line names
 *   it), "checkpoint" (shortened by a checkpoint, or the text of one) or "range" (one line names
 *   messages that are left out). "why": the reason, for people; its wording may change.
 * - "is_untrusted": true or false. "checkpoint": the checkpoint that it is in, or 0.
 * - "tokens" in the context, and "whole_tokens" of the whole message; for a range, of its line.
 * - "age": calls of a model since it came; for a range, since its newest message.
 * - "rent": the price of its tokens in all contexts so far; 0 if it was evicted. "fetch": the price
 *   of bringing the message back; 0 if all of it is there, and for a range.
 *
 * The object also has the sums "tokens" and "whole_tokens"; "values_tokens" of the values under hot
 * and warm; "calls" of a model and "evictions" so far; and "newest_eviction": null, or an object
 * with "cause" ("price", "expired": the provider's cache, or "space"), "call", "pages", and
 * "saving", the price that it is expected to save, or 0 for space. All prices are in tokens of
 * plain input.
 *
 * @param out  A view into `session` until its next call.
 *
 * Errors: those of accp_session_resolve(). Cost: one read of the log for each message.
 */
ACCP_API accp_status accp_session_context_pages(accp_session *session, accp_text *out,
                                                accp_error *err) ACCP_NOEXCEPT;

/** Interfaces and files with their own form of messages or tools. */
enum accp_interface {
    /** Messages and tools of OpenAI's chat completions, and of compatible interfaces. */
    ACCP_INTERFACE_OPENAI = 1,
    /** Those of Anthropic's Messages. */
    ACCP_INTERFACE_ANTHROPIC = 2,
    /** Tools of the Model Context Protocol. */
    ACCP_INTERFACE_MCP = 3,
    /** A session file of Claude Code. */
    ACCP_INTERFACE_CLAUDE_CODE = 4,
    /** A trajectory of SWE-agent. */
    ACCP_INTERFACE_SWE_AGENT = 5,
    /** The Markdown files of SpecStory, of Cursor and others. */
    ACCP_INTERFACE_SPECSTORY = 6,
    /** A chat history of aider. */
    ACCP_INTERFACE_AIDER = 7,
    /** Text or Markdown with a name before each message: `User:`, `**Assistant:**`, `## Human`. */
    ACCP_INTERFACE_SPEAKERS = 8,
    /** A session file ("rollout") of Codex. */
    ACCP_INTERFACE_CODEX = 9,
    /** A session of opencode, as `opencode export` prints it. */
    ACCP_INTERFACE_OPENCODE = 10,
    /** A session file of pi. */
    ACCP_INTERFACE_PI = 11,
    /** A chat file of Gemini CLI. */
    ACCP_INTERFACE_GEMINI = 12
};

/**
 * Returns the name of an interface ("openai"), or NULL for an unknown number. Static text. Any
 * thread.
 *
 * @param an_interface  accp_interface.
 */
ACCP_API const char *accp_interface_name(int32_t an_interface) ACCP_NOEXCEPT;

/** Returns the interface with this name, or -1. Any thread. */
ACCP_API int32_t accp_interface_find(const char *name, size_t name_len) ACCP_NOEXCEPT;

/**
 * Returns the interface whose messages a text has, by its beginning. Returns -1 for our own
 * messages, and if it cannot be determined. Any thread. Cost: reads the first 64 KiB, or the first
 * JSON value.
 */
ACCP_API int32_t accp_interface_detect(const char *text, size_t text_len) ACCP_NOEXCEPT;

/**
 * Returns the definition of the tool `resolve`, by which a model requests what a context leaves
 * out. It is JSON for the tools of a request (openai, anthropic), or for the result of tools/list
 * (mcp). Static text; NULL for an interface without tools. Any thread.
 *
 * @param an_interface  accp_interface.
 */
ACCP_API const char *accp_interface_tool(int32_t an_interface) ACCP_NOEXCEPT;

/**
 * Makes the result of a call of the tool `resolve`. Only refs of this session are resolved: none of
 * the hook `resolve`, and none of another session.
 *
 * `{"ref":"$cold.m19"}` returns the whole message of record 19, and "$cold.m19.result" a part of
 * it. A text is returned byte for byte; untrusted content has the form that it has in a context.
 * With "lines":"10-40" the result has only those lines. With "query":"a text" it has the lines that
 * contain the text, and two lines around each.
 *
 * @param text  The arguments from the model: a JSON object.
 * @param out   The text to send back to the model, at most about 64 KiB: a view into `session`
 *              until its next call. If the model made a mistake (no such ref, invalid arguments),
 *              the call returns ACCP_OK with a text "error: …", so that the model can correct it.
 *
 * Errors: ACCP_ERR_IO and ACCP_ERR_CORRUPT if the session cannot be read; those of the hook
 * cold_get.
 */
ACCP_API accp_status accp_session_answer(accp_session *session, const char *text, size_t text_len,
                                         int64_t now_ms, accp_text *out,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the context as messages that can be sent to a provider. For openai that is a JSON array
 * of messages. For anthropic it is an object with "system" and "messages", with cache_control on
 * the blocks that get a cache mark. Roles are those that the interface requires.
 *
 * - A message in the context is written as it was appended, byte for byte. In a result, gaps can
 *   stand for lines that earlier messages have.
 * - Content of a provider that has no equivalent in our messages is sent back to that provider
 *   unchanged.
 * - A tool call and its result are a pair. A result that is left out is a line with its ref. A call
 *   without a result gets a line that says so; at the end it waits for its result. A result
 *   without a call is text.
 * - Until results are left out, each context begins with the messages of the previous one, except
 *   for a call that had no result then.
 * - An untrusted message has the form that accp_session_context() gives it.
 *
 * @param an_interface   accp_interface.
 * @param budget_tokens  As accp_session_context(); it limits tokens_out.
 * @param out            A view into `session` until its next call.
 * @param tokens_out     The tokens of the result; may be NULL. They are 3, plus 4 for each message
 *                       and for "system", plus those of each text, counted separately (contents,
 *                       thoughts, names and arguments of calls, results, names of users). An image,
 *                       a document or audio has 1500; any other block has those of its JSON. See
 *                       docs/context.md.
 *
 * Errors: ACCP_ERR_ARG for an interface other than openai and anthropic; ACCP_E2003 as
 * accp_session_context(). Cost: that of accp_session_context_blocks(), one read of the log for each
 * message in full, and counting the tokens.
 */
ACCP_API accp_status accp_session_context_messages(accp_session *session, int32_t an_interface,
                                                   uint64_t budget_tokens, accp_text *out,
                                                   uint64_t *tokens_out,
                                                   accp_error *err) ACCP_NOEXCEPT;

/**
 * Appends messages in the format of an interface. Texts are kept byte for byte. In a text, an image
 * or other binary is a line that names it; accp_session_context_messages() sends the original back
 * to its provider.
 *
 * @param text          openai and anthropic: one message, an array of messages, a request body, or
 *                      one message per line. Other interfaces: a file. docs/context.md lists how
 *                      each is converted.
 * @param an_interface  accp_interface.
 * @param out           The number of appended messages, one record each; may be NULL.
 *
 * Errors: ACCP_E1001, ACCP_E1004 if a part of the text is not valid (with its offset), has messages
 * of another interface, or has no messages. Nothing was appended then. After any other failure
 * accp_session_record_count() shows how many messages were appended.
 */
ACCP_API accp_status accp_session_append_messages(accp_session *session, const char *text,
                                                  size_t text_len, int32_t an_interface,
                                                  int64_t now_ms, uint64_t *out,
                                                  accp_error *err) ACCP_NOEXCEPT;

/**
 * Appends messages of a peer, as accp_session_append_messages() does. Each message is checked and
 * marked as in accp_session_append_from(). An untrusted peer can therefore add no message of a
 * system, user, assistant or tool, unless the host lists that name among its agents. A tool call
 * from such a peer is text in a context, and not a call.
 *
 * @param text,an_interface  As accp_session_append_messages().
 * @param peer               NULL: the host itself, as accp_session_append_messages().
 * @param out                As accp_session_append_messages().
 *
 * Errors: ACCP_E5001 if the peer may not send one of the messages; nothing was appended, and the
 * offset is 0. ACCP_ERR_ARG for an invalid peer. Otherwise those of accp_session_append_messages().
 */
ACCP_API accp_status accp_session_append_messages_from(accp_session *session, const char *text,
                                                       size_t text_len, int32_t an_interface,
                                                       int64_t now_ms, const accp_peer *peer,
                                                       uint64_t *out,
                                                       accp_error *err) ACCP_NOEXCEPT;

/** Options of accp_session_append_history(). Set members that you do not use to zero. */
typedef struct accp_history_options {
    /** sizeof(accp_history_options), as the caller was compiled. */
    size_t size;
    /** The id of another session in the same store. It receives the list if the list differs from
     * this session. Empty: such a list is rejected. */
    accp_text branch;
    /** The sender of the new messages, as in accp_session_append_from(); NULL: the host itself. */
    const accp_peer *peer;
} accp_history_options;

/** The result of accp_session_append_history(). */
typedef struct accp_history_report {
    /** Messages in the list, converted to ours: one record each. */
    uint64_t count;
    /** Messages at the front that the session had already. */
    uint64_t same;
    /** Messages that this call appended, to the session or its branch. */
    uint64_t added;
    /** The first list item that differs, counted from 0; the number of items if the list is too
     * short; 0 if there is no difference. */
    uint64_t item;
    /** The record of the session that differs; 0 if there is no difference. */
    uint64_t record;
    /** 1: the branch received the list, and the session is unchanged. */
    int32_t is_branched;
    /** Reserved: 0. */
    uint32_t reserved;
} accp_history_report;

/**
 * Appends the messages of a complete list that the session does not have yet. A host that holds the
 * list passes all of it each time, as it does with a provider.
 *
 * The call compares the session's appended messages with the list, starting at the first. Numbers
 * and texts must be equal; white space in the JSON does not matter. Frames are not compared. If the
 * list begins with all messages of the session, the rest of the list is appended. Otherwise the two
 * differ: a message was changed, removed or inserted, or the list is shorter than the session.
 *
 * If they differ, the call fails, unless options->branch names another session. That branch is
 * created if it does not exist. It gets a copy of the messages before the difference, with their
 * times and marks of trust, and then the rest of the list. The host opens the branch and uses it
 * instead. An interrupted call can be repeated with the same arguments: both sessions continue
 * where they stopped.
 *
 * @param text          All messages: a JSON array, a request body, or one message after the other.
 * @param an_interface  accp_interface; 0: our own messages, as in accp_session_append().
 * @param options       NULL: no options.
 * @param out           May be NULL. Set if the call returns ACCP_OK, ACCP_E3003 or ACCP_ERR_IO.
 *
 * Errors: ACCP_E3003 if the list and the session differ; nothing was appended. err.record is the
 * number of the list item and err.offset its byte; err.had is the number of equal messages at the
 * front, and err.limit that of the session. With a branch it means that the branch differs from the
 * list. ACCP_E5001 if the peer may not send one of the new messages; nothing was appended.
 * Otherwise those of accp_session_append_messages(). Cost: one pass over the list. The log is read
 * only for records since the last such call, and to find a difference.
 */
ACCP_API accp_status accp_session_append_history(
    accp_session *session, const char *text, size_t text_len, int32_t an_interface, int64_t now_ms,
    const accp_history_options *options, accp_history_report *out, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
