/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Context packets (seed 003): what a worker must know, in a file that people and programs read. A
 * packet is YAML or JSON with the task, its goal, decisions, constraints, files and failures, and a
 * checksum over all that it says. docs/packets.md has the form, and what is refused.
 */
#ifndef ACCP_PACKET_H
#define ACCP_PACKET_H

#include "accp/config.h"
#include "accp/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A packet and its memory. One thread at a time; distinct packets need no lock. */
typedef struct accp_packet accp_packet;

/** How accp_packet_read() reads, as bits. */
enum accp_packet_reading {
    /* a checksum that is a placeholder ("sha256:abc..."), malformed or another one is taken: the
     * warning ACCP_PACKET_OTHER_CHECKSUM */
    ACCP_PACKET_UNVERIFIED = 1
};

/** What was taken, and somebody may want to know, as bits. */
enum accp_packet_warning {
    ACCP_PACKET_NO_CHECKSUM = 1,
    /* token_count is not the number of tokens of the prompt */
    ACCP_PACKET_OTHER_TOKEN_COUNT = 2,
    ACCP_PACKET_OTHER_CHECKSUM = 4,
    /* of accp_packet_generate(): the hook extract gave items that are not in the conversation; how
     * many of how many are, stands in sources.extractor */
    ACCP_PACKET_DROPPED_ITEMS = 8
};

/**
 * Makes an empty packet. Reads of config (NULL: every default; copied) the tokenizer, the limits,
 * the allocator, and of the hooks extract. *out is owned by the caller: accp_packet_free().
 * ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_packet_new(const accp_config *config, accp_packet **out,
                                     accp_error *err) ACCP_NOEXCEPT;

/** Frees a packet; NULL is nothing. */
ACCP_API void accp_packet_free(accp_packet *packet) ACCP_NOEXCEPT;

/**
 * Reads a packet, which replaces this one: YAML 1.2 without anchors, aliases, tags, directives,
 * merge keys and keys twice, or JSON.
 *
 * text     UTF-8, at most 262,144 bytes, 32 levels deep; copied.
 * reading  bits of accp_packet_reading.
 *
 * On failure the packet is empty. ACCP_E1001: no YAML, no packet, or a wrong checksum. ACCP_E1004:
 * no UTF-8, or a member of the wrong kind. The message is one of the list in docs/packets.md, the
 * offset a byte of the text. ACCP_ERR_NOMEM. Cost: linear in the text.
 */
ACCP_API accp_status accp_packet_read(accp_packet *packet, const char *text, size_t text_len,
                                      uint32_t reading, accp_error *err) ACCP_NOEXCEPT;

/** How much a packet says. Each depth has a budget of its own, in tokens of the prompt. */
enum accp_packet_depth {
    ACCP_PACKET_MINIMAL = 0,  /* goal and constraints: 100 */
    ACCP_PACKET_STANDARD = 1, /* and decisions and files: 400 */
    ACCP_PACKET_DEEP = 2      /* and failed attempts and open questions: 800 */
};

/** Files of code, of which accp_packet_generate() tells those of a task: their texts are not kept.
 */
typedef struct accp_packet_code accp_packet_code;

/**
 * Makes one without files. Reads of config (NULL: every default; copied) the allocator and
 * memory_bytes. *out is owned by the caller: accp_packet_code_free(). ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_packet_code_new(const accp_config *config, accp_packet_code **out,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes one that stays on disk (docs/packets.md), of the file that is there or of a new one: a file
 * of SQLite with FTS5, its owner's alone. It answers as one in memory does, needs no text again of
 * files that it has, and may be open in several processes. It is a cache: a file that is an index
 * already, and is damaged or was written by another version, is made anew; one that is something
 * else stays as it is.
 *
 * path    of the file, in a directory that is there; UTF-8 without NUL.
 * config  as of accp_packet_code_new().
 * out     owned by the caller: accp_packet_code_free(), before that accp_packet_code_sync().
 *
 * ACCP_ERR_ARG: no such path, the file is no index, or this library has no SQLite (with FTS5).
 * ACCP_ERR_CORRUPT: no file of SQLite. ACCP_ERR_IO, ACCP_ERR_BUSY, ACCP_ERR_NOMEM. With such a
 * handle other functions answer these too, ACCP_ERR_IO also where the disk is full: then it is as
 * it was, and may be tried again. On ACCP_ERR_CORRUPT the file was found damaged, and is gone: free
 * the handle, and open it anew.
 */
ACCP_API accp_status accp_packet_code_new_on_disk(const char *path, size_t path_len,
                                                  const accp_config *config, accp_packet_code **out,
                                                  accp_error *err) ACCP_NOEXCEPT;

/** Frees it; NULL is nothing. Of one on disk what was not synced may be lost. */
ACCP_API void accp_packet_code_free(accp_packet_code *code) ACCP_NOEXCEPT;

/**
 * Adds a file, or replaces the one of this path. The same text again costs no more than its hash.
 *
 * path  from the tree's root on, with straight slashes: UTF-8, not empty, without NUL, at most
 *       4,096 bytes.
 * text  any bytes, of which the first 262,144 are read. Of one with a NUL there the path alone
 *       counts. Neither is kept.
 *
 * ACCP_ERR_ARG: no such path. ACCP_E1004: it is not UTF-8. ACCP_ERR_NOMEM: it is as it was. Cost:
 * linear in the text, about 50 MB/s.
 */
ACCP_API accp_status accp_packet_code_add(accp_packet_code *code, const char *path, size_t path_len,
                                          const char *text, size_t text_len,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * The same with a stamp, of which the library knows nothing but its value: a hash of the file's
 * size and times, say. accp_packet_code_stamp() then tells whether a file has to be read at all.
 */
ACCP_API accp_status accp_packet_code_add_stamped(accp_packet_code *code, const char *path,
                                                  size_t path_len, const char *text,
                                                  size_t text_len, uint64_t stamp,
                                                  accp_error *err) ACCP_NOEXCEPT;

/** The stamp that the file of a path was added with last; 0: there is no such file, or no stamp. */
ACCP_API uint64_t accp_packet_code_stamp(const accp_packet_code *code, const char *path,
                                         size_t path_len) ACCP_NOEXCEPT;

/**
 * All paths, in the order of their bytes, each with a NUL after it, so that files that are there no
 * more can be removed. *out is a view into the handle until the next call with it. ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_packet_code_paths(accp_packet_code *code, accp_text *out,
                                            accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes what was added to the disk. Every few thousand files that is done anyway, each time as a
 * whole: a process that is killed leaves a good index of less files. In memory nothing.
 */
ACCP_API accp_status accp_packet_code_sync(accp_packet_code *code, accp_error *err) ACCP_NOEXCEPT;

/**
 * Removes the file of a path. 1: there was one; 0: there was none; less: an accp_status, of one on
 * disk.
 */
ACCP_API int32_t accp_packet_code_remove(accp_packet_code *code, const char *path,
                                         size_t path_len) ACCP_NOEXCEPT;

/** The number of files; 0 for NULL. */
ACCP_API uint64_t accp_packet_code_count(const accp_packet_code *code) ACCP_NOEXCEPT;

/** What a packet is made from: accp_packet_generate(). */
typedef struct accp_packet_request {
    size_t size;            /* sizeof(accp_packet_request), as the caller was compiled */
    accp_text task;         /* what the worker is to do: UTF-8, not blank */
    accp_text conversation; /* UTF-8: messages of ours, a line each, or what an_interface says */
    int32_t an_interface;   /* accp_interface; 0: messages of ours */
    int32_t depth;          /* accp_packet_depth */
    uint64_t budget_tokens; /* 0: that of the depth */
    accp_text creator;      /* empty: "accp" */
    int64_t now_ms;         /* since 1970; before the year 10000 */
    /* files; NULL: none. Any number of threads may generate from them while no thread changes them.
     * A callback that tries to change them gets ACCP_ERR_BUSY. If `size` does not include this
     * member, the request has no files */
    const accp_packet_code *code;
} accp_packet_request;

/**
 * Makes a packet of a conversation, of code, or of both, which replaces this one, and seals it:
 * what was demanded and forbidden, what was decided, by whom and why, the files that it is about,
 * and what failed; sentences as they were said, chosen by rules (docs/packets.md), so the same each
 * time. What has no space, and how much of each kind, stands in not_included; where each item was
 * said, in sources. English, German, Spanish and Chinese. Of code: which files the task is about,
 * by their names, symbols and words, and in a line what each is for; sources has the hashes of
 * their texts.
 *
 * With the hook extract the host is asked too: each of its items is taken as the sentence of the
 * conversation that it quotes, and one that quotes none is dropped, and warned of. As it fails, so
 * does this call, with the message that it gives; ACCP_ERR_CORRUPT: its answer has another form,
 * from this byte of it on. ACCP_ERR_BUSY: it uses the packet.
 *
 * ACCP_ERR_ARG: no task, neither conversation nor code, an unknown interface or depth, or no such
 * time. ACCP_E1001, ACCP_E1004: a message that is none, with its number and byte. ACCP_E2003: the
 * task and what users plainly demanded (from standard on also decided), as short as may be, are
 * over the budget: nothing of that is dropped; the message says which depth would hold it.
 * ACCP_ERR_NOMEM. On failure the packet is empty. Cost: linear in the conversation and in the
 * files, and in the square of what was found, of which there are at most 4,096.
 */
ACCP_API accp_status accp_packet_generate(accp_packet *packet, const accp_packet_request *request,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes a packet of a session, as accp_packet_generate() does of a conversation: of all that was
 * said in it so far, and of what its messages state in names and numbers, as its checkpoints have
 * it, the newest of each subject. What a request states is a constraint, what anything else states
 * a decision; a `fail` is a failed attempt, an `esc` an open question. What is data from outside
 * says nothing. sources name messages: "$cold.m17:0-40", bytes of its text, or "$cold.m17".
 * docs/packets.md.
 *
 * session  it may be open to be read.
 * request  without a conversation. task may be empty: the first request of the session.
 * packet   replaced; empty on failure.
 *
 * ACCP_ERR_ARG too where nobody has asked for anything; failures of accp_session_record(); else as
 * accp_packet_generate(). Cost: the log is read.
 */
ACCP_API accp_status accp_session_make_packet(accp_session *session,
                                              const accp_packet_request *request,
                                              accp_packet *packet, accp_error *err) ACCP_NOEXCEPT;

/**
 * Seals a packet and keeps it in a session: under its checksum in cold, and what a model reads of
 * each of its layers in warm, neither of which stands in contexts. docs/packets.md.
 *
 * packet  not empty; changed by its seal alone.
 * out     members for the payload of a message that carries it, as a JSON object:
 *         {"packet":"$cold.packet_c3b0…","tokens":380,"layers":{"goals":90,"decisions":120}}, of
 *         those layers that have anything. A view into `session` until its next call.
 *
 * ACCP_ERR_ARG: it is empty; ACCP_E1001: over 262,144 bytes; else as accp_session_put().
 */
ACCP_API accp_status accp_session_put_packet(accp_session *session, accp_packet *packet,
                                             accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Does so, and sends a message that carries the packet: a `sync` of operation context that
 * announces it, an `esc` or a `req` that hands it over. The members go into its payload.
 *
 * text  JSON, as accp_session_send() takes it; its payload is an object, and has none of these
 *       members.
 * out   as accp_session_send().
 *
 * ACCP_E1004: such a payload; failures of accp_session_put_packet() and accp_session_send(): then
 * the packet may be kept.
 */
ACCP_API accp_status accp_session_send_packet(accp_session *session, const char *text,
                                              size_t text_len, int64_t now_ms, accp_packet *packet,
                                              accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Reads the packet that a message carries: what its name stands for in this session, or else in the
 * peer's by the hook `resolve`; or a packet that stands in the payload itself, as
 * accp_session_answer_packet() sends it.
 *
 * text    JSON of a message that came in (accp_delivery.message) or was said here. Whose it is, and
 *         whether it is to be trusted, the delivery says.
 * packet  replaced; empty on failure.
 *
 * ACCP_E1001: the message carries none; there is something else under its name ("checksum
 * mismatch"), or a packet without a checksum, or over 262,144 bytes; else as accp_packet_read().
 * ACCP_E2001: it is not in reach: ask for it by a `qry` of operation context. Failures of the hook.
 */
ACCP_API accp_status accp_session_read_packet(accp_session *session, const char *text,
                                              size_t text_len, int64_t now_ms, accp_packet *packet,
                                              accp_error *err) ACCP_NOEXCEPT;

/**
 * Answers a worker that asks for more of a packet of this session: `qry` of operation context, with
 * {"packet":"$cold.packet_c3b0…","layers":["decisions"]}. The answer is a `done` with these layers
 * and, as content, what a model reads of them; of a request without layers all of the packet, as
 * JSON. Only what was kept by accp_session_put_packet() is answered.
 *
 * request  the delivery's message.
 * agent    who answers.
 * out      as accp_session_reply().
 *
 * ACCP_ERR_ARG: no such request; ACCP_E1004: no such layer; ACCP_E2001: there is no such packet
 * here; else as accp_session_reply().
 */
ACCP_API accp_status accp_session_answer_packet(accp_session *session, const char *request,
                                                size_t request_len, const char *agent,
                                                size_t agent_len, int64_t now_ms, accp_text *out,
                                                accp_error *err) ACCP_NOEXCEPT;

/**
 * Which of the packet's files are others now than when it was made of code: those whose text in
 * `code` has another hash than the packet's sources, and those that are not there. *out has their
 * paths, each with a newline after it: a view into the packet until the next call that prints or
 * changes it. Empty: none, or the packet has no hashes. ACCP_ERR_ARG: it is empty. ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_packet_stale_files(accp_packet *packet, const accp_packet_code *code,
                                             accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * The packet's members that it does not know, and that look like one that it knows: a line for
 * each, with where it stands, a blank, and what it may be meant for: "context.constrains
 * constraints", "decisions[2].resaon reason" (items count from 1). Empty: none. *out is a view as
 * of accp_packet_stale_files(). ACCP_ERR_ARG: it is empty. ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_packet_misspelt_members(accp_packet *packet, accp_text *out,
                                                  accp_error *err) ACCP_NOEXCEPT;

/** Bits of accp_packet_warning, of the packet that was read or made; 0 where it is empty or NULL.
 */
ACCP_API uint32_t accp_packet_warnings(const accp_packet *packet) ACCP_NOEXCEPT;

/**
 * Seals a packet: its checksum, its token_count and its tokenizer are what they ought to be.
 * ACCP_ERR_ARG: it is empty. ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_packet_seal(accp_packet *packet, accp_error *err) ACCP_NOEXCEPT;

/**
 * The checksum that the packet ought to have, "sha256:…": over the hash form (accp/value.h) of all
 * but checksum, token_count and tokenizer. Empty for an empty packet. A view into the packet, until
 * it changes.
 */
ACCP_API accp_text accp_packet_checksum(const accp_packet *packet) ACCP_NOEXCEPT;

/** The tokens of the prompt, by the config's tokenizer (o200k_base). 0 for an empty packet. */
ACCP_API uint64_t accp_packet_tokens(const accp_packet *packet) ACCP_NOEXCEPT;

/**
 * The packet as JSON, YAML, or the Markdown that a worker's model reads. Items of decisions,
 * files and failures stand as objects, however they were read; members in the order of the seed,
 * then those that it does not have. *out is a view into the packet until the next call that prints
 * or changes it. ACCP_ERR_ARG: it is empty. ACCP_E1004: a key that YAML cannot have.
 * ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_packet_print_json(accp_packet *packet, accp_text *out,
                                            accp_error *err) ACCP_NOEXCEPT;
ACCP_API accp_status accp_packet_print_yaml(accp_packet *packet, accp_text *out,
                                            accp_error *err) ACCP_NOEXCEPT;
ACCP_API accp_status accp_packet_print_prompt(accp_packet *packet, accp_text *out,
                                              accp_error *err) ACCP_NOEXCEPT;

/* ---- Less of a packet, more of many: layers, filters, versions, questions ---- */

/** Kinds of items of a packet, each a list of it. Values never change. */
enum accp_packet_kind {
    ACCP_PACKET_GOAL = 0,
    ACCP_PACKET_CRITERION = 1,
    ACCP_PACKET_CONSTRAINT = 2,
    ACCP_PACKET_DECISION = 3,
    ACCP_PACKET_FILE = 4,
    ACCP_PACKET_PATTERN = 5,
    ACCP_PACKET_ANTI_PATTERN = 6,
    ACCP_PACKET_EXAMPLE = 7,
    ACCP_PACKET_FAILURE = 8,
    ACCP_PACKET_PIVOT = 9,
    ACCP_PACKET_QUESTION = 10,
    ACCP_PACKET_NOT_INCLUDED = 11
};

/** Layers of a packet, as bits: a worker begins with the first and asks for more. */
enum accp_packet_layer {
    ACCP_PACKET_GOALS = 1,     /* the task, goal, success criteria and constraints */
    ACCP_PACKET_DECISIONS = 2, /* what was decided, why, and by whom */
    ACCP_PACKET_CODEBASE = 4,  /* files, patterns, anti-patterns and examples */
    ACCP_PACKET_HISTORY = 8,   /* failures, pivots, open questions, what is not included */
    ACCP_PACKET_ALL_LAYERS = 15
};

/**
 * The prompt of some layers alone (accp_packet_layer, as bits); of all it is that of
 * accp_packet_print_prompt(). *out as there, and empty where the layers have nothing. ACCP_ERR_ARG:
 * no layer, or no such one.
 */
ACCP_API accp_status accp_packet_print_layers(accp_packet *packet, uint32_t layers, accp_text *out,
                                              accp_error *err) ACCP_NOEXCEPT;

/** The tokens of the layers' prompt. Failures as above, and those of the tokenizer. */
ACCP_API accp_status accp_packet_count_layers(accp_packet *packet, uint32_t layers, uint64_t *out,
                                              accp_error *err) ACCP_NOEXCEPT;

/**
 * A host's embedder: the vector of a text, borrowed until it is called again; every vector has the
 * same length. Answers as accp.h says.
 */
typedef accp_status (*accp_embed_function)(const char *text, size_t text_len,
                                           const float **vector_out, size_t *count_out, void *user);

/**
 * Leaves out of a packet what is not about a task, and seals it; not_included then tells how much
 * of each kind. Each item has a score: the cosine of its vector and the task's. Without an embedder
 * vectors are of words and topics (docs/packets.md); then constraints, and what a user decided,
 * stay wherever they have anything in common with the task.
 *
 * task       empty: the packet's own, with its goal.
 * threshold  what an item has to have, from 0 to 1; 0: 0.7 with an embedder, 0.07 without.
 * embed      may be NULL.
 *
 * ACCP_ERR_ARG: an empty packet, a threshold that is none, vectors that do not fit. ACCP_E1004: a
 * task that is no UTF-8 or has NUL. On any failure the packet is what it was. Cost: sorting the
 * words of the packet.
 */
ACCP_API accp_status accp_packet_filter(accp_packet *packet, const char *task, size_t task_len,
                                        double threshold, accp_embed_function embed, void *user,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * The score that an item had in the last accp_packet_filter(); number from 1, as it is now. -1
 * where there is none.
 */
ACCP_API double accp_packet_score(const accp_packet *packet, int32_t kind,
                                  uint32_t number) ACCP_NOEXCEPT;

/**
 * Keeps of decisions, failures and pivots the newest as they are, older ones in a line, and of
 * ancient ones a word in not_included; what a user decided keeps its line. Seals the packet. The
 * last of a list is the newest, unless items have a member `at` with a time.
 *
 * recent, older  so many of each kind.
 *
 * ACCP_ERR_ARG: an empty packet. On failure the packet is what it was.
 */
ACCP_API accp_status accp_packet_fade(accp_packet *packet, uint32_t recent, uint32_t older,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * Puts a pattern and an example in the place of files of one folder whose summaries say the same,
 * and seals the packet. What a file says beyond it stays.
 *
 * min_files  how many have to say it; 0: 3.
 *
 * ACCP_ERR_ARG: an empty packet, or less than 2 files. On failure the packet is what it was.
 */
ACCP_API accp_status accp_packet_extract_patterns(accp_packet *packet, uint32_t min_files,
                                                  accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes one decision of those that tell parts of one thing, and seals the packet. As they were,
 * they stand in context.merged, which is in no prompt. ACCP_ERR_ARG: an empty packet. On failure
 * the packet is what it was.
 */
ACCP_API accp_status accp_packet_merge_decisions(accp_packet *packet,
                                                 accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes a packet the next version of another, and seals it: context.version is one more (of a
 * packet without it: 2), and changelog is the other's with the note, not blank. ACCP_ERR_ARG: one
 * of them is empty, no note, or no later version. ACCP_E1004: a note that is no UTF-8 or has NUL.
 * On failure the packet is what it was.
 */
ACCP_API accp_status accp_packet_revise(accp_packet *packet, const accp_packet *old,
                                        const char *note, size_t note_len,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * What a packet has that an older one has not, and the other way, as JSON:
 * {"versions":[1,2],"decisions":{"added":[…],"removed":[…],"changed":[{"from":…,"to":…}]}}, with
 * the kinds that differ. An item is the same one where its choice, path or approach is. *out is a
 * view as of accp_packet_print_json(). ACCP_ERR_ARG: one of them is empty.
 */
ACCP_API accp_status accp_packet_print_diff(accp_packet *packet, const accp_packet *old,
                                            accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/** Packets to be asked. One thread at a time; distinct ones need no lock. */
typedef struct accp_packet_index accp_packet_index;

/** Makes an empty index. Reads of config the limits and the allocator. ACCP_ERR_NOMEM. */
ACCP_API accp_status accp_packet_index_new(const accp_config *config, accp_packet_index **out,
                                           accp_error *err) ACCP_NOEXCEPT;

/** Frees an index; NULL is nothing. */
ACCP_API void accp_packet_index_free(accp_packet_index *index) ACCP_NOEXCEPT;

/**
 * Adds what a packet says now; one with the same checksum is there already. context.references are
 * checksums of packets that this one builds on ("sha256:…"), or one decision of them
 * ("sha256:…#2"); these may be added later. ACCP_ERR_ARG: it is empty. ACCP_ERR_NOMEM: the index is
 * as it was.
 */
ACCP_API accp_status accp_packet_index_add(accp_packet_index *index, const accp_packet *packet,
                                           accp_error *err) ACCP_NOEXCEPT;

/** How many packets there are; 0 for NULL. */
ACCP_API uint64_t accp_packet_index_size(const accp_packet_index *index) ACCP_NOEXCEPT;

/**
 * Answers a question in English from what the packets say, by rules (docs/packets.md):
 * {"answer":"JWT with RS256, 24h expiry, per user request","sources":[{"packet":"sha256:…",
 * "task":…,"kind":"decisions","number":1,"text":…,"why":…,"made_by":…,"score":0.60}]}.
 *
 * from  a checksum: only that packet, and what it refers to, directly or by others (up to 32); each
 *       source then has by_way_of, the packets between. Empty: all packets.
 * out   a view into the index, until the next call with it.
 *
 * ACCP_E2001: nothing answers it. ACCP_E1004: no UTF-8. ACCP_ERR_ARG: no question, or no packet
 * with this checksum.
 * Cost: linear in the items that have a word of the question, or a topic.
 */
ACCP_API accp_status accp_packet_index_query(accp_packet_index *index, const char *question,
                                             size_t question_len, const char *from, size_t from_len,
                                             accp_text *out, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif /* ACCP_PACKET_H */
