// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Chunk is one piece of a long text (specification 10.4).
type Chunk struct {
	Cid   string // of its stream
	Data  string
	Index int64 // from 0
	Total int64 // number of chunks; 0: not given
	Final bool
}

// StreamState is the state of a stream.
type StreamState int

const (
	StreamOpen     StreamState = capi.ACCP_STREAM_OPEN
	StreamComplete StreamState = capi.ACCP_STREAM_COMPLETE // the final chunk and all before it have come
	StreamAborted  StreamState = capi.ACCP_STREAM_ABORTED  // `end` came first: pending chunks are dropped
	StreamClosed   StreamState = capi.ACCP_STREAM_CLOSED   // `end` for a closed stream: no effect
)

// StreamPart is the result of a call.
type StreamPart struct {
	Data   string // new text in order
	Whole  string // the whole text once the stream is complete or aborted; "" if RuleKeepStreams is 0
	Chunks int64  // number of chunks in order so far
	State  StreamState
}

// Streams receives any number of streams at once, their chunks in any order. Its calls queue.
type Streams struct{ *handle }

// NewStreams makes an empty receiver.
func NewStreams(options ...Option) (*Streams, error) {
	h, err := open(capi.Accp_stream_free, options, capi.Accp_stream_new)
	if err != nil {
		return nil, err
	}
	return &Streams{h}, nil
}

func (r *Streams) part(call func(p unsafe.Pointer, s *capi.Scratch) int) (part StreamPart, err error) {
	err = r.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		status := call(p, s)
		if status == 0 {
			from := (*capi.StreamPart)(s.RoomOut())
			part = StreamPart{from.Data.String(), from.Whole.String(), from.Chunks, StreamState(from.State)}
		}
		return status
	})
	return part, err
}

// Add adds one chunk. It returns ErrInvalidType for an invalid chunk and ErrBudgetExceeded beyond a
// limit; nothing changes then.
func (r *Streams) Add(chunk Chunk) (StreamPart, error) {
	return r.part(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.StreamAdd(p, chunk.Cid, chunk.Data, chunk.Index, chunk.Total, chunk.Final, s)
	})
}

// End applies the intent `end` to a stream: it is complete or aborted.
func (r *Streams) End(cid string) (StreamPart, error) {
	return r.part(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_stream_end(p, cid, s.RoomOut(), s.Err()) })
}

// Receive adds a message in JSON of intent stream or end, as Decode writes it. It returns
// ErrArgument for any other.
func (r *Streams) Receive(message []byte) (StreamPart, error) {
	return r.part(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_stream_receive(p, capi.Text(message), s.RoomOut(), s.Err())
	})
}

// Remove drops an open stream. It returns ErrArgument if none exists.
func (r *Streams) Remove(cid string) error {
	return r.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_stream_remove(p, cid, s.Err()) })
}

// OpenCount returns the number of open streams.
func (r *Streams) OpenCount() (count int) {
	_ = r.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		count = int(capi.Accp_stream_open_count(p))
		return 0
	})
	return count
}

// CutChunks cuts a text into chunks of at most maxBytes. It splits no code point and, if possible,
// no character from its marks. It returns ErrInvalidType at a byte that is not UTF-8.
func CutChunks(cid, text string, maxBytes uint32) ([]Chunk, error) {
	var chunks []Chunk
	err := withScratch(func(s *capi.Scratch) int {
		from, index, final := 0, int64(0), false
		for !final {
			end, next, last, status := capi.Cut(text, maxBytes, from, index, final, s)
			if status != 0 {
				return status
			}
			chunks = append(chunks, Chunk{Cid: cid, Data: text[from:end], Index: next, Final: last})
			from, index, final = end, next, last
		}
		return 0
	})
	if err != nil {
		return nil, err
	}
	return chunks, nil
}

// EncodeChunk writes the frame of a chunk with the schema ST, which the codec's registry must have.
func (c *Codec) EncodeChunk(agent, operation string, chunk Chunk) ([]byte, error) {
	return c.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.EncodeChunk(p, agent, operation, chunk.Cid, chunk.Data, chunk.Index, chunk.Total, chunk.Final, s)
	})
}
