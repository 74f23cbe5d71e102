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

/** What accp_packet_read() took and somebody may want to know, as bits. */
enum accp_packet_warning {
    ACCP_PACKET_NO_CHECKSUM = 1,
    /* token_count is not the number of tokens of the prompt */
    ACCP_PACKET_OTHER_TOKEN_COUNT = 2,
    ACCP_PACKET_OTHER_CHECKSUM = 4
};

/**
 * Makes an empty packet. Reads of config (NULL: every default; copied) the tokenizer, the limits
 * and the allocator. *out is owned by the caller: accp_packet_free(). ACCP_ERR_NOMEM.
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

/** Frees it; NULL is nothing. */
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

/** Removes the file of a path. 1: there was one; 0: there was none. */
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
    /* files; NULL: none. Any number of threads may generate from it while none changes it. A
     * request whose size ends before it is taken as one without */
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
 * Which of the packet's files are others now than when it was made of code: those whose text in
 * `code` has another hash than the packet's sources, and those that are not there. *out has their
 * paths, each with a newline after it: a view into the packet until the next call that prints or
 * changes it. Empty: none, or the packet has no hashes. ACCP_ERR_ARG: it is empty. ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_packet_stale_files(accp_packet *packet, const accp_packet_code *code,
                                             accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/** Bits of accp_packet_warning, of the packet that was read; 0 for one that is empty or NULL. */
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

#ifdef __cplusplus
}
#endif

#endif /* ACCP_PACKET_H */
