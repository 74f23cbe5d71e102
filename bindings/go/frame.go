// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"bytes"
	"context"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Frame parses frames into a flat tree, prints them canonically, and converts them to values and
// back. Its calls queue. Its tree belongs to the newest Parse, so goroutines that read trees need
// one Frame each. Reuse a Frame: it keeps its memory.
type Frame struct {
	*handle
	Tree
	payload, meta *Value // of DecodeMap
}

// NewFrame makes a frame parser.
func NewFrame(options ...Option) (*Frame, error) {
	h, err := open(capi.Accp_frame_free, options, capi.Accp_frame_new)
	if err != nil {
		return nil, err
	}
	return &Frame{handle: h, Tree: Tree{nodes: make([]Node, 0, 64)}}, nil
}

// Parse parses one frame (specification 3.1, 9.2). Nodes and items are parts of this text until the
// next Parse; after a failure the frame has no tree. The offset of ErrParseError is the first byte
// after which no valid frame is possible.
func (f *Frame) Parse(text string) error {
	if err := f.enter(context.Background()); err != nil {
		return err
	}
	defer f.leave()
	s, room := f.scratch, f.nodes[:cap(f.nodes)]
	status := capi.FrameParse(f.ptr, text, *(*[]capi.Node)(unsafe.Pointer(&room)), s)
	if n := int(s.View.Len); n <= len(room) {
		f.nodes = room[:n]
	} else {
		all := s.View.Nodes()
		f.nodes = append(f.nodes[:0], *(*[]Node)(unsafe.Pointer(&all))...)
	}
	f.text = text
	if status != 0 {
		f.text, f.nodes = "", f.nodes[:0]
		return failure(status, s)
	}
	return nil
}

// ParseBytes parses a copy of text.
func (f *Frame) ParseBytes(text []byte) error { return f.Parse(string(text)) }

// Canonical returns the parsed frame in its canonical form (specification 3.1.1). It returns
// ErrInvalidType for a decimal of more than six places.
func (f *Frame) Canonical() (string, error) {
	if len(f.nodes) == 0 {
		return "", errNoFrame
	}
	out, err := f.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int { return capi.FramePrint(p, f.text, s) })
	return capi.Text(out), err
}

var errNoFrame = newError(CodeArgument, "there is no frame")

// ReadPayload decodes the payload into a value and replaces its content: q1 text and keys, and t1
// tables, according to the options.
func (f *Frame) ReadPayload(to *Value) error { return f.block(to, false) }

// ReadMeta decodes the metadata; an empty map if none exists.
func (f *Frame) ReadMeta(to *Value) error { return f.block(to, true) }

func (f *Frame) block(to *Value, meta bool) error {
	if len(f.nodes) == 0 {
		return errNoFrame
	}
	return to.change(func(value unsafe.Pointer) error {
		return f.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.FrameBlock(p, f.text, meta, value, s) })
	})
}

// Build makes a frame from values: payload is a map or a string, meta a map or nil.
func (f *Frame) Build(agent, intent, operation string, payload, meta *Value) ([]byte, error) {
	var out []byte
	err := changeBoth(payload, meta, func(payloadPtr, metaPtr unsafe.Pointer) (err error) {
		out, err = f.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int {
			return capi.Accp_frame_build(p, agent, intent, operation, payloadPtr, metaPtr, s.Out(), s.Err())
		})
		return err
	})
	return out, err
}

// DecodeMap makes the message of a frame as encoding/json would read its JSON into a map: members
// agent, intent, operation, payload, and meta if there is any. Numbers are json.Number; refs are
// map[string]any{"$ref": "warm.key"}. Most of the cost is for the maps; the tree of Parse has none.
func (f *Frame) DecodeMap(frame []byte) (message map[string]any, err error) {
	err = f.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		if f.payload == nil {
			if err = f.makeValues(); err != nil {
				return int(CodeNoMemory)
			}
		}
		status := capi.FrameDecode(p, f.payload.ptr, f.meta.ptr, capi.Text(frame), s)
		if status == 0 {
			message = f.message(frame, (*[4]capi.View)(s.RoomOut()))
		}
		return status
	})
	return message, err
}

func (f *Frame) makeValues() error {
	payload, err := NewValue()
	if err != nil {
		return err
	}
	meta, err := NewValue()
	if err != nil {
		return err
	}
	f.payload, f.meta = payload, meta
	return nil
}

// message makes a map from the result of FrameDecode. All its strings are parts of one.
func (f *Frame) message(frame []byte, views *[4]capi.View) map[string]any {
	arrow := bytes.IndexByte(frame, '>')
	colon := arrow + bytes.IndexByte(frame[arrow:], ':')
	brace := colon + bytes.IndexByte(frame[colon:], '{')
	payloadText, metaText := views[1].Bytes(), views[3].Bytes()
	all := make([]byte, 0, brace+len(payloadText)+len(metaText))
	all = append(append(append(all, frame[:brace]...), payloadText...), metaText...)
	text := capi.Text(all)

	out := map[string]any{"agent": text[1:arrow], "intent": text[arrow+1 : colon], "operation": text[colon+1 : brace]}
	payload, meta := &f.payload.tree, &f.meta.tree
	payload.set(text[brace:brace+len(payloadText)], views[0].Nodes())
	meta.set(text[brace+len(payloadText):], views[2].Nodes())
	out["payload"] = payload.item(0).Value()
	if root := meta.item(0); root.Len() > 0 {
		out["meta"] = root.Value()
	}
	payload.set("", nil)
	meta.set("", nil)
	return out
}
