// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// RenderFlags are options for writing a record; reading needs none of them.
type RenderFlags uint32

const (
	RenderUntrusted RenderFlags = capi.ACCP_RENDER_UNTRUSTED // untrusted: the record is marked, on one line, and without invisible characters
	RenderOneLine   RenderFlags = capi.ACCP_RENDER_ONE_LINE  // tables do not use one line per row
	RenderEnvelope  RenderFlags = capi.ACCP_RENDER_ENVELOPE  // includes a message's envelope, which is omitted otherwise
)

// Renderer converts JSON to the text for a model (docs/render.md) and back. Its calls queue.
type Renderer struct{ *handle }

// NewRenderer makes a renderer.
func NewRenderer(options ...Option) (*Renderer, error) {
	h, err := open(capi.Accp_render_free, options, capi.Accp_render_new)
	if err != nil {
		return nil, err
	}
	return &Renderer{h}, nil
}

// JSON renders JSON: a message as a message, any other value as a value.
func (r *Renderer) JSON(text []byte, flags RenderFlags) (string, error) {
	return r.string(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_render_json(p, capi.Text(text), uint(flags), s.Out(), s.Err())
	})
}

// Frame renders a frame; refs are not resolved.
func (r *Renderer) Frame(frame []byte, flags RenderFlags) (string, error) {
	return r.string(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_render_frame(p, capi.Text(frame), uint(flags), s.Out(), s.Err())
	})
}

// Parse converts one rendered text to compact JSON. It is the exact inverse except for the order of
// keys and an omitted envelope.
func (r *Renderer) Parse(text string) ([]byte, error) {
	return r.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_render_parse(p, text, s.Out(), s.Err()) })
}

// RenderRows returns how many lines after this one have rows of the table at its end.
func RenderRows(line string) int { return int(capi.Accp_render_row_count(line)) }

func (h *handle) string(call func(p unsafe.Pointer, s *capi.Scratch) int) (string, error) {
	out, err := h.appendText(nil, call)
	if err != nil {
		return "", err
	}
	return capi.Text(out), nil
}
