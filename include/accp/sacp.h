/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * SACP (seed 004): messages by which agents plan for each other, a goal, a context and a plan of
 * [verb, tool, params] steps. What may be in one, what a library of verbs and tools is, and how a
 * message travels as one of ACCP: docs/sacp.md.
 */
#ifndef ACCP_SACP_H
#define ACCP_SACP_H

#include "accp/config.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The verbs and tools that messages may speak of, with the types of their params, and short names.
 * Constant: any number of threads may use one, without a lock, and several may own it
 * (accp_library_share()).
 */
typedef struct accp_library accp_library;

/**
 * Reads a library. SACP 10.
 *
 * text    the document, UTF-8; of length 0: one without verbs and tools. Copied.
 *         {"verbs":[{"name","description","inputs","outputs"}],"tools":[{"id","description",
 *         "supported_verbs"}],"aliases":{…}}: docs/sacp.md has all of it.
 * config  may be NULL; its limits json_bytes and memory_bytes hold.
 * out     owned by the caller: accp_library_free(). Untouched unless ACCP_OK.
 *
 * ACCP_E1001, E1003, E1004, E4001, E5001: refused; the offset is a byte of the text.
 * accp_sacp_check_library() says it in SACP's own codes. ACCP_ERR_NOMEM. Cost: linear.
 */
ACCP_API accp_status accp_library_new(const char *text, size_t text_len, const accp_config *config,
                                      accp_library **out, accp_error *err) ACCP_NOEXCEPT;

/** Gives up one owner's share; the last one frees it. NULL is nothing. Any thread. */
ACCP_API void accp_library_free(accp_library *library) ACCP_NOEXCEPT;

/** The same library with one owner more, who frees it too. NULL for NULL. Any thread. */
ACCP_API accp_library *accp_library_share(const accp_library *library) ACCP_NOEXCEPT;

/** What is wrong with a message. Numbers never change; 0 is nothing. */
enum accp_sacp_code {
    ACCP_SACP_MISSING_FIELD = 1,
    ACCP_SACP_MALFORMED_MESSAGE = 2,
    ACCP_SACP_MALFORMED_PLAN = 3,
    ACCP_SACP_INVALID_TYPE = 4,
    ACCP_SACP_UNKNOWN_VERB = 5,
    ACCP_SACP_UNKNOWN_TOOL = 6,
    ACCP_SACP_VERB_TOOL_MISMATCH = 7,
    ACCP_SACP_UNKNOWN_STATE = 8,
    ACCP_SACP_BAD_OUT_FMT = 9,
    ACCP_SACP_OUTPUT_DISCIPLINE = 10,
    ACCP_SACP_UNSUPPORTED_VERSION = 11,
    ACCP_SACP_NO_AGENT = 12,
    ACCP_SACP_TOOL_FAILED = 13,
    ACCP_SACP_TIMEOUT = 14,
    ACCP_SACP_LIMIT = 15,
    ACCP_SACP_INVALID_STATE_TRANSITION = 16
};

/** The name of a code ("MALFORMED_PLAN"), or NULL for an unknown number. Static text. Any thread.
 */
ACCP_API const char *accp_sacp_code_name(int32_t code) ACCP_NOEXCEPT;

/** The number of a code, or -1. Any thread. */
ACCP_API int32_t accp_sacp_code_find(const char *text, size_t text_len) ACCP_NOEXCEPT;

/** What a verdict says of a message. */
enum accp_sacp_answer {
    ACCP_SACP_VALID = 0,
    ACCP_SACP_ERR = 1,
    ACCP_SACP_REQ_CLARIFY = 2 /* nothing is wrong, but something is missing */
};

/** A verdict; its views live until the next call with the handle that gave it. */
typedef struct accp_verdict {
    int32_t answer;      /* accp_sacp_answer */
    int32_t code;        /* accp_sacp_code; 0: none */
    uint64_t byte;       /* of the JSON text, where the fault lies */
    accp_text details;   /* in words; of a fault in a step its path stands at the end */
    accp_text step;      /* that path ("2.1"), empty where there is none */
    uint32_t need_count; /* accp_sacp_need() */
    uint32_t reserved;   /* 0 */
} accp_verdict;

/** Checks messages against a library, and respells them. One thread at a time. */
typedef struct accp_sacp accp_sacp;

/**
 * Makes one. library: NULL: one without verbs and tools; shared, so it may be freed before. config
 * may be NULL; its limits json_bytes and memory_bytes hold. *out is owned by the caller:
 * accp_sacp_free(). ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_sacp_new(const accp_library *library, const accp_config *config,
                                   accp_sacp **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees it; NULL is nothing. */
ACCP_API void accp_sacp_free(accp_sacp *sacp) ACCP_NOEXCEPT;

/** What is done with verbs and tools that the library does not have. */
enum accp_sacp_reading {
    ACCP_SACP_STRICT = 0, /* they are errors */
    ACCP_SACP_LENIENT = 1 /* they are taken; all else holds */
};

/**
 * Is a message one that can be run? SACP 8.
 *
 * text     JSON, UTF-8; not kept.
 * reading  accp_sacp_reading.
 * out      may be NULL: accp_sacp_verdict() says it again.
 *
 * ACCP_OK whatever the verdict is. ACCP_ERR_ARG, ACCP_ERR_NOMEM. Cost: linear; about a microsecond
 * for a message of three steps.
 */
ACCP_API accp_status accp_sacp_check(accp_sacp *sacp, const char *text, size_t text_len,
                                     int32_t reading, accp_verdict *out,
                                     accp_error *err) ACCP_NOEXCEPT;

/** What an answer is to be like. */
enum accp_sacp_out_fmt { ACCP_SACP_RAW = 0, ACCP_SACP_HUMAN = 1, ACCP_SACP_SUMMARY = 2 };

/**
 * The same of a reply, which may be a message, a verdict, or prose where its sender may write that:
 * who is "interface" or "formatter", or was asked for it. SACP 4.
 *
 * role     of the sender.
 * out_fmt  accp_sacp_out_fmt, of the message that it answers.
 */
ACCP_API accp_status accp_sacp_check_reply(accp_sacp *sacp, const char *text, size_t text_len,
                                           const char *role, size_t role_len, int32_t out_fmt,
                                           int32_t reading, accp_verdict *out,
                                           accp_error *err) ACCP_NOEXCEPT;

/** The same of the document of a library. */
ACCP_API accp_status accp_sacp_check_library(accp_sacp *sacp, const char *text, size_t text_len,
                                             accp_verdict *out, accp_error *err) ACCP_NOEXCEPT;

/** The verdict of the last call that had one. */
ACCP_API accp_status accp_sacp_verdict(const accp_sacp *sacp, accp_verdict *out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * What it says is missing: `plan`, `step.PATH.NAME`, `ctx.NAME`; empty for a number out of range. A
 * view until the next call with this handle.
 */
ACCP_API accp_text accp_sacp_need(const accp_sacp *sacp, uint32_t index) ACCP_NOEXCEPT;

/**
 * It as JSON, byte for byte as the specification prints it:
 * {"status":"ERR","code":"MALFORMED_PLAN","details":"Missing parameters for action step 2"}. *out
 * is a view until the next call with this handle. ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_sacp_print_verdict(accp_sacp *sacp, accp_text *out,
                                             accp_error *err) ACCP_NOEXCEPT;

/** The names of verbs and keys in a message that is printed. */
enum accp_sacp_spelling {
    ACCP_SACP_AS_IS = 0,
    ACCP_SACP_FULL = 1, /* `s` becomes `search` */
    ACCP_SACP_BRIEF = 2 /* and back */
};

/**
 * Prints a message in its canonical form: compact, members in one order, numbers as they were
 * written. Full names may become short ones and back, and nothing is lost on the way: where two
 * keys of one object would get one name, that object stays as it is.
 *
 * spelling  accp_sacp_spelling.
 * out       a view until the next call with this handle.
 *
 * ACCP_E1001, E1003, E1004: it has not the shape of a message; accp_sacp_verdict() says more.
 * ACCP_ERR_NOMEM. Cost: linear.
 */
ACCP_API accp_status accp_sacp_spell(accp_sacp *sacp, const char *text, size_t text_len,
                                     int32_t spelling, accp_text *out,
                                     accp_error *err) ACCP_NOEXCEPT;

/** To whom a message goes. */
typedef struct accp_sacp_receiver {
    accp_text role;       /* "interface" and "formatter" talk to people; any other is in between */
    accp_text formatters; /* tools that do too, a line feed between two; empty: none */
    accp_text msg_id;     /* of the message, where it has none; empty: it goes without */
} accp_sacp_receiver;

/**
 * Prints a message as it goes to another agent: in its canonical form, with the names that it has.
 * SACP 4. Who is in between answers raw or in summary: out_fmt human is left out, but where the
 * receiver talks to people, and in a message inside a step of a formatter. In any other message
 * inside it is left out whoever the receiver is, as its answer is only on the way.
 *
 * to   its views are not kept.
 * out  a view until the next call with this handle.
 *
 * ACCP_ERR_ARG: a msg_id that no message can have. ACCP_E1001, E1003, E1004: it has not the shape
 * of a message; accp_sacp_verdict() says more. ACCP_ERR_NOMEM. Cost: linear.
 */
ACCP_API accp_status accp_sacp_compose(accp_sacp *sacp, const char *text, size_t text_len,
                                       const accp_sacp_receiver *to, accp_text *out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Puts messages together into threads, by msg_id and reply_to. SACP 2.
 *
 * text      messages, verdicts with ids, or any objects that have them: a line each, in any order.
 *           Empty lines are passed over.
 * indented  0: a JSON array; 1: a line each for a person, two blanks for every depth up to 32.
 * out       a view until the next call with this handle: every message once, each before what
 *           replies to it, replies and threads in the order of their lines:
 *           {"line":N,"depth":D,"kind":K,"msg_id":…,"reply_to":…,"of":N}; ids where they are there.
 *           kind: "root" replies to nothing; "reply"; "orphan" replies to what is not there;
 *           "duplicate" has the msg_id of an earlier line, `of`, which gets all replies to it;
 *           "cycle" is the first line of a circle, cut open before it.
 *
 * ACCP_E1001, E1004: a line is no object or an id is none; accp_sacp_verdict() says more, its byte
 * counts from the beginning of the text. ACCP_ERR_NOMEM. Cost: linear.
 */
ACCP_API accp_status accp_sacp_thread(accp_sacp *sacp, const char *text, size_t text_len,
                                      int32_t indented, accp_text *out,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * A message, a verdict, a query to a registry of agents ({"query":…}) or its answer ({"agents":…})
 * as the JSON of a message of ACCP, which accp_codec_encode() and accp_session_send() take; and
 * back. Nothing is lost; through a frame numbers may be spelt anew and maps reordered (decisions A7
 * and A14). accp_sacp_registry() has the schemas.
 *
 * agent  who speaks.
 * out    a view until the next call with this handle.
 *
 * ACCP_E1001, E1003, E1004: the message is refused; accp_sacp_verdict() has the details.
 * ACCP_ERR_ARG: `agent` is not UTF-8. ACCP_ERR_NOMEM. Cost: linear.
 */
ACCP_API accp_status accp_sacp_to_message(accp_sacp *sacp, const char *text, size_t text_len,
                                          const char *agent, size_t agent_len, accp_text *out,
                                          accp_error *err) ACCP_NOEXCEPT;
ACCP_API accp_status accp_sacp_from_message(accp_sacp *sacp, const char *text, size_t text_len,
                                            accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * The document of a registry (accp_registry_new()) with the schemas SM and CAP, by which messages
 * of SACP are sent by position. A view that lives for ever. Any thread.
 */
ACCP_API accp_text accp_sacp_registry(void) ACCP_NOEXCEPT;

/**
 * Makes a plan whole, and prints the message with full names, with the msg_id that it had as its
 * reply_to. SACP 9B. A required param that is missing comes from the ctx, from the newest step
 * before it that makes it, or from new steps, the fewest that will do, by the inputs and outputs of
 * the library's verbs; an empty plan is made for the one output or verb that the goal names. What
 * nothing makes stays missing: accp_sacp_verdict() then asks for it.
 *
 * beside  1: steps that do not take anything from each other go side by side, in parallels; which
 *         is for whoever knows that they have no effect on each other. 0: in their order.
 * out     a view until the next call with this handle.
 *
 * ACCP_E1001 and others: the message has a fault, or more than 1024 steps; accp_sacp_verdict() says
 * more. ACCP_ERR_NOMEM. Cost: quadratic in the steps.
 */
ACCP_API accp_status accp_sacp_plan(accp_sacp *sacp, const char *text, size_t text_len,
                                    int32_t beside, accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/** What a message of version 1.0.0 has beyond one of 0.1; used where the message does not say it.
 */
typedef struct accp_sacp_sender {
    accp_text msg_id; /* empty: the message has to have one */
    accp_text sender;
    accp_text recipient; /* empty: none */
    int64_t now_ms;      /* since 1970; before the year 10000 */
} accp_sacp_sender;

/**
 * Prints a message of version 0.1 as one of 1.0.0, and back: steps in order, parallels and joins
 * are steps that wait for others. Nothing is lost, or it is refused: 1.0.0 has no messages inside
 * messages, 0.1 no retries and timeouts of single steps. *out is a view until the next call with
 * this handle.
 *
 * ACCP_E1001, E1003, E1004: refused; accp_sacp_verdict() says what the other version cannot say.
 * ACCP_ERR_ARG: no such time. ACCP_ERR_NOMEM. Cost: linear, and sorting.
 */
ACCP_API accp_status accp_sacp_to_1_0(accp_sacp *sacp, const char *text, size_t text_len,
                                      const accp_sacp_sender *sender, accp_text *out,
                                      accp_error *err) ACCP_NOEXCEPT;
ACCP_API accp_status accp_sacp_to_0_1(accp_sacp *sacp, const char *text, size_t text_len,
                                      accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Prints what a model is told that is to act as an agent: the template of appendix C (SACP v0.1 by
 * Matías Iacono, CC BY 4.0), filled in.
 *
 * agent    its name, one line.
 * verbs    those that it may be asked for, a line feed between two; tools likewise.
 * message  the message that it is to work on; of length 0: the slot for it stays as it is.
 * out      a view until the next call with this handle.
 *
 * ACCP_ERR_ARG: a name is empty, is not UTF-8, or has control characters. ACCP_E1001, E1003, E1004:
 * `message` does not have the form of a message. ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_sacp_print_prompt(accp_sacp *sacp, const char *agent, size_t agent_len,
                                            const char *verbs, size_t verbs_len, const char *tools,
                                            size_t tools_len, const char *message,
                                            size_t message_len, accp_text *out,
                                            accp_error *err) ACCP_NOEXCEPT;

/**
 * Prints the protocol in short, for a model that writes or reads messages, and the library's verbs
 * and tools, a line each. *out is a view until the next call with this handle. ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_sacp_print_specification(accp_sacp *sacp, accp_text *out,
                                                   accp_error *err) ACCP_NOEXCEPT;

/** Versions of SACP, each with states of its own. */
enum accp_sacp_version { ACCP_SACP_0_1 = 0, ACCP_SACP_1_0 = 1 };

/**
 * The number of a state of a version ("PENDING" is 0), or -1. Its name, NULL after the last. Static
 * text. Any thread.
 */
ACCP_API int32_t accp_sacp_state_find(int32_t version, const char *text,
                                      size_t text_len) ACCP_NOEXCEPT;
ACCP_API const char *accp_sacp_state_name(int32_t version, int32_t state) ACCP_NOEXCEPT;

/**
 * May a task in one state go on to another? 1 or 0; 0 too for what is no state. One that has ended
 * goes on to none; any other may be said again. Any thread.
 */
ACCP_API int32_t accp_sacp_state_follows(int32_t version, int32_t before,
                                         int32_t after) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
