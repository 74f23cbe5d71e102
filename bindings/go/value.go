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
	stale bool // tree is older than what C has
}

// NewValue makes an empty one.
func NewValue(options ...Option) (*Value, error) {
	h, err := open(capi.Accp_value_free, options, capi.Accp_value_new)
	if err != nil {
		return nil, err
	}
	return &Value{handle: h}, nil
}

// change lends the pointer to a call on another handle that may write to it.
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

// changeBoth is change of two, of which the second may be nil. All goroutines take two in the same order, so that none waits for the other.
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

// Parse reads one JSON text (RFC 8259). After a failure the value is empty. ErrParseError: no JSON, or a key twice; ErrInvalidType: no UTF-8, a lone
// surrogate, too deep.
func (v *Value) Parse(text []byte) error {
	return v.change(func(p unsafe.Pointer) error {
		return withScratch(func(s *capi.Scratch) int { return capi.Accp_value_parse_json(p, capi.Text(text), s.Err()) })
	})
}

// Set makes it the value that json.Marshal makes JSON of: numbers that are to be exact are json.Number, *big.Int or json.RawMessage.
func (v *Value) Set(value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return v.Parse(text)
}

// JSON is it as compact JSON, keys in their order, numbers as they were written.
func (v *Value) JSON() ([]byte, error) {
	return v.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_value_print_json(p, s.Out(), s.Err())
	})
}

// HashForm is the text to compare and to hash values by: that of RFC 8785, with numbers from their exact digits. Two values have one form exactly when they
// are equal.
func (v *Value) HashForm() ([]byte, error) {
	return v.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_value_print_hash_form(p, s.Out(), s.Err())
	})
}

// MarshalJSON is JSON.
func (v *Value) MarshalJSON() ([]byte, error) { return v.JSON() }

// UnmarshalJSON is Parse; it makes the handle where there is none.
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

// Root is the value as an item; the zero Item of an empty value. Items are good until the value changes.
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

// String is its JSON, or what is wrong with it.
func (v *Value) String() string {
	text, err := v.JSON()
	if err != nil {
		return "!" + err.Error()
	}
	return strings.ToValidUTF8(string(text), "\uFFFD")
}
