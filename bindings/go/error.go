// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"errors"
	"fmt"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Version returns the version of the linked library: "1.0.0".
func Version() string { return capi.Static(capi.Accp_version()) }

// Code is the number of a status; docs/errors.md has the list.
type Code int32

// CodeClosed is the code of ErrClosed. Only this package uses it; the library never returns it.
const CodeClosed Code = -100

// ErrClosed is the error of a call on a handle after its Close, possibly on another goroutine. A
// session that has ended or has another writer returns ErrSessionClosed.
var ErrClosed error = &Error{Code: CodeClosed, Message: "the handle is closed", sentinel: true}

// String returns the code as on the wire ("E1001"), or its name if it is never sent ("ERR_ARG").
func (c Code) String() string {
	if c == CodeClosed {
		return "CLOSED_HANDLE"
	}
	if known, ok := codes[c]; ok {
		return known.symbol
	}
	if c >= 1000 {
		return fmt.Sprintf("E%04d", int32(c))
	}
	return fmt.Sprintf("status %d", int32(c))
}

// Name returns the code's name in the specification: "PARSE_ERROR".
func (c Code) Name() string {
	if c == CodeClosed {
		return "CLOSED_HANDLE"
	}
	if known, ok := codes[c]; ok {
		return known.name
	}
	return "UNKNOWN"
}

// Meaning returns one sentence about the code.
func (c Code) Meaning() string {
	if c == CodeClosed {
		return "Close was called, or the handle was never opened"
	}
	return codes[c].meaning
}

// Retryable reports whether sending again may help (specification 3.6).
func (c Code) Retryable() bool { return codes[c].retryable }

// Category returns the first digit of a code of the specification; 0 for other codes.
func (c Code) Category() Category { return Category(capi.Accp_status_category(int(c))) }

// Error is the error of every failing function of the package, possibly wrapped. Use errors.As to
// find it and errors.Is to compare its code.
type Error struct {
	Code    Code
	Offset  uint64 // the byte at fault in the given text, from 0; its length if it ends too early; 0 if no byte is at fault
	Message string // one line
	Cause   error  // the error of a host's function or a *PanicError; else nil

	sentinel bool
}

// Error returns text such as "E1001 at byte 7: …".
func (e *Error) Error() string {
	text := "accp: " + e.Code.String()
	if e.Offset > 0 {
		text += fmt.Sprintf(" at byte %d", e.Offset)
	}
	text += ": " + e.Message
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Is makes errors.Is(err, ErrParseError) true for every error with that code.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.sentinel && other.Code == e.Code
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// PanicError is the cause of an error if a host's function panicked in a callback.
type PanicError = capi.Panic

// CodeOf returns the code of the first *Error in the chain of an error; 0 for nil,
// CodeInternalError for any other error.
func CodeOf(err error) Code {
	var known *Error
	switch {
	case err == nil:
		return 0
	case errors.As(err, &known):
		return known.Code
	}
	return CodeInternalError
}

func newError(code Code, message string) *Error { return &Error{Code: code, Message: message} }

// failure makes an error from a status and the data that the call left.
func failure(status int, s *capi.Scratch) error {
	if status == 0 {
		return nil
	}
	code := Code(status)
	err := &Error{Code: code, Message: codes[code].meaning}
	if status == int(s.Error.Code) && s.Error.Message != nil {
		err.Offset, err.Message = s.Error.Offset, spell(capi.Static(s.Error.Message))
		if s.Error.Limit != 0 {
			form := " (%d of %d)"
			if code == CodeSequenceGap {
				form = " (came %d, awaited %d)"
			}
			err.Message += fmt.Sprintf(form, s.Error.Had, s.Error.Limit)
		}
	}
	s.Error = capi.Error{}
	return err
}

// statusOf returns the status of a callback's error: its own code if C accepts it there.
func statusOf(err error, otherwise int32) int32 {
	var known *Error
	if errors.As(err, &known) && known.Code != 0 && known.Code != CodeClosed {
		return int32(known.Code)
	}
	return otherwise
}
