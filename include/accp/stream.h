/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Streams (specification 10.4): a long text in chunks, sent under one cid, put in order and
 * together where they arrive. The sending half cuts the text and writes the frames; the receiving
 * half takes chunks in any order and hands them out in order.
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

/**
 * One chunk.
 *
 * cid    of its stream.
 * data   the piece.
 * index  from 0.
 * total  how many there will be; 0: not said.
 */
typedef struct accp_chunk {
    accp_text cid;
    accp_text data;
    int64_t index;
    int64_t total;
    int32_t is_final;
    uint32_t reserved; /* 0 */
} accp_chunk;

/** How a stream stands. Values never change. */
enum accp_stream_state {
    ACCP_STREAM_OPEN = 0,
    /* closed: the final chunk came, and all before it */
    ACCP_STREAM_COMPLETE = 1,
    /* closed: `end` came first. What is there is in order; what waited for a missing chunk is
     * gone */
    ACCP_STREAM_ABORTED = 2,
    /* `end` for a stream that was closed before: nothing */
    ACCP_STREAM_CLOSED = 3
};

/**
 * What a call brought.
 *
 * data    what follows what was handed out before, in order; empty where a chunk has to wait.
 * whole   all of it, once the stream is complete or aborted; empty without the rule keep_streams.
 * chunks  how many have come in order.
 * state   accp_stream_state.
 */
typedef struct accp_stream_part {
    accp_text data;
    accp_text whole;
    int64_t chunks;
    int32_t state;
    uint32_t reserved; /* 0 */
} accp_stream_part;

/**
 * Makes a receiver. config may be NULL: memory_bytes, json_bytes, the limits of streams and the
 * rule keep_streams count.
 * ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_stream_new(const accp_config *config, accp_stream **out,
                                     accp_error *err) ACCP_NOEXCEPT;

/** Frees a receiver and all views; NULL is nothing. */
ACCP_API void accp_stream_free(accp_stream *stream) ACCP_NOEXCEPT;

/**
 * Takes in one chunk. Spec 10.4.
 *
 * chunk  borrowed for the call.
 * out    views into `stream` until the next call of add, receive, end or remove. Untouched unless
 *        ACCP_OK.
 *
 * ACCP_E1004 for a chunk without a cid; an index that came before, is negative or not below the
 * total; a total other than before; a second final chunk, or one that is not the last; data after
 * the end (of the newest 1,024 closed streams). ACCP_E2003 beyond a limit. ACCP_ERR_NOMEM. A
 * refused chunk changes nothing. Nothing is allocated by a total. Cost: O(length + chunks that
 * wait).
 */
ACCP_API accp_status accp_stream_add(accp_stream *stream, const accp_chunk *chunk,
                                     accp_stream_part *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * The intent `end` for a stream: it is complete, or aborted. Views and codes as accp_stream_add().
 */
ACCP_API accp_status accp_stream_end(accp_stream *stream, const char *cid, size_t cid_len,
                                     accp_stream_part *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Takes in a message in JSON, as accp_codec_decode() writes it: of intent `stream` with chunk_index
 * and data in its payload, perhaps total_chunks and is_final, or of intent `end`; its cid is in the
 * metadata. Data that is no string counts as its JSON, each on a line of its own. ACCP_ERR_ARG for
 * any other intent; ACCP_E1001 where it is not JSON, ACCP_E1004 where it is no chunk; else as
 * accp_stream_add().
 */
ACCP_API accp_status accp_stream_receive(accp_stream *stream, const char *text, size_t text_len,
                                         accp_stream_part *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Forgets an open stream and what it holds, as if it had never been (cancelled, timed out).
 * ACCP_ERR_ARG where there is none.
 */
ACCP_API accp_status accp_stream_remove(accp_stream *stream, const char *cid, size_t cid_len,
                                        accp_error *err) ACCP_NOEXCEPT;

/** How many streams are open. */
ACCP_API uint32_t accp_stream_open_count(const accp_stream *stream) ACCP_NOEXCEPT;

/**
 * Cuts the next chunk off a long text: zero a chunk, give it its cid, and call until it is final.
 * Where it is cut no code point is parted, nor, where that is possible, a character from its marks.
 *
 * text        UTF-8, the same in every call; chunk->data is a view into it.
 * max_bytes   of one piece, from 1; a code point is never cut to fit.
 * chunk       in: the chunk before, or one of zeros. out: data, index, is_final; cid and total
 *             stay.
 *
 * ACCP_E1004 at a byte that is not UTF-8; ACCP_ERR_CLOSED after the final chunk. An empty text is
 * one empty chunk. Any thread.
 */
ACCP_API accp_status accp_chunk_next(const char *text, size_t text_len, uint32_t max_bytes,
                                     accp_chunk *chunk, accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes the frame of a chunk, as accp_codec_encode() writes the message `stream` under the schema
 * ST. Spec 10.4.
 *
 * out  a view into `codec` until its next call.
 *
 * ACCP_E1004 without a cid; ACCP_E1003 where the codec's registry has no ST; ACCP_ERR_ARG for a
 * codec without a registry; else as accp_codec_encode().
 */
ACCP_API accp_status accp_codec_encode_chunk(accp_codec *codec, accp_text agent,
                                             accp_text operation, const accp_chunk *chunk,
                                             accp_text *out, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
