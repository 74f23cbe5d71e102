// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"strings"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Value holds any JSON value, exactly: numbers keep their digits. Its calls queue. It is a json.Marshaler and json.Unmarshaler.
type Value struct {
	*handle
	tree  Tree
	stale bool // tree is older than the C value
}

// NewValue makes an empty value.
func NewValue(options ...Option) (*Value, error) {
	h, err := open(capi.Accp_value_free, options, capi.Accp_value_new)
	if err != nil {
		return nil, err
	}
	return &Value{handle: h}, nil
}

// change passes the pointer to a call on another handle that may write to it.
func (v *Value) change(call func(p unsafe.Pointer) error) error {
	if v == nil {
		return newError(CodeArgument, "no value")
	}
	if err := v.enter(context.Background()); err != nil {
		return err
	}
	defer v.leave()
	v.stale = true
	return call(v.ptr)
}

// changeBoth is change for two values, of which the second may be nil. All goroutines lock two
// values in the same order, so that none waits for the other.
func changeBoth(v, w *Value, call func(p, q unsafe.Pointer) error) error {
	switch {
	case w == nil:
		return v.change(func(p unsafe.Pointer) error { return call(p, nil) })
	case v != nil && v.handle == w.handle:
		return v.change(func(p unsafe.Pointer) error { return call(p, p) })
	case v != nil && uintptr(unsafe.Pointer(v.handle)) > uintptr(unsafe.Pointer(w.handle)):
		return changeBoth(w, v, func(q, p unsafe.Pointer) error { return call(p, q) })
	}
	return v.change(func(p unsafe.Pointer) error {
		return w.change(func(q unsafe.Pointer) error { return call(p, q) })
	})
}

// Parse reads one JSON text (RFC 8259). After a failure the value is empty. It returns
// ErrParseError for invalid JSON or a duplicate key, and ErrInvalidType for invalid UTF-8, a lone
// surrogate or too much depth.
func (v *Value) Parse(text []byte) error {
	return v.change(func(p unsafe.Pointer) error {
		return withScratch(func(s *capi.Scratch) int { return capi.Accp_value_parse_json(p, capi.Text(text), s.Err()) })
	})
}

// Set stores the JSON of json.Marshal(value). Use json.Number, *big.Int or json.RawMessage for
// exact numbers.
func (v *Value) Set(value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return v.Parse(text)
}

// JSON returns compact JSON with keys in their order and unchanged numbers.
func (v *Value) JSON() ([]byte, error) {
	return v.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_value_print_json(p, s.Out(), s.Err())
	})
}

// HashForm returns the text for comparing and hashing values: RFC 8785 with numbers from their
// exact digits. Two values have one form exactly if they are equal.
func (v *Value) HashForm() ([]byte, error) {
	return v.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_value_print_hash_form(p, s.Out(), s.Err())
	})
}

// MarshalJSON returns JSON.
func (v *Value) MarshalJSON() ([]byte, error) { return v.JSON() }

// UnmarshalJSON is Parse; it makes the handle if none exists.
func (v *Value) UnmarshalJSON(text []byte) error {
	if v.handle == nil {
		made, err := NewValue()
		if err != nil {
			return err
		}
		*v = *made
	}
	return v.Parse(text)
}

// Root returns the value as an item; the zero Item for an empty value. Items are valid until the
// value changes.
func (v *Value) Root() (Item, error) {
	err := v.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		if !v.stale {
			return 0
		}
		from := capi.View{Text: capi.Accp_value_nodes(p, s.CountOut())}
		from.Len = s.Count
		nodes := from.Nodes()
		v.tree = Tree{text: strings.Clone(capi.Accp_value_text(p)), nodes: append([]Node(nil), *(*[]Node)(unsafe.Pointer(&nodes))...)}
		v.stale = false
		return 0
	})
	if err != nil {
		return Item{}, err
	}
	return v.tree.item(0), nil
}

// String returns the JSON or an error text.
func (v *Value) String() string {
	text, err := v.JSON()
	if err != nil {
		return "!" + err.Error()
	}
	return strings.ToValidUTF8(string(text), "\uFFFD")
}
