// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"errors"
	"fmt"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Version is that of the library that is linked: "1.0.0".
func Version() string { return capi.Static(capi.Accp_version()) }

// Code is the number of a status: docs/errors.md of the project lists them all.
type Code int32

// CodeClosed is the code of ErrClosed. It is of this package alone: the library never answers it.
const CodeClosed Code = -100

// ErrClosed is what a call on a handle answers after its Close: the program's own mistake, or a Close on another goroutine. A session that has ended, or that another
// writer has opened, is ErrSessionClosed.
var ErrClosed error = &Error{Code: CodeClosed, Message: "the handle is closed", sentinel: true}

// String is the code as it goes on the wire ("E1001"), or its name where it never does ("ERR_ARG").
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

// Name is the code's name in the specification: "PARSE_ERROR".
func (c Code) Name() string {
	if c == CodeClosed {
		return "CLOSED_HANDLE"
	}
	if known, ok := codes[c]; ok {
		return known.name
	}
	return "UNKNOWN"
}

// Meaning is one sentence on what it means.
func (c Code) Meaning() string {
	if c == CodeClosed {
		return "Close was called, or the handle was never opened"
	}
	return codes[c].meaning
}

// Retryable says whether sending again may help (specification 3.6).
func (c Code) Retryable() bool { return codes[c].retryable }

// Category is where a code of the specification belongs, its first digit; 0 for other codes.
func (c Code) Category() Category { return Category(capi.Accp_status_category(int(c))) }

// Error is what every failing function of the package answers, perhaps wrapped: errors.As finds it, and errors.Is knows it by its code.
type Error struct {
	Code    Code
	Offset  uint64 // the byte of the text that was given, from 0; its length where it ends too early; 0 where no byte is at fault
	Message string // one line
	Cause   error  // what a function of the host answered, or a *PanicError; nil else

	sentinel bool
}

// Error is "E1001 at byte 7: …".
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

// Is makes errors.Is(err, ErrParseError) true for every error of that code.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.sentinel && other.Code == e.Code
}

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Cause }

// PanicError is the cause of an error where a function of the host, called back by the library, panicked.
type PanicError = capi.Panic

// CodeOf is the code of an error: that of the first *Error in its chain; else 0 for nil, CodeInternalError for any other.
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

// failure makes an error of a status and of what the call left.
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

// statusOf is what a callback answers for an error: its own code if it has one that C takes there.
func statusOf(err error, otherwise int32) int32 {
	var known *Error
	if errors.As(err, &known) && known.Code != 0 && known.Code != CodeClosed {
		return int32(known.Code)
	}
	return otherwise
}
