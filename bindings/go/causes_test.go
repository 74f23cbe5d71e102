// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	accp "github.com/libaccp/libaccp/bindings/go"
)

// own is an error of the host's.
type own struct{ number int }

func (o *own) Error() string { return fmt.Sprint("own ", o.number) }

// A tool's error is the cause of the plan's error, and the verdict has the step.
func TestAPlanThatFailsKeepsItsCause(t *testing.T) {
	mine, before := errors.New("mine"), errors.New("before")
	var tried int32 // a call of the case before may still be running
	tools := accp.Tools{
		"A": func(context.Context, accp.ToolCall) (any, error) {
			if atomic.AddInt32(&tried, 1) == 1 {
				return nil, before // mended by the second try
			}
			return 1, nil
		},
	}
	tools["B"] = func(context.Context, accp.ToolCall) (any, error) { return nil, fmt.Errorf("asking: %w", mine) }
	tools["C"] = func(context.Context, accp.ToolCall) (any, error) { panic(&own{7}) }
	tools["D"] = func(ctx context.Context, call accp.ToolCall) (any, error) { <-ctx.Done(); return nil, ctx.Err() }
	deaf := make(chan struct{})
	defer close(deaf)
	tools["E"] = func(context.Context, accp.ToolCall) (any, error) { <-deaf; return nil, nil }
	var panicked *accp.PanicError
	var typed *own
	for name, one := range map[string]struct {
		plan, step string
		code       accp.SACPCode
		is         []error
		isNot      []error
		as         any
	}{
		"an error":                       {`[["a","A",{}],["b","B",{}]]`, "2", accp.SACPToolFailed, []error{mine, accp.ErrToolExecFailed}, []error{before, accp.ErrTimeout}, nil},
		"a panic":                        {`[["a","C",{}]]`, "1", accp.SACPToolFailed, nil, []error{mine}, &panicked},
		"an error that it panicked with": {`[["a","C",{}]]`, "1", accp.SACPToolFailed, nil, nil, &typed},
		"in a branch":                    {`[{"parallel":[["a","A",{}],["b","B",{}]]}]`, "1.2", accp.SACPToolFailed, []error{mine}, nil, nil},
		"too late":                       {`[["d","D",{}]]`, "1", accp.SACPTimeout, []error{context.DeadlineExceeded, accp.ErrTimeout}, nil, nil},
		"too late, and deaf":             {`[["e","E",{}]]`, "1", accp.SACPTimeout, []error{context.DeadlineExceeded, accp.ErrTimeout}, nil, nil},
		"no such tool":                   {`[["f","F",{}]]`, "1", accp.SACPNoAgent, []error{accp.ErrToolNotFound}, nil, nil},
	} {
		atomic.StoreInt32(&tried, 0)
		request := planOf(one.plan)
		policy := accp.RunPolicy{Backoff: -1, Retries: 1}
		if one.code == accp.SACPTimeout {
			policy.Timeout = 100 * time.Millisecond
		}
		request.Policy = policy
		result := must(accp.RunPlan(background, request, tools))
		err := result.Err()
		var refused *accp.VerdictError
		if !errors.As(err, &refused) || refused.Verdict.Code != one.code || refused.Verdict.Step != one.step {
			t.Errorf("%s: %v, step %q of %s", name, err, result.Verdict.Step, result.JSON)
		}
		for _, want := range one.is {
			if wants(t, err, want); !errors.Is(err, want) {
				t.Error(name)
			}
		}
		for _, other := range one.isNot {
			if errors.Is(err, other) {
				t.Errorf("%s: %v is %v", name, err, other)
			}
		}
		if one.as != nil && !errors.As(err, one.as) {
			t.Errorf("%s: %v is no %T", name, err, one.as)
		}
		var failure accp.ToolFailure
		if !errors.As(err, &failure) || failure.Call.Path != one.step || !strings.Contains(err.Error(), failure.Error()) {
			t.Errorf("%s: %v tells nothing of %v", name, err, failure)
		}
	}
	if typed == nil || typed.number != 7 {
		t.Error(typed)
	}
}

// A verdict that is read from JSON has its step too.
func TestVerdictsHaveTheirStep(t *testing.T) {
	result := must(accp.RunPlan(background, accp.RunRequest{Message: []byte(`{"g":"G","plan":[["a","A",{}],["b"]]}`), Lenient: true}, nil))
	if result.State != accp.RunRefused || result.Verdict.Step != "2" {
		t.Errorf("%v %q: %s", result.State, result.Verdict.Step, result.JSON)
	}
}

// Hooks return their own texts, also if a hook makes calls with hooks on the same thread.
func TestAnswersOfHooksInHooks(t *testing.T) {
	text := func(letter string, n int) json.RawMessage {
		return json.RawMessage(`"` + strings.Repeat(letter, n) + `"`)
	}
	for _, sizes := range [][2]int{{10, 10}, {10, 15000}, {15000, 10}} {
		inner := hooked(accp.Hooks{Resolve: func(context.Context, string) (json.RawMessage, error) { return text("i", sizes[1]), nil }})
		ask := func() {
			if out := must(inner.Decode([]byte("@a>req:x{k:$warm.key}"))); !strings.Contains(string(out), string(text("i", sizes[1]))) {
				t.Error("the inner call got something else")
			}
		}
		tokenizer := must(accp.NewTokenizerFunc("mine", true, func(text string) (int, error) { ask(); return len(text) / 4, nil }))
		engine := must(accp.NewEngine(accp.WithTokenizer(tokenizer), accp.WithHooks(accp.Hooks{
			Resolve: func(_ context.Context, ref string) (json.RawMessage, error) {
				ask()
				return text(ref[len(ref)-1:], sizes[0]), nil
			},
			CheckPolicy: func(accp.PolicyCase) error { ask(); return nil },
			Log:         func(bool, accp.Code, string) { ask() },
			Event:       func(accp.Event) { ask() },
		})))
		session := must(engine.Open(background, "s"))
		fine(t, session.Receive(background, []byte("@a>req:x{k:$warm.a|l:$warm.b|m:[$warm.c,$warm.d]}[mid:a00000000001,seq:1]"), nil))
		in := must(session.NextDelivery(background))
		for _, letter := range []string{"a", "b", "c", "d"} {
			if !strings.Contains(string(in.Message), string(text(letter, sizes[0]))) {
				t.Errorf("%v: %s is lost", sizes, letter)
			}
		}
		_, _, err := session.ContextText(background, 0)
		fine(t, err)
	}
}
