/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * SACP (seed 004): messages by which agents plan for each other. A message has a goal, a context,
 * and a plan of [verb, tool, params] steps. docs/sacp.md describes messages, libraries of verbs and
 * tools, and how a SACP message travels as an ACCP message.
 *
 * @code
 * const char *message = "{\"g\":\"SUMMARIZE\",\"plan\":[[\"fetch\",\"WEB\",{}]]}";
 * accp_sacp *sacp = NULL;
 * accp_verdict verdict;
 * if (accp_sacp_new(NULL, NULL, &sacp, NULL) == ACCP_OK &&
 *     accp_sacp_check(sacp, message, strlen(message), ACCP_SACP_LENIENT, &verdict, NULL) ==
 *         ACCP_OK) {
 *     if (verdict.answer == ACCP_SACP_VALID)
 *         puts("VALID");
 *     else
 *         printf("%s at byte %llu: %.*s\n", accp_sacp_code_name(verdict.code),
 *                (unsigned long long)verdict.byte, (int)verdict.details.len, verdict.details.text);
 * }
 * accp_sacp_free(sacp);
 * @endcode
 */
#ifndef ACCP_SACP_H
#define ACCP_SACP_H

#include "accp/config.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The verbs and tools that messages may use, with the types of their params, and short names. It is
 * constant: any number of threads may use it without a lock. A handle shares the library that it is
 * made with.
 */
typedef struct accp_library accp_library;

/**
 * Parses a library. SACP 10.
 *
 * @param text    The document, UTF-8, in the form below; length 0: no verbs and tools. Copied.
 * @param config  Its limits json_bytes and memory_bytes are used.
 * @param out     Owned by the caller: accp_library_free().
 *
 * Errors: ACCP_E1001, E1003, E1004, E4001, E5001 for an invalid document; the offset is a byte of
 * it. accp_sacp_check_library() gives SACP's own codes. Cost: linear. docs/sacp.md describes the
 * document:
 *
 *     {"verbs":[{"name","description","inputs","outputs"}],
 *      "tools":[{"id","description","supported_verbs"}],"aliases":{…}}
 */
ACCP_API accp_status accp_library_new(const char *text, size_t text_len, const accp_config *config,
                                      accp_library **out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Frees a library. Handles that were made with it keep it. NULL has no effect. Any thread.
 */
ACCP_API void accp_library_free(accp_library *library) ACCP_NOEXCEPT;

/** Codes of verdicts. Numbers never change; 0 means no code. */
enum accp_sacp_code {
    /** A required member or param is missing. */
    ACCP_SACP_MISSING_FIELD = 1,
    /** The text is not a message. */
    ACCP_SACP_MALFORMED_MESSAGE = 2,
    /** The plan or a step does not have the right form. */
    ACCP_SACP_MALFORMED_PLAN = 3,
    /** A value has the wrong type. */
    ACCP_SACP_INVALID_TYPE = 4,
    /** The library does not have the verb. */
    ACCP_SACP_UNKNOWN_VERB = 5,
    /** The library does not have the tool. */
    ACCP_SACP_UNKNOWN_TOOL = 6,
    /** The tool does not support the verb. */
    ACCP_SACP_VERB_TOOL_MISMATCH = 7,
    /** The state does not exist. */
    ACCP_SACP_UNKNOWN_STATE = 8,
    /** The out_fmt does not exist. */
    ACCP_SACP_BAD_OUT_FMT = 9,
    /** The sender may not reply in this form. */
    ACCP_SACP_OUTPUT_DISCIPLINE = 10,
    /** The version is not supported, or cannot express the message. */
    ACCP_SACP_UNSUPPORTED_VERSION = 11,
    /** No agent can do it. */
    ACCP_SACP_NO_AGENT = 12,
    /** A tool failed. */
    ACCP_SACP_TOOL_FAILED = 13,
    /** A call timed out. */
    ACCP_SACP_TIMEOUT = 14,
    /** A limit was exceeded. */
    ACCP_SACP_LIMIT = 15,
    /** The state cannot follow the one before. */
    ACCP_SACP_INVALID_STATE_TRANSITION = 16
};

/**
 * Returns the name of a code ("MALFORMED_PLAN"), or NULL for an unknown number. Static text. Any
 * thread.
 */
ACCP_API const char *accp_sacp_code_name(int32_t code) ACCP_NOEXCEPT;

/**
 * Returns the number of a code, or -1. Any thread.
 *
 * @param name  The name of the code.
 */
ACCP_API int32_t accp_sacp_code_find(const char *name, size_t name_len) ACCP_NOEXCEPT;

/** The result of a check. */
enum accp_sacp_answer {
    ACCP_SACP_VALID = 0,      /**< The message is valid. */
    ACCP_SACP_ERR = 1,        /**< Something is wrong. */
    ACCP_SACP_REQ_CLARIFY = 2 /**< Nothing is wrong, but something is missing. */
};

/** A verdict. Its views are valid until the next call with the handle that returned it. */
typedef struct accp_verdict {
    int32_t answer;      /**< accp_sacp_answer. */
    int32_t code;        /**< accp_sacp_code; 0: none. */
    uint64_t byte;       /**< The byte of the JSON text that is at fault. */
    accp_text details;   /**< A description; if a step is at fault, it ends with the path. */
    accp_text step;      /**< That path ("2.1"); else empty. */
    uint32_t need_count; /**< The number of missing things: accp_sacp_need(). */
    uint32_t reserved;   /**< Reserved: 0. */
} accp_verdict;

/** Checks messages against a library, and prints them in other forms. One thread at a time. */
typedef struct accp_sacp accp_sacp;

/**
 * Makes a checker.
 *
 * @param library  Shared. NULL: no verbs and tools.
 * @param config   Its limits json_bytes and memory_bytes are used.
 * @param out      Owned by the caller: accp_sacp_free().
 */
ACCP_API accp_status accp_sacp_new(const accp_library *library, const accp_config *config,
                                   accp_sacp **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees a checker and every view into it. NULL has no effect. */
ACCP_API void accp_sacp_free(accp_sacp *sacp) ACCP_NOEXCEPT;

/** How verbs and tools are handled that the library does not have. */
enum accp_sacp_reading {
    ACCP_SACP_STRICT = 0, /**< They are errors. */
    ACCP_SACP_LENIENT = 1 /**< They are accepted; all other checks apply. */
};

/**
 * Checks whether a message can be run. SACP 8.
 *
 * @param text     JSON, UTF-8; not kept.
 * @param reading  accp_sacp_reading.
 * @param out      May be NULL: accp_sacp_verdict() returns it too.
 *
 * Returns ACCP_OK for every verdict. Cost: linear; about a microsecond for a message of three
 * steps.
 */
ACCP_API accp_status accp_sacp_check(accp_sacp *sacp, const char *text, size_t text_len,
                                     int32_t reading, accp_verdict *out,
                                     accp_error *err) ACCP_NOEXCEPT;

/** The form that an answer should have. */
enum accp_sacp_out_fmt {
    ACCP_SACP_RAW = 0,    /**< Raw data. */
    ACCP_SACP_HUMAN = 1,  /**< Text for people. */
    ACCP_SACP_SUMMARY = 2 /**< A summary. */
};

/**
 * Checks a reply, as accp_sacp_check() does a message. It may be a message, a verdict, or prose in
 * UTF-8. Prose is allowed for the roles "interface" and "formatter", and if out_fmt is human. SACP
 * 4.
 *
 * @param text     The reply; not kept.
 * @param role     The role of the sender.
 * @param out_fmt  accp_sacp_out_fmt of the message that it answers.
 * @param reading  accp_sacp_reading.
 */
ACCP_API accp_status accp_sacp_check_reply(accp_sacp *sacp, const char *text, size_t text_len,
                                           const char *role, size_t role_len, int32_t out_fmt,
                                           int32_t reading, accp_verdict *out,
                                           accp_error *err) ACCP_NOEXCEPT;

/**
 * Checks the document of a library, as accp_sacp_check() does a message.
 *
 * @param text  The document; not kept.
 */
ACCP_API accp_status accp_sacp_check_library(accp_sacp *sacp, const char *text, size_t text_len,
                                             accp_verdict *out, accp_error *err) ACCP_NOEXCEPT;

/** Returns the verdict of the last call that had one. */
ACCP_API accp_status accp_sacp_verdict(const accp_sacp *sacp, accp_verdict *out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns something that is missing by the last verdict: `plan`, `step.PATH.NAME`, `ctx.NAME`;
 * empty for a number out of range. A view until the next call on `sacp`.
 *
 * @param index  From 0 to accp_verdict.need_count - 1.
 */
ACCP_API accp_text accp_sacp_need(const accp_sacp *sacp, uint32_t index) ACCP_NOEXCEPT;

/**
 * Prints the last verdict as JSON, byte for byte as in the specification:
 * `{"status":"ERR","code":"MALFORMED_PLAN","details":"Missing parameters for action step 2"}`.
 *
 * @param out  A view until the next call on `sacp`.
 */
ACCP_API accp_status accp_sacp_print_verdict(accp_sacp *sacp, accp_text *out,
                                             accp_error *err) ACCP_NOEXCEPT;

/** The names of verbs and keys in a printed message. */
enum accp_sacp_spelling {
    ACCP_SACP_AS_IS = 0, /**< Unchanged. */
    ACCP_SACP_FULL = 1,  /**< Full names: `s` becomes `search`. */
    ACCP_SACP_BRIEF = 2  /**< Short names: `search` becomes `s`. */
};

/**
 * Prints a message in its canonical form: compact, members in one order, numbers as they were
 * written. Converting between full and short names loses nothing: if two keys of an object would
 * get the same name, that object stays unchanged.
 *
 * @param spelling  accp_sacp_spelling.
 * @param out       A view until the next call on `sacp`.
 *
 * Errors: ACCP_E1001, E1003, E1004 if the text does not have the form of a message;
 * accp_sacp_verdict() has the details. Cost: linear.
 */
ACCP_API accp_status accp_sacp_spell(accp_sacp *sacp, const char *text, size_t text_len,
                                     int32_t spelling, accp_text *out,
                                     accp_error *err) ACCP_NOEXCEPT;

/** The receiver of a message. */
typedef struct accp_sacp_receiver {
    /** "interface" and "formatter" talk to people; any other role does not. */
    accp_text role;
    /** Tools that talk to people too, separated by line feeds; empty: none. */
    accp_text formatters;
    /** The msg_id for a message that has none; empty: none. */
    accp_text msg_id;
} accp_sacp_receiver;

/**
 * Prints a message for another agent, in its canonical form and with the names that it has. Agents
 * that do not talk to people answer raw or in summary, so out_fmt human is removed for them. It is
 * kept if the receiver talks to people, and in a message inside a step of a formatter. In any other
 * message inside, it is always removed. SACP 4.
 *
 * @param to   Its views are not kept.
 * @param out  A view until the next call on `sacp`.
 *
 * Errors: ACCP_ERR_ARG for an invalid msg_id. ACCP_E1001, E1003, E1004 if the text does not have
 * the form of a message; accp_sacp_verdict() has the details. Cost: linear.
 */
ACCP_API accp_status accp_sacp_compose(accp_sacp *sacp, const char *text, size_t text_len,
                                       const accp_sacp_receiver *to, accp_text *out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Groups messages into threads, by msg_id and reply_to. Each message occurs once, before its
 * replies. Replies and threads have the order of their lines. SACP 2.
 *
 * @param text      Messages, verdicts with ids, or any objects with these ids: one per line, in any
 *                  order. Empty lines are ignored.
 * @param indented  0: a JSON array. 1: one line per message for people, indented by two blanks for
 *                  each depth up to 32.
 * @param out       A view until the next call on `sacp`. Each message has this form, with the ids
 *                  that exist:
 *
 *     {"line":N,"depth":D,"kind":K,"msg_id":…,"reply_to":…,"of":N}
 *
 * The kinds: "root" replies to nothing; "reply"; "orphan" replies to a missing message; "duplicate"
 * has the msg_id of an earlier line, `of`, which gets all its replies; "cycle" is the first line of
 * a cycle, which is cut before it.
 *
 * Errors: ACCP_E1001, E1004 if a line is not an object or an id is invalid; accp_sacp_verdict() has
 * the details, with a byte of the whole text. Cost: linear.
 */
ACCP_API accp_status accp_sacp_thread(accp_sacp *sacp, const char *text, size_t text_len,
                                      int32_t indented, accp_text *out,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * Converts SACP to the JSON of an ACCP message, for accp_codec_encode() and accp_session_send().
 * Nothing is lost, but a frame may write numbers differently and reorder maps (decisions A7 and
 * A14). accp_sacp_registry() has the schemas.
 *
 * @param text   A message, a verdict, a query to a registry of agents (`{"query":…}`) or its answer
 *               (`{"agents":…}`).
 * @param agent  The sender.
 * @param out    A view until the next call on `sacp`.
 *
 * Errors: ACCP_E1001, E1003, E1004 for an invalid message; accp_sacp_verdict() has the details.
 * ACCP_ERR_ARG if the agent is not UTF-8. Cost: linear.
 */
ACCP_API accp_status accp_sacp_to_message(accp_sacp *sacp, const char *text, size_t text_len,
                                          const char *agent, size_t agent_len, accp_text *out,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * Converts the JSON of an ACCP message back to SACP: the inverse of accp_sacp_to_message(), with
 * the same errors.
 *
 * @param text  The message of ACCP, as JSON.
 * @param out   A view until the next call on `sacp`.
 */
ACCP_API accp_status accp_sacp_from_message(accp_sacp *sacp, const char *text, size_t text_len,
                                            accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the document of a registry (accp_registry_new()) with the schemas SM and CAP, by which
 * SACP messages are sent by position. The view is always valid. Any thread.
 */
ACCP_API accp_text accp_sacp_registry(void) ACCP_NOEXCEPT;

/**
 * Completes a plan, and prints the message with full names, and with its msg_id as reply_to. SACP
 * 9B.
 *
 * A missing required param comes from the ctx, from the newest earlier step that makes it, or from
 * new steps: the fewest that are sufficient, by the inputs and outputs of the library's verbs. An
 * empty plan is made for the one output or verb that the goal names. If nothing makes a param, it
 * stays missing, and accp_sacp_verdict() requests it.
 *
 * @param text    The message, as JSON.
 * @param beside  1: put steps that do not depend on each other into parallels. Do this only if they
 *                have no effect on each other. 0: keep the order.
 * @param out     A view until the next call on `sacp`.
 *
 * Errors: ACCP_E1001 and others if the message is invalid, or has more than 1024 steps;
 * accp_sacp_verdict() has the details. Cost: quadratic in the steps.
 */
ACCP_API accp_status accp_sacp_plan(accp_sacp *sacp, const char *text, size_t text_len,
                                    int32_t beside, accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * The members that a message of version 1.0.0 has beyond one of 0.1. Each is used only if the
 * message does not have it.
 */
typedef struct accp_sacp_sender {
    accp_text msg_id;    /**< The msg_id; empty: the message must have one. */
    accp_text sender;    /**< The sender. */
    accp_text recipient; /**< The recipient; empty: none. */
    int64_t now_ms;      /**< The time, before the year 10000. */
} accp_sacp_sender;

/**
 * Converts a message of version 0.1 to version 1.0.0. Steps in order, parallels and joins become
 * steps that wait for others. Nothing is lost: a message that 1.0.0 cannot express is rejected,
 * such as one with messages inside.
 *
 * @param text    The message, as JSON.
 * @param sender  The members that the message may lack.
 * @param out     A view until the next call on `sacp`.
 *
 * Errors: ACCP_E1001, E1003, E1004 for an invalid message, or one that the other version cannot
 * express; accp_sacp_verdict() has the details. ACCP_ERR_ARG for an invalid time. Cost: O(n log n).
 */
ACCP_API accp_status accp_sacp_to_1_0(accp_sacp *sacp, const char *text, size_t text_len,
                                      const accp_sacp_sender *sender, accp_text *out,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * Converts a message of version 1.0.0 to version 0.1: the inverse of accp_sacp_to_1_0(), with the
 * same errors. 0.1 has no retries and timeouts of single steps.
 *
 * @param text  The message, as JSON.
 * @param out   A view until the next call on `sacp`.
 */
ACCP_API accp_status accp_sacp_to_0_1(accp_sacp *sacp, const char *text, size_t text_len,
                                      accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Prints the prompt that makes a model act as an agent: the template of appendix C (SACP v0.1 by
 * Matías Iacono, CC BY 4.0), filled in.
 *
 * @param agent        Its name, one line.
 * @param verbs,tools  Its verbs and its tools, separated by line feeds.
 * @param message      The message to work on; length 0: its slot stays in the prompt.
 * @param out          A view until the next call on `sacp`.
 *
 * Errors: ACCP_ERR_ARG if a name is empty, is not UTF-8, or has control characters. ACCP_E1001,
 * E1003, E1004 if the message does not have the form of a message.
 */
ACCP_API accp_status accp_sacp_print_prompt(accp_sacp *sacp, const char *agent, size_t agent_len,
                                            const char *verbs, size_t verbs_len, const char *tools,
                                            size_t tools_len, const char *message,
                                            size_t message_len, accp_text *out,
                                            accp_error *err) ACCP_NOEXCEPT;

/**
 * Prints the protocol in short, for a model that writes or reads messages, and the library's verbs
 * and tools, one per line.
 *
 * @param out  A view until the next call on `sacp`.
 */
ACCP_API accp_status accp_sacp_print_specification(accp_sacp *sacp, accp_text *out,
                                                   accp_error *err) ACCP_NOEXCEPT;

/** Versions of SACP. Each has its own states. */
enum accp_sacp_version {
    ACCP_SACP_0_1 = 0, /**< Version 0.1. */
    ACCP_SACP_1_0 = 1  /**< Version 1.0.0. */
};

/**
 * Returns the number of a state of a version ("PENDING" is 0), or -1. Any thread.
 *
 * @param version  accp_sacp_version.
 * @param name     The name of the state.
 */
ACCP_API int32_t accp_sacp_state_find(int32_t version, const char *name,
                                      size_t name_len) ACCP_NOEXCEPT;

/**
 * Returns the name of a state of a version, or NULL if it is out of range: count from 0 to list
 * them all. Static text. Any thread.
 *
 * @param version  accp_sacp_version.
 * @param state    The number of the state.
 */
ACCP_API const char *accp_sacp_state_name(int32_t version, int32_t state) ACCP_NOEXCEPT;

/**
 * Returns 1 if a task can change from one state to another, else 0, also for an unknown state. An
 * ended task cannot change. Any other state may be repeated. Any thread.
 *
 * @param version       accp_sacp_version.
 * @param before,after  The numbers of the two states.
 */
ACCP_API int accp_sacp_state_is_next(int32_t version, int32_t before, int32_t after) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
