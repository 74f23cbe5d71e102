// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

//go:build go1.21

package accp_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	accp "github.com/libaccp/libaccp/bindings/go"
)

func TestEventsToSlog(t *testing.T) {
	for level, want := range map[slog.Level][]string{
		slog.LevelDebug: {`level=DEBUG msg="accp appended" accp.session=s messaging.message.body.size=`, `accp.messages=1`, `level=DEBUG msg="accp context" accp.session=s`, `accp.history_tokens=`,
			`level=WARN msg="accp refused" accp.session=s`, `error.type=E1001`},
		slog.LevelWarn: {`level=WARN msg="accp refused"`},
	} {
		var out bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: level}))
		session := must(must(accp.NewEngine(accp.WithHooks(accp.Hooks{Event: accp.SlogEvents(logger)}))).Open(background, "s"))
		fine(t, session.Append(background, []byte(plan)))
		_, _, err := session.ContextText(background, 0)
		fine(t, err)
		wants(t, session.Receive(background, []byte("no frame"), nil), accp.ErrParseError)
		for _, text := range want {
			if !strings.Contains(out.String(), text) {
				t.Errorf("%v: no %s in\n%s", level, text, &out)
			}
		}
		if level == slog.LevelWarn && strings.Count(out.String(), "\n") != 1 {
			t.Error(out.String())
		}
	}
	if accp.SlogEvents(nil) == nil {
		t.Error("nil is slog.Default()")
	}
}
