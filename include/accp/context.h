/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * What a session gives a model, in the forms that hosts and providers have: blocks to set cache
 * marks by, ready messages, the tool by which a model asks for what a context leaves out; and
 * messages as providers have them, into a session. docs/context.md.
 */
#ifndef ACCP_CONTEXT_H
#define ACCP_CONTEXT_H

#include "accp/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a block of a context is. Those of one context come in this order. */
enum accp_block_kind {
    /* what the host said first, and the first request: never shortened by a checkpoint */
    ACCP_BLOCK_PINNED = 0,
    /* a line that says how many messages a budget leaves out */
    ACCP_BLOCK_GAP = 1,
    /* a checkpoint: written once, and then as it is until older ones are folded together */
    ACCP_BLOCK_CLOSED = 2,
    /* what was said since, but for the newest message */
    ACCP_BLOCK_OPEN = 3,
    /* the newest message */
    ACCP_BLOCK_NEWEST = 4,
    /* what accp_session_put() has put under hot and warm, a line each, as it is now */
    ACCP_BLOCK_VALUES = 5
};

/** A part of a context's text. Together, in their order, they are the text. */
typedef struct accp_context_block {
    int32_t kind; /* accp_block_kind */
    /* 1: the next context begins with all up to the end of this block, as far as can be foreseen:
       what the next message is, and a checkpoint that is asked for, cannot. The last such one is
       where a cache mark belongs. */
    int32_t is_stable;
    uint32_t checkpoint; /* of a closed block: the newest that it holds ($warm.ckpt_N); else 0 */
    uint32_t reserved;   /* 0 */
    uint64_t tokens;     /* of its text */
    uint64_t since; /* the record since which it stands like this; 0 for a gap and for values */
    accp_text text;
} accp_context_block;

/**
 * The context as accp_session_context() gives it, as blocks, the most stable first.
 *
 * out        an array, and its texts: views into `session` until its next call.
 * count_out  how many; 0 where nothing was said yet.
 *
 * ACCP_E2003 as there. Cost: copying the text. Source: docs/context.md.
 */
ACCP_API accp_status accp_session_context_blocks(accp_session *session, uint64_t budget_tokens,
                                                 const accp_context_block **out, size_t *count_out,
                                                 accp_error *err) ACCP_NOEXCEPT;

/** Interfaces and files that have messages, or tools, in a form of their own. */
enum accp_interface {
    /* the messages and tools of OpenAI's chat completions, and of what is compatible with them */
    ACCP_INTERFACE_OPENAI = 1,
    /* those of Anthropic's Messages */
    ACCP_INTERFACE_ANTHROPIC = 2,
    /* tools of the Model Context Protocol */
    ACCP_INTERFACE_MCP = 3,
    /* a session's file of Claude Code */
    ACCP_INTERFACE_CLAUDE_CODE = 4,
    /* a trajectory of SWE-agent */
    ACCP_INTERFACE_SWE_AGENT = 5,
    /* the Markdown that SpecStory keeps of Cursor and others */
    ACCP_INTERFACE_SPECSTORY = 6,
    /* aider's chat history */
    ACCP_INTERFACE_AIDER = 7,
    /* text or Markdown with a name before what each says: `User:`, `**Assistant:**`, `## Human` */
    ACCP_INTERFACE_SPEAKERS = 8
};

/** The name of an interface: "openai". Static text; NULL for what is none. Any thread. */
ACCP_API const char *accp_interface_name(int32_t an_interface) ACCP_NOEXCEPT;

/** The interface of a name, or -1. Any thread. */
ACCP_API int32_t accp_interface_find(const char *name, size_t name_len) ACCP_NOEXCEPT;

/**
 * Which interface's messages a text has, by what it begins with, or -1: it is messages of our own,
 * or nothing that can be told. Any thread. Cost: the first 64 KiB, or the first JSON value.
 */
ACCP_API int32_t accp_interface_detect(const char *text, size_t text_len) ACCP_NOEXCEPT;

/**
 * The definition of the tool `resolve`, by which a model asks for what a context leaves out: JSON
 * to be put among the tools of a request (openai, anthropic), or into what tools/list answers
 * (mcp). Static text; NULL for an interface without tools. Any thread.
 */
ACCP_API const char *accp_interface_tool(int32_t an_interface) ACCP_NOEXCEPT;

/**
 * Makes the result of a call of the tool `resolve`. {"ref":"$cold.m19"} returns the whole content
 * of the ref, and "$cold.m19.result" a part of it. A text is returned byte for byte; untrusted
 * content has the form that it has in a context. With "lines":"10-40" the result has only those
 * lines. With "query":"a text" it has the lines that contain the text, and two lines around each.
 *
 * text  the arguments from the model: a JSON object.
 * out   the text to send back to the model, at most about 64 KiB: a view into `session` until its
 *       next call. If the model made a mistake (no such ref, invalid arguments), the call returns
 *       ACCP_OK with a text "error: …", so that the model can correct it.
 *
 * Only refs of this session are resolved: none of the resolver hook, and none of another session.
 * Errors: those of accp_session_record().
 */
ACCP_API accp_status accp_session_answer(accp_session *session, const char *text, size_t text_len,
                                         int64_t now_ms, accp_text *out,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the context as messages that can be sent to a provider. For openai that is a JSON array
 * of messages. For anthropic it is an object with "system" and "messages", with cache_control on
 * the blocks that get a cache mark. Roles are those that the interface requires.
 *
 * - A message that the context contains in full is written as it was appended, byte for byte.
 * - Content of a provider that has no equivalent in our messages is sent back to that provider
 *   unchanged.
 * - A tool call and its result are a pair if the context contains both in full. A call at the end
 *   waits for its result. Any other call or result is text.
 * - Until the next fold, each context begins with the messages of the previous one, except for a
 *   call that had no result then.
 * - An untrusted message has the form that accp_session_context() gives it.
 *
 * budget_tokens  as accp_session_context(); it limits tokens_out.
 * out            a view into `session` until its next call.
 * tokens_out     the tokens of the result; may be NULL. They are 3, plus 4 for each message and for
 *                "system", plus those of each text, counted separately (contents, thoughts, names
 *                and arguments of calls, results, names of users). An image, a document or audio
 *                has 1500; any other block has those of its JSON. docs/context.md.
 *
 * ACCP_ERR_ARG for an interface that takes no messages (mcp, claude-code, swe-agent); ACCP_E2003 as
 * accp_session_context(). Cost: that of accp_session_context_blocks(), one read of the log for each
 * message in full, and counting the tokens.
 */
ACCP_API accp_status accp_session_context_messages(accp_session *session, int32_t an_interface,
                                                   uint64_t budget_tokens, accp_text *out,
                                                   uint64_t *tokens_out,
                                                   accp_error *err) ACCP_NOEXCEPT;

/**
 * Appends messages in the format of an interface. openai and anthropic: one message, an array of
 * messages, a request body, or one message per line. Other interfaces: a file. docs/context.md
 * lists how each is converted. Texts are kept byte for byte. In a text, an image or other binary is
 * a line that names it. accp_session_context_messages() sends the original back to its provider.
 *
 * count_out  the number of messages that were appended, one record each; may be NULL.
 *
 * ACCP_E1001, ACCP_E1004: a part of the text was not understood (with its offset), it has messages
 * of another interface, or it has no messages. Nothing was appended then. After any other failure
 * accp_session_record_count() shows how many messages were appended.
 */
ACCP_API accp_status accp_session_append_messages(accp_session *session, const char *text,
                                                  size_t text_len, int32_t an_interface,
                                                  int64_t now_ms, uint64_t *count_out,
                                                  accp_error *err) ACCP_NOEXCEPT;

/**
 * Appends messages of a peer, as accp_session_append_messages() does. Each message is checked and
 * marked as in accp_session_append_from(). An untrusted peer can therefore add no message of a
 * system, user, assistant or tool, unless the host lists that name among its agents. A tool call
 * from such a peer is text in a context, and not a call.
 *
 * peer  NULL: the host itself, as accp_session_append_messages().
 *
 * ACCP_E5001: the peer may not send one of the messages. Nothing was appended, and the offset is 0.
 * ACCP_ERR_ARG for an invalid peer. Other failures: as accp_session_append_messages().
 */
ACCP_API accp_status accp_session_append_messages_from(accp_session *session, const char *text,
                                                       size_t text_len, int32_t an_interface,
                                                       const accp_peer *peer, int64_t now_ms,
                                                       uint64_t *count_out,
                                                       accp_error *err) ACCP_NOEXCEPT;

/** Options of accp_session_append_history(). Set members that you do not use to zero. */
typedef struct accp_history_options {
    size_t size; /* sizeof(accp_history_options), as the caller was compiled */
    /* the id of another session in the same store: it receives the list if the list differs from
       this session; empty: such a list is refused */
    accp_text branch;
    /* the sender of the new messages, as in accp_session_append_from(); NULL: the host itself */
    const accp_peer *peer;
} accp_history_options;

/** The result of accp_session_append_history(). */
typedef struct accp_history_report {
    uint64_t count; /* messages in the list, converted to ours: one record each */
    uint64_t same;  /* messages at the front that the session had already */
    uint64_t added; /* messages that this call appended, to the session or its branch */
    /* the first difference, 0 if there is none: the list item, counted from 0 (the number of items
       if the list is too short), and the record of the session */
    uint64_t item;
    uint64_t record;
    int32_t is_branched; /* 1: the branch received the list, and the session is unchanged */
    uint32_t reserved;   /* 0 */
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
 * text          all messages: a JSON array, a request body, or one message after the other.
 * an_interface  accp_interface; 0: our own messages, as in accp_session_append().
 * options       NULL: no options.
 * out           may be NULL. Set if the call returns ACCP_OK, ACCP_E3003 or ACCP_ERR_IO.
 *
 * ACCP_E3003: the list and the session differ, and nothing was appended. err.record is the number
 * of the list item and err.offset its byte; err.had is the number of equal messages at the front,
 * and err.limit that of the session. With a branch: the branch differs from the list.
 * ACCP_E1001, ACCP_E1004: as accp_session_append_messages(). ACCP_E5001: the peer may not send one
 * of the new messages; nothing was appended.
 * Other failures: as accp_session_append_messages(). As durable as accp_session_append().
 * Cost: one pass over the list. The log is read only for records since the last such call, and to
 * find a difference.
 */
ACCP_API accp_status accp_session_append_history(
    accp_session *session, const char *text, size_t text_len, int32_t an_interface, int64_t now_ms,
    const accp_history_options *options, accp_history_report *out, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
