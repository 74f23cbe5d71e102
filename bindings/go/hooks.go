// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"reflect"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Hooks are what a codec and an engine ask the host, and tell it; a function that is nil is not called. They run inside the call that asks them, on the same
// goroutine, so those of an engine for several sessions at once. None may use the handle that called it: that is ErrBusy.
//
// A function that fails with an error of this package fails the call with its code. One of the model (ErrRefNotFound, ErrPolicyDenied) refuses the message for
// good; after any other a session takes the same frame again. Another error, or a panic, is ErrIO, of CheckTool, CheckPolicy and NextEnvelope ErrInternalError.
// It is the Cause of the call's error. A context is that of the call; a codec's calls have none, so it is then context.Background. None may end its goroutine
// (runtime.Goexit, FailNow of a test): the call ends in the middle, and its handle is closed.
type Hooks struct {
	// Resolve says what a ref of an incoming frame stands for: "warm.key", without $. The answer is a JSON value; ErrRefNotFound, ErrRefExpired and others. In a
	// session the refs of a frame are its sender's: with Resolve all of them are asked of it; without it both sides are of one session, and refs are looked up there.
	Resolve func(ctx context.Context, ref string) (json.RawMessage, error)

	// Keep keeps a value that leaves a codec by reference: the answer is the ref under which the peer can resolve it, "" where it cannot be kept. The same value
	// should get the same ref.
	Keep func(value json.RawMessage) (ref string, err error)

	// NextEnvelope lets a message go in parts from a codec, with RuleParts, where its frame is over RuleMaxTokens: it is given the envelope of the first part, and
	// answers one with a mid and a seq of its own.
	NextEnvelope func(first Envelope) (Envelope, error)

	// CheckTool looks a tool up, for each request under the schema TC: nil, ErrToolNotFound, ErrToolSchemaMismatch. arguments is nil where there are none. A codec needs
	// a registry. A session asks of what comes in and of what it sends, and not when it reads its log again.
	CheckTool func(name string, arguments json.RawMessage) error

	// CheckPolicy is the host's policy, for each message: nil allows it, ErrPolicyDenied refuses it. It is asked as CheckTool. A message that it refuses changes nothing,
	// and is not answered; in a session its seq and mid are used up.
	CheckPolicy func(asked PolicyCase) error

	// Log is told of every message and every refusal (specification 9.1): code is 0 and text the message on one line, or why it was refused. A panic there is
	// swallowed: a log does not change what happens.
	Log func(received bool, code Code, text string)

	// Summarise writes the summary of a session's checkpoint of what it closes; "" or an error: the library does.
	Summarise func(ctx context.Context, hot string, maxTokens int) (string, error)

	// Extract tells what a worker must know of a conversation, for ContextPacket.Generate: a model, beside the rules. It is given
	// {"task":…,"messages":[{"number":0,"role":"user","text":…},…]} and answers {"items":[{"kind":"decision","text":…,"message":3,"who":"user","reason":…,
	// "reason_message":2},…]}: docs/packets.md. What nobody said is dropped (PacketDroppedItems), and an error fails the call.
	Extract func(conversation json.RawMessage) (json.RawMessage, error)

	// Cold keeps the cold tier of an engine's sessions; nil: the store does.
	Cold ColdStore

	// Event is told of what happens in an engine's sessions, on the goroutine of the call and after it; it must not use that session. A panic there is swallowed.
	Event func(Event)
}

// EventKind is what has happened in a session.
type EventKind int32

const (
	EventReceived        EventKind = capi.ACCP_EVENT_RECEIVED         // a frame came in and was applied, a part of a message too; also one that had waited
	EventSent            EventKind = capi.ACCP_EVENT_SENT             // a frame went out: one event for each part of a message
	EventHeld            EventKind = capi.ACCP_EVENT_HELD             // a frame waits for an earlier one
	EventDropped         EventKind = capi.ACCP_EVENT_DROPPED          // a frame, or a message of ours, had expired, or its chain was cancelled
	EventRefused         EventKind = capi.ACCP_EVENT_REFUSED          // a frame, or a message of ours, was refused, or its call failed
	EventGapOpened       EventKind = capi.ACCP_EVENT_GAP_OPENED       // frames before Seq are missing
	EventGapClosed       EventKind = capi.ACCP_EVENT_GAP_CLOSED       // nothing waits for a gap any more
	EventCheckpoint      EventKind = capi.ACCP_EVENT_CHECKPOINT       // a checkpoint was made: Seq is its number
	EventRequestExpired  EventKind = capi.ACCP_EVENT_REQUEST_EXPIRED  // a request of ours was not answered in time: Seq is the number of its record
	EventRegistryChanged EventKind = capi.ACCP_EVENT_REGISTRY_CHANGED // frames are under another registry from now on
	EventAppended        EventKind = capi.ACCP_EVENT_APPENDED         // Count messages were appended without a frame: one event for each call
	EventContext         EventKind = capi.ACCP_EVENT_CONTEXT          // a context was made, as text, blocks or messages
	EventEvicted         EventKind = capi.ACCP_EVENT_EVICTED          // the context of the event before left Count messages out: its budget had no room
)

// String is the kind's name: "received".
func (k EventKind) String() string {
	return name(int(k), "received", "sent", "held", "dropped", "refused", "gap_opened", "gap_closed", "checkpoint", "request_expired", "registry_changed", "appended", "context",
		"evicted")
}

// Event is one; what does not apply is 0 or empty. Traceparent makes trace ids of Cid, Mid and Aid.
type Event struct {
	Kind                          EventKind
	Code                          Code // of the call, or of the frame that had waited
	Received                      bool // the frame; else it was sent
	Seq                           int64
	Bytes, Tokens                 uint64 // of the frame, of what was appended, or of the context; of EventEvicted, what the context has less
	Session, Agent, Mid, Cid, Aid string
	Count                         uint64 // messages: appended, closed by a checkpoint, of the session (EventContext), left out (EventEvicted)
	History                       uint64 // of EventContext: the tokens that sending all messages again would cost
	Cached, Written               uint64 // of EventContext: its tokens that a provider's cache can serve, as the context before began with them too, and the others
}

// PolicyCase is what a policy is asked about: one message.
type PolicyCase struct {
	Received                         bool // decoded; else encoded
	Untrusted                        bool // from an untrusted origin, or what a ref of it stands for is
	Agent, Intent, Operation, Schema string
	Message                          json.RawMessage
}

// ColdStore keeps the values of the cold tier ($cold.t7, and what is put under $cold) of an engine's sessions, in place of the store. It is called on the
// goroutine of a session's call, of several sessions at once, with that call's context, and must not use that session.
type ColdStore interface {
	// Put keeps a text: it is durable when this returns nil. The key is its SHA-256, 64 hexadecimal digits; the same text may come often.
	Put(ctx context.Context, key string, text []byte) error
	// Get answers what was put; ErrRefNotFound where it is not there.
	Get(ctx context.Context, key string) ([]byte, error)
}

// WithHooks sets what a codec and an engine call, all of it.
func WithHooks(hooks Hooks) Option {
	return func(c *config) error {
		if cold := reflect.ValueOf(hooks.Cold); cold.Kind() == reflect.Pointer && cold.IsNil() {
			return newError(CodeArgument, "Hooks.Cold is a nil pointer: leave the field out where the store keeps the cold tier too")
		}
		raw := hooks.raw()
		user := raw.New()
		owner := newShared(nil, func(unsafe.Pointer) { capi.DeleteHooks(user) }, nil)
		defer owner.Close() // the handle's share is taken next
		if err := c.use(owner); err != nil {
			return err
		}
		c.callsBack = true
		return c.done(capi.SetHooks(c.ptr, raw, user, c.scratch))
	}
}

// raw is what C is to call.
func (h Hooks) raw() *capi.Hooks {
	raw := &capi.Hooks{Status: statusOf}
	if h.Resolve != nil {
		raw.Resolve = func(call *capi.Call, ref string) (string, error) {
			value, err := h.Resolve(contextOf(call), ref)
			return capi.Text(value), err
		}
	}
	if h.Keep != nil {
		raw.Keep = func(value string) (string, error) { return h.Keep(json.RawMessage(value)) }
	}
	if h.NextEnvelope != nil {
		raw.NextEnvelope = func(at *capi.Envelope) (mid, cid, aid, sid string, err error) {
			e, err := h.NextEnvelope(envelopeOf(at))
			if err == nil {
				e.numbers(at)
			}
			return e.Mid, e.Cid, e.Aid, e.Sid, err
		}
	}
	if h.CheckTool != nil {
		raw.CheckTool = func(name, arguments string) error {
			if arguments == "" {
				return h.CheckTool(name, nil)
			}
			return h.CheckTool(name, json.RawMessage(arguments))
		}
	}
	if h.CheckPolicy != nil {
		raw.CheckPolicy = func(p *capi.PolicyCase) error {
			return h.CheckPolicy(PolicyCase{p.Direction == capi.ACCP_RECEIVED, p.Untrusted != 0, p.Agent.String(), p.Intent.String(), p.Operation.String(),
				p.Schema.String(), json.RawMessage(p.Text.String())})
		}
	}
	if h.Log != nil {
		raw.Log = func(direction, status int32, text string) {
			if status != 0 {
				text = spell(text)
			}
			h.Log(direction == capi.ACCP_RECEIVED, Code(status), text)
		}
	}
	if h.Event != nil {
		raw.Event = func(e *capi.Event) {
			h.Event(Event{EventKind(e.Kind), Code(e.Status), e.Direction == capi.ACCP_RECEIVED, e.Seq, e.Bytes, e.Tokens, e.Session.String(), e.Agent.String(),
				e.Mid.String(), e.Cid.String(), e.Aid.String(), e.Count, e.History, e.Cached, e.Written})
		}
	}
	if h.Summarise != nil {
		raw.Summarise = func(call *capi.Call, hot string, max int) (string, error) {
			return h.Summarise(contextOf(call), hot, max)
		}
	}
	if h.Extract != nil {
		raw.Extract = func(conversation string) (string, error) {
			items, err := h.Extract(json.RawMessage(conversation))
			return capi.Text(items), err
		}
	}
	if h.Cold != nil {
		raw.ColdPut = func(call *capi.Call, key string, text []byte) error { return h.Cold.Put(contextOf(call), key, text) }
		raw.ColdGet = func(call *capi.Call, key string) ([]byte, error) { return h.Cold.Get(contextOf(call), key) }
	}
	return raw
}
