// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Phrases make a valid message of SACP of what a person says, or a question: what an interface agent does first. They guess nothing. Their calls queue.
type Phrases struct {
	*handle
	hooks *capi.Hooks // of whoever has the turn: the model is among them
	user  uintptr     // what C knows them as
}

// NewPhrases reads phrases: {"phrases":[{"say":[…],"slots":{…},"message":{…}}],"ignore":[…]}, as docs/sacp.md of the project has them. The verbs and tools of the library are all that a message
// has. Of its options it reads the limits. The offset of a refusal is a byte of the document.
func NewPhrases(document []byte, library *Library, options ...Option) (*Phrases, error) {
	if library == nil {
		return nil, newError(CodeArgument, "phrases need a Library, whose verbs and tools their messages have")
	}
	hooks := &capi.Hooks{Status: statusOf}
	user := hooks.New()
	owner := newShared(nil, func(unsafe.Pointer) { capi.DeleteHooks(user) }, nil)
	defer owner.Close() // the handle's share is taken next
	h, err := open(capi.Accp_phrases_free, options, func(config, out, err unsafe.Pointer) int {
		return capi.Accp_phrases_new(capi.Text(document), library.ptr, config, out, err)
	}, library.shared, owner)
	if err != nil {
		return nil, err
	}
	return &Phrases{h, hooks, user}, nil
}

// ModelRequest is what a Model is asked.
type ModelRequest struct {
	Prompt        string
	Specification string          // the protocol in short, with the library's verbs and tools
	Refused       json.RawMessage // the verdict that its answer before was refused with; nil at first
}

// Model answers with a message of SACP, or {"status":"REQ_CLARIFY","need":[…]}. It is called inside Ask, on the same goroutine, with the context of that call; it must not use the Phrases that
// ask it (ErrBusy).
type Model func(ctx context.Context, asked ModelRequest) ([]byte, error)

// SetModel sets a model that is asked where no phrase says what a prompt is; nil: there is none, as at first. What it answers is checked like any other message: so whatever it says, what comes
// out of Ask can be run. Phrases whose model refers to them must be closed, as that keeps them.
func (p *Phrases) SetModel(model Model) error {
	if p == nil {
		return errClosed
	}
	return p.do(func(phrases unsafe.Pointer, s *capi.Scratch) int {
		function := unsafe.Pointer(nil)
		if model != nil {
			function = capi.ModelFunction()
		}
		status := capi.Accp_phrases_set_model(phrases, function, p.user, s.Err())
		if status == 0 {
			p.hooks.Model, p.callsBack = model.raw(), model != nil
		}
		return status
	})
}

// raw is what C is to call.
func (m Model) raw() func(call *capi.Call, prompt, specification, refused string) (string, error) {
	if m == nil {
		return nil
	}
	return func(call *capi.Call, prompt, specification, refused string) (string, error) {
		asked := ModelRequest{Prompt: prompt, Specification: specification}
		if refused != "" {
			asked.Refused = json.RawMessage(refused)
		}
		text, err := m(contextOf(call), asked)
		return capi.Text(text), err
	}
}

// Ask answers the message that a prompt is, with a plan that is whole, or the verdict why there is none. Where a prompt may be more than one message, or a slot is missing, that is SACPReqClarify,
// with what is asked for: goal, goal.NAME, ctx.SLOT, prompt. A prompt is UTF-8, and has at most 4096 bytes and 256 words.
//
// The error is for a call that could not be made, or what the model failed with, as of Hooks: an error of this package has its code, any other and a panic is ErrIO, whose Cause it is. A model that was
// refused is told so once, and asked again.
func (p *Phrases) Ask(ctx context.Context, prompt string) (message json.RawMessage, verdict Verdict, err error) {
	if p == nil {
		return nil, Verdict{}, errClosed
	}
	err = p.within(ctx, func(phrases unsafe.Pointer, s *capi.Scratch) int {
		s.View, s.Number = capi.View{}, 0
		status := capi.Accp_phrases_ask(phrases, prompt, s.Out(), s.NumberOut(), s.Err())
		if status != 0 {
			return status
		}
		if text := json.RawMessage(s.View.String()); int32(s.Number) == capi.ACCP_SACP_VALID {
			message = text
		} else {
			verdict = verdictOf(text)
		}
		return status
	})
	return message, verdict, err
}
