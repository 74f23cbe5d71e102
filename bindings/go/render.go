// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// RenderFlags say how a record is written. Reading needs none of them.
type RenderFlags uint32

const (
	RenderUntrusted RenderFlags = capi.ACCP_RENDER_UNTRUSTED // it came from outside: it says so in front, is one line, and no character is invisible
	RenderOneLine   RenderFlags = capi.ACCP_RENDER_ONE_LINE  // no table takes a line a row
	RenderEnvelope  RenderFlags = capi.ACCP_RENDER_ENVELOPE  // a message's envelope too, which is left off otherwise
)

// Renderer makes what a model reads in place of JSON (docs/render.md), and reads it back. Its calls queue.
type Renderer struct{ *handle }

// NewRenderer makes one.
func NewRenderer(options ...Option) (*Renderer, error) {
	h, err := open(capi.Accp_render_free, options, capi.Accp_render_new)
	if err != nil {
		return nil, err
	}
	return &Renderer{h}, nil
}

// JSON renders a JSON text: a message as a message, any other value as it is.
func (r *Renderer) JSON(text []byte, flags RenderFlags) (string, error) {
	return r.string(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_render_json(p, capi.Text(text), uint(flags), s.Out(), s.Err())
	})
}

// Frame renders a frame, its refs as they are.
func (r *Renderer) Frame(frame []byte, flags RenderFlags) (string, error) {
	return r.string(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_render_frame(p, capi.Text(frame), uint(flags), s.Out(), s.Err())
	})
}

// Parse reads one render text back, as compact JSON: the exact inverse, up to the order of keys and an envelope that was left off.
func (r *Renderer) Parse(text string) ([]byte, error) {
	return r.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_render_parse(p, text, s.Out(), s.Err()) })
}

// RenderRows is how many lines after this one hold the rows of the table that it ends with.
func RenderRows(line string) int { return int(capi.Accp_render_rows(line)) }

func (h *handle) string(call func(p unsafe.Pointer, s *capi.Scratch) int) (string, error) {
	out, err := h.appendText(nil, call)
	if err != nil {
		return "", err
	}
	return capi.Text(out), nil
}
