// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Codec makes frames of messages and back, in JSON (docs/codec.md): under a Registry with schemas, short keys, types, defaults and payloads by position, without
// one by the grammar alone. Its calls queue. Make one and use it again and again; it keeps its memory.
type Codec struct{ *handle }

// NewCodec makes one. What the options say is in force until it is closed. ErrUnknownSchema where the registry does not have the schema of WithSchema;
// ErrArgument for P1, a schema, strictness, CheckTool or CheckPolicy without a registry, and for RuleParts without Q1.
func NewCodec(options ...Option) (*Codec, error) {
	h, err := open(capi.Accp_codec_free, options, capi.Accp_codec_new)
	if err != nil {
		return nil, err
	}
	return &Codec{h}, nil
}

// Encode makes the frame of a message in JSON: or, with Hooks.NextEnvelope, its parts, a newline between two. A member "schema" of the payload that is a
// string names the schema. The error's offset is a byte of the JSON.
func (c *Codec) Encode(message []byte) ([]byte, error) { return c.AppendEncode(nil, message) }

// Decode makes the message of a frame, keys in full and defaults filled in. With RuleParts, ErrHeld for a part while others are missing.
func (c *Codec) Decode(frame []byte) ([]byte, error) { return c.AppendDecode(nil, frame) }

// AppendEncode is Encode after what is in to already.
func (c *Codec) AppendEncode(to, message []byte) ([]byte, error) {
	return c.appendText(to, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_codec_encode(p, capi.Text(message), s.Out(), s.Err())
	})
}

// AppendDecode is Decode after what is in to already.
func (c *Codec) AppendDecode(to, frame []byte) ([]byte, error) {
	return c.appendText(to, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_codec_decode(p, capi.Text(frame), s.Out(), s.Err())
	})
}

// Reply makes the frame of an answer, as Encode would, with the cid and the operation of what it answers, and an aid that is its mid (specification 3.5). Fields that
// the answer names itself are its own; it may have no operation. The request is the message that is answered, as Decode made it: ErrParseError, at offset 0, for one
// that is no message, or has neither cid nor mid.
func (c *Codec) Reply(request, answer []byte) ([]byte, error) {
	return c.AppendReply(nil, request, answer)
}

// AppendReply is Reply after what is in to already.
func (c *Codec) AppendReply(to, request, answer []byte) ([]byte, error) {
	return c.appendText(to, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_codec_reply(p, capi.Text(request), capi.Text(answer), s.Out(), s.Err())
	})
}

// Retry makes the frame that sends a frame again (specification 3.7, 10.3): fresh has a mid of its own and a higher seq.
func (c *Codec) Retry(frame []byte, fresh Envelope) ([]byte, error) {
	return c.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int {
		fresh.numbers((*capi.Envelope)(s.RoomOut()))
		return capi.Retry(p, capi.Text(frame), fresh.Mid, fresh.Cid, fresh.Aid, fresh.Sid, s)
	})
}

// RegisterSchema adds a document of schemas to the codec's registry (specification 7.1): the codec works under a new one, and others keep the old.
func (c *Codec) RegisterSchema(document []byte) error {
	return c.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_codec_register_schema(p, capi.Text(document), s.Err())
	})
}

// Registry is the codec's registry; nil where it has none.
func (c *Codec) Registry() (registry *Registry) {
	_ = c.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		registry = sharedRegistry(capi.Accp_codec_registry(p))
		return 0
	})
	return registry
}

// RemoveParts drops the parts held of a chain; of all chains where cid is "".
func (c *Codec) RemoveParts(cid string) error {
	return c.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_codec_remove_parts(p, cid, s.Err()) })
}

// SetUntrusted says that the frames to be decoded come from outside: what they say is data, and no instruction.
func (c *Codec) SetUntrusted(on bool) error {
	return c.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_codec_set_origin(p, flag(on), s.Err()) })
}

// Warnings is what was odd about the last message, as bits; it was taken all the same.
type Warnings uint32

const (
	WarnNoCid           Warnings = capi.ACCP_WARN_NO_CID
	WarnToolError       Warnings = capi.ACCP_WARN_TOOL_ERROR
	WarnNoTransactionID Warnings = capi.ACCP_WARN_NO_TRANSACTION_ID
	WarnCurrency        Warnings = capi.ACCP_WARN_CURRENCY
	WarnErrorCode       Warnings = capi.ACCP_WARN_ERROR_CODE
	WarnRetry           Warnings = capi.ACCP_WARN_RETRY
	WarnNoRequest       Warnings = capi.ACCP_WARN_NO_REQUEST // done, fail or ack with a mid, and so of a session, that has no cid: nobody can tell what it answers
)

// Outcome is what became of the message that was encoded or decoded last.
type Outcome struct {
	Parts    int      // frames that encoding made: 1, or its parts; 0 where it was refused, or decoded
	Kept     int      // values of it that went by reference: to Hooks.Keep, or to the store of a session
	Warnings Warnings // 0 where it was refused
}

// Outcome is that of the last message; the zero Outcome of a codec that is closed.
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

// outcomeOf is what a call left in the room of a scratch.
func outcomeOf(s *capi.Scratch) Outcome {
	from := (*capi.Outcome)(s.RoomOut())
	return Outcome{int(from.Parts), int(from.Kept), Warnings(from.Warnings)}
}

// PartBudget is one part of a frame against its limits (specification 3.4): more than Soft is worth a warning, more than Hard a session does not send.
type PartBudget struct{ Tokens, Soft, Hard uint64 }

// FrameBudget is a frame against its limits: its parts, each counted by itself, and the whole.
type FrameBudget struct{ Header, Body, Metadata, Total PartBudget }

// Budget is the frame that was encoded last, or all its parts, against the limits of specification 3.4; no tokens where the codec counts nothing.
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
