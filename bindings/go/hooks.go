// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"encoding/json"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// SetResolver sets who says what the refs of incoming frames stand for: a ref is "warm.key" without $, the answer a JSON value. An error of this package goes
// on with its code, whichever it is (ErrRefNotFound, ErrRefExpired, ErrPolicyDenied), any other as ErrIO. nil: nobody.
func (c *Codec) SetResolver(resolve func(ref string) (json.RawMessage, error)) error {
	return c.hook(resolve != nil, capi.ResolveFunction(), func(h *capi.Hooks) {
		h.Resolve = func(_ *capi.Call, ref string) (string, error) {
			text, err := resolve(ref)
			return capi.Text(text), err
		}
	}, capi.Accp_codec_set_resolver)
}

// SetKeeper sets who keeps values that leave by reference: the answer is the ref under which the peer can resolve it, "" where it cannot be kept. The
// same value should get the same ref. nil: nobody.
func (c *Codec) SetKeeper(keep func(value json.RawMessage) (ref string, err error)) error {
	return c.hook(keep != nil, capi.KeepFunction(), func(h *capi.Hooks) {
		h.Keep = func(text string) (string, error) { return keep(json.RawMessage(text)) }
	}, capi.Accp_codec_set_keeper)
}

// SetSplitting lets a message go in parts where its frame is over SetMaxTokens: next is given the envelope of the first part, and answers one with a mid
// and a seq of its own. nil: no parts.
func (c *Codec) SetSplitting(next func(first Envelope) (Envelope, error)) error {
	return c.hook(next != nil, capi.EnvelopeFunction(), func(h *capi.Hooks) {
		h.NextEnvelope = func(at *capi.Envelope) (mid, cid, aid, sid string, err error) {
			e, err := next(envelopeOf(at))
			if err == nil {
				e.numbers(at)
			}
			return e.Mid, e.Cid, e.Aid, e.Sid, err
		}
	}, capi.Accp_codec_set_splitting)
}

// SetTools sets the host's tool lookup, asked for each request under the schema TC: nil, ErrToolNotFound, ErrToolSchemaMismatch, or another error
// of the model; any other is ErrInternalError. arguments is nil where there are none. It needs a registry.
func (c *Codec) SetTools(lookUp func(name string, arguments json.RawMessage) error) error {
	return c.hook(lookUp != nil, capi.ToolFunction(), func(h *capi.Hooks) {
		h.Tool = func(name, arguments string) error {
			if arguments == "" {
				return lookUp(name, nil)
			}
			return lookUp(name, json.RawMessage(arguments))
		}
	}, capi.Accp_codec_set_tools)
}

// PolicyCase is what a policy is asked about: one message.
type PolicyCase struct {
	Received                         bool // decoded; else encoded
	Untrusted                        bool // from an untrusted origin
	Agent, Intent, Operation, Schema string
	Message                          json.RawMessage
}

// SetPolicy sets the host's policy: nil allows the message, ErrPolicyDenied or another error of the model refuses it; any other is ErrInternalError. It
// needs a registry.
func (c *Codec) SetPolicy(ask func(PolicyCase) error) error {
	return c.hook(ask != nil, capi.PolicyFunction(), func(h *capi.Hooks) {
		h.Policy = func(p *capi.PolicyCase) error {
			return ask(PolicyCase{p.Direction == capi.ACCP_RECEIVED, p.Untrusted != 0, p.Agent.String(), p.Intent.String(), p.Operation.String(),
				p.Schema.String(), json.RawMessage(p.Text.String())})
		}
	}, capi.Accp_codec_set_policy)
}

// SetLog sets who is told of every message and every refusal (specification 9.1): code is 0 and text the message on one line, or why it was refused. A
// panic there is swallowed: a log does not change what happens.
func (c *Codec) SetLog(log func(received bool, code Code, text string)) error {
	return c.hook(log != nil, capi.LogFunction(), func(h *capi.Hooks) {
		h.Log = func(direction, status int32, text string) { log(direction == capi.ACCP_RECEIVED, Code(status), text) }
	}, capi.Accp_codec_set_log)
}
