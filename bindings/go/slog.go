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

// attributes returns the attributes of an event, without the two that its kind implies.
func (e Event) attributes() (all []slog.Attr) {
	e.EachAttribute(func(name string, value any) {
		if name != "messaging.system" && name != "messaging.operation.type" {
			all = append(all, slog.Any(name, value))
		}
	})
	return all
}
