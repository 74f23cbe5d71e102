// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Codec converts messages in JSON to frames and back (docs/codec.md). With a Registry it uses
// schemas, short keys, types, defaults and payloads by position; without one only the grammar. Its
// calls queue. Reuse a codec: it keeps its memory.
type Codec struct{ *handle }

// NewCodec makes a codec; its options apply until it is closed. It returns ErrUnknownSchema if the
// registry lacks the schema of WithSchema. It returns ErrArgument for P1, a schema, strictness,
// CheckTool or CheckPolicy without a registry, and for RuleParts without Q1.
func NewCodec(options ...Option) (*Codec, error) {
	h, err := open(capi.Accp_codec_free, options, capi.Accp_codec_new)
	if err != nil {
		return nil, err
	}
	return &Codec{h}, nil
}

// Encode makes the frame of a message in JSON, or with Hooks.NextEnvelope its parts, separated by
// newlines. A string member "schema" of the payload names the schema. The error's offset is a byte
// of the JSON.
func (c *Codec) Encode(message []byte) ([]byte, error) { return c.AppendEncode(nil, message) }

// Decode makes the message of a frame, with full keys and defaults. With RuleParts it returns
// ErrHeld for a part while others are missing.
func (c *Codec) Decode(frame []byte) ([]byte, error) { return c.AppendDecode(nil, frame) }

// AppendEncode appends the result of Encode to a slice.
func (c *Codec) AppendEncode(to, message []byte) ([]byte, error) {
	return c.appendText(to, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_codec_encode(p, capi.Text(message), s.Out(), s.Err())
	})
}

// AppendDecode appends the result of Decode to a slice.
func (c *Codec) AppendDecode(to, frame []byte) ([]byte, error) {
	return c.appendText(to, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_codec_decode(p, capi.Text(frame), s.Out(), s.Err())
	})
}

// Reply makes the frame of a reply, as Encode does, with the cid and operation of the request and
// its mid as aid (specification 3.5). Fields that the reply sets are kept; the operation may be
// missing. request is the message to reply to, as Decode returned it. Reply returns ErrParseError
// at offset 0 if request is not a message or has neither cid nor mid.
func (c *Codec) Reply(request, answer []byte) ([]byte, error) {
	return c.AppendReply(nil, request, answer)
}

// AppendReply appends the result of Reply to a slice.
func (c *Codec) AppendReply(to, request, answer []byte) ([]byte, error) {
	return c.appendText(to, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_codec_reply(p, capi.Text(request), capi.Text(answer), s.Out(), s.Err())
	})
}

// Retry makes a frame that repeats a frame (specification 3.7, 10.3). fresh needs a new mid and a
// higher seq.
func (c *Codec) Retry(frame []byte, fresh Envelope) ([]byte, error) {
	return c.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int {
		fresh.numbers((*capi.Envelope)(s.RoomOut()))
		return capi.Retry(p, capi.Text(frame), fresh.Mid, fresh.Cid, fresh.Aid, fresh.Sid, s)
	})
}

// RegisterSchema adds a document of schemas to the codec's registry (specification 7.1). The codec
// uses a new registry; other users keep the old one.
func (c *Codec) RegisterSchema(document []byte) error {
	return c.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_codec_register_schema(p, capi.Text(document), s.Err())
	})
}

// Registry returns the codec's registry; nil if it has none.
func (c *Codec) Registry() (registry *Registry) {
	_ = c.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		registry = sharedRegistry(capi.Accp_codec_registry(p))
		return 0
	})
	return registry
}

// RemoveParts drops the held parts of a chain; of all chains if cid is "".
func (c *Codec) RemoveParts(cid string) error {
	return c.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_codec_remove_parts(p, cid, s.Err()) })
}

// SetUntrusted sets whether the frames to be decoded come from outside, so that their content is
// data and not instructions.
func (c *Codec) SetUntrusted(on bool) error {
	return c.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_codec_set_origin(p, flag(on), s.Err()) })
}

// Warnings are non-fatal faults of the last message, as bits.
type Warnings uint32

const (
	WarnNoCid           Warnings = capi.ACCP_WARN_NO_CID
	WarnToolError       Warnings = capi.ACCP_WARN_TOOL_ERROR
	WarnNoTransactionID Warnings = capi.ACCP_WARN_NO_TRANSACTION_ID
	WarnCurrency        Warnings = capi.ACCP_WARN_CURRENCY
	WarnErrorCode       Warnings = capi.ACCP_WARN_ERROR_CODE
	WarnRetry           Warnings = capi.ACCP_WARN_RETRY
	WarnNoRequest       Warnings = capi.ACCP_WARN_NO_REQUEST // done, fail or ack with a mid but no cid: the request is unknown
)

// Outcome describes the last encoded or decoded message.
type Outcome struct {
	Parts    int      // frames that encoding made: 1 or the number of parts; 0 after a refusal or decoding
	Kept     int      // values that became references, by Hooks.Keep or in the store of a session
	Warnings Warnings // 0 after a refusal
}

// Outcome returns the outcome of the last message; the zero Outcome if the codec is closed.
func (c *Codec) Outcome() (outcome Outcome) {
	_ = c.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_codec_outcome(p, s.RoomOut(), s.Err())
		if status == 0 {
			outcome = outcomeOf(s)
		}
		return status
	})
	return outcome
}

// outcomeOf reads what a call left in the Room of a scratch.
func outcomeOf(s *capi.Scratch) Outcome {
	from := (*capi.Outcome)(s.RoomOut())
	return Outcome{int(from.Parts), int(from.Kept), Warnings(from.Warnings)}
}

// PartBudget has the tokens of one part of a frame and its limits (specification 3.4). More than
// Soft is a warning; a session does not send more than Hard.
type PartBudget struct{ Tokens, Soft, Hard uint64 }

// FrameBudget has the tokens of a frame's parts, each counted separately, and of the whole.
type FrameBudget struct{ Header, Body, Metadata, Total PartBudget }

// Budget compares the last encoded frame, or all its parts, with the limits of specification 3.4.
// It has no tokens if the codec does not count.
func (c *Codec) Budget() (budget FrameBudget, err error) {
	err = c.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_codec_budget(p, s.RoomOut(), s.Err())
		if status == 0 {
			from := (*capi.FrameBudget)(s.RoomOut())
			budget = FrameBudget{PartBudget(from.Header), PartBudget(from.Body), PartBudget(from.Metadata), PartBudget(from.Total)}
		}
		return status
	})
	return budget, err
}
