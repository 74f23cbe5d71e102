// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"time"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Session is frames in and out with their delivery guarantees (specification 3.7), state in three tiers (5), and at any moment the text that a model should be given
// instead of the history: docs/session.md. Any number of goroutines may call it: the calls queue, and are taken one after another in the order in which they came. A
// callback of a session that calls this session gets ErrBusy, and has changed nothing.
//
// A call that is refused has changed nothing. One that answers ErrIO because the store could not write has been taken, and is not yet durable: call Sync until it
// succeeds, and acknowledge nothing before. When another writer has opened the session, every call answers ErrClosed.
//
// The context of a call ends its waiting in the queue, and is handed to the callbacks of the engine; what has begun is finished. What time it is the clock of the
// engine says, when the call begins.
type Session struct {
	*handle
	id      string
	clock   func() time.Time
	waiting []*Delivery // what pick left
}

// ID is the id that it was opened by.
func (s *Session) ID() string { return s.id }

// now is the engine's time, in milliseconds: asked by a call that has its turn.
func (s *Session) now() int64 { return s.clock().UnixMilli() }

// know is within, for a question that cannot fail.
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

// End ends the session itself: what would change it is ErrClosed from now on, here and wherever it is opened; reading goes on.
func (s *Session) End(ctx context.Context) error {
	return s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_end(p, s.now(), scratch.Err())
	})
}

// Receive takes a frame that has come in: nil when it was applied, once and in order, with all that had waited for it; Next hands the messages out.
// ErrHeld: it waits for an earlier frame. ErrDropped: expired, or of a chain that was cancelled: answer nothing. docs/session.md has the order of checks.
func (s *Session) Receive(ctx context.Context, frame []byte) error {
	return s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_receive(p, capi.Text(frame), s.now(), scratch.Err())
	})
}

// Peer is who sent a frame, as the host knows: what it may say, and how far it is trusted.
type Peer struct {
	Agents    []string // the names that it may speak as; none: none
	Any       bool     // it may speak as any agent but the host's own
	Untrusted bool     // what it says is data, and no instruction: its messages carry "untrusted":true
}

func (p *Peer) names() string {
	if p.Any {
		return "*"
	}
	return strings.Join(p.Agents, ",")
}

// ReceiveFrom is Receive from a peer that the host has authenticated. ErrPolicyDenied: a frame under another name than those of the peer, or under one of the
// host's own; nothing of it counts. A host with more than one peer takes all frames so (docs/security.md).
func (s *Session) ReceiveFrom(ctx context.Context, peer Peer, frame []byte) error {
	for _, name := range peer.Agents {
		if name == "" || name == "*" || strings.Contains(name, ",") {
			return newError(CodeArgument, "Peer.Agents: an agent's name is not empty, not *, and has no comma")
		}
	}
	return s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_receive_from(p, peer.names(), flag(peer.Untrusted), capi.Text(frame), s.now(), scratch.Err())
	})
}

// Delivery is what Next hands out: a Message, or an Err.
type Delivery struct {
	Message json.RawMessage // as decoding writes it; nil where there is an Err
	// Untrusted says that the message is of a peer or agent that the host does not trust (Peer, EngineConfig.Untrusted).
	Untrusted bool
	Seq       int64  // of ErrTimeout the number of the request's record, for Retry
	Cid       string // of ErrTimeout: the request's cid, or its mid where it had none; else ""
	Err       error  // ErrSequenceGap: frames before Seq are missing, said once; ErrTimeout: a request of ours was not answered in time; else why a frame that had waited is refused
}

// Next is the next message in its order; nil when there is no more. An error says that nothing was taken out: ErrClosed, ErrBusy, or the context's.
func (s *Session) Next(ctx context.Context) (delivery *Delivery, err error) {
	err = s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		if len(s.waiting) > 0 {
			delivery, s.waiting = s.waiting[0], s.waiting[1:]
		} else {
			delivery = next(p, scratch)
		}
		return 0
	})
	return delivery, err
}

func next(p unsafe.Pointer, s *capi.Scratch) *Delivery {
	if capi.Accp_session_next(p, s.RoomOut()) == 0 {
		return nil
	}
	from := (*capi.Delivery)(s.RoomOut())
	if from.Status == 0 {
		return &Delivery{Seq: from.Seq, Untrusted: from.Origin == capi.ACCP_ORIGIN_UNTRUSTED,
			Message: append(json.RawMessage{}, from.Message.Bytes()...)}
	}
	return &Delivery{Seq: from.Seq, Cid: from.Message.String(), Err: &Error{Code: Code(from.Status), Message: capi.Static(from.Reason)}}
}

// pick takes out the newest message that is there and fits, and leaves the others to Next.
func (s *Session) pick(ctx context.Context, fits func(*Delivery) bool) (found *Delivery, err error) {
	err = s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		for delivery := next(p, scratch); delivery != nil; delivery = next(p, scratch) {
			s.waiting = append(s.waiting, delivery)
		}
		for i := len(s.waiting) - 1; i >= 0 && found == nil; i-- {
			if fits(s.waiting[i]) {
				found = s.waiting[i]
				s.waiting = append(s.waiting[:i:i], s.waiting[i+1:]...)
			}
		}
		return 0
	})
	return found, err
}

// IsCancelled says whether a chain, by its cid, was cancelled. Handlers ask before they go on.
func (s *Session) IsCancelled(ctx context.Context, cid string) (yes bool, err error) {
	err = s.know(ctx, func(p unsafe.Pointer) { yes = capi.Accp_session_is_cancelled(p, cid) != 0 })
	return yes, err
}

// Send makes the frame of a message, with mid, seq and ts of its own, and keeps it; with RuleParts perhaps several, a newline between two. Send it as it is, and
// again if need be: it is applied once.
func (s *Session) Send(ctx context.Context, message []byte) (frame []byte, err error) {
	return s.view(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_send(p, capi.Text(message), s.now(), scratch.Out(), scratch.Err())
	})
}

// Expire looks for requests of ours whose deadline (RuleDeadlineMs) has passed: Next hands out an ErrTimeout for each, once.
func (s *Session) Expire(ctx context.Context) error {
	return s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_expire(p, s.now(), scratch.Err())
	})
}

// NextDeadline is the earliest deadline of a request of ours; the zero Time where none waits.
func (s *Session) NextDeadline(ctx context.Context) (next time.Time, err error) {
	err = s.know(ctx, func(p unsafe.Pointer) {
		if at := capi.Accp_session_next_deadline(p); at != math.MaxInt64 {
			next = time.UnixMilli(at)
		}
	})
	return next, err
}

// Retry makes the frame that sends a frame of ours again, by the number of its record: Delivery.Seq of an ErrTimeout, or Records after Send. Only what failed
// with a code that is Retryable may be sent again.
func (s *Session) Retry(ctx context.Context, record uint64) (frame []byte, err error) {
	return s.view(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_retry(p, record, s.now(), scratch.Out(), scratch.Err())
	})
}

// Abandon forgets the parts held of messages of a chain (RuleParts), which will not become whole; of all chains where cid is "".
func (s *Session) Abandon(ctx context.Context, cid string) error {
	return s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_abandon(p, cid, s.now(), scratch.Err())
	})
}

// Append adds a message that takes no frame: what a user said, what a tool answered, whatever a model should remember.
func (s *Session) Append(ctx context.Context, message []byte) error {
	return s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_append(p, capi.Text(message), s.now(), scratch.Err())
	})
}

// Checkpoint makes a checkpoint, as at a phase boundary; others make themselves.
func (s *Session) Checkpoint(ctx context.Context) error {
	return s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_checkpoint(p, s.now(), scratch.Err())
	})
}

// ContextText is what a model should be given now instead of the history, and how many tokens it has: at most the budget, or with 0 as much as is worth it.
// Between two checkpoints each text begins with the one before it, so caches of prompts stay warm. (It has nothing to do with a context.Context.)
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

// TokenBudget is tokens in use and at most, in hot and warm state and in all (specification 7.1).
type TokenBudget struct{ HotUsed, HotMax, WarmUsed, WarmMax, TotalUsed, TotalMax uint64 }

// Budget is the session's. It counts the texts.
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

// Checkpoints is the number of the newest checkpoint ($warm.ckpt_N), or 0.
func (s *Session) Checkpoints(ctx context.Context) (number int, err error) {
	err = s.know(ctx, func(p unsafe.Pointer) { number = int(capi.Accp_session_checkpoints(p)) })
	return number, err
}

// Records is how many records the log has.
func (s *Session) Records(ctx context.Context) (count uint64, err error) {
	err = s.know(ctx, func(p unsafe.Pointer) { count = capi.Accp_session_records(p) })
	return count, err
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
func (s *Session) Resolve(ctx context.Context, ref string) (json.RawMessage, error) {
	return s.view(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_resolve(p, ref, s.now(), scratch.Out(), scratch.Err())
	})
}

// ResolveOf is the same of another session that has granted it. ErrUnauthorizedRef without a grant, whether it is there or not.
func (s *Session) ResolveOf(ctx context.Context, owner, ref string) (json.RawMessage, error) {
	return s.view(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_resolve_of(p, owner, ref, s.now(), scratch.Out(), scratch.Err())
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
func (s *Session) SendState(ctx context.Context, agent string, state []byte) (frame []byte, err error) {
	return s.view(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_send_state(p, agent, capi.Text(state), s.now(), scratch.Out(), scratch.Err())
	})
}

// State is the state that both sides share, and its version, 0 before the first.
func (s *Session) State(ctx context.Context) (state json.RawMessage, version int64, err error) {
	err = s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
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
