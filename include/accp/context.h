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
 * Answers a call of that tool: {"ref":"$cold.m19"}, all of what it stands for, a text byte for byte
 * ("$cold.m19.result" a part of it; what is not trusted as a context writes it); with
 * "lines":"10-40", those; with "query":"a text", the lines that have it, and two around each.
 *
 * text  the arguments as the model gave them: a JSON object.
 * out   what goes back to the model, at most some 64 KiB: a view into `session` until its next
 *       call. What the model got wrong (no such ref, no such arguments) is a text too, "error: …",
 *       and ACCP_OK: the model can mend it.
 *
 * Only what this session has is answered: no ref of the resolver hook's, and none of another
 * session. Errors: those of accp_session_record().
 */
ACCP_API accp_status accp_session_answer(accp_session *session, const char *text, size_t text_len,
                                         int64_t now_ms, accp_text *out,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * The context as messages, ready to be sent: a JSON array of them for openai; for anthropic an
 * object with "system" and "messages", and with cache_control where a cache mark belongs. Roles are
 * what the interface demands. A message that the context shows whole is what was appended, byte for
 * byte; what a provider's list had that has no form of ours goes back to that provider as it came.
 * A call of a tool and its result are a pair where both stand there whole, a call at the end waits
 * for its result, and any other is text. Between folds each begins with the messages of the one
 * before, but for a call that had no result then. What is not trusted has the form of the text.
 *
 * budget_tokens  as accp_session_context(), of tokens_out.
 * out            a view into `session` until its next call.
 * tokens_out     of what is handed out; may be NULL: 3, and 4 for each message and for "system",
 *                and those of each text, counted by itself (contents, thoughts, names and arguments
 *                of calls, results, names of users); 1500 for an image, a document or audio; of any
 *                other block those of its JSON. docs/context.md.
 *
 * ACCP_ERR_ARG for an interface that takes no messages (mcp, claude-code, swe-agent); ACCP_E2003 as
 * accp_session_context(). Cost: that of accp_session_context_blocks(), one read of the log for each
 * message that stands there whole, and counting the tokens.
 */
ACCP_API accp_status accp_session_context_messages(accp_session *session, int32_t an_interface,
                                                   uint64_t budget_tokens, accp_text *out,
                                                   uint64_t *tokens_out,
                                                   accp_error *err) ACCP_NOEXCEPT;

/**
 * Appends what an interface calls messages: of openai and anthropic one message, an array of them,
 * a request's body, or a line each; of the others a file. docs/context.md says what becomes what.
 * Texts are kept byte for byte. In texts, images and other binaries become a line that names them.
 *
 * count_out  how many messages of ours came of it, each one record; may be NULL.
 *
 * ACCP_E1001, ACCP_E1004 for what is not understood, with its offset, for messages of another
 * interface, and for none at all: then nothing was appended. After any other failure
 * accp_session_record_count() says how many were.
 */
ACCP_API accp_status accp_session_append_messages(accp_session *session, const char *text,
                                                  size_t text_len, int32_t an_interface,
                                                  int64_t now_ms, uint64_t *count_out,
                                                  accp_error *err) ACCP_NOEXCEPT;

/**
 * Appends what a peer gives as messages of an interface: accp_session_append_messages(), with each
 * message that comes of it checked and marked as accp_session_append_from() does. So a peer that is
 * not trusted gives no message of a system, user, assistant or tool unless the host lists that name
 * among its agents; a call of a tool that it gives is text in a context, and no call.
 *
 * peer  NULL: the host itself, as accp_session_append_messages().
 *
 * ACCP_E5001: one of the messages is none that this peer may say; nothing was appended, and the
 * offset is 0. Else as there; ACCP_ERR_ARG for a peer that cannot be one.
 */
ACCP_API accp_status accp_session_append_messages_from(accp_session *session, const char *text,
                                                       size_t text_len, int32_t an_interface,
                                                       const accp_peer *peer, int64_t now_ms,
                                                       uint64_t *count_out,
                                                       accp_error *err) ACCP_NOEXCEPT;

/** What accp_session_append_history() takes beside the list; zeros where nothing is set. */
typedef struct accp_history_options {
    size_t size; /* sizeof(accp_history_options), as the caller was compiled */
    /* the id of another session of the same store, which takes the list if it differs from what
       this session has; empty: such a list is refused */
    accp_text branch;
    /* who the messages come from, as accp_session_append_from() has it; NULL: the host itself */
    const accp_peer *peer;
} accp_history_options;

/** What became of a list. */
typedef struct accp_history_report {
    uint64_t count; /* messages of ours that the list makes, each one record */
    uint64_t same;  /* of these, from the front, the session had already */
    uint64_t added; /* messages that this call appended, to the session or its branch */
    /* the first difference: the number of the list's item from 0 (how many items there are where
       the list ends too early), and the record of the session; 0 where they do not differ */
    uint64_t item;
    uint64_t record;
    int32_t is_branched; /* 1: the branch has taken the list, and the session is as it was */
    uint32_t reserved;   /* 0 */
} accp_history_report;

/**
 * Appends those messages of a whole list that the session does not have yet. A host that holds the
 * list passes it each time, as it does to a provider.
 *
 * The session's appended messages are compared with the list from the front, by content: numbers
 * and texts as they are, whatever the white space of the JSON is. Frames are not compared. If all
 * of them are the beginning of the list, the rest is appended. Else the two differ: a message has
 * changed, is missing or was put between, or the list ends before the session's messages do. Then
 * the call is refused, or a branch takes the list: another session, made if it is missing, that
 * begins with the messages before the difference as they lie here (their times, and who is not
 * trusted) and goes on with the list. The host opens the branch and uses it instead. A call that
 * was cut short can be repeated as it was: both sessions go on where they were.
 *
 * text          all messages: a JSON array, a request's body, or one after the other.
 * an_interface  accp_interface; 0: messages of ours, as accp_session_append() takes them.
 * options       NULL: none.
 * out           may be NULL. Filled with ACCP_OK, ACCP_E3003 and ACCP_ERR_IO.
 *
 * ACCP_E3003: they differ, and nothing has changed; err.record and err.offset are the item of the
 * list, err.had the messages that agree, err.limit those that the session has. With a branch: the
 * branch has other messages than the list. ACCP_E1001, ACCP_E1004: as
 * accp_session_append_messages(). ACCP_E5001: one of those that are new is none that this peer may
 * say. Of these four nothing was appended. Other failures: as there. Durable as
 * accp_session_append() is. Cost: one pass over the list; the log is not read, but for records
 * since the last such call, and to find a difference.
 */
ACCP_API accp_status accp_session_append_history(
    accp_session *session, const char *text, size_t text_len, int32_t an_interface, int64_t now_ms,
    const accp_history_options *options, accp_history_report *out, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
