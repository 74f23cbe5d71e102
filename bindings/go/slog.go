// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

//go:build go1.21

package accp

import (
	"context"
	"log/slog"
)

// SlogEvents returns a function for Hooks.Event that writes each event to a logger, nil:
// slog.Default(). It needs Go 1.21.
//
// The message is the kind; the attributes have the names of docs/observability.md, without those
// that do not apply. Refused and dropped frames, gaps, unanswered requests and omitted messages are
// warnings; checkpoints and changes of the registry are information; all else is for debugging.
func SlogEvents(logger *slog.Logger) func(Event) {
	return func(event Event) {
		to := logger
		if to == nil {
			to = slog.Default()
		}
		if level := levelOf(event.Kind); to.Enabled(context.Background(), level) {
			to.LogAttrs(context.Background(), level, "accp "+event.Kind.String(), event.attributes()...)
		}
	}
}

func levelOf(kind EventKind) slog.Level {
	switch kind {
	case EventRefused, EventDropped, EventGapOpened, EventRequestExpired, EventEvicted:
		return slog.LevelWarn
	case EventCheckpoint, EventRegistryChanged:
		return slog.LevelInfo
	}
	return slog.LevelDebug
}

// attributes returns the attributes of an event.
func (e Event) attributes() []slog.Attr {
	all := []slog.Attr{slog.String("accp.session", e.Session)}
	for _, one := range []struct{ name, value string }{{"accp.agent", e.Agent}, {"messaging.message.id", e.Mid}, {"messaging.message.conversation_id", e.Cid}, {"accp.aid", e.Aid}} {
		if one.value != "" {
			all = append(all, slog.String(one.name, one.value))
		}
	}
	for _, one := range []struct {
		name  string
		value uint64
	}{{"messaging.message.body.size", e.Bytes}, {"accp.tokens", e.Tokens}, {"accp.messages", e.Count}, {"accp.history_tokens", e.History}, {"accp.cached_tokens", e.Cached},
		{"accp.written_tokens", e.Written}} {
		if one.value != 0 {
			all = append(all, slog.Uint64(one.name, one.value))
		}
	}
	if e.Seq != 0 {
		all = append(all, slog.Int64("accp.seq", e.Seq))
	}
	if e.Code != CodeOK {
		all = append(all, slog.String("error.type", e.Code.String()))
	}
	return all
}
