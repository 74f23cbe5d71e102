/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Context packets (seed 003): what a worker must know, in a file that people and programs can read.
 * A packet is YAML or JSON with a task, its goal, decisions, constraints, files and failures, and a
 * checksum over all of it. docs/packets.md describes the form and the errors.
 *
 * @code
 * accp_packet *packet = NULL;
 * accp_text yaml;
 * accp_error err;
 * accp_packet_request request = {0};
 * request.size = sizeof request;
 * request.task = (accp_text){"Implement the login", 19};
 * request.conversation = (accp_text){"User: The login must use OAuth.", 31};
 * request.an_interface = ACCP_INTERFACE_SPEAKERS;
 * request.depth = ACCP_PACKET_STANDARD;
 * request.now_ms = 1700000000000;
 * if (accp_packet_new(NULL, &packet, &err) == ACCP_OK &&
 *     accp_packet_generate(packet, &request, &err) == ACCP_OK &&
 *     accp_packet_print_yaml(packet, &yaml, &err) == ACCP_OK)
 *     printf("%.*s", (int)yaml.len, yaml.text);
 * accp_packet_free(packet);
 * @endcode
 *
 * "Sealing" a packet sets its checksum, its token_count and its tokenizer: accp_packet_seal().
 */
#ifndef ACCP_PACKET_H
#define ACCP_PACKET_H

#include "accp/config.h"
#include "accp/context.h"
#include "accp/hooks.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A packet and its memory. One thread at a time; distinct packets need no lock. */
typedef struct accp_packet accp_packet;

/** Options of accp_packet_parse(), as bits. */
enum accp_packet_reading {
    /** Accept a checksum that is wrong, malformed or a placeholder ("sha256:abc..."), with the
     * warning ACCP_PACKET_OTHER_CHECKSUM. */
    ACCP_PACKET_UNVERIFIED = 1
};

/** Warnings about a packet that was accepted, as bits. */
enum accp_packet_warning {
    /** It has no checksum. */
    ACCP_PACKET_NO_CHECKSUM = 1,
    /** Its token_count is not the number of tokens of the prompt. */
    ACCP_PACKET_OTHER_TOKEN_COUNT = 2,
    /** Its checksum is wrong. */
    ACCP_PACKET_OTHER_CHECKSUM = 4,
    /** accp_packet_generate(): the hook extract returned items that are not in the conversation.
     * sources.extractor has the numbers. */
    ACCP_PACKET_DROPPED_ITEMS = 8,
    /** accp_packet_generate(): most of the conversation is in a language without rules, so demands,
     * decisions, failures and questions are missing. not_included has a line about it. Provide
     * items, or the hook extract. */
    ACCP_PACKET_OTHER_LANGUAGE = 16
};

/**
 * Makes an empty packet.
 *
 * @param config  The tokenizer, the limits, the allocator, and the hooks extract and embed are
 *                used.
 * @param out     Owned by the caller: accp_packet_free().
 */
ACCP_API accp_status accp_packet_new(const accp_config *config, accp_packet **out,
                                     accp_error *err) ACCP_NOEXCEPT;

/** Frees a packet and every view into it. NULL has no effect. */
ACCP_API void accp_packet_free(accp_packet *packet) ACCP_NOEXCEPT;

/**
 * Parses a packet, which replaces this one. On failure this one is empty. Cost: linear in the text.
 *
 * @param text     YAML 1.2 without anchors, aliases, tags, directives, merge keys and duplicate
 *                 keys, or JSON. UTF-8, at most 262,144 bytes, 32 levels deep; copied.
 * @param reading  Bits of accp_packet_reading.
 *
 * Errors; the offset is a byte of the text, and docs/packets.md lists the messages. ACCP_E1001: not
 * YAML, not a packet, or a wrong checksum. ACCP_E1004: not UTF-8, or a member of the wrong kind.
 */
ACCP_API accp_status accp_packet_parse(accp_packet *packet, const char *text, size_t text_len,
                                       uint32_t reading, accp_error *err) ACCP_NOEXCEPT;

/** How much a packet contains. Each depth has its own budget, in tokens of the prompt. */
enum accp_packet_depth {
    ACCP_PACKET_MINIMAL = 0,  /**< Goal and constraints: 100 tokens. */
    ACCP_PACKET_STANDARD = 1, /**< Also decisions and files: 400 tokens. */
    ACCP_PACKET_DEEP = 2      /**< Also failed attempts and open questions: 800 tokens. */
};

/**
 * An index of source files, from which accp_packet_generate() selects those of a task. It does not
 * keep their texts.
 */
typedef struct accp_packet_code accp_packet_code;

/**
 * Makes an empty index in memory.
 *
 * @param config  The allocator and memory_bytes are used.
 * @param out     Owned by the caller: accp_packet_code_free().
 */
ACCP_API accp_status accp_packet_code_new(const accp_config *config, accp_packet_code **out,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * Opens an index on disk, or creates it: a SQLite file with FTS5, readable only by its owner. It
 * gives the same results as one in memory, and files that it already has need not be read again.
 * Several processes may open it. It is a cache: a damaged index, or one of another version, is
 * replaced by an empty one. Any other file stays unchanged. See docs/packets.md.
 *
 * @param path  The path of the file, in an existing directory; UTF-8 without NUL.
 * @param out   Owned by the caller: accp_packet_code_sync(), then accp_packet_code_free().
 *
 * Errors: ACCP_ERR_ARG if the path is invalid, the file is not an index, or the library has no
 * SQLite (with FTS5). ACCP_ERR_CORRUPT if it is not a SQLite file. ACCP_ERR_IO, ACCP_ERR_BUSY.
 * Other functions on this handle can return these too. After ACCP_ERR_IO, such as for a full disk,
 * nothing has changed: try again. After ACCP_ERR_CORRUPT the damaged file was deleted: free the
 * handle and open a new one.
 */
ACCP_API accp_status accp_packet_code_new_on_disk(const char *path, size_t path_len,
                                                  const accp_config *config, accp_packet_code **out,
                                                  accp_error *err) ACCP_NOEXCEPT;

/** Frees an index. For one on disk, changes since the last sync may be lost. NULL has no effect. */
ACCP_API void accp_packet_code_free(accp_packet_code *code) ACCP_NOEXCEPT;

/**
 * Adds a file, or replaces the file with this path. Adding the same text again costs only its hash.
 *
 * @param path  The path from the root of the tree, with `/`: UTF-8, not empty, without NUL, at most
 *              4,096 bytes. Not kept.
 * @param text  Any bytes; the first 262,144 are used. If they contain a NUL, only the path is used.
 *              Not kept.
 *
 * Errors: ACCP_ERR_ARG for an invalid path; ACCP_E1004 if it is not UTF-8. After ACCP_ERR_NOMEM the
 * index is unchanged. Cost: linear in the text, about 50 MB/s.
 */
ACCP_API accp_status accp_packet_code_add(accp_packet_code *code, const char *path, size_t path_len,
                                          const char *text, size_t text_len,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * Adds a file with a stamp, otherwise as accp_packet_code_add().
 *
 * @param path,text  As accp_packet_code_add().
 * @param stamp      Any value, such as a hash of the file's size and times.
 *                   accp_packet_code_stamp() returns it, so you can skip files that have not
 *                   changed.
 */
ACCP_API accp_status accp_packet_code_add_stamped(accp_packet_code *code, const char *path,
                                                  size_t path_len, const char *text,
                                                  size_t text_len, uint64_t stamp,
                                                  accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the stamp with which the file of a path was last added.
 *
 * @param out  The stamp; 0 if there is no such file or stamp.
 */
ACCP_API accp_status accp_packet_code_stamp(const accp_packet_code *code, const char *path,
                                            size_t path_len, uint64_t *out,
                                            accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns all paths, sorted by bytes, each ended by NUL. Use it to remove files that no longer
 * exist.
 *
 * @param out  A view into `code` until its next call.
 */
ACCP_API accp_status accp_packet_code_paths(accp_packet_code *code, accp_text *out,
                                            accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes all changes to the disk. This also happens every few thousand files, each time atomically:
 * if the process is killed, the index is intact but has fewer files. No effect in memory.
 */
ACCP_API accp_status accp_packet_code_sync(accp_packet_code *code, accp_error *err) ACCP_NOEXCEPT;

/** Removes the file of a path. Returns ACCP_E2001 if there is no such file. */
ACCP_API accp_status accp_packet_code_remove(accp_packet_code *code, const char *path,
                                             size_t path_len, accp_error *err) ACCP_NOEXCEPT;

/** Returns the number of files. */
ACCP_API accp_status accp_packet_code_count(const accp_packet_code *code, uint64_t *out,
                                            accp_error *err) ACCP_NOEXCEPT;

/** The input of accp_packet_generate(). */
typedef struct accp_packet_request {
    /** sizeof(accp_packet_request), as the caller was compiled. */
    size_t size;
    /** The worker's task: UTF-8, not blank. */
    accp_text task;
    /** UTF-8: our messages, one per line, or the text of an_interface; may be empty. */
    accp_text conversation;
    /** accp_interface of the conversation; 0: our messages. */
    int32_t an_interface;
    /** accp_packet_depth. */
    int32_t depth;
    /** The budget in tokens of the prompt, apart from its first line, the task; 0: that of the
     * depth. */
    uint64_t budget_tokens;
    /** The creator; empty: "accp". */
    accp_text creator;
    /** The time, before the year 10000. */
    int64_t now_ms;
    /** The source files; NULL: none. Any number of threads may generate from an index while no
     * thread changes it. A callback that tries to change it gets ACCP_ERR_BUSY. If `size` does not
     * include this member, the request has no files. */
    const accp_packet_code *code;
    /** Items that the caller knows, as a model that took part does: the members of a packet's
     * `context` in YAML or JSON, each optional. Each item may have a `quote`, a piece of the
     * conversation. Items of a kind, or an empty list of it, replace what the rules find of it.
     * Empty: none. */
    accp_text items;
    /** Bits of accp_packet_option. */
    uint32_t options;
} accp_packet_request;

/** Options of accp_packet_generate(), as bits. */
enum accp_packet_option {
    /** Return ACCP_E2003 if a given item, or a relevant demand or decision of a user, does not fit
     * into the budget. */
    ACCP_PACKET_STRICT_BUDGET = 1
};

/**
 * Makes a packet from a conversation, from source files, or from both, and seals it. It replaces
 * this packet; on failure this one is empty. Rules select sentences as they were written, so the
 * result is always the same (docs/packets.md). Languages: English, German, Spanish and Chinese.
 *
 * @param request  The task, the conversation and the code; borrowed for the call.
 *
 * From a conversation it takes requirements and prohibitions, decisions with their author and
 * reason, the files concerned, and failures; `sources` has the origin of each item. From source
 * files it takes those that the task is about, by names, symbols and words, with a line on the
 * purpose of each; `sources` has the hashes of their texts.
 *
 * The budget is filled with given items first, then with demands and decisions of users that
 * concern the task, then with the rest by worth per token. not_included has how much of each kind
 * did not fit.
 *
 * With the hook extract, the items that the host returns replace those of the rules: each becomes
 * the sentence of the conversation that it quotes. An item that quotes none is dropped, with a
 * warning. If it returns none, the rules' items stay. If the hook fails, so does the call, with its
 * message; if its result is malformed, ACCP_ERR_CORRUPT with its byte; if it uses the packet,
 * ACCP_ERR_BUSY.
 *
 * Errors: ACCP_ERR_ARG for a missing task, neither conversation, code nor items, an unknown
 * interface, depth or option, or an invalid time. ACCP_E1001, ACCP_E1004 for an invalid message,
 * with its number and byte, or for invalid items, with their byte and a message that begins with
 * "items: ". ACCP_E2003 if the budget is too small for a packet without items; with
 * ACCP_PACKET_STRICT_BUDGET as described there. Cost: linear in the conversation and the files, for
 * each item that is kept or given.
 */
ACCP_API accp_status accp_packet_generate(accp_packet *packet, const accp_packet_request *request,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * Prints what became of the items of the last accp_packet_generate() or
 * accp_session_generate_packet() of this packet, as JSON:
 *
 *     {"dropped":[{"list":"decisions","number":2,"why":"no room in the budget"}],
 *      "unverified":[{"list":"constraints","number":1,"quote":"…"}],
 *      "contradicted":[{"list":"decisions","number":1,"place":"7:0-40","text":"…"}]}
 *
 * Numbers count the given items of a list from 1. A dropped item that repeats another one has
 * `repeats`, its text. An unverified item is part of the packet although its quote is nowhere in
 * the conversation. For a contradicted item, a user said the text after the quote: ask which one
 * holds. Rules find contradictions, so they miss some, and report some that are not.
 *
 * @param out  Empty if the packet was not generated from items. A view into the packet, until its
 *             next accp_packet_generate() or accp_packet_parse().
 */
ACCP_API accp_status accp_packet_print_report(accp_packet *packet, accp_text *out,
                                              accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes a packet from a session, as accp_packet_generate() does from a conversation. It uses all
 * messages so far, and the facts (names and numbers) of the checkpoints, the newest of each
 * subject. A fact from a request is a constraint, any other fact a decision. A `fail` is a failed
 * attempt, an `esc` an open question. Untrusted data is not used. See docs/packets.md.
 *
 * @param session  May be read-only.
 * @param request  Without a conversation. An empty task means the first request of the session.
 * @param out      Replaced; empty on failure. Its `sources` refer to messages: "$cold.m17:0-40"
 *                 (bytes of its text) or "$cold.m17".
 *
 * Errors: ACCP_ERR_ARG if the session has no request and the task is empty. Those of
 * accp_session_record() and accp_packet_generate(). Cost: reads the log.
 */
ACCP_API accp_status accp_session_generate_packet(accp_session *session,
                                                  const accp_packet_request *request,
                                                  accp_packet *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Seals a packet and stores it in a session: the packet under its checksum in cold, and the prompt
 * of each layer in warm. Neither is part of contexts. See docs/packets.md.
 *
 * @param packet  Not empty; only its seal changes.
 * @param out     Members for the payload of a message that carries the packet, as a JSON object,
 *                with the tokens of each layer that is not empty. A view into `session` until its
 *                next call.
 *
 *     {"packet":"$cold.packet_c3b0…","tokens":380,"layers":{"goals":90,"decisions":120}}
 *
 * Errors: ACCP_ERR_ARG for an empty packet; ACCP_E1001 over 262,144 bytes; otherwise those of
 * accp_session_put().
 */
ACCP_API accp_status accp_session_put_packet(accp_session *session, accp_packet *packet,
                                             accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Stores a packet as accp_session_put_packet() does, and sends a message that carries it: a `sync`
 * of operation context that announces it, or an `esc` or `req` that hands it over. The members are
 * added to its payload.
 *
 * @param text    JSON, as accp_session_send() accepts it. Its payload is an object without these
 *                members.
 * @param packet  As accp_session_put_packet().
 * @param out     As accp_session_send().
 *
 * Errors: ACCP_E1004 for an invalid payload; those of accp_session_put_packet() and
 * accp_session_send(). After a failure the packet may already be stored.
 */
ACCP_API accp_status accp_session_send_packet(accp_session *session, const char *text,
                                              size_t text_len, accp_packet *packet, int64_t now_ms,
                                              accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Reads the packet that a message carries: from its ref in this session, or else in the peer's by
 * the hook `resolve`; or from the payload itself, as accp_session_reply_packet() sends it.
 *
 * @param text  JSON of a message that was received (accp_delivery.message) or appended. The
 *              delivery has its sender and origin.
 * @param out   Replaced; empty on failure.
 *
 * Errors: ACCP_E1001 if the message carries no packet, its content does not match its name
 * ("checksum mismatch"), it has no checksum, or it is over 262,144 bytes; else as
 * accp_packet_parse(). ACCP_E2001 if it cannot be resolved: request it by a `qry` of operation
 * context. Those of the hook.
 */
ACCP_API accp_status accp_session_read_packet(accp_session *session, const char *text,
                                              size_t text_len, int64_t now_ms, accp_packet *out,
                                              accp_error *err) ACCP_NOEXCEPT;

/**
 * Answers a worker that requests more of a packet of this session: a `qry` of operation context
 * with `"packet":"$cold.packet_c3b0…"` and `"layers":["decisions"]`. The answer is a `done` with
 * these layers and, as content, their prompt. For a request without layers it has the whole packet,
 * as JSON. Only packets of accp_session_put_packet() are available.
 *
 * @param request  accp_delivery.message of the request.
 * @param agent    The agent that answers.
 * @param out      As accp_session_reply().
 *
 * Errors: ACCP_ERR_ARG for another request; ACCP_E1004 for an unknown layer; ACCP_E2001 if there is
 * no such packet here; otherwise those of accp_session_reply().
 */
ACCP_API accp_status accp_session_reply_packet(accp_session *session, const char *request,
                                               size_t request_len, const char *agent,
                                               size_t agent_len, int64_t now_ms, accp_text *out,
                                               accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the files of a packet that have changed since it was made from code: those whose text in
 * `code` has another hash than in the packet's sources, and those that do not exist.
 *
 * @param out  Their paths, each ended by a newline; empty if no file has changed or the packet has
 *             no hashes. A view into `packet`, until the next call that prints or changes it.
 *
 * Errors: ACCP_ERR_ARG for an empty packet.
 */
ACCP_API accp_status accp_packet_stale_files(accp_packet *packet, const accp_packet_code *code,
                                             accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns unknown members of a packet that look like a misspelt known one.
 *
 * @param out  One line for each: its place, a blank, and the likely name: "context.constrains
 *             constraints", "decisions[2].resaon reason" (items count from 1). Empty: none. A view
 *             as of accp_packet_stale_files().
 *
 * Errors: ACCP_ERR_ARG for an empty packet.
 */
ACCP_API accp_status accp_packet_misspelt_members(accp_packet *packet, accp_text *out,
                                                  accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the warnings about the packet that was read or made, as bits of accp_packet_warning; 0 if
 * it is empty or NULL.
 */
ACCP_API uint32_t accp_packet_warnings(const accp_packet *packet) ACCP_NOEXCEPT;

/**
 * Seals a packet: sets its checksum, its token_count and its tokenizer. Returns ACCP_ERR_ARG for an
 * empty packet.
 */
ACCP_API accp_status accp_packet_seal(accp_packet *packet, accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the correct checksum of a packet, "sha256:…". It covers the hash form (accp/value.h) of
 * everything except checksum, token_count and tokenizer. Empty for an empty packet. A view into the
 * packet, until it changes.
 */
ACCP_API accp_text accp_packet_checksum(const accp_packet *packet) ACCP_NOEXCEPT;

/**
 * Returns the tokens of the prompt, by the config's tokenizer (default o200k_base); 0 for an empty
 * packet.
 */
ACCP_API uint64_t accp_packet_tokens(const accp_packet *packet) ACCP_NOEXCEPT;

/**
 * Prints a packet as JSON. Items of decisions, files and failures are objects, however they were
 * written. Members have the order of seed 003, followed by unknown ones.
 *
 * @param out  A view into the packet, until the next call that prints or changes it.
 *
 * Errors: ACCP_ERR_ARG for an empty packet.
 */
ACCP_API accp_status accp_packet_print_json(accp_packet *packet, accp_text *out,
                                            accp_error *err) ACCP_NOEXCEPT;

/**
 * Prints a packet as YAML, otherwise as accp_packet_print_json(). Returns ACCP_E1004 for a key that
 * YAML cannot express.
 */
ACCP_API accp_status accp_packet_print_yaml(accp_packet *packet, accp_text *out,
                                            accp_error *err) ACCP_NOEXCEPT;

/**
 * Prints a packet as the Markdown that a worker's model reads, otherwise as
 * accp_packet_print_json().
 */
ACCP_API accp_status accp_packet_print_prompt(accp_packet *packet, accp_text *out,
                                              accp_error *err) ACCP_NOEXCEPT;

/* ---- Parts of a packet, and several packets: layers, filters, versions, queries ---- */

/** The kinds of items of a packet; each kind is a list. Numbers never change. */
enum accp_packet_kind {
    ACCP_PACKET_GOAL = 0,         /**< The goal. */
    ACCP_PACKET_CRITERION = 1,    /**< Success criteria. */
    ACCP_PACKET_CONSTRAINT = 2,   /**< Constraints. */
    ACCP_PACKET_DECISION = 3,     /**< Decisions. */
    ACCP_PACKET_FILE = 4,         /**< Files. */
    ACCP_PACKET_PATTERN = 5,      /**< Patterns. */
    ACCP_PACKET_ANTI_PATTERN = 6, /**< Anti-patterns. */
    ACCP_PACKET_EXAMPLE = 7,      /**< Examples. */
    ACCP_PACKET_FAILURE = 8,      /**< Failures. */
    ACCP_PACKET_PIVOT = 9,        /**< Pivots. */
    ACCP_PACKET_QUESTION = 10,    /**< Open questions. */
    ACCP_PACKET_NOT_INCLUDED = 11 /**< What is not included. */
};

/** Layers of a packet, as bits: a worker starts with the first and requests more. */
enum accp_packet_layer {
    ACCP_PACKET_GOALS = 1,      /**< The task, goal, success criteria and constraints. */
    ACCP_PACKET_DECISIONS = 2,  /**< Decisions, their reasons and authors. */
    ACCP_PACKET_CODEBASE = 4,   /**< Files, patterns, anti-patterns and examples. */
    ACCP_PACKET_HISTORY = 8,    /**< Failures, pivots, open questions, what is not included. */
    ACCP_PACKET_ALL_LAYERS = 15 /**< All layers. */
};

/**
 * Prints the prompt of some layers, as accp_packet_print_prompt() does of all.
 *
 * @param layers  Bits of accp_packet_layer.
 * @param out     Empty if the layers are empty.
 *
 * Errors: ACCP_ERR_ARG for no layer or an unknown one.
 */
ACCP_API accp_status accp_packet_print_layers(accp_packet *packet, uint32_t layers, accp_text *out,
                                              accp_error *err) ACCP_NOEXCEPT;

/**
 * Counts the tokens of the prompt of some layers. Errors: those of accp_packet_print_layers() and
 * of the tokenizer.
 */
ACCP_API accp_status accp_packet_layer_tokens(accp_packet *packet, uint32_t layers, uint64_t *out,
                                              accp_error *err) ACCP_NOEXCEPT;

/**
 * Removes the items of a packet that are not relevant to a task, and seals it. not_included has how
 * many of each kind. Without an embedder the score of an item is the cosine of its words and those
 * of the task (docs/packets.md); constraints and what a user decided then stay if they have
 * anything in common with the task. With an embedder it is the cosine of two vectors, whose size
 * depends on the model; without a threshold, words then decide how many items stay, and words and
 * vectors together which.
 *
 * @param task       Empty: the packet's own task and goal.
 * @param threshold  The minimum score, from 0 to 1; 0: 0.07 without an embedder, and the best items
 *                   by rank with one.
 * @param embed      NULL: the hook `embed` of the config, if there is one.
 * @param user       Passed to `embed`.
 *
 * Errors; the packet is unchanged then. ACCP_ERR_ARG for an empty packet or an invalid threshold;
 * those of the embedder. ACCP_E1004 for a task that is not UTF-8 or has a NUL. Cost: O(n log n) in
 * the words of the packet.
 */
ACCP_API accp_status accp_packet_filter(accp_packet *packet, const char *task, size_t task_len,
                                        double threshold, accp_embed_function embed, void *user,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the score of an item in the last accp_packet_filter(), or -1 if there is none.
 *
 * @param kind    accp_packet_kind.
 * @param number  The number of the item as it is now, from 1.
 */
ACCP_API double accp_packet_score(const accp_packet *packet, int32_t kind,
                                  uint32_t number) ACCP_NOEXCEPT;

/**
 * Shortens older decisions, failures and pivots, and seals the packet. The newest stay as they are,
 * older ones become one line, and the oldest only a word in not_included. What a user decided keeps
 * its line. The last item of a list is the newest, unless items have a member `at` with a time.
 *
 * @param recent  The number of each kind that stay as they are.
 * @param older   The number of each kind that become one line.
 *
 * Errors: ACCP_ERR_ARG for an empty packet. On failure the packet is unchanged.
 */
ACCP_API accp_status accp_packet_fade(accp_packet *packet, uint32_t recent, uint32_t older,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * Replaces files of one folder with the same summary by one pattern and one example, and seals the
 * packet. Additional content of a file is kept.
 *
 * @param min_files  How many files must have the summary, at least 2; 0: 3.
 *
 * Errors: ACCP_ERR_ARG for an empty packet, or fewer than 2 files. On failure the packet is
 * unchanged.
 */
ACCP_API accp_status accp_packet_extract_patterns(accp_packet *packet, uint32_t min_files,
                                                  accp_error *err) ACCP_NOEXCEPT;

/**
 * Merges decisions about parts of one thing into one decision, and seals the packet. context.merged
 * keeps the originals and is not part of a prompt. Returns ACCP_ERR_ARG for an empty packet. On
 * failure the packet is unchanged.
 */
ACCP_API accp_status accp_packet_merge_decisions(accp_packet *packet,
                                                 accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes a packet the next version of another one, and seals it. Its context.version is one more
 * than that of `old` (2 if `old` has none). Its changelog is that of `old` with a note.
 *
 * @param note  The note; not blank.
 *
 * Errors: ACCP_ERR_ARG if a packet is empty, there is no note, or the version cannot be raised.
 * ACCP_E1004 for a note that is not UTF-8 or has a NUL. On failure the packet is unchanged.
 */
ACCP_API accp_status accp_packet_revise(accp_packet *packet, const accp_packet *old,
                                        const char *note, size_t note_len,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * Prints the difference between a packet and an older one, as JSON with the kinds that differ. Two
 * items are the same if their choice, path or approach is.
 *
 *     {"versions":[1,2],
 *      "decisions":{"added":[…],"removed":[…],"changed":[{"from":…,"to":…}]}}
 *
 * @param old  The older packet.
 * @param out  A view as of accp_packet_print_json().
 *
 * Errors: ACCP_ERR_ARG if a packet is empty.
 */
ACCP_API accp_status accp_packet_print_diff(accp_packet *packet, const accp_packet *old,
                                            accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * A collection of packets that answers questions. One thread at a time; distinct ones need no lock.
 */
typedef struct accp_packet_index accp_packet_index;

/**
 * Makes an empty index.
 *
 * @param config  The limits, the allocator and the hook embed are used. The hook must not use the
 *                index.
 * @param out     Owned by the caller: accp_packet_index_free().
 */
ACCP_API accp_status accp_packet_index_new(const accp_config *config, accp_packet_index **out,
                                           accp_error *err) ACCP_NOEXCEPT;

/** Frees an index and every view into it. NULL has no effect. */
ACCP_API void accp_packet_index_free(accp_packet_index *index) ACCP_NOEXCEPT;

/**
 * Adds the current content of a packet. It has no effect if a packet with the same checksum is
 * present. context.references are checksums of packets that this one builds on ("sha256:…"), or of
 * one of their decisions (`sha256:…#2`). Those packets may be added later. Returns ACCP_ERR_ARG for
 * an empty packet. On failure the index is unchanged.
 */
ACCP_API accp_status accp_packet_index_add(accp_packet_index *index, const accp_packet *packet,
                                           accp_error *err) ACCP_NOEXCEPT;

/** Returns the number of packets; 0 for NULL. */
ACCP_API uint64_t accp_packet_index_count(const accp_packet_index *index) ACCP_NOEXCEPT;

/**
 * Answers a question in English from the packets, by rules (docs/packets.md). With the hook
 * `embed`, items that are near by meaning are found too.
 *
 * @param question  UTF-8.
 * @param from      A checksum: only that packet and those that it refers to, up to 32 references
 *                  away. Each source then has by_way_of, the packets between. Empty: all packets.
 * @param out       JSON, a view into `index` until its next call.
 *
 *     {"answer":"JWT with RS256, 24h expiry, per user request",
 *      "sources":[{"packet":"sha256:…","task":…,"kind":"decisions","number":1,"text":…,
 *                  "why":…,"made_by":…,"score":0.60}]}
 *
 * Errors: ACCP_E2001 if the packets have no answer. ACCP_E1004 if the question is not UTF-8.
 * ACCP_ERR_ARG for no question, or no packet with this checksum. Cost: linear in the items that
 * share a word with the question, and with the hook in all items.
 */
ACCP_API accp_status accp_packet_index_query(accp_packet_index *index, const char *question,
                                             size_t question_len, const char *from, size_t from_len,
                                             accp_text *out, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
