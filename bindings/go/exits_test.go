// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	accp "github.com/libaccp/libaccp/bindings/go"
)

// exits runs a call that ends its goroutine (as FailNow of a test in a hook does), and fails if the
// call returns.
func exits(t *testing.T, name string, call func() error) {
	t.Helper()
	type end struct {
		returned bool
		err      error
	}
	ended := make(chan end, 1)
	go func() {
		var at end
		defer func() { ended <- at }()
		at.err = call()
		at.returned = true
	}()
	select {
	case at := <-ended:
		if at.returned {
			t.Errorf("%s: it came back, with %v", name, at.err)
		}
	case <-time.After(patience):
		t.Fatalf("%s: it hangs", name)
	}
}

// soon returns the result of a call; a call that hangs fails the test.
func soon(t *testing.T, name string, call func() error) error {
	t.Helper()
	answer := make(chan error, 1)
	go func() { answer <- call() }()
	select {
	case err := <-answer:
		return err
	case <-time.After(patience):
		t.Fatalf("%s: it hangs", name)
		return nil
	}
}

// exiting is a cold store whose functions end the goroutine.
type exiting struct{ now *atomic.Bool }

func (e exiting) Put(context.Context, string, []byte) error {
	end(e.now)
	return nil
}

func (e exiting) Get(context.Context, string) ([]byte, error) {
	end(e.now)
	return nil, accp.ErrRefNotFound
}

func end(now *atomic.Bool) {
	if now.Load() {
		runtime.Goexit()
	}
}

// A hook that ends its goroutine ends the call in the middle. Its session is closed and reports
// that; a new one with the same id, other sessions of the engine, and the store continue.
func TestHooksThatEndTheirGoroutine(t *testing.T) {
	receive := func(frame string) func(s *accp.Session) error {
		return func(s *accp.Session) error { return s.Receive(background, []byte(frame), nil) }
	}
	long := `{"agent":"a","intent":"req","operation":"x","payload":{"text":"` + strings.Repeat("many words ", 40) + `"}}`
	for name, one := range map[string]struct {
		options func(now *atomic.Bool) []accp.Option
		call    func(s *accp.Session) error
	}{
		"Resolve": {func(now *atomic.Bool) []accp.Option {
			return []accp.Option{accp.WithHooks(accp.Hooks{Resolve: func(context.Context, string) (json.RawMessage, error) {
				end(now)
				return json.RawMessage("1"), nil
			}})}
		}, receive("@a>req:x{k:$warm.key}[mid:a00000000001,seq:1]")},
		"CheckPolicy": {func(now *atomic.Bool) []accp.Option {
			return []accp.Option{accp.WithHooks(accp.Hooks{CheckPolicy: func(accp.PolicyCase) error { end(now); return nil }})}
		}, receive("@a>req:x{k:1}[mid:a00000000001,seq:1]")},
		"CheckTool": {func(now *atomic.Bool) []accp.Option {
			return []accp.Option{accp.WithHooks(accp.Hooks{CheckTool: func(string, json.RawMessage) error { end(now); return nil }})}
		}, receive("@a>req:call{tool:t|schema:TC}[mid:a00000000001,seq:1]")},
		"Log": {func(now *atomic.Bool) []accp.Option {
			return []accp.Option{accp.WithHooks(accp.Hooks{Log: func(bool, accp.Code, string) { end(now) }})}
		}, receive("@a>req:x{k:1}[mid:a00000000001,seq:1]")},
		"Event": {func(now *atomic.Bool) []accp.Option {
			return []accp.Option{accp.WithHooks(accp.Hooks{Event: func(accp.Event) { end(now) }})}
		}, receive("@a>req:x{k:1}[mid:a00000000001,seq:1]")},
		"Summarise": {func(now *atomic.Bool) []accp.Option {
			return []accp.Option{accp.WithRule(accp.RuleSpecification, 1), accp.WithHooks(accp.Hooks{Summarise: func(context.Context, string, int) (string, error) {
				end(now)
				return "s", nil
			}})}
		}, func(s *accp.Session) error {
			if err := s.Receive(background, []byte("@a>req:x{k:1}[mid:a00000000001,seq:1]"), nil); err != nil {
				return err
			}
			return s.Checkpoint(background)
		}},
		"Cold.Put": {func(now *atomic.Bool) []accp.Option {
			return []accp.Option{accp.WithHooks(accp.Hooks{Cold: exiting{now}})}
		},
			func(s *accp.Session) error { return s.Put(background, "cold.k", []byte("1"), time.Time{}) }},
		"Count": {func(now *atomic.Bool) []accp.Option {
			return []accp.Option{accp.WithTokenizer(must(accp.NewTokenizerFunc("mine", true, func(text string) (int, error) { end(now); return len(text), nil })))}
		}, func(s *accp.Session) error { _, err := s.Send(background, []byte(long)); return err }},
	} {
		t.Run(name, func(t *testing.T) {
			var now atomic.Bool
			store := must(accp.OpenStore(background, "sqlite:"+t.TempDir()+"/s.sqlite", 0))
			engine := must(accp.NewEngine(append(one.options(&now), accp.WithStore(store))...))
			session, other := must(engine.Open(background, "s")), must(engine.Open(background, "other"))
			fine(t, session.Append(background, []byte(plan)))
			fine(t, session.Sync(background))
			now.Store(true)
			exits(t, name, func() error { return one.call(session) })
			now.Store(false)
			err := soon(t, "the session", func() error { return session.Append(background, []byte(plan)) })
			if !errors.Is(err, accp.ErrClosed) || !strings.Contains(err.Error(), "Goexit") {
				t.Errorf("the session: %v", err)
			}
			fine(t, soon(t, "its Close", session.Close))
			fine(t, soon(t, "another session", func() error { return other.Append(background, []byte(plan)) }))
			fine(t, soon(t, "the session anew", func() error {
				again, err := engine.Open(background, "s")
				if err != nil {
					return err
				}
				defer again.Close()
				if n, err := again.RecordCount(background); n == 0 || err != nil {
					t.Error("records:", n, err)
				}
				if err := one.call(again); err != nil && !errors.Is(err, accp.ErrParseError) {
					t.Log(err)
				}
				return again.Append(background, []byte(plan))
			}))
			fine(t, soon(t, "the store", func() error { return store.Sync(background) }))
			fine(t, other.Close())
			fine(t, soon(t, "the engine's end", engine.Close))
			fine(t, soon(t, "the store's end", store.Close))
		})
	}
}

func TestOtherFunctionsThatEndTheirGoroutine(t *testing.T) {
	store := must(accp.OpenStore(background, "memory:", 0))
	session := must(must(accp.NewEngine(accp.WithStore(store))).Open(background, "s"))
	fine(t, session.Append(background, []byte(plan)))
	packet := must(accp.NewContextPacket(accp.WithHooks(accp.Hooks{Extract: func(json.RawMessage) (json.RawMessage, error) { runtime.Goexit(); return nil, nil }})))
	tokenizer := must(accp.NewTokenizerFunc("mine", true, func(text string) (int, error) {
		if text == "exit" {
			runtime.Goexit()
		}
		return len(text), nil
	}))
	phrases := must(accp.NewPhrases([]byte(`{"phrases":[]}`), must(accp.NewLibrary(nil))))
	fine(t, phrases.SetModel(func(context.Context, accp.ModelRequest) ([]byte, error) { runtime.Goexit(); return nil, nil }))
	codec := hooked(accp.Hooks{CheckPolicy: func(accp.PolicyCase) error { runtime.Goexit(); return nil }})
	for name, one := range map[string]struct {
		call, after func() error
		want        error
	}{
		"packet": {func() error { return packet.FromSession(background, session, accp.PacketRequest{}) }, packet.Seal, accp.ErrClosed},
		"model":  {func() error { _, _, err := phrases.Ask(background, "hello"); return err }, func() error { return phrases.SetModel(nil) }, accp.ErrClosed},
		"codec": {func() error { _, err := codec.Decode([]byte("@a>req:x{}")); return err },
			func() error { _, err := codec.Decode([]byte("@a>req:x{}")); return err }, accp.ErrClosed},
		"count": {func() error { _, err := tokenizer.Count("exit"); return err }, func() error { _, err := tokenizer.Count("more"); return err }, nil},
		"each": {func() error {
			return store.EachSession(background, func(string) bool { runtime.Goexit(); return true })
		}, func() error { return store.Sync(background) }, nil},
		"export": {func() error { return store.Export(background, "s", exitingWriter{}) }, func() error { return store.Sync(background) }, nil},
	} {
		exits(t, name, one.call)
		if err := soon(t, name, one.after); !errors.Is(err, one.want) {
			t.Errorf("%s: afterwards %v", name, err)
		}
	}
	wants(t, session.Append(background, []byte(plan)), accp.ErrClosed) // it was in the call of the packet
}

type exitingWriter struct{}

func (exitingWriter) Write([]byte) (int, error) { runtime.Goexit(); return 0, io.ErrClosedPipe }

// A tool has a goroutine of its own: one that ends it has failed.
func TestAToolThatEndsItsGoroutine(t *testing.T) {
	request := planOf(`[["a","A",{}]]`)
	result := must(accp.RunPlan(background, request, accp.Tools{"A": func(context.Context, accp.ToolCall) (any, error) { runtime.Goexit(); return 1, nil }}))
	failed(t, result, accp.SACPToolFailed)
	if len(result.Failures) != 2 || !strings.Contains(result.Err().Error(), "Goexit") {
		t.Error(len(result.Failures), result.Err())
	}
}
