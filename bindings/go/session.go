// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"math"
	"runtime"
	"time"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Session is frames in and out with their delivery guarantees (specification 3.7), state in three tiers (5), and at any moment the text that a model should be given
// instead of the history: docs/session.md. It is for one goroutine at a time: a second one gets ErrBusy, and has changed nothing.
//
// A call that is refused has changed nothing. One that answers ErrIO because the store could not write has been taken, and is not yet durable: call Sync until it
// succeeds, and acknowledge nothing before. When another writer has opened the session, every call answers ErrClosed.
//
// The context of a call is asked before it begins, and handed to the callbacks of the engine; what has begun is finished.
type Session struct {
	*handle
	id      string
	waiting []Delivery // what pick left
	hooked  bool       // its engine has callbacks, which want to know the call
}

// ID is the id that it was opened by.
func (s *Session) ID() string { return s.id }

// within is do, under a context.
func (s *Session) within(ctx context.Context, call func(p unsafe.Pointer, s *capi.Scratch) int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !s.hooked {
		return s.do(call)
	}
	return hookedCall(ctx, func() error { return s.do(call) })
}

// hookedCall lets an engine's callbacks know the context, and puts what they fail with into the error.
func hookedCall(ctx context.Context, run func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	call := &capi.Call{Context: ctx}
	defer capi.SetCall(call)()
	err := run()
	if known, ok := err.(*Error); ok && call.Cause != nil {
		known.Cause = call.Cause
	}
	return err
}

func (s *Session) view(ctx context.Context, call func(p unsafe.Pointer, s *capi.Scratch) int) (out []byte, err error) {
	err = s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		s.View = capi.View{}
		status := call(p, s)
		if status == 0 {
			out = append(out, s.View.Bytes()...)
		}
		return status
	})
	return out, err
}

// End ends the session itself: what would change it is ErrClosed from now on, here and wherever it is opened; reading goes on.
func (s *Session) End(ctx context.Context, now time.Time) error {
	return s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_session_end(p, now.UnixMilli(), s.Err()) })
}

// Receive takes a frame that has come in: nil when it was applied, once and in order, with all that had waited for it; Next hands the messages out.
// ErrHeld: it waits for an earlier frame. ErrDropped: expired, or of a chain that was cancelled: answer nothing. docs/session.md has the order of checks.
func (s *Session) Receive(ctx context.Context, frame []byte, now time.Time) error {
	return s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_session_receive(p, capi.Text(frame), now.UnixMilli(), s.Err())
	})
}

// Delivery is what Next hands out.
type Delivery struct {
	Message json.RawMessage // as decoding writes it; nil where there is an Err
	Seq     int64           // of ErrTimeout the number of the request's record, for Retry
	Cid     string          // of ErrTimeout: the request's cid, or its mid where it had none
	Err     error           // ErrSequenceGap: frames before Seq are missing, said once; ErrTimeout: a request of ours was not answered in time; else why a frame that had waited is refused
}

// Next is the next message in its order; false when there is no more.
func (s *Session) Next() (delivery Delivery, ok bool) {
	_ = s.do(func(p unsafe.Pointer, scratch *capi.Scratch) int {
		if len(s.waiting) > 0 {
			delivery, ok, s.waiting = s.waiting[0], true, s.waiting[1:]
			return 0
		}
		delivery, ok = next(p, scratch)
		return 0
	})
	return delivery, ok
}

func next(p unsafe.Pointer, s *capi.Scratch) (delivery Delivery, ok bool) {
	if capi.Accp_session_next(p, s.RoomOut()) == 0 {
		return delivery, false
	}
	from := (*capi.Delivery)(s.RoomOut())
	delivery.Seq = from.Seq
	if from.Status == 0 {
		delivery.Message = append(json.RawMessage{}, from.Message.Bytes()...)
	} else {
		delivery.Err, delivery.Cid = &Error{Code: Code(from.Status), Message: capi.Static(from.Reason)}, from.Message.String()
	}
	return delivery, true
}

// pick takes out the newest message that is there and fits, and leaves the others to Next.
func (s *Session) pick(fits func(Delivery) bool) (found Delivery, ok bool) {
	_ = s.do(func(p unsafe.Pointer, scratch *capi.Scratch) int {
		for delivery, more := next(p, scratch); more; delivery, more = next(p, scratch) {
			s.waiting = append(s.waiting, delivery)
		}
		for i := len(s.waiting) - 1; i >= 0 && !ok; i-- {
			if found, ok = s.waiting[i], fits(s.waiting[i]); ok {
				s.waiting = append(s.waiting[:i:i], s.waiting[i+1:]...)
			}
		}
		return 0
	})
	return found, ok
}

// IsCancelled says whether a chain, by its cid, was cancelled. Handlers ask before they go on.
func (s *Session) IsCancelled(cid string) (yes bool) {
	_ = s.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		yes = capi.Accp_session_is_cancelled(p, cid) != 0
		return 0
	})
	return yes
}

// Send makes the frame of a message, with mid, seq and ts of its own, and keeps it; with RuleParts perhaps several, a newline between two. Send it as it is, and
// again if need be: it is applied once.
func (s *Session) Send(ctx context.Context, message []byte, now time.Time) (frame []byte, err error) {
	return s.view(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_session_send(p, capi.Text(message), now.UnixMilli(), s.Out(), s.Err())
	})
}

// Expire looks for requests of ours whose deadline (RuleDeadlineMs) has passed: Next hands out an ErrTimeout for each, once.
func (s *Session) Expire(ctx context.Context, now time.Time) error {
	return s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_session_expire(p, now.UnixMilli(), s.Err())
	})
}

// NextDeadline is the earliest deadline of a request of ours; the zero Time where none waits.
func (s *Session) NextDeadline() (next time.Time) {
	_ = s.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		if at := capi.Accp_session_next_deadline(p); at != math.MaxInt64 {
			next = time.UnixMilli(at)
		}
		return 0
	})
	return next
}

// Retry makes the frame that sends a frame of ours again, by the number of its record: Delivery.Seq of an ErrTimeout, or Records behind Send. Only what failed
// with a code that is Retryable may be sent again.
func (s *Session) Retry(ctx context.Context, record uint64, now time.Time) (frame []byte, err error) {
	return s.view(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_session_retry(p, record, now.UnixMilli(), s.Out(), s.Err())
	})
}

// Abandon forgets the parts held of messages of a chain (RuleParts), which will not become whole; of all chains where cid is "".
func (s *Session) Abandon(ctx context.Context, cid string, now time.Time) error {
	return s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_session_abandon(p, cid, now.UnixMilli(), s.Err())
	})
}

// Append adds a message that takes no frame: what a user said, what a tool answered, whatever a model should remember.
func (s *Session) Append(ctx context.Context, message []byte, now time.Time) error {
	return s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_session_append(p, capi.Text(message), now.UnixMilli(), s.Err())
	})
}

// Checkpoint makes a checkpoint, as at a phase boundary; others make themselves.
func (s *Session) Checkpoint(ctx context.Context, now time.Time) error {
	return s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_session_checkpoint(p, now.UnixMilli(), s.Err())
	})
}

// Context is what a model should be given now, and how many tokens it has: at most the budget, or with 0 as much as is worth it. Between two
// checkpoints each text begins with the one before it, so caches of prompts stay warm.
func (s *Session) Context(ctx context.Context, budgetTokens uint64) (text string, tokens int, err error) {
	out, err := s.view(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_session_context(p, budgetTokens, s.Out(), s.NumberOut(), s.Err())
		tokens = int(s.Number)
		return status
	})
	if err != nil {
		return "", 0, err
	}
	return capi.Text(out), tokens, nil
}

// TokenBudget is tokens in use and at most, in hot and warm state and in all (specification 7.1).
type TokenBudget struct{ HotUsed, HotMax, WarmUsed, WarmMax, TotalUsed, TotalMax uint64 }

// Budget is the session's. It counts the texts.
func (s *Session) Budget() (budget TokenBudget, err error) {
	err = s.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_session_budget(p, s.RoomOut(), s.Err())
		if status == 0 {
			budget = TokenBudget(*(*capi.Budget)(s.RoomOut()))
		}
		return status
	})
	return budget, err
}

// Checkpoints is the number of the newest checkpoint ($warm.ckpt_N), or 0.
func (s *Session) Checkpoints() (number int) {
	_ = s.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		number = int(capi.Accp_session_checkpoints(p))
		return 0
	})
	return number
}

// Records is how many records the log has.
func (s *Session) Records() (count uint64) {
	_ = s.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		count = capi.Accp_session_records(p)
		return 0
	})
	return count
}

// RecordKind is what a record of the log is.
type RecordKind byte

const (
	RecordReceived     RecordKind = capi.ACCP_RECORD_RECEIVED      // a frame that came in
	RecordSent         RecordKind = capi.ACCP_RECORD_SENT          // a frame that went out
	RecordMessage      RecordKind = capi.ACCP_RECORD_MESSAGE       // a message that took no frame: JSON
	RecordUsedUp       RecordKind = capi.ACCP_RECORD_USED_UP       // a frame that was dropped or refused after its seq had come
	RecordPhase        RecordKind = capi.ACCP_RECORD_PHASE         // a checkpoint that was asked for: no text
	RecordClosed       RecordKind = capi.ACCP_RECORD_CLOSED        // the session's end: no text
	RecordPartReceived RecordKind = capi.ACCP_RECORD_PART_RECEIVED // a frame that came in: a part, and not the one that made its message whole
	RecordPartSent     RecordKind = capi.ACCP_RECORD_PART_SENT     // a frame that went out: a part, and not the last
	RecordAbandoned    RecordKind = capi.ACCP_RECORD_ABANDONED     // parts are held no more: the cid of their chain
	RecordRequest      RecordKind = capi.ACCP_RECORD_REQUEST       // a frame that went out, of a request with a deadline
	RecordTimeout      RecordKind = capi.ACCP_RECORD_TIMEOUT       // the end of waiting for requests whose deadline had passed: no text
)

// LogRecord is one record of the log, byte for byte as it was said.
type LogRecord struct {
	Kind RecordKind
	Time time.Time
	Text []byte
}

// Record is a record of the log, counted from 1. ErrRefNotFound: there is none.
func (s *Session) Record(ctx context.Context, number uint64) (record LogRecord, err error) {
	record.Text, err = s.view(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		s.Number, s.Count = 0, 0
		status := capi.Accp_session_record(p, number, s.NumberOut(), s.CountOut(), s.Out(), s.Err())
		record.Kind, record.Time = RecordKind(*(*int32)(s.NumberOut())), time.UnixMilli(int64(s.Count))
		return status
	})
	if err != nil {
		return LogRecord{}, err
	}
	return record, nil
}

// Resolve is what a ref stands for, as JSON: "warm.ckpt_1.summary", without $. ErrRefNotFound, ErrRefExpired.
func (s *Session) Resolve(ctx context.Context, ref string, now time.Time) (json.RawMessage, error) {
	return s.view(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_session_resolve(p, ref, now.UnixMilli(), s.Out(), s.Err())
	})
}

// ResolveOf is the same of another session that has granted it. ErrUnauthorizedRef without a grant, whether it is there or not.
func (s *Session) ResolveOf(ctx context.Context, owner, ref string, now time.Time) (json.RawMessage, error) {
	return s.view(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_session_resolve_of(p, owner, ref, now.UnixMilli(), s.Out(), s.Err())
	})
}

func expiry(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}

// Put puts a value, in JSON, under a ref of the host's choice, in place of one that is there: "hot.…", "warm.…", "cold.…", or "ctx.…", which frames can
// read and nothing but this can write. The zero Time: it never expires.
func (s *Session) Put(ctx context.Context, ref string, value []byte, expires time.Time) error {
	return s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_session_put(p, ref, capi.Text(value), expiry(expires), s.Err())
	})
}

// Erase forgets what was put there.
func (s *Session) Erase(ctx context.Context, ref string) error {
	return s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_session_erase(p, ref, s.Err()) })
}

// Grant lets another session read values of this one whose name ("cold.t7") begins with the prefix. The zero Time: for ever.
func (s *Session) Grant(ctx context.Context, grantee, prefix string, expires time.Time) error {
	return s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_session_grant(p, grantee, prefix, expiry(expires), s.Err())
	})
}

// Revoke takes a grant back.
func (s *Session) Revoke(ctx context.Context, grantee, prefix string) error {
	return s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_session_revoke(p, grantee, prefix, s.Err())
	})
}

// SendState makes this JSON object the state that both sides share, and the frame that tells the other side; nil where nothing changed.
func (s *Session) SendState(ctx context.Context, agent string, state []byte, now time.Time) (frame []byte, err error) {
	return s.view(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_session_send_state(p, agent, capi.Text(state), now.UnixMilli(), s.Out(), s.Err())
	})
}

// State is the state that both sides share, and its version, 0 before the first.
func (s *Session) State() (state json.RawMessage, version int64, err error) {
	err = s.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		s.Number = 0
		state = json.RawMessage(append([]byte(nil), capi.Accp_session_state(p, s.NumberOut())...))
		version = int64(s.Number)
		return 0
	})
	return state, version, err
}

// Sync returns when everything so far is durable.
func (s *Session) Sync(ctx context.Context) error {
	return s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_session_sync(p, s.Err()) })
}
