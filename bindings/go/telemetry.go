// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"time"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// traced calls Hooks.Trace. A panic of it does not keep the event from Hooks.Event.
func traced(trace func(context.Context, Event, time.Time), ctx context.Context, event Event, began time.Time) {
	defer func() { _ = recover() }()
	trace(ctx, event, began)
}

// Operation returns the name of a span for the event, as in docs/observability.md: "accp.send",
// "accp.receive", "accp.append", "accp.context", "accp.evict", "accp.checkpoint",
// "accp.gap_opened", "accp.gap_closed", "accp.request_expired", "accp.registry_changed".
func (e Event) Operation() string {
	switch e.Kind {
	case EventReceived, EventSent, EventHeld, EventDropped, EventRefused:
		if e.Received {
			return "accp.receive"
		}
		return "accp.send"
	case EventAppended:
		return "accp.append"
	case EventEvicted:
		return "accp.evict"
	}
	return "accp." + e.Kind.String()
}

// EachAttribute calls each with the event's attributes, in the names of docs/observability.md,
// without those that do not apply. A value is a string or an int64.
func (e Event) EachAttribute(each func(name string, value any)) {
	each("messaging.system", "accp")
	if operation := e.Operation(); operation == "accp.send" || operation == "accp.receive" {
		each("messaging.operation.type", operation[len("accp."):])
	}
	for _, one := range []struct{ name, value string }{{"accp.session", e.Session}, {"accp.agent", e.Agent}, {"messaging.message.id", e.Mid},
		{"messaging.message.conversation_id", e.Cid}, {"accp.aid", e.Aid}} {
		if one.value != "" {
			each(one.name, one.value)
		}
	}
	for _, one := range []struct {
		name  string
		value int64
	}{{"messaging.message.body.size", int64(e.Bytes)}, {"accp.tokens", int64(e.Tokens)}, {"accp.messages", int64(e.Count)}, {"accp.history_tokens", int64(e.History)},
		{"accp.cached_tokens", int64(e.Cached)}, {"accp.written_tokens", int64(e.Written)}, {"accp.seq", e.Seq}} {
		if one.value != 0 {
			each(one.name, one.value)
		}
	}
	if e.Code != CodeOK {
		each("error.type", e.Code.String())
	}
}

// EachMetric calls each once for every count of the engine, with a function that reads the current
// count at any time and from any goroutine: 0 once the engine is closed. It stops at the first
// error, and returns it. A meter of OpenTelemetry makes an observable counter of each.
func (e *Engine) EachMetric(each func(name, unit string, read func() int64) error) error {
	if each == nil {
		return newError(CodeArgument, "each is nil")
	}
	if err := e.do(func(unsafe.Pointer, *capi.Scratch) int { return 0 }); err != nil {
		return err
	}
	for i := 0; capi.Accp_metric_name(i) != nil; i++ {
		number := i
		read := func() (count int64) {
			_ = e.do(func(p unsafe.Pointer, s *capi.Scratch) int {
				count = int64(capi.Accp_engine_metric(p, number))
				return 0
			})
			return count
		}
		if err := each(capi.Static(capi.Accp_metric_name(i)), capi.Static(capi.Accp_metric_unit_name(i)), read); err != nil {
			return err
		}
	}
	return nil
}
