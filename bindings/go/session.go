// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"math"
	"time"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Session receives and sends frames with their delivery guarantees (specification 3.7), holds state
// in three tiers (5), and makes the context for a model in place of the history: docs/session.md.
// Any number of goroutines may call it; calls queue in the order in which they came. A callback
// that calls its own session gets ErrBusy, and nothing has changed.
//
// A refused call has changed nothing. After ErrIO because the store could not write, the call took
// effect but is not durable: call Sync until it succeeds, and acknowledge nothing before. If
// another writer has opened the session, every call returns ErrSessionClosed; ErrClosed is for a
// call after Close.
//
// The context of a call ends its wait in the queue, and is passed to the engine's callbacks; a
// started call is finished. The time is that of the engine's clock at the start of the call.
type Session struct {
	*handle
	id      string
	clock   func() time.Time
	waiting []*Delivery // left over by pick
}

// ID returns the id with which it was opened.
func (s *Session) ID() string { return s.id }

// now returns the engine's time in milliseconds, for a call that has its turn.
func (s *Session) now() int64 { return s.clock().UnixMilli() }

// know is within for a call that cannot fail.
func (s *Session) know(ctx context.Context, ask func(p unsafe.Pointer)) error {
	return s.within(ctx, func(p unsafe.Pointer, _ *capi.Scratch) int {
		ask(p)
		return 0
	})
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

// End ends the session itself: calls that would change it return ErrSessionClosed from now on, in
// every process; reading remains possible.
func (s *Session) End(ctx context.Context) error {
	return s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_end(p, s.now(), scratch.Err())
	})
}

// IsCancelled reports whether a chain, by its cid, was cancelled. Handlers check it before they
// continue.
func (s *Session) IsCancelled(ctx context.Context, cid string) (yes bool, err error) {
	err = s.know(ctx, func(p unsafe.Pointer) { yes = capi.Accp_session_is_cancelled(p, cid) != 0 })
	return yes, err
}

// Send makes the frame of a message with a new mid, seq and ts, and records it; with RuleParts it
// may return several, separated by newlines. Transmit it unchanged, repeatedly if necessary: it is
// applied once. It returns ErrDropped if its chain was cancelled, except for ack and cancel.
func (s *Session) Send(ctx context.Context, message []byte) (frame []byte, err error) {
	return s.view(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_send(p, capi.Text(message), s.now(), scratch.Out(), scratch.Err())
	})
}

// Reply sends a reply, as Send does, with the cid and operation of the request and its mid as aid
// (specification 3.5). Fields that the reply sets are kept; the operation may be missing. request
// is the Delivery.Message to be answered. Reply returns ErrParseError at offset 0 if request is not
// a message or has neither cid nor mid.
func (s *Session) Reply(ctx context.Context, request, answer []byte) (frame []byte, err error) {
	return s.view(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_reply(p, capi.Text(request), capi.Text(answer), s.now(), scratch.Out(), scratch.Err())
	})
}

// Outcome describes the message that Send, Reply or SendState sent last; the zero Outcome after a
// refusal. For a received message see Delivery.Warnings.
func (s *Session) Outcome(ctx context.Context) (outcome Outcome, err error) {
	err = s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_session_outcome(p, s.RoomOut(), s.Err())
		if status == 0 {
			outcome = outcomeOf(s)
		}
		return status
	})
	return outcome, err
}

// Expire checks our requests for passed deadlines (RuleDeadlineMs): NextDelivery returns an
// ErrTimeout for each, once.
func (s *Session) Expire(ctx context.Context) error {
	return s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_expire(p, s.now(), scratch.Err())
	})
}

// NextDeadline returns the earliest deadline of our requests; the zero Time if none waits.
func (s *Session) NextDeadline(ctx context.Context) (next time.Time, err error) {
	err = s.know(ctx, func(p unsafe.Pointer) {
		if at := capi.Accp_session_next_deadline(p); at != math.MaxInt64 {
			next = time.UnixMilli(at)
		}
	})
	return next, err
}

// Retry makes a frame that repeats one of our frames, by the number of its record: Delivery.Seq of
// an ErrTimeout, or RecordCount after Send. Only frames that failed with a Retryable code may be
// repeated.
func (s *Session) Retry(ctx context.Context, record uint64) (frame []byte, err error) {
	return s.view(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_retry(p, record, s.now(), scratch.Out(), scratch.Err())
	})
}

// RemoveParts drops the held parts of a chain (RuleParts) that will not be completed; of all chains
// if cid is "".
func (s *Session) RemoveParts(ctx context.Context, cid string) error {
	return s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_remove_parts(p, cid, s.now(), scratch.Err())
	})
}

// Append adds a message without a frame: a user's text, a tool's result, or anything that a model
// should remember.
func (s *Session) Append(ctx context.Context, message []byte) error {
	return s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_append(p, capi.Text(message), s.now(), scratch.Err())
	})
}

// AppendFrom adds a message that a peer sent without a frame, through a protocol of the host such
// as MCP. peer is that of the connection; nil is the host itself, as for Append. The message can
// raise neither the peer's rights nor its trust. If the peer is untrusted, the message is marked in
// the log, in JSON and in each context.
//
// It returns ErrPolicyDenied, with the offset of the byte at fault, if the peer may not use the
// message's agent. It also does if the peer is untrusted and the member untrusted is not true, or
// the metadata has mid, seq, ts or sid. Nothing has changed then.
func (s *Session) AppendFrom(ctx context.Context, message []byte, peer *Peer) error {
	if peer == nil {
		return s.Append(ctx, message)
	}
	names, err := peer.names()
	if err != nil {
		return err
	}
	return s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.SessionAppend(p, capi.Text(message), names, flag(peer.Untrusted), s.now(), scratch)
	})
}

// Checkpoint makes a checkpoint, for example at the end of a phase; others are made automatically.
func (s *Session) Checkpoint(ctx context.Context) error {
	return s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_checkpoint(p, s.now(), scratch.Err())
	})
}

// ContextText returns the current text for a model in place of the history, and its tokens: at most
// the budget, or with 0 as much as is worthwhile. Between two checkpoints each text begins with the
// previous one, so prompt caches stay warm. (It is not a context.Context.)
func (s *Session) ContextText(ctx context.Context, budgetTokens uint64) (text string, tokens int, err error) {
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

// TokenBudget has used and maximum tokens of hot state, warm state and the total (specification
// 7.1).
type TokenBudget struct{ HotUsed, HotMax, WarmUsed, WarmMax, TotalUsed, TotalMax uint64 }

// Budget returns the budget of the session. It counts the texts.
func (s *Session) Budget(ctx context.Context) (budget TokenBudget, err error) {
	err = s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_session_budget(p, s.RoomOut(), s.Err())
		if status == 0 {
			budget = TokenBudget(*(*capi.Budget)(s.RoomOut()))
		}
		return status
	})
	return budget, err
}

// NewestCheckpoint returns the number of the newest checkpoint ($warm.ckpt_N), or 0.
func (s *Session) NewestCheckpoint(ctx context.Context) (number int, err error) {
	err = s.know(ctx, func(p unsafe.Pointer) { number = int(capi.Accp_session_newest_checkpoint(p)) })
	return number, err
}

// RecordCount returns the number of records in the log.
func (s *Session) RecordCount(ctx context.Context) (count uint64, err error) {
	err = s.know(ctx, func(p unsafe.Pointer) { count = capi.Accp_session_record_count(p) })
	return count, err
}

// RecordKind is the kind of a log record.
type RecordKind byte

const (
	RecordReceived     RecordKind = capi.ACCP_RECORD_RECEIVED      // a frame that came in
	RecordSent         RecordKind = capi.ACCP_RECORD_SENT          // a frame that went out
	RecordMessage      RecordKind = capi.ACCP_RECORD_MESSAGE       // a message without a frame, in JSON
	RecordUsedUp       RecordKind = capi.ACCP_RECORD_USED_UP       // a frame that was dropped or refused after its seq was used
	RecordPhase        RecordKind = capi.ACCP_RECORD_PHASE         // a requested checkpoint: no text
	RecordClosed       RecordKind = capi.ACCP_RECORD_CLOSED        // the session's end: no text
	RecordPartReceived RecordKind = capi.ACCP_RECORD_PART_RECEIVED // an incoming frame with a part that did not complete its message
	RecordPartSent     RecordKind = capi.ACCP_RECORD_PART_SENT     // an outgoing frame with a part that is not the last
	RecordAbandoned    RecordKind = capi.ACCP_RECORD_ABANDONED     // parts were dropped: the cid of their chain
	RecordRequest      RecordKind = capi.ACCP_RECORD_REQUEST       // an outgoing frame of a request with a deadline
	RecordTimeout      RecordKind = capi.ACCP_RECORD_TIMEOUT       // passed deadlines of requests: no text
)

// LogRecord is one record of the log with its exact bytes.
type LogRecord struct {
	Kind RecordKind
	Time time.Time
	Text []byte
}

// Record returns a record of the log, counted from 1, or ErrRefNotFound.
func (s *Session) Record(ctx context.Context, number uint64) (record LogRecord, err error) {
	err = s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_session_record(p, number, s.RoomOut(), s.Err())
		if status == 0 {
			from := (*capi.LogRecord)(s.RoomOut())
			record = LogRecord{RecordKind(from.Kind), time.UnixMilli(from.TimeMs), append([]byte(nil), from.Text.Bytes()...)}
		}
		return status
	})
	return record, err
}

// Registry returns the registry by which a record's frame is read, permanently; for number 0 that
// of the next frame. It returns ErrRefNotFound if the record does not exist.
func (s *Session) Registry(ctx context.Context, record uint64) (registry *Registry, err error) {
	err = s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_session_share_registry(p, record, s.HandleOut(), s.Err())
		if status == 0 {
			registry = &Registry{newShared(s.Handle, capi.Accp_registry_free, nil)}
		}
		return status
	})
	return registry, err
}

// Resolve returns the value of a ref ("warm.ckpt_1.summary", without $) as JSON. owner is "" for
// this session, else the id of a session that has granted access. It returns ErrRefNotFound or
// ErrRefExpired, and without a grant ErrUnauthorizedRef whether the value exists or not.
func (s *Session) Resolve(ctx context.Context, ref, owner string) (json.RawMessage, error) {
	return s.view(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_resolve(p, ref, owner, s.now(), scratch.Out(), scratch.Err())
	})
}

func expiry(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}

// Put stores a JSON value under a ref of the host's choice and replaces an existing one: "hot.…",
// "warm.…", "cold.…", or "ctx.…", which frames can read and only Put can write. With the zero Time
// it never expires.
func (s *Session) Put(ctx context.Context, ref string, value []byte, expires time.Time) error {
	return s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_session_put(p, ref, capi.Text(value), expiry(expires), s.Err())
	})
}

// Remove removes a value that Put stored.
func (s *Session) Remove(ctx context.Context, ref string) error {
	return s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_session_remove(p, ref, s.Err()) })
}

// AddGrant lets another session read values of this one whose name ("cold.t7") begins with the
// prefix. With the zero Time it does not end.
func (s *Session) AddGrant(ctx context.Context, grantee, prefix string, expires time.Time) error {
	return s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_session_add_grant(p, grantee, prefix, expiry(expires), s.Err())
	})
}

// RemoveGrant removes a grant.
func (s *Session) RemoveGrant(ctx context.Context, grantee, prefix string) error {
	return s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_session_remove_grant(p, grantee, prefix, s.Err())
	})
}

// SendState replaces the state that both sides share by this JSON object, and makes the frame for
// the other side; nil if nothing changed.
func (s *Session) SendState(ctx context.Context, agent string, state []byte) (frame []byte, err error) {
	return s.view(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_send_state(p, agent, capi.Text(state), s.now(), scratch.Out(), scratch.Err())
	})
}

// State returns the shared state and its version, 0 before the first.
func (s *Session) State(ctx context.Context) (state json.RawMessage, version int64, err error) {
	err = s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		s.Number = 0
		state = json.RawMessage(append([]byte(nil), capi.Accp_session_state(p, s.NumberOut())...))
		version = int64(s.Number)
		return 0
	})
	return state, version, err
}

// Sync returns when all changes so far are durable.
func (s *Session) Sync(ctx context.Context) error {
	return s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_session_sync(p, s.Err()) })
}
