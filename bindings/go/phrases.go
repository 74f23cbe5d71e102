// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Phrases convert a person's request to a valid SACP message or a question: the first step of an
// interface agent. They do not guess. Their calls queue.
type Phrases struct {
	*handle
	hooks *capi.Hooks // belongs to the holder of the turn; includes the model
	user  uintptr     // their handle for C
}

// NewPhrases reads phrases: {"phrases":[{"say":[…],"slots":{…},"message":{…}}],"ignore":[…]}
// (docs/sacp.md). Messages use only the verbs and tools of the library. It reads the limits of the
// options. The offset of an error is a byte of the document.
func NewPhrases(document []byte, library *Library, options ...Option) (*Phrases, error) {
	if library == nil {
		return nil, newError(CodeArgument, "phrases need a Library, whose verbs and tools their messages have")
	}
	hooks := &capi.Hooks{Status: statusOf}
	user := hooks.New()
	owner := newShared(nil, func(unsafe.Pointer) { capi.DeleteHooks(user) }, nil)
	defer owner.Close() // the handle's own reference is taken next
	h, err := open(capi.Accp_phrases_free, options, func(config, out, err unsafe.Pointer) int {
		return capi.Accp_phrases_new(capi.Text(document), library.ptr, config, out, err)
	}, library.shared, owner)
	if err != nil {
		return nil, err
	}
	return &Phrases{h, hooks, user}, nil
}

// ModelRequest is the input of a Model.
type ModelRequest struct {
	Prompt        string
	Specification string          // a summary of the protocol with the library's verbs and tools
	Refused       json.RawMessage // the verdict that refused the previous reply; nil at first
}

// Model returns a SACP message, or {"status":"REQ_CLARIFY","need":[…]}. It runs inside Ask, on the
// same goroutine, with the context of that call. It must not use its own Phrases (ErrBusy).
type Model func(ctx context.Context, asked ModelRequest) ([]byte, error)

// SetModel sets a model for prompts that match no phrase; nil: none, the default. Its messages are
// checked like any others, so the result of Ask can always be run. Phrases whose model refers to
// them must be closed, because it keeps them reachable.
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

// raw returns the function for C.
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

// Ask returns the message for a prompt, with a complete plan, or the verdict with the reason why it
// cannot. If a prompt is ambiguous or a slot is missing, the verdict is SACPReqClarify with the
// needs: goal, goal.NAME, ctx.SLOT, prompt. A prompt is UTF-8 of at most 4096 bytes and 256 words.
//
// The error reports a call that could not be made or the model's error. As for Hooks, an error of
// this package keeps its code; any other and a panic are ErrIO with that Cause. A refused model is
// called a second time with the verdict.
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
