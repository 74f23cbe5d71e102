// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	accp "github.com/libaccp/libaccp/bindings/go"
)

// called returns a run after its first calls, and these calls.
func called(t *testing.T, steps string, at time.Time) (run *accp.PlanRun, effects []accp.RunEffect) {
	t.Helper()
	request := planOf(steps)
	request.Policy = accp.RunPolicy{Retries: -1, NoFallback: true, MaxOutputBytes: 200}
	run = must(accp.NewPlanRun(request))
	t.Cleanup(func() { _ = run.Close() })
	for effect := must(run.Next(at)); effect.Kind == accp.EffectCall; effect = must(run.Next(at)) {
		effects = append(effects, effect)
	}
	return run, effects
}

// idOf is the msg_id that a request to an agent has.
func idOf(t *testing.T, request []byte) string {
	t.Helper()
	_, rest, found := strings.Cut(string(request), `"msg_id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	if !found || id == "" {
		t.Fatal(string(request))
	}
	return id
}

func answerTo(id, result string) []byte {
	return []byte(`{"g":"G","plan":[["a","A",{"x":1}]],"state":"DONE","reply_to":"` + id + `","result":{"output":` + result + `}}`)
}

// Both messages go as frames of ACCP.
func TestAnAgentDoesAStepOverACCP(t *testing.T) {
	at := time.UnixMilli(1_000_000)
	run, effects := called(t, `[["a","A",{"x":1}]]`, at)
	sacp := must(accp.NewSACP(nil))
	codec := must(accp.NewCodec(accp.WithRegistry(must(accp.NewRegistry(accp.AllProfiles, accp.SACPRegistry())))))
	over := func(text []byte, agent string) []byte {
		return must(sacp.FromMessage(must(codec.Decode(must(codec.Encode(must(sacp.ToMessage(text, agent))))))))
	}
	request := over(must(run.RequestMessage(effects[0].Call, "WORKER", "executor")), "planner")
	if verdict := must(sacp.ValidateLenient(request)); verdict.Err() != nil || !strings.HasPrefix(string(request), `{"g":"G","plan":[["a","A",{"x":1}]]`) {
		t.Error(verdict, string(request))
	}
	if err := run.Receive("WORKER", over(answerTo(idOf(t, request), `[1]`), "WORKER"), at); err != nil {
		t.Fatal(err)
	}
	if end := must(run.Next(at)); end.Kind != accp.EffectEnded || string(must(run.Final())) != `{"state":"DONE","result":{"output":[1],"step_results":{"1":[1]}}}` {
		t.Error(end, string(must(run.Final())))
	}
}

func TestOnlyWhoWasAskedAnswers(t *testing.T) {
	at := time.UnixMilli(1_000_000)
	run, effects := called(t, `[{"parallel":[["a","A",{}],["b","B",{}]]}]`, at)
	first, second := effects[0].Call, effects[1].Call
	id := idOf(t, must(run.RequestMessage(first, "ONE", "")))
	if again := idOf(t, must(run.RequestMessage(first, "TWO", ""))); again != id {
		t.Error(again, id)
	}
	other := idOf(t, must(run.RequestMessage(second, "ONE", "formatter")))
	for _, one := range []struct {
		sender string
		text   []byte
		want   error // of the call; nothing has changed
	}{
		{"ONE", answerTo(id, "1"), accp.ErrArgument}, // the call is TWO's now
		{"TWO", answerTo("nobody.1", "1"), accp.ErrDropped},
		{"TWO", []byte(`{"g":"G","plan":[],"state":"DONE"}`), accp.ErrParseError},
		{"TWO", []byte(`{`), accp.ErrParseError},
		{"TWO", answerTo(id, `"`+strings.Repeat("x", 200)+`"`), accp.ErrParseError},
		{"TWO", []byte(`{"g":"G","plan":[["a","A",{}]],"state":"IN_PROGRESS","reply_to":"` + id + `"}`), nil},
		{"TWO", answerTo(id, "1"), nil},
		{"TWO", answerTo(id, "2"), accp.ErrDropped},
		{"", answerTo(other, "2"), nil}, // from the requested agent
	} {
		if err := run.Receive(one.sender, one.text, at); !errors.Is(err, one.want) {
			t.Error(one.sender, string(one.text), err)
		}
	}
	if end := must(run.Next(at)); end.Kind != accp.EffectEnded || run.State() != accp.RunDone || !strings.Contains(string(must(run.Final())), `"1.1":1,"1.2":2`) {
		t.Error(end.Kind, string(must(run.Final())))
	}
	if _, err := run.RequestMessage(first, "ONE", ""); !errors.Is(err, accp.ErrDropped) {
		t.Error(err)
	}
}

func TestACallThatNoAgentCanBeAskedFor(t *testing.T) {
	at := time.UnixMilli(1_000_000)
	run, effects := called(t, `[{"parallel":[["a","A",{}],["b","B",{}]]},["join","J",{}]]`, at)
	long := strings.Repeat("x", 257)
	for what, agent := range map[string][2]string{"nobody": {"", ""}, "too long": {long, ""}, "a long role": {"ONE", long}} {
		if text, err := run.RequestMessage(effects[0].Call, agent[0], agent[1]); !errors.Is(err, accp.ErrArgument) || text != nil {
			t.Error(what, err)
		}
	}
	for _, effect := range effects {
		if err := run.Complete(effect.Call, effect.Tool, []byte("1"), at); err != nil {
			t.Fatal(err)
		}
	}
	if join := must(run.Next(at)); join.Verb != "join" {
		t.Errorf("%+v", join)
	} else if _, err := run.RequestMessage(join.Call, "ONE", ""); !errors.Is(err, accp.ErrArgument) {
		t.Error(err)
	}
	_ = run.Close()
	if _, err := run.RequestMessage(1, "ONE", ""); !errors.Is(err, accp.ErrClosed) {
		t.Error(err)
	}
	if err := run.Receive("ONE", answerTo("a", "1"), at); !errors.Is(err, accp.ErrClosed) {
		t.Error(err)
	}
}
