/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Streams (Spec 10.4): a long text that is sent in chunks under one cid. The sender cuts the text
 * and writes a frame for each chunk. The receiver accepts chunks in any order and returns the text
 * in order.
 *
 * @code
 * const char *text = "a long text";
 * accp_chunk chunk = {{"c1", 2}, {NULL, 0}, 0, 0, 0, 0};
 * accp_stream *stream = NULL;
 * accp_stream_part part;
 * if (accp_stream_new(NULL, &stream, NULL) != ACCP_OK) return;
 * while (!chunk.is_final &&
 *        accp_chunk_next(text, strlen(text), 4, &chunk, NULL) == ACCP_OK &&
 *        accp_stream_add(stream, &chunk, &part, NULL) == ACCP_OK)
 *     printf("%.*s\n", (int)part.data.len, part.data.text);
 * accp_stream_free(stream);
 * @endcode
 */
#ifndef ACCP_STREAM_H
#define ACCP_STREAM_H

#include "accp/codec.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Receives any number of streams at once. One thread at a time; distinct handles need no lock. */
typedef struct accp_stream accp_stream;

/** One chunk of a stream. */
typedef struct accp_chunk {
    accp_text cid;     /**< The cid of its stream. */
    accp_text data;    /**< The text of this chunk. */
    int64_t index;     /**< Its number, from 0. */
    int64_t total;     /**< The number of chunks in the stream; 0 if it is not known. */
    int32_t is_final;  /**< 1 for the last chunk, else 0. */
    uint32_t reserved; /**< Reserved: 0. */
} accp_chunk;

/** The state of a stream. Numbers never change. */
enum accp_stream_state {
    /** More chunks are expected. */
    ACCP_STREAM_OPEN = 0,
    /** Closed: the final chunk and all chunks before it have arrived. */
    ACCP_STREAM_COMPLETE = 1,
    /** Closed: `end` arrived first. The chunks that had arrived in order are kept; those after a
     * missing chunk are dropped. Also the state after `end` for a stream without chunks. */
    ACCP_STREAM_ABORTED = 2,
    /** `end` arrived for a stream that was already closed: no effect. */
    ACCP_STREAM_CLOSED = 3
};

/** The result of a call that receives a chunk or `end`. */
typedef struct accp_stream_part {
    /** The text that follows what was returned before, in order; empty if the chunk has to wait. */
    accp_text data;
    /** The whole text, once the stream is complete or aborted. Empty without the rule
     * keep_streams. */
    accp_text whole;
    /** The number of chunks that have arrived in order. */
    int64_t chunks;
    /** accp_stream_state. */
    int32_t state;
    /** Reserved: 0. */
    uint32_t reserved;
} accp_stream_part;

/**
 * Makes a receiver.
 *
 * @param config  Its limits memory_bytes, json_bytes and those of streams, and the rule
 *                keep_streams are used.
 * @param out     Owned by the caller: accp_stream_free().
 */
ACCP_API accp_status accp_stream_new(const accp_config *config, accp_stream **out,
                                     accp_error *err) ACCP_NOEXCEPT;

/** Frees a receiver and every view into it. NULL has no effect. */
ACCP_API void accp_stream_free(accp_stream *stream) ACCP_NOEXCEPT;

/**
 * Receives one chunk. A rejected chunk changes nothing. Spec 10.4.
 *
 * @param chunk  Borrowed for the call.
 * @param out    Views into `stream` until its next add, receive, end or remove.
 *
 * Errors: ACCP_E1004 for a chunk without a cid; for an index that was received before, is negative,
 * or is not below the total; for a total that differs from an earlier one; for a second final
 * chunk, or one that is not the last; for data after the end (of the newest 1,024 closed streams).
 * ACCP_E2003 over a limit. Memory is never allocated by a claimed total. Cost: O(length + waiting
 * chunks).
 */
ACCP_API accp_status accp_stream_add(accp_stream *stream, const accp_chunk *chunk,
                                     accp_stream_part *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Receives the intent `end` of a stream, which is then complete or aborted. Views and errors are
 * those of accp_stream_add().
 *
 * @param cid  The cid of the stream.
 */
ACCP_API accp_status accp_stream_end(accp_stream *stream, const char *cid, size_t cid_len,
                                     accp_stream_part *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Receives a message of a stream in JSON, as accp_codec_decode() writes it. Its intent is `end`, or
 * `stream` with chunk_index and data in its payload, and optionally total_chunks and is_final. Its
 * cid is in the metadata. Data that is not a string is taken as its JSON, each on a line of its
 * own.
 *
 * Errors: ACCP_ERR_ARG for another intent; ACCP_E1001 if the text is not JSON; ACCP_E1004 if it is
 * not a chunk; otherwise those of accp_stream_add().
 */
ACCP_API accp_status accp_stream_receive(accp_stream *stream, const char *text, size_t text_len,
                                         accp_stream_part *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Drops an open stream and its chunks, if it was cancelled or timed out. Returns ACCP_ERR_ARG if it
 * is not open.
 *
 * @param cid  The cid of the stream.
 */
ACCP_API accp_status accp_stream_remove(accp_stream *stream, const char *cid, size_t cid_len,
                                        accp_error *err) ACCP_NOEXCEPT;

/** Returns the number of open streams. */
ACCP_API uint32_t accp_stream_open_count(const accp_stream *stream) ACCP_NOEXCEPT;

/**
 * Cuts the next chunk off a text. Start with a chunk of zeros, set its cid, and call this until
 * is_final is 1. It never cuts a code point, and cuts between a character and its combining marks
 * only if there is no other place.
 *
 * @param text       UTF-8, the same in every call; chunk->data is a view into it.
 * @param max_bytes  The maximum length of a chunk, at least 1. A code point that is longer is not
 *                   cut.
 * @param chunk      In: the chunk before. Out: data, index and is_final; cid and total are
 *                   unchanged.
 *
 * Errors: ACCP_E1004 at a byte that is not UTF-8; ACCP_ERR_CLOSED after the final chunk. An empty
 * text is one empty chunk. Any thread.
 */
ACCP_API accp_status accp_chunk_next(const char *text, size_t text_len, uint32_t max_bytes,
                                     accp_chunk *chunk, accp_error *err) ACCP_NOEXCEPT;

/**
 * Encodes a chunk as a frame, as accp_codec_encode() does with the message `stream` under the
 * schema ST. Spec 10.4.
 *
 * @param agent,operation  The header of the message.
 * @param chunk            Borrowed for the call.
 * @param out              A view into `codec` until its next call.
 *
 * Errors: ACCP_E1004 without a cid; ACCP_E1003 if the codec's registry has no ST; ACCP_ERR_ARG for
 * a codec without a registry; otherwise those of accp_codec_encode().
 */
ACCP_API accp_status accp_codec_encode_chunk(accp_codec *codec, accp_text agent,
                                             accp_text operation, const accp_chunk *chunk,
                                             accp_text *out, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
