// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"strings"
	"testing"
	"time"

	accp "github.com/libaccp/libaccp/bindings/go"
)

// TestSpecification71 are the five operations, by the rows of the project's requirements.
func TestSpecification71(t *testing.T) {
	clock := func() time.Time { return noon }
	var left, right accp.MessageCodec
	planners, workers := accp.NewProtocol(must(accp.NewEngine(accp.WithClock(clock)))), accp.NewProtocol(must(accp.NewEngine(accp.WithClock(clock))))
	left, right = planners, workers
	planner, worker := must(planners.Open(background, "work")), must(workers.Open(background, "work"))
	message := must(accp.NewMessage("planner", "req", "plan", map[string]any{"task": "impl_auth", "n": 3}))
	var frame []byte

	t.Run("ACCP-7.1-01 Encode", func(t *testing.T) {
		frame = must(left.Encode(background, message, planner))
		if !strings.HasPrefix(string(frame), "@planner>req:plan{task:impl_auth|n:3}[mid:") && !strings.HasPrefix(string(frame), "@planner>req:plan{n:3|task:impl_auth}[mid:") {
			t.Errorf("%s", frame)
		}
	})
	t.Run("ACCP-7.1-02 Decode", func(t *testing.T) {
		back := must(right.Decode(background, frame, worker))
		var payload struct {
			Task string
			N    int
		}
		if err := back.DecodePayload(&payload); err != nil || back.Agent != "planner" || back.Operation != "plan" || payload.Task != "impl_auth" || payload.N != 3 {
			t.Error(back, payload, err)
		}
		_, err := right.Decode(background, frame, worker)
		wants(t, err, accp.ErrDuplicate)
	})
	t.Run("ACCP-7.1-03 Checkpoint", func(t *testing.T) {
		result := must(right.Checkpoint(background, worker))
		if result.Version != 1 || result.Ref != "warm.ckpt_1" || !strings.Contains(string(result.Content), "summary") {
			t.Errorf("%+v", result)
		}
	})
	t.Run("ACCP-7.1-04 GetBudget", func(t *testing.T) {
		budget := must(right.GetBudget(background, worker))
		if budget.HotMax != 262144 || budget.TotalUsed == 0 || budget.TotalUsed != budget.HotUsed+budget.WarmUsed {
			t.Errorf("%+v", budget)
		}
	})
	t.Run("ACCP-7.1-05 RegisterSchema", func(t *testing.T) {
		schema := accp.Schema{Code: "TK", Version: 1, Fields: []string{"id", "title", "severity"}, Defaults: map[string]any{"severity": "low"}, Bind: []string{"req:triage"}}
		for _, side := range []accp.MessageCodec{left, right} {
			if err := side.RegisterSchema("TICKET", schema); err != nil {
				t.Fatal(err)
			}
		}
		if info, err := workers.Registry().Find("TK"); err != nil || info.Name != "TICKET" || len(info.Fields) != 3 || string(info.Fields[2].Default) != `"low"` {
			t.Error(info, err)
		}
		frame := must(left.Encode(background, must(accp.NewMessage("planner", "req", "triage", map[string]any{"id": 7, "severity": "low"})), planner))
		if back := must(right.Decode(background, frame, worker)); !strings.Contains(string(back.Payload), `"severity":"low"`) || strings.Contains(string(frame), "severity") {
			t.Errorf("%s: %s", frame, back.Payload)
		}
		wants(t, left.RegisterSchema("OTHER", schema), accp.ErrInvalidType)
	})
}

// TestDecodeAnswersItsOwn: a sync:state closes a gap, and the frames that waited below it come
// first; Decode still returns the state's own message.
func TestDecodeAnswersItsOwn(t *testing.T) {
	now := noon
	protocol := accp.NewProtocol(must(accp.NewEngine(accp.WithClock(func() time.Time { return now }))))
	session := must(protocol.Open(background, "s"))
	_, err := protocol.Decode(background, []byte("@a>req:x{k:2}[mid:a00000000002,seq:2]"), session)
	wants(t, err, accp.ErrHeld)
	now = now.Add(time.Minute)
	own := must(protocol.Decode(background, []byte("@a>sync:state{v:1|state:{t:1}}[mid:a00000000004,seq:4]"), session))
	if own.Intent != "sync" {
		t.Errorf("%+v", own)
	}
	var others []string
	for in := must(session.NextDelivery(background)); in != nil; in = must(session.NextDelivery(background)) {
		others = append(others, string(in.Message)+accp.CodeOf(in.Err).String())
	}
	if len(others) != 2 || !strings.HasSuffix(others[0], "E3003") || !strings.Contains(others[1], `"k":2`) {
		t.Error(others)
	}
}
