//go:build go1.25

//go:debug asynctimerchan=0

// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	accp "github.com/libaccp/libaccp/bindings/go"
)

// In a bubble of testing/synctest time passes only while each goroutine waits for another one or for time. So what waits in this package must wait for
// channels or timers of Go, and no goroutine of it may be left at the end.
func TestWaitsAreThoseOfGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		hold := make(chan struct{})
		engine := must(accp.NewEngine(accp.WithHooks(accp.Hooks{Resolve: func(context.Context, string) (json.RawMessage, error) {
			<-hold
			return json.RawMessage("1"), nil
		}})))
		session := must(engine.Open(t.Context(), "s"))
		var group sync.WaitGroup
		group.Go(func() {
			if err := session.Receive(t.Context(), []byte("@a>req:x{k:$warm.there}[mid:a00000000001,seq:1]"), nil); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait() // the call waits in the host's function
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		wants(t, session.Append(ctx, []byte(plan)), context.DeadlineExceeded) // in the queue
		if passed := time.Since(began); passed != time.Hour {
			t.Error(passed)
		}
		close(hold)
		group.Wait()
		if n := must(session.RecordCount(t.Context())); n != 1 {
			t.Error(n)
		}
		fine(t, session.Close())
		fine(t, engine.Close())
	})
}

// A plan whose tools take hours.
func TestAPlanTakesTheTimeOfGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		slow := func(ctx context.Context, call accp.ToolCall) (any, error) {
			select {
			case <-time.After(2 * time.Second):
				return "done", nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		result := must(accp.RunPlan(t.Context(), accp.RunRequest{Message: []byte(`{"g":"G","plan":[["a","A",{}],["b","B",{"x":"$step.1"}]]}`), Lenient: true},
			accp.Tools{"A": slow, "B": slow}))
		fine(t, result.Err())
		if passed := time.Since(began); passed < 4*time.Second || passed > 5*time.Second {
			t.Error(passed)
		}
	})
}
