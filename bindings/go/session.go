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

// Session is frames in and out with their delivery guarantees (specification 3.7), state in three tiers (5), and at any moment the text that a model should be given
// instead of the history: docs/session.md. Any number of goroutines may call it: the calls queue, and are taken one after another in the order in which they came. A
// callback of a session that calls this session gets ErrBusy, and has changed nothing.
//
// A call that is refused has changed nothing. One that answers ErrIO because the store could not write has been taken, and is not yet durable: call Sync until it
// succeeds, and acknowledge nothing before. When another writer has opened the session, every call answers
// ErrSessionClosed; ErrClosed is a call after Close.
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

// End ends the session itself: what would change it is ErrSessionClosed from now on, here and wherever it is opened; reading goes on.
func (s *Session) End(ctx context.Context) error {
	return s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_end(p, s.now(), scratch.Err())
	})
}

// IsCancelled says whether a chain, by its cid, was cancelled. Handlers ask before they go on.
func (s *Session) IsCancelled(ctx context.Context, cid string) (yes bool, err error) {
	err = s.know(ctx, func(p unsafe.Pointer) { yes = capi.Accp_session_is_cancelled(p, cid) != 0 })
	return yes, err
}

// Send makes the frame of a message, with mid, seq and ts of its own, and keeps it; with RuleParts perhaps several, a newline between two. Send it as it is, and
// again if need be: it is applied once. ErrDropped where its chain was cancelled: nothing of it goes out but ack and cancel.
func (s *Session) Send(ctx context.Context, message []byte) (frame []byte, err error) {
	return s.view(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_send(p, capi.Text(message), s.now(), scratch.Out(), scratch.Err())
	})
}

// Reply sends an answer, as Send would, with the cid and the operation of what it answers, and an aid that is its mid (specification 3.5). Fields that the answer names
// itself are its own; it may have no operation. The request is the message that is answered, Delivery.Message: ErrParseError, at offset 0, for one that is no
// message, or has neither cid nor mid.
func (s *Session) Reply(ctx context.Context, request, answer []byte) (frame []byte, err error) {
	return s.view(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_reply(p, capi.Text(request), capi.Text(answer), s.now(), scratch.Out(), scratch.Err())
	})
}

// Outcome is what became of the message that was sent last, by Send, Reply or SendState; the zero Outcome where it was refused. Of one that came in Delivery.Warnings
// says it.
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

// Expire looks for requests of ours whose deadline (RuleDeadlineMs) has passed: NextDelivery hands out an ErrTimeout for each, once.
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

// Retry makes the frame that sends a frame of ours again, by the number of its record: Delivery.Seq of an ErrTimeout, or RecordCount after Send. Only what failed
// with a code that is Retryable may be sent again.
func (s *Session) Retry(ctx context.Context, record uint64) (frame []byte, err error) {
	return s.view(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_retry(p, record, s.now(), scratch.Out(), scratch.Err())
	})
}

// RemoveParts forgets the parts held of messages of a chain (RuleParts), which will not become whole; of all chains where cid is "".
func (s *Session) RemoveParts(ctx context.Context, cid string) error {
	return s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_remove_parts(p, cid, s.now(), scratch.Err())
	})
}

// Append adds a message that takes no frame: what a user said, what a tool answered, whatever a model should remember.
func (s *Session) Append(ctx context.Context, message []byte) error {
	return s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_append(p, capi.Text(message), s.now(), scratch.Err())
	})
}

// AppendFrom adds a message that a peer said without a frame, through a protocol that the host speaks, such as MCP. The peer is that of the connection; nil: the host
// itself, as Append. The message can raise neither the peer's rights nor its trust; if the peer is untrusted, the message is marked in the log, in JSON and in each
// context.
//
// ErrPolicyDenied, with the offset of the byte at fault: the message names an agent that is the host's own or that the peer may not speak as; or the peer is untrusted,
// and the member untrusted is not true, or the metadata has mid, seq, ts or sid. Nothing has changed.
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

// NewestCheckpoint is the number of the newest checkpoint ($warm.ckpt_N), or 0.
func (s *Session) NewestCheckpoint(ctx context.Context) (number int, err error) {
	err = s.know(ctx, func(p unsafe.Pointer) { number = int(capi.Accp_session_newest_checkpoint(p)) })
	return number, err
}

// RecordCount is how many records the log has.
func (s *Session) RecordCount(ctx context.Context) (count uint64, err error) {
	err = s.know(ctx, func(p unsafe.Pointer) { count = capi.Accp_session_record_count(p) })
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

// Registry is the registry that the frame of a record was written under, by which it is read for ever; of number 0 that of the next frame. ErrRefNotFound: there
// is no such record.
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

// Resolve is what a ref stands for, as JSON: "warm.ckpt_1.summary", without $. The owner is "" for this session, else the id of one that has granted it.
// ErrRefNotFound, ErrRefExpired; ErrUnauthorizedRef without a grant, whether it is there or not.
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

// Put puts a value, in JSON, under a ref of the host's choice, in place of one that is there: "hot.…", "warm.…", "cold.…", or "ctx.…", which frames can
// read and nothing but this can write. The zero Time: it never expires.
func (s *Session) Put(ctx context.Context, ref string, value []byte, expires time.Time) error {
	return s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_session_put(p, ref, capi.Text(value), expiry(expires), s.Err())
	})
}

// Remove forgets what was put there.
func (s *Session) Remove(ctx context.Context, ref string) error {
	return s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_session_remove(p, ref, s.Err()) })
}

// AddGrant lets another session read values of this one whose name ("cold.t7") begins with the prefix. The zero Time: for ever.
func (s *Session) AddGrant(ctx context.Context, grantee, prefix string, expires time.Time) error {
	return s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_session_add_grant(p, grantee, prefix, expiry(expires), s.Err())
	})
}

// RemoveGrant takes a grant back.
func (s *Session) RemoveGrant(ctx context.Context, grantee, prefix string) error {
	return s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_session_remove_grant(p, grantee, prefix, s.Err())
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
