// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// EnvelopeFields has a bit for each present field of an envelope.
type EnvelopeFields uint32

const (
	HasMid EnvelopeFields = capi.ACCP_ENVELOPE_MID
	HasSeq EnvelopeFields = capi.ACCP_ENVELOPE_SEQ
	HasTs  EnvelopeFields = capi.ACCP_ENVELOPE_TS
	HasCid EnvelopeFields = capi.ACCP_ENVELOPE_CID
	HasAid EnvelopeFields = capi.ACCP_ENVELOPE_AID
	HasSid EnvelopeFields = capi.ACCP_ENVELOPE_SID
	HasTTL EnvelopeFields = capi.ACCP_ENVELOPE_TTL
)

// Envelope is the standard envelope (specification 3.5). Ts and TTL are seconds.
type Envelope struct {
	Fields             EnvelopeFields
	Seq, Ts, TTL       int64
	Mid, Cid, Aid, Sid string
}

func envelopeOf(from *capi.Envelope) Envelope {
	return Envelope{EnvelopeFields(from.Fields), from.Seq, from.Ts, from.TTL, from.Mid.String(), from.Cid.String(), from.Aid.String(), from.Sid.String()}
}

func (e *Envelope) numbers(to *capi.Envelope) {
	*to = capi.Envelope{Fields: uint32(e.Fields), Seq: e.Seq, Ts: e.Ts, TTL: e.TTL}
}

// Envelope returns the envelope of the parsed frame. It returns ErrParseError for a field of the
// wrong type.
func (f *Frame) Envelope() (out Envelope, err error) {
	if len(f.nodes) == 0 {
		return out, errNoFrame
	}
	err = f.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.FrameEnvelope(p, f.text, s)
		if status == 0 {
			out = envelopeOf((*capi.Envelope)(s.RoomOut()))
		}
		return status
	})
	return out, err
}

// SetEnvelope sets the envelope that Build writes before a message's own metadata; nil: none. It
// remains until it is set again. Every frame needs its own mid and seq.
func (f *Frame) SetEnvelope(envelope *Envelope) error { return f.setEnvelope(false, envelope) }

// SetEnvelope sets the envelope that Encode writes, as for Frame.
func (c *Codec) SetEnvelope(envelope *Envelope) error { return c.setEnvelope(true, envelope) }

func (h *handle) setEnvelope(codec bool, e *Envelope) error {
	return h.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		switch {
		case e != nil:
			e.numbers((*capi.Envelope)(s.RoomOut()))
			return capi.SetEnvelope(p, codec, e.Mid, e.Cid, e.Aid, e.Sid, s)
		case codec:
			return capi.Accp_codec_set_envelope(p, nil, s.Err())
		}
		return capi.Accp_frame_set_envelope(p, nil, s.Err())
	})
}

// Traceparent returns the W3C Trace Context traceparent of a frame, equal on both sides. The trace
// comes from the cid (or else the mid), the span from the mid. With an aid as mid it is that of the
// answered frame.
func Traceparent(cid, mid string) (trace string, err error) {
	err = withScratch(func(s *capi.Scratch) int {
		status := capi.Accp_traceparent_format(cid, mid, s.RoomOut(), s.Err())
		if status == 0 {
			trace = capi.View{Text: s.RoomOut(), Len: 55}.String()
		}
		return status
	})
	return trace, err
}

// Mid makes a mid with few tokens: a letter 'a' to 'f' and digits. Issuer 0 counts to 10^11-1;
// issuers 1 to 99 share a session and count to 10^9-1 each.
func Mid(letter byte, issuer uint32, counter uint64) (mid string, err error) {
	err = withScratch(func(s *capi.Scratch) int {
		status := capi.Accp_mid_format(uint(uint32(letter)-'a'), uint(issuer), counter, s.RoomOut(), s.Err())
		if status == 0 {
			mid = capi.View{Text: s.RoomOut(), Len: 12}.String()
		}
		return status
	})
	return mid, err
}
