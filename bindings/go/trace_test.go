// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"

	accp "github.com/libaccp/libaccp/bindings/go"
)

// traceCase is a line of tests/sacp/run/trace.jsonl.
type traceCase struct {
	Name    string
	Library string
	Strict  *bool
	Message json.RawMessage
	Policy  map[string]any
	Tools   map[string][]struct {
		Ok      json.RawMessage
		Fail    *string
		Timeout bool
	}
	Trace, Final any
}

// script returns tools with the outcomes of a case, one per call; the last one repeats.
func (c traceCase) script() accp.Toolbox {
	var lock sync.Mutex
	counts := map[string]int{}
	return scripted(func(name string) accp.Tool {
		if c.Tools[name] == nil && !c.hasPlace(name) {
			return nil
		}
		return func(ctx context.Context, call accp.ToolCall) (any, error) {
			key := call.Tool + "@" + call.Path
			if c.Tools[key] == nil {
				key = call.Tool
			}
			lock.Lock()
			outcomes := c.Tools[key]
			number := counts[key]
			counts[key]++
			lock.Unlock()
			if len(outcomes) == 0 {
				return nil, accp.ErrToolNotFound
			}
			if number >= len(outcomes) {
				number = len(outcomes) - 1
			}
			switch outcome := outcomes[number]; {
			case outcome.Timeout:
				<-ctx.Done()
				return nil, ctx.Err()
			case outcome.Fail != nil:
				return nil, errors.New(*outcome.Fail)
			default:
				return outcome.Ok, nil
			}
		}
	})
}

func (c traceCase) hasPlace(tool string) bool {
	for name := range c.Tools {
		if strings.HasPrefix(name, tool+"@") {
			return true
		}
	}
	return false
}

type scripted func(name string) accp.Tool

func (s scripted) Tool(name string) accp.Tool { return s(name) }

// Every plan of the library's own cases ends the same where goroutines are its tools.
func TestPlansEndAsTheLibrarySays(t *testing.T) {
	text := must(os.ReadFile("../../tests/sacp/run/trace.jsonl"))
	count := 0
	for _, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		line, c := line, traceCase{}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		count++
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			library := must(os.ReadFile("../../tests/sacp/run/library/" + c.Library + ".json"))
			policy := map[string]any{"backoff_ms": 1, "timeout_ms": 60_000}
			if bytes.Contains(line, []byte(`"timeout":true`)) {
				policy["timeout_ms"] = 4_000 // the other calls of the plan must be over by then
			}
			for name, value := range c.Policy {
				policy[name] = value
			}
			request := accp.RunRequest{Message: c.Message, Library: library, Policy: json.RawMessage(must(json.Marshal(policy))), Lenient: c.Strict != nil && !*c.Strict}
			run := must(accp.NewPlanRun(request))
			defer run.Close()
			result := must(run.Run(context.Background(), c.script()))
			same(t, "trace", must(run.Trace()), c.Trace)
			if result.State == accp.RunRefused {
				want, coded := c.Final.(map[string]any)["code"]
				if !coded {
					same(t, "final", result.JSON, c.Final)
				} else if result.Verdict.Code.String() != want {
					t.Errorf("%s, not %s", result.JSON, want)
				}
				return
			}
			same(t, "final", result.JSON, c.Final)
		})
	}
	if count < 28 {
		t.Error("cases:", count)
	}
}

func same(t *testing.T, what string, got json.RawMessage, want any) {
	t.Helper()
	var value any
	if err := json.Unmarshal(got, &value); err != nil || !reflect.DeepEqual(value, want) {
		t.Errorf("%s: %s, not %s", what, got, must(json.Marshal(want)))
	}
}
