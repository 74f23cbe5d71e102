// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Kind is the kind of a node.
type Kind uint8

const (
	Null   Kind = capi.ACCP_NULL
	Bool   Kind = capi.ACCP_BOOL
	Int    Kind = capi.ACCP_INT    // any number of digits
	Dec    Kind = capi.ACCP_DEC    // an integer, a point and digits: exact
	Number Kind = capi.ACCP_NUMBER // any other JSON number with its original text; values only
	String Kind = capi.ACCP_STRING
	Ref    Kind = capi.ACCP_REF // $warm.key: the text is warm.key
	Array  Kind = capi.ACCP_ARRAY
	Map    Kind = capi.ACCP_MAP
	Name   Kind = capi.ACCP_NAME // agent, intent or operation of a frame
)

// Bits of Node.Flags.
const (
	NodeTrue    = capi.ACCP_NODE_TRUE    // on Bool: true
	NodeEscaped = capi.ACCP_NODE_ESCAPED // frames only: the text has \ before delimiters
	NodeLoose   = capi.ACCP_NODE_LOOSE   // frames only: a string that only the dialect Compat accepts
)

// Node is one node of a tree. Nodes are in one slice, parents before children: the children of node
// i are i+1, then nodes[i+1].Next, and so on, up to nodes[i].Next. Offset and Len locate its text;
// for an Array or Map, Len is the number of children. The key of a map's child is the KeyLen bytes
// before Offset-1 (for a Ref, Offset-2).
type Node struct {
	Kind   Kind
	Flags  uint8
	KeyLen uint16
	Offset uint32
	Len    uint32
	Next   uint32
}

var _ = [1]struct{}{}[unsafe.Sizeof(Node{})-unsafe.Sizeof(capi.Node{})]

// Tree has the nodes of a text.
type Tree struct {
	text  string
	nodes []Node
}

// Text returns the parsed text; "" without a tree.
func (t *Tree) Text() string { return t.text }

// Nodes returns the whole tree. In a frame, nodes 0, 1 and 2 are agent, intent and operation, 3 is
// the payload, followed by its children, and the node after them, if any, is the metadata. The
// parser owns the memory and overwrites it in the next call.
func (t *Tree) Nodes() []Node { return t.nodes }

// Agent, Intent and Operation return the parts before a frame's payload; "" without a tree.
func (t *Tree) Agent() string     { return t.at(0) }
func (t *Tree) Intent() string    { return t.at(1) }
func (t *Tree) Operation() string { return t.at(2) }

// Payload returns a frame's payload, a map; the zero Item without a tree.
func (t *Tree) Payload() Item { return t.item(3) }

// Meta returns a frame's metadata, a map; the zero Item if it has none.
func (t *Tree) Meta() Item {
	if len(t.nodes) <= 3 {
		return Item{}
	}
	return t.item(t.nodes[3].Next)
}

func (t *Tree) set(text string, nodes []capi.Node) {
	t.text, t.nodes = text, *(*[]Node)(unsafe.Pointer(&nodes))
}

func (t *Tree) at(i int) string {
	if i >= len(t.nodes) {
		return ""
	}
	return t.text[t.nodes[i].Offset:][:t.nodes[i].Len]
}

func (t *Tree) item(i uint32) Item {
	if int(i) >= len(t.nodes) {
		return Item{}
	}
	return Item{t, i}
}

// Item is one node with its tree, valid until the tree's next Parse. The zero Item is not a node:
// its Kind is 0, and everything in it is empty.
type Item struct {
	tree  *Tree
	index uint32
}

func (i Item) node() *Node {
	if i.tree == nil || int(i.index) >= len(i.tree.nodes) {
		return &Node{}
	}
	return &i.tree.nodes[i.index]
}

// IsZero reports whether the item is not a node.
func (i Item) IsZero() bool { return i.tree == nil }

// Kind returns the kind; 0 for the zero Item.
func (i Item) Kind() Kind { return i.node().Kind }

// Index returns the index in the nodes of the tree.
func (i Item) Index() int { return int(i.index) }

// Key returns the key in the parent map; "" for other items.
func (i Item) Key() string {
	n := i.node()
	if n.KeyLen == 0 {
		return ""
	}
	end := n.Offset - 1
	if n.Kind == Ref {
		end--
	}
	return i.tree.text[end-uint32(n.KeyLen) : end]
}

// Raw returns a scalar's original text: a part of the parsed text, without a copy.
func (i Item) Raw() string {
	n := i.node()
	if n.Kind == Array || n.Kind == Map || n.Kind == 0 {
		return ""
	}
	return i.tree.text[n.Offset:][:n.Len]
}

// Text returns the text without escapes. In a frame, q1 is not decoded; ReadPayload decodes it.
func (i Item) Text() string {
	raw := i.Raw()
	if i.node().Flags&NodeEscaped == 0 {
		return raw
	}
	var out strings.Builder
	for at := 0; at < len(raw); at++ {
		if raw[at] == '\\' && at+1 < len(raw) {
			at++
		}
		out.WriteByte(raw[at])
	}
	return out.String()
}

// Len returns the number of children.
func (i Item) Len() int {
	if n := i.node(); n.Kind == Array || n.Kind == Map {
		return int(n.Len)
	}
	return 0
}

// First returns the first child; the zero Item if it has none. Next is the child after it:
//
//	for child := item.First(); !child.IsZero(); child = child.Next(item) { … }
func (i Item) First() Item {
	if i.Len() == 0 {
		return Item{}
	}
	return i.tree.item(i.index + 1)
}

// Next returns the child of parent after this one; the zero Item after the last.
func (i Item) Next(parent Item) Item {
	if next := i.node().Next; next < parent.node().Next {
		return i.tree.item(next)
	}
	return Item{}
}

// Get returns the child of a map with this key, as the tree spells it; the zero Item if the map
// does not have it.
func (i Item) Get(key string) Item {
	if i.Kind() != Map {
		return Item{}
	}
	for child := i.First(); !child.IsZero(); child = child.Next(i) {
		if child.Key() == key {
			return child
		}
	}
	return Item{}
}

// Bool returns true for the Bool true, and false for everything else.
func (i Item) Bool() bool { n := i.node(); return n.Kind == Bool && n.Flags&NodeTrue != 0 }

// IsNumber reports whether it is an Int, a Dec or a Number.
func (i Item) IsNumber() bool { k := i.Kind(); return k == Int || k == Dec || k == Number }

// Number returns a number with all its digits; "" for another kind.
func (i Item) Number() json.Number {
	if !i.IsNumber() {
		return ""
	}
	return json.Number(i.Raw())
}

// Int64 returns an Int that fits; ErrInvalidType for anything else.
func (i Item) Int64() (int64, error) {
	if i.Kind() == Int {
		if number, err := strconv.ParseInt(i.Raw(), 10, 64); err == nil {
			return number, nil
		}
	}
	return 0, &Error{Code: CodeInvalidType, Offset: uint64(i.node().Offset), Message: "no integer that fits"}
}

// BigInt returns an Int of any size; ErrInvalidType for anything else.
func (i Item) BigInt() (*big.Int, error) {
	if i.Kind() == Int {
		if number, ok := new(big.Int).SetString(i.Raw(), 10); ok {
			return number, nil
		}
	}
	return nil, &Error{Code: CodeInvalidType, Offset: uint64(i.node().Offset), Message: "no integer"}
}

// Rat returns an exact number; ErrInvalidType for anything else, and for an exponent over 4,096,
// which would not fit in memory.
func (i Item) Rat() (*big.Rat, error) {
	raw := i.Raw()
	if i.IsNumber() && smallExponent(raw) {
		if number, ok := new(big.Rat).SetString(raw); ok {
			return number, nil
		}
	}
	return nil, &Error{Code: CodeInvalidType, Offset: uint64(i.node().Offset), Message: "no number, or one of more than 4,096 places"}
}

func smallExponent(number string) bool {
	at := strings.IndexAny(number, "eE")
	if at < 0 {
		return true
	}
	exponent, err := strconv.Atoi(number[at+1:])
	return err == nil && exponent >= -4096 && exponent <= 4096
}

// Value returns the Go value: nil, bool, json.Number, string, []any, map[string]any; a Ref is
// map[string]any{"$ref": "warm.key"}. Strings are Text.
func (i Item) Value() any {
	if i.tree == nil || int(i.index) >= len(i.tree.nodes) {
		return nil
	}
	return i.tree.value(i.index)
}

func (t *Tree) value(index uint32) any {
	n := &t.nodes[index]
	switch n.Kind {
	case Bool:
		return n.Flags&NodeTrue != 0
	case Int, Dec, Number:
		return json.Number(t.text[n.Offset:][:n.Len])
	case String, Name:
		if n.Flags&NodeEscaped != 0 {
			return Item{t, index}.Text()
		}
		return t.text[n.Offset:][:n.Len]
	case Ref:
		return map[string]any{"$ref": t.text[n.Offset:][:n.Len]}
	case Array:
		out := make([]any, 0, n.Len)
		for at := index + 1; at < n.Next; at = t.nodes[at].Next {
			out = append(out, t.value(at))
		}
		return out
	case Map:
		out := make(map[string]any, n.Len)
		for at := index + 1; at < n.Next; at = t.nodes[at].Next {
			out[Item{t, at}.Key()] = t.value(at)
		}
		return out
	}
	return nil
}
