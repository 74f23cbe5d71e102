// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Package capi is the C API as raw Go functions: handles are C pointers, nothing is checked,
// nothing is freed. Use package accp instead.
package capi

// #include <stdlib.h>
// #include <string.h>
// #include "libaccp.h"
import "C"

import "unsafe"

// Error mirrors accp_error.
type Error struct {
	Code    int32
	Record  uint32
	Offset  uint64
	Message unsafe.Pointer
	Had     uint64
	Limit   uint64
}

// View mirrors accp_text: bytes in C's memory.
type View struct {
	Text unsafe.Pointer
	Len  uint64
}

// Node mirrors accp_node.
type Node struct {
	Kind   uint8
	Flags  uint8
	KeyLen uint16
	Offset uint32
	Len    uint32
	Next   uint32
}

// Record mirrors accp_record.
type Record struct {
	Status      int32
	NodeCount   uint32
	FirstNode   uint64
	Offset      uint64
	Len         uint64
	ErrorOffset uint64
	Message     unsafe.Pointer
}

// Scratch receives the outputs of calls. It is in C's memory, so C may get its address together
// with a Go text.
type Scratch struct {
	Error  Error
	View   View
	Second View
	Number uint64
	Count  uint64
	Handle unsafe.Pointer
	Room   [40]uint64 // large enough for any struct of the C API
}

// NewScratch returns zeroed memory; it does not fail (cgo's malloc ends the program instead).
func NewScratch() *Scratch {
	p := C.malloc(C.sizeof_char * C.size_t(unsafe.Sizeof(Scratch{})))
	C.memset(p, 0, C.size_t(unsafe.Sizeof(Scratch{})))
	return (*Scratch)(p)
}

// Free frees the memory.
func (s *Scratch) Free() { C.free(unsafe.Pointer(s)) }

// Err, Out and the others return the output pointers for the C API.
func (s *Scratch) Err() unsafe.Pointer       { return unsafe.Pointer(&s.Error) }
func (s *Scratch) Out() unsafe.Pointer       { return unsafe.Pointer(&s.View) }
func (s *Scratch) NumberOut() unsafe.Pointer { return unsafe.Pointer(&s.Number) }
func (s *Scratch) CountOut() unsafe.Pointer  { return unsafe.Pointer(&s.Count) }
func (s *Scratch) HandleOut() unsafe.Pointer { return unsafe.Pointer(&s.Handle) }
func (s *Scratch) RoomOut() unsafe.Pointer   { return unsafe.Pointer(&s.Room) }

// Bytes returns the view as a slice of C's memory. Copy it before the handle's next call.
func (v View) Bytes() []byte {
	if v.Len == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(v.Text), v.Len)
}

// String returns the view as a new string.
func (v View) String() string { return string(v.Bytes()) }

// Static returns a NUL-terminated text that C never frees, without a copy.
func Static(text unsafe.Pointer) string {
	if text == nil {
		return ""
	}
	bytes := unsafe.Slice((*byte)(text), C.strlen((*C.char)(text)))
	return *(*string)(unsafe.Pointer(&bytes))
}

// Text returns bytes as a string without a copy, valid during a call.
func Text(bytes []byte) string { return *(*string)(unsafe.Pointer(&bytes)) }

// The compiler checks these mirrored sizes.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(Error{})-C.sizeof_accp_error]
	_ = [1]struct{}{}[unsafe.Sizeof(View{})-C.sizeof_accp_text]
	_ = [1]struct{}{}[unsafe.Sizeof(Node{})-C.sizeof_accp_node]
	_ = [1]struct{}{}[unsafe.Sizeof(Record{})-C.sizeof_accp_record]
	_ = [1]struct{}{}[unsafe.Offsetof(Error{}.Message)-unsafe.Offsetof(C.accp_error{}.message)]
	_ = [1]struct{}{}[unsafe.Offsetof(Node{}.Next)-unsafe.Offsetof(C.accp_node{}.next)]
	_ = [1]struct{}{}[unsafe.Offsetof(Record{}.Message)-unsafe.Offsetof(C.accp_record{}.message)]
)
