// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"bufio"
	"errors"
	"io"
)

// Scanner reads frames from a reader, one per line, as bufio.Scanner reads lines:
//
//	for scanner.Scan() { use(scanner.Frame()) }
//	if err := scanner.Err(); err != nil { … }
//
// Empty lines are ignored. FrameErr reports a line that is not a frame; the next Scan continues
// after it.
type Scanner struct {
	lines *bufio.Scanner
	frame *Frame
	max   int
	err   error // of the frame
	fatal error
	line  int
}

// NewScanner makes a scanner with these options. A line of more than twice LimitFrameBytes ends it:
// ErrParseError.
func NewScanner(from io.Reader, options ...Option) (*Scanner, error) {
	frame, err := NewFrame(options...)
	if err != nil {
		return nil, err
	}
	s := &Scanner{lines: bufio.NewScanner(from), frame: frame}
	return s.Buffer(2 * int(LimitFrameBytes.Default())), nil
}

// Buffer sets the maximum length of a line; call it before the first Scan.
func (s *Scanner) Buffer(maxBytes int) *Scanner {
	if s.max = maxBytes; s.lines == nil {
		return s
	}
	s.lines.Buffer(make([]byte, 0, 4096), maxBytes)
	return s
}

// Scan advances to the next frame; false at the end and after a read error.
func (s *Scanner) Scan() bool {
	if s.lines == nil {
		s.fatal = errClosed
		return false
	}
	for s.lines.Scan() {
		s.line++
		if len(s.lines.Bytes()) == 0 {
			continue
		}
		s.err = s.frame.ParseBytes(s.lines.Bytes())
		if errors.Is(s.err, ErrClosed) || errors.Is(s.err, ErrNoMemory) {
			s.fatal = s.err
			return false
		}
		return true
	}
	if s.fatal = s.lines.Err(); errors.Is(s.fatal, bufio.ErrTooLong) {
		s.fatal = &Error{Code: CodeParseError, Offset: uint64(s.max), Message: "the line is too long", Cause: bufio.ErrTooLong}
	}
	return false
}

// Frame returns the current frame; it has no tree if FrameErr is not nil. The next Scan overwrites
// it.
func (s *Scanner) Frame() *Frame { return s.frame }

// FrameErr returns why the line is not a frame.
func (s *Scanner) FrameErr() error { return s.err }

// Line returns the number of the line, from 1.
func (s *Scanner) Line() int { return s.line }

// Err returns the error that ended the scan; nil at the end of the reader.
func (s *Scanner) Err() error { return s.fatal }

// Close frees the frame.
func (s *Scanner) Close() error {
	if s.frame == nil {
		return nil
	}
	return s.frame.Close()
}
