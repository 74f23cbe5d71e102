// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"reflect"
	"time"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Hooks are the host's functions for a codec and an engine; a nil function is not called. They run
// inside the call that needs them, on the same goroutine. An engine calls them for several sessions
// at once. None may use the handle that called it (ErrBusy).
//
// An error of this package fails the call with its code. A code of the model (ErrRefNotFound,
// ErrPolicyDenied) refuses the message for good; after any other code a session accepts the same
// frame again. Any other error or a panic becomes ErrIO, for CheckTool, CheckPolicy and
// NextEnvelope ErrInternalError; it is the Cause of the call's error. The context is that of the
// call; calls of a codec have none, so it is context.Background. No hook may end its goroutine
// (runtime.Goexit, FailNow of a test): that ends the call in the middle and closes its handle.
type Hooks struct {
	// Resolve returns the JSON value of a ref in an incoming frame ("warm.key", without $), or
	// ErrRefNotFound, ErrRefExpired and others. In a session with Resolve, refs of a frame belong
	// to its sender, and all are passed to it. Without Resolve both sides use one session, and refs
	// are looked up there.
	Resolve func(ctx context.Context, ref string) (json.RawMessage, error)

	// Keep keeps a value that leaves a codec by reference, and returns the ref by which the peer
	// can resolve it; "" if it cannot be kept. Equal values should get equal refs.
	Keep func(value json.RawMessage) (ref string, err error)

	// NextEnvelope allows a codec with RuleParts to send a message in parts if its frame is over
	// RuleMaxTokens. It receives the envelope of the first part and returns one with a new mid and
	// seq.
	NextEnvelope func(first Envelope) (Envelope, error)

	// CheckTool looks up the tool of each request under the schema TC. It returns nil,
	// ErrToolNotFound or ErrToolSchemaMismatch. arguments is nil if none exist. A codec needs a
	// registry. A session checks incoming and outgoing messages, but not when it reads its log
	// again.
	CheckTool func(name string, arguments json.RawMessage) error

	// CheckPolicy is the host's policy for each message: nil allows it, ErrPolicyDenied refuses it.
	// It is called like CheckTool. A refused message changes nothing and is not answered; in a
	// session its seq and mid are used up.
	CheckPolicy func(asked PolicyCase) error

	// Log receives every message and every refusal (specification 9.1): text is the message on one
	// line for code 0, else the reason. A panic is ignored.
	Log func(received bool, code Code, text string)

	// Summarise writes the summary of a session's checkpoint; after "" or an error the library
	// writes it.
	Summarise func(ctx context.Context, hot string, maxTokens int) (string, error)

	// Extract is a model that finds more items in a conversation, for ContextPacket.Generate. It
	// receives {"task":…,"messages":[{"number":0,"role":"user","text":…},…]} and returns
	// {"items":[{"kind":"decision","text":…,"message":3,"who":"user","reason":…,
	// "reason_message":2},…]} (docs/packets.md). Items that are not in the conversation are dropped
	// (PacketDroppedItems). An error fails the call.
	Extract func(conversation json.RawMessage) (json.RawMessage, error)

	// Cold stores the cold tier of an engine's sessions; nil: the store does.
	Cold ColdStore

	// Event receives each event of an engine's sessions, on the goroutine of the call and after it;
	// it must not use that session. A panic is ignored.
	Event func(Event)

	// Trace receives the same events with the context of their call, in which a tracer finds the
	// current span, and the time at which the call began. Event.Operation and
	// Event.EachAttribute have the names for a span of OpenTelemetry. A panic is ignored.
	Trace func(ctx context.Context, event Event, began time.Time)
}

// EventKind is the kind of an event in a session.
type EventKind int32

const (
	EventReceived        EventKind = capi.ACCP_EVENT_RECEIVED         // an incoming frame was applied, also a part or a frame that had waited
	EventSent            EventKind = capi.ACCP_EVENT_SENT             // a frame was sent: one event for each part of a message
	EventHeld            EventKind = capi.ACCP_EVENT_HELD             // a frame waits for an earlier one
	EventDropped         EventKind = capi.ACCP_EVENT_DROPPED          // a frame or our message had expired, or its chain was cancelled
	EventRefused         EventKind = capi.ACCP_EVENT_REFUSED          // a frame or our message was refused, or its call failed
	EventGapOpened       EventKind = capi.ACCP_EVENT_GAP_OPENED       // frames before Seq are missing
	EventGapClosed       EventKind = capi.ACCP_EVENT_GAP_CLOSED       // no frame waits for a gap
	EventCheckpoint      EventKind = capi.ACCP_EVENT_CHECKPOINT       // a checkpoint was made: Seq is its number
	EventRequestExpired  EventKind = capi.ACCP_EVENT_REQUEST_EXPIRED  // our request was not answered in time: Seq is the number of its record
	EventRegistryChanged EventKind = capi.ACCP_EVENT_REGISTRY_CHANGED // later frames use another registry
	EventAppended        EventKind = capi.ACCP_EVENT_APPENDED         // Count messages were appended without a frame: one event for each call
	EventContext         EventKind = capi.ACCP_EVENT_CONTEXT          // a context was made as text, blocks or messages
	EventEvicted         EventKind = capi.ACCP_EVENT_EVICTED          // the context of the previous event omitted Count messages because of its budget
)

// String is the kind's name: "received".
func (k EventKind) String() string {
	return name(int(k), "received", "sent", "held", "dropped", "refused", "gap_opened", "gap_closed", "checkpoint", "request_expired", "registry_changed", "appended", "context",
		"evicted")
}

// Event describes one event; fields that do not apply are 0 or empty. Traceparent makes trace ids
// from Cid, Mid and Aid.
type Event struct {
	Kind                          EventKind
	Code                          Code // of the call or of the frame that had waited
	Received                      bool // the frame was received; else sent
	Seq                           int64
	Bytes, Tokens                 uint64 // of the frame, of the appended messages, or of the context; for EventEvicted, the omitted amount
	Session, Agent, Mid, Cid, Aid string
	Count                         uint64 // messages: appended, closed by a checkpoint, in the session (EventContext), omitted (EventEvicted)
	History                       uint64 // for EventContext: the tokens of resending all messages
	Cached, Written               uint64 // for EventContext: tokens that a provider's cache can serve, because the previous context began with them, and the others
}

// PolicyCase is a message for CheckPolicy.
type PolicyCase struct {
	Received                         bool // received; else sent
	Untrusted                        bool // from an untrusted origin, or with a ref to untrusted content
	Agent, Intent, Operation, Schema string
	Message                          json.RawMessage
}

// ColdStore replaces the store for the cold tier ($cold.t7 and values put under $cold) of an
// engine's sessions. Its methods run on the goroutine of a session's call with its context, for
// several sessions at once. They must not use that session.
type ColdStore interface {
	// Put stores a text, which is durable when Put returns nil. The key is its SHA-256 as 64
	// hexadecimal digits; the same text may come often.
	Put(ctx context.Context, key string, text []byte) error
	// Get returns a stored text, or ErrRefNotFound.
	Get(ctx context.Context, key string) ([]byte, error)
}

// WithHooks sets all hooks of a codec or an engine.
func WithHooks(hooks Hooks) Option {
	return func(c *config) error {
		if cold := reflect.ValueOf(hooks.Cold); cold.Kind() == reflect.Pointer && cold.IsNil() {
			return newError(CodeArgument, "Hooks.Cold is a nil pointer: leave the field out where the store keeps the cold tier too")
		}
		raw := hooks.raw()
		user := raw.New()
		owner := newShared(nil, func(unsafe.Pointer) { capi.DeleteHooks(user) }, nil)
		defer owner.Close() // the handle's own reference is taken next
		if err := c.use(owner); err != nil {
			return err
		}
		c.callsBack = true
		return c.done(capi.SetHooks(c.ptr, raw, user, c.scratch))
	}
}

// raw returns the hooks as C calls them.
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
	if h.Event != nil || h.Trace != nil {
		raw.Event = func(call *capi.Call, e *capi.Event) {
			event := Event{EventKind(e.Kind), Code(e.Status), e.Direction == capi.ACCP_RECEIVED, e.Seq, e.Bytes, e.Tokens, e.Session.String(), e.Agent.String(),
				e.Mid.String(), e.Cid.String(), e.Aid.String(), e.Count, e.History, e.Cached, e.Written}
			if h.Trace != nil {
				traced(h.Trace, contextOf(call), event, call.Began)
			}
			if h.Event != nil {
				h.Event(event)
			}
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
