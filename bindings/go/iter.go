//go:build go1.23

// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"iter"
)

// Children iterates over the children of a map or an array, with their keys ("" in an array), in
// the order of the text; over nothing for any other value. It needs Go 1.23.
func (i Item) Children() iter.Seq2[string, Item] {
	return func(yield func(string, Item) bool) {
		for child := i.First(); !child.IsZero(); child = child.Next(i) {
			if !yield(child.Key(), child) {
				return
			}
		}
	}
}

// Deliveries iterates over the messages that are available now, as NextDelivery returns them; it
// does not wait for more. Messages after a break stay available. An
// error ends the iteration, with a nil delivery; a Delivery.Err does not. It needs Go 1.23.
func (s *Session) Deliveries(ctx context.Context) iter.Seq2[*Delivery, error] {
	return func(yield func(*Delivery, error) bool) {
		for {
			delivery, err := s.NextDelivery(ctx)
			if err == nil && delivery == nil || !yield(delivery, err) || err != nil {
				return
			}
		}
	}
}

// Records iterates over the log from its first record to its last at the start of the iteration.
// An error ends it. It needs Go 1.23.
func (s *Session) Records(ctx context.Context) iter.Seq2[LogRecord, error] {
	return func(yield func(LogRecord, error) bool) {
		count, err := s.RecordCount(ctx)
		if err != nil {
			yield(LogRecord{}, err)
			return
		}
		for number := uint64(1); number <= count; number++ {
			record, err := s.Record(ctx, number)
			if !yield(record, err) || err != nil {
				return
			}
		}
	}
}

// Sessions iterates over the ids of all sessions in the order of creation; all are read before the
// first is returned. An error is the last pair, with an empty id. It needs Go 1.23.
func (st *Store) Sessions(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		stopped := false
		err := st.EachSession(ctx, func(id string) bool {
			stopped = !yield(id, nil)
			return !stopped
		})
		if err != nil && !stopped {
			yield("", err)
		}
	}
}

// Frames iterates over the frames that are left. The error of a pair is FrameErr, or at the end
// that of the reader, with a nil frame. A frame is valid until the next. It needs Go 1.23.
func (s *Scanner) Frames() iter.Seq2[*Frame, error] {
	return func(yield func(*Frame, error) bool) {
		for s.Scan() {
			if !yield(s.Frame(), s.FrameErr()) {
				return
			}
		}
		if err := s.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// Attributes iterates over what EachAttribute passes. It needs Go 1.23.
func (e Event) Attributes() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		more := true
		e.EachAttribute(func(name string, value any) { more = more && yield(name, value) })
	}
}
