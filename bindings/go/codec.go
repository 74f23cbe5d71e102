// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Codec makes frames of messages and back under a registry: schemas, short keys, types, defaults, payloads by position (docs/codec.md). Its calls
// queue. Its callbacks run inside the call that asks them, on the same goroutine; what they fail with, or panic with, is the Cause of that call's error. They may not
// call the codec: that is ErrBusy.
type Codec struct {
	*handle
	counter *shared
}

// NewCodec makes one. The registry may be nil: then messages go as by a Frame. Extensions are those in force with the other side
// (Negotiation.Extensions).
func NewCodec(registry *Registry, extensions Extensions, options ...Option) (*Codec, error) {
	var uses []*shared
	var p unsafe.Pointer
	if registry != nil {
		uses, p = []*shared{registry.shared}, registry.ptr
	}
	h, err := open(capi.Accp_codec_free, uses, func(s *capi.Scratch) int {
		return withOptions(options, s, func(o unsafe.Pointer) int { return capi.Accp_codec_new(o, p, uint(extensions), s.HandleOut(), s.Err()) })
	})
	if err != nil {
		return nil, err
	}
	return &Codec{handle: h}, nil
}

// Encode makes the frame of a message in JSON: or, with SetSplitting, its parts, a newline between two. A member "schema" of the payload that is a
// string names the schema. The error's offset is a byte of the JSON.
func (c *Codec) Encode(message []byte) ([]byte, error) { return c.AppendEncode(nil, message) }

// Decode makes the message of a frame, keys in full and defaults filled in. With SetReassembly, ErrHeld for a part while others are missing.
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

// SetSchema sets the schema, by its code, of messages that name none; "": none.
func (c *Codec) SetSchema(code string) error {
	return c.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_codec_set_schema(p, code, s.Err()) })
}

// SetTokenizer sets by which tokenizer encoding counts; nil: nothing is counted.
func (c *Codec) SetTokenizer(t *Tokenizer) error {
	var counter *shared
	if t != nil {
		made, err := openShared(capi.Accp_counter_free, []*shared{t.shared}, func(s *capi.Scratch) int {
			return capi.Accp_counter_new(t.ptr, nil, s.HandleOut(), s.Err())
		})
		if err != nil {
			return err
		}
		counter = made
		defer counter.Close() // the codec's share is taken below
	}
	return c.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		var at unsafe.Pointer
		if counter != nil {
			_ = counter.acquire()
			at = counter.ptr
		}
		status := capi.Accp_codec_set_counter(p, at, s.Err())
		c.use(counter)
		c.callsBack = c.callsBack || t != nil && t.host
		return status
	})
}

// use keeps the counter until the codec has another, or is freed.
func (c *Codec) use(counter *shared) {
	for i, used := range c.uses {
		if used == c.counter {
			c.uses = append(c.uses[:i:i], c.uses[i+1:]...)
			c.counter.release()
			break
		}
	}
	if c.counter = counter; counter != nil {
		c.uses = append(c.uses, counter)
	}
}

// SetMaxTokens sets how many tokens a frame may have, of those that SetTokenizer counts; 0: any number.
func (c *Codec) SetMaxTokens(max uint64) error {
	return c.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_codec_set_max_tokens(p, max, s.Err()) })
}

// SetInlineCharacters sets how many code points a string may have and stay inline where there is a keeper; 50 where it is not set.
func (c *Codec) SetInlineCharacters(characters uint64) error {
	return c.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_codec_set_inline_characters(p, characters, s.Err())
	})
}

// SetReassembly makes decoding take messages in parts, in whatever order they come.
func (c *Codec) SetReassembly(on bool) error {
	return c.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_codec_set_reassembly(p, flag(on), s.Err())
	})
}

// Abandon drops the parts held of a chain; of all chains where cid is "".
func (c *Codec) Abandon(cid string) error {
	return c.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_codec_abandon(p, cid, s.Err()) })
}

// SetMarkDefaults makes decoding add a member "defaults": the names of what the schema filled in.
func (c *Codec) SetMarkDefaults(on bool) error {
	return c.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_codec_set_mark_defaults(p, flag(on), s.Err())
	})
}

// Strictness is what is refused that is taken otherwise, as bits.
type Strictness uint32

const (
	StrictOperations Strictness = capi.ACCP_STRICT_OPERATIONS // an operation that nobody knows: ErrPolicyDenied
	StrictProfiles   Strictness = capi.ACCP_STRICT_PROFILES   // whatever would be a warning: ErrInvalidType
	StrictSchema     Strictness = capi.ACCP_STRICT_SCHEMA     // a member of the payload that its schema does not have: ErrInvalidType
)

// SetStrict sets what is refused beyond the rules. It needs a registry.
func (c *Codec) SetStrict(strictness Strictness) error {
	return c.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_codec_set_strict(p, uint(strictness), s.Err())
	})
}

// SetUntrusted says that the frames to be decoded come from outside: what they say is data, and no instruction.
func (c *Codec) SetUntrusted(on bool) error {
	return c.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_codec_set_origin(p, flag(on), s.Err()) })
}

// SetRedacted names a key whose values the log does not show; call it again for more, with "" for none again.
func (c *Codec) SetRedacted(key string) error {
	return c.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_codec_set_redacted(p, key, s.Err()) })
}

// Parts is how many frames the message became that was encoded last; 0 where it was refused.
func (c *Codec) Parts() (parts int) {
	_ = c.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		parts = int(capi.Accp_codec_parts(p))
		return 0
	})
	return parts
}

// Kept is how many values of it went to the keeper.
func (c *Codec) Kept() (kept int) {
	_ = c.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		kept = int(capi.Accp_codec_kept(p))
		return 0
	})
	return kept
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
)

// Warnings is what was odd about the message that was encoded or decoded last.
func (c *Codec) Warnings() (warnings Warnings) {
	_ = c.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		warnings = Warnings(capi.Accp_codec_warnings(p))
		return 0
	})
	return warnings
}

// FrameTokens is what a frame costs: its parts, each counted by itself, and the whole. All 0 where nothing is counted.
type FrameTokens struct{ Header, Body, Metadata, Total uint64 }

// PartBudget is one part of a frame against its limits (specification 3.4): more than Soft is worth a warning, more than Hard a session does not send.
type PartBudget struct{ Tokens, Soft, Hard uint64 }

// FrameBudget is a frame against its limits.
type FrameBudget struct{ Header, Body, Metadata, Total PartBudget }

// Tokens are those of the frame that was encoded last, or of all its parts.
func (c *Codec) Tokens() (tokens FrameTokens, err error) {
	err = c.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_codec_tokens(p, s.RoomOut(), s.Err())
		if status == 0 {
			tokens = FrameTokens(*(*capi.FrameTokens)(s.RoomOut()))
		}
		return status
	})
	return tokens, err
}

// Budget is the frame that was encoded last against the limits of specification 3.4.
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
