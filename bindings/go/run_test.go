// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	accp "github.com/libaccp/libaccp/bindings/go"
)

// quick is a policy that does not wait between tries.
var quick = accp.RunPolicy{Backoff: -1}

// planOf is a request without a library.
func planOf(steps string) accp.RunRequest {
	return accp.RunRequest{Message: []byte(`{"g":"G","plan":` + steps + `}`), Lenient: true, Policy: quick}
}

// calls notes what tools are called for.
type calls struct {
	sync.Mutex
	all []accp.ToolCall
}

func (c *calls) note(call accp.ToolCall) int {
	c.Lock()
	defer c.Unlock()
	c.all = append(c.all, call)
	return len(c.all)
}

func (c *calls) names() (names []string) {
	c.Lock()
	defer c.Unlock()
	for _, one := range c.all {
		names = append(names, one.Tool)
	}
	return names
}

// answering is a toolbox that records each call and uses one function for the results.
func (c *calls) answering(answer func(ctx context.Context, call accp.ToolCall, number int) (any, error)) accp.AnyTool {
	return func(ctx context.Context, call accp.ToolCall) (any, error) { return answer(ctx, call, c.note(call)) }
}

// failed checks how a plan failed.
func failed(t *testing.T, result accp.PlanResult, code accp.SACPCode) {
	t.Helper()
	var refusal *accp.VerdictError
	if result.State != accp.RunFailed || !errors.As(result.Err(), &refusal) || refusal.Verdict.Code != code {
		t.Errorf("%v: %v, not %v", result.State, result.Err(), code)
	}
}

func TestSACP_3_03_StepsRunInOrder(t *testing.T) {
	var c calls
	run := must(accp.NewPlanRun(planOf(`[["fetch","A",{}],["sort","B",{"items":"$step.1.list"}],["show","C",{"text":"$step.2.0"}]]`)))
	defer run.Close()
	var before context.Context
	result := must(run.Run(context.Background(), c.answering(func(ctx context.Context, call accp.ToolCall, _ int) (any, error) {
		if before != nil && before.Err() == nil {
			t.Error("the context of a call that was answered goes on")
		}
		switch before = ctx; call.Tool {
		case "A":
			return map[string]any{"list": []int{1, 2}}, nil
		case "B":
			return json.RawMessage(`[2,1.50]`), nil
		}
		return nil, nil
	})))
	if err := result.Err(); err != nil || !reflect.DeepEqual(c.names(), []string{"A", "B", "C"}) {
		t.Fatal(err, c.names())
	}
	if string(c.all[1].Params) != `{"items":[1,2]}` || string(c.all[2].Params) != `{"text":2}` || c.all[2].Path != "3" || c.all[2].Verb != "show" {
		t.Errorf("%+v", c.all)
	}
	if string(result.Output) != "null" || string(result.StepResults["2"]) != "[2,1.50]" || len(result.StepResults) != 3 || result.Simulated || result.Failures != nil {
		t.Errorf("%+v", result)
	}
	steps := must(run.Steps())
	if len(steps) != 3 || steps[1] != (accp.RunStep{Kind: accp.PartStep, State: accp.StepDone, Tries: 1, Path: "2", Verb: "sort", Tool: "B"}) {
		t.Errorf("%+v", steps)
	}
	if trace := string(must(run.Trace())); strings.Count(trace, `"outcome":"OK"`) != 3 {
		t.Error(trace)
	}
	reply := string(must(run.ReplyMessage("m2")))
	if !strings.Contains(reply, `"state":"DONE","msg_id":"m2"`) {
		t.Error(reply)
	}
	if _, err := run.ReplyMessage("no id"); !errors.Is(err, accp.ErrArgument) {
		t.Error(err)
	}
}

// Each branch returns only after the other one has begun.
func TestSACP_2_03_BranchesRunAtOnceAndJoinWaits(t *testing.T) {
	var begun sync.WaitGroup
	begun.Add(2)
	branch := func(_ context.Context, call accp.ToolCall) (any, error) {
		begun.Done()
		begun.Wait()
		return call.Tool, nil
	}
	var joined json.RawMessage
	result := must(accp.RunPlan(context.Background(), planOf(`[{"parallel":[["a","A",{}],["b","B",{}]]},["join","MERGE",{}],["c","C",{"of":"$step.2"}]]`), accp.Tools{
		"A": branch, "B": branch, "C": func(_ context.Context, call accp.ToolCall) (any, error) {
			joined = call.Params
			return "end", nil
		}}))
	if result.Err() != nil || string(joined) != `{"of":["A","B"]}` || string(result.Output) != `"end"` {
		t.Error(result.Err(), string(joined), string(result.JSON))
	}
}

func TestNoMoreCallsAtOnceThanThePolicyLets(t *testing.T) {
	var now, max int32
	met := make(chan struct{}) // closed when two calls run at once
	var meet sync.Once
	request := planOf(`[{"parallel":[["a","A",{}],["a","A",{}],["a","A",{}],["a","A",{}],["a","A",{}]]}]`)
	request.Policy = accp.RunPolicy{MaxParallel: 2}
	result := must(accp.RunPlan(context.Background(), request, accp.Tools{"A": func(context.Context, accp.ToolCall) (any, error) {
		if n := atomic.AddInt32(&now, 1); n > atomic.LoadInt32(&max) {
			atomic.StoreInt32(&max, n)
		}
		if atomic.LoadInt32(&now) == 2 {
			meet.Do(func() { close(met) })
		}
		select {
		case <-met:
		case <-time.After(patience):
		}
		time.Sleep(5 * time.Millisecond) // for one more than may run
		atomic.AddInt32(&now, -1)
		return 1, nil
	}}))
	if result.Err() != nil || max != 2 {
		t.Error(result.Err(), max)
	}
}

// A tool that ignores its context delays nothing; its result is dropped.
func TestAToolTimesOut(t *testing.T) {
	for name, heeds := range map[string]bool{"heeding": true, "deaf": false} {
		t.Run(name, func(t *testing.T) {
			let, left := make(chan struct{}), make(chan error, 2)
			request := planOf(`[["a","A",{}]]`)
			request.Policy = accp.RunPolicy{Retries: -1, Timeout: 50 * time.Millisecond}
			began := time.Now()
			result := must(accp.RunPlan(context.Background(), request, accp.AnyTool(func(ctx context.Context, call accp.ToolCall) (any, error) {
				defer func() { left <- ctx.Err() }()
				if deadline, ok := ctx.Deadline(); !ok || !deadline.Equal(call.Due) {
					t.Error("no deadline")
				}
				if heeds {
					<-ctx.Done()
					return nil, fmt.Errorf("waiting: %w", ctx.Err())
				}
				<-let
				return 1, nil
			})))
			failed(t, result, accp.SACPTimeout)
			if waited := time.Since(began); waited < 49*time.Millisecond { // a run counts whole ones
				t.Error("too early:", waited)
			}
			close(let)
			if err := <-left; err == nil {
				t.Error("its context goes on")
			}
		})
	}
}

func TestAToolIsTriedAgain(t *testing.T) {
	var c calls
	no := errors.New("no")
	request := planOf(`[["a","A",{"x":1}]]`)
	request.Policy = accp.RunPolicy{Retries: 2, Backoff: time.Millisecond}
	result := must(accp.RunPlan(context.Background(), request, c.answering(func(_ context.Context, _ accp.ToolCall, number int) (any, error) {
		if number < 3 {
			return nil, no
		}
		return "yes", nil
	})))
	if result.Err() != nil || len(c.all) != 3 || c.all[0].Key == "" || c.all[0].Key != c.all[2].Key || string(c.all[2].Params) != `{"x":1}` {
		t.Errorf("%v %+v", result.Err(), c.all)
	}
	if len(result.Failures) != 2 || !errors.Is(result.Failures[1].Err, no) || result.Failures[1].Call.Path != "1" {
		t.Errorf("%+v", result.Failures)
	}
}

const withFallback = `{"verbs":[{"name":"find","description":"d","inputs":{},"outputs":"x"}],"tools":[` +
	`{"id":"A","description":"d","supported_verbs":["find"],"fallback":["B"]},{"id":"B","description":"d","supported_verbs":["find"]}]}`

func TestSACP_4_14_AnotherToolIsTried(t *testing.T) {
	for name, one := range map[string]struct {
		tools  accp.Tools
		policy accp.RunPolicy
		code   accp.SACPCode
	}{
		"of one that fails":           {accp.Tools{"A": saying(nil, errors.New("no")), "B": saying(2, nil)}, quick, 0},
		"of one that nobody has":      {accp.Tools{"B": saying(2, nil)}, quick, 0},
		"of one that says nobody has": {accp.Tools{"A": saying(nil, accp.ErrToolNotFound), "B": saying(2, nil)}, quick, 0},
		"and is not there either":     {nil, quick, accp.SACPNoAgent},
		"not where nobody wants it":   {accp.Tools{"A": saying(nil, errors.New("no")), "B": saying(2, nil)}, accp.RunPolicy{NoFallback: true, Backoff: -1}, accp.SACPToolFailed},
	} {
		request := accp.RunRequest{Message: []byte(`{"g":"G","plan":[["find","A",{}]]}`), Library: []byte(withFallback), Policy: one.policy}
		result := must(accp.RunPlan(context.Background(), request, one.tools))
		if one.code != 0 {
			failed(t, result, one.code)
		} else if result.Err() != nil || string(result.Output) != "2" {
			t.Error(name, result.Err(), string(result.JSON))
		}
	}
}

func saying(value any, err error) accp.Tool {
	return func(context.Context, accp.ToolCall) (any, error) { return value, err }
}

func TestAToolThatFailsInItsOwnWay(t *testing.T) {
	for name, one := range map[string]struct {
		tool accp.Tool
		as   func(error) bool
	}{
		"panics":            {func(context.Context, accp.ToolCall) (any, error) { panic("at the disco") }, isPanic},
		"panics with nil":   {func(context.Context, accp.ToolCall) (any, error) { panic(nil) }, func(err error) bool { return errors.As(err, new(*accp.PanicError)) }},
		"answers a channel": {saying(make(chan int), nil), func(err error) bool { return strings.Contains(err.Error(), "chan int") }},
		"says no text":      {saying(nil, errors.New("bad \xff")), func(err error) bool { return err.Error() == "bad \xff" }},
	} {
		request := planOf(`[["a","A",{}]]`)
		request.Policy = accp.RunPolicy{Retries: -1}
		result := must(accp.RunPlan(context.Background(), request, accp.Tools{"A": one.tool}))
		failed(t, result, accp.SACPToolFailed)
		if len(result.Failures) != 1 || !one.as(result.Failures[0].Err) {
			t.Error(name, result.Failures)
		}
	}
	request := planOf(`[["a","A",{}]]`)
	request.Policy = accp.RunPolicy{Retries: -1, MaxOutputBytes: 8}
	for _, output := range []string{`{"a":1`, `"123456789"`, ``} {
		failed(t, must(accp.RunPlan(context.Background(), request, accp.Tools{"A": saying(json.RawMessage(output), nil)})), accp.SACPToolFailed)
	}
}

func isPanic(err error) bool {
	var panicked *accp.PanicError
	return errors.As(err, &panicked) && panicked.Value == "at the disco" && strings.Contains(string(panicked.Stack), "run_test.go")
}

func TestAPlanIsCancelled(t *testing.T) {
	var c calls
	ctx, cancel := context.WithCancel(context.Background())
	told, begun := make(chan struct{}), make(chan struct{})
	result, err := accp.RunPlan(ctx, planOf(`[{"parallel":[["a","A",{}],["b","B",{}]]},["c","C",{}]]`), c.answering(func(inner context.Context, call accp.ToolCall, _ int) (any, error) {
		if call.Tool == "A" {
			close(begun)
			return 1, nil
		}
		<-begun
		cancel()
		<-inner.Done()
		close(told)
		return 2, nil
	}))
	failed(t, result, accp.SACPToolFailed)
	if !errors.Is(err, context.Canceled) || !strings.Contains(result.Verdict.Details, "cancelled") {
		t.Error(err, result.Verdict)
	}
	<-told
	for _, tool := range c.names() {
		if tool == "C" {
			t.Error("called after the end")
		}
	}
	before := len(c.names())
	result, err = accp.RunPlan(ctx, planOf(`[["a","A",{}]]`), c.answering(nil))
	if failed(t, result, accp.SACPToolFailed); !errors.Is(err, context.Canceled) || len(c.names()) != before {
		t.Error(err, c.names())
	}
}

// Cancel and Close end a run from outside, and Run notices at once.
func TestARunIsEndedFromOutside(t *testing.T) {
	for _, one := range []struct {
		end  func(run *accp.PlanRun) error
		want error
	}{{func(run *accp.PlanRun) error { return run.Cancel(time.Now()) }, nil}, {(*accp.PlanRun).Close, accp.ErrClosed}} {
		run := must(accp.NewPlanRun(planOf(`[["a","A",{}]]`)))
		left := make(chan struct{})
		result, err := run.Run(context.Background(), accp.AnyTool(func(ctx context.Context, _ accp.ToolCall) (any, error) {
			if _, again := run.Run(ctx, nil); !errors.Is(again, accp.ErrBusy) {
				t.Error(again)
			}
			if err := one.end(run); err != nil {
				t.Error(err)
			}
			<-ctx.Done()
			close(left)
			return nil, nil
		}))
		if !errors.Is(err, one.want) || one.want == nil && result.State != accp.RunFailed {
			t.Error(err, result)
		}
		<-left
		_ = run.Close()
	}
}

func TestSACP_5_04_ADryRunCallsNoTool(t *testing.T) {
	var c calls
	request := accp.RunRequest{Message: []byte(`{"g":"G","plan":[["a","A",{}],["b","B",{}]],"test_mode":true}`), Lenient: true,
		Policy: accp.RunPolicy{Simulate: map[string]any{"B": "b"}}}
	result := must(accp.RunPlan(context.Background(), request, c.answering(nil)))
	if result.Err() != nil || !result.Simulated || string(result.Output) != `"b"` || c.names() != nil {
		t.Error(result.Err(), string(result.JSON), c.names())
	}
}

func TestSACP_0_06_AMessageThatIsNotValidIsNotRun(t *testing.T) {
	var c calls
	for message, want := range map[string]string{
		`{"g":"G","plan":[["a","A"]]}`:                   "accp: MALFORMED_PLAN: Missing parameters for action step 1",
		`{"g":"G","plan":[]}`:                            "accp: REQ_CLARIFY: plan",
		`{"g":"G","plan":[["a","A",{}]],"state":"DONE"}`: "accp: INVALID_STATE_TRANSITION: ",
	} {
		run := must(accp.NewPlanRun(accp.RunRequest{Message: []byte(message), Lenient: true}))
		result := must(run.Run(context.Background(), c.answering(nil)))
		if err := result.Err(); result.State != accp.RunRefused || err == nil || !strings.HasPrefix(err.Error(), want) || string(result.JSON) != string(result.Verdict.JSON) {
			t.Error(message, result.State, result.Err())
		}
		if steps := must(run.Steps()); steps != nil || c.names() != nil {
			t.Error(steps, c.names())
		}
		_ = run.Close()
	}
}

func TestARunThatCannotBeMade(t *testing.T) {
	for name, one := range map[string]struct {
		change func(request *accp.RunRequest)
		code   error
	}{
		"library":      {func(r *accp.RunRequest) { r.Library = []byte(`{"x":1}`) }, accp.ErrInvalidType},
		"policy":       {func(r *accp.RunRequest) { r.Policy = json.RawMessage(`{"tries":1}`) }, accp.ErrArgument},
		"timeout":      {func(r *accp.RunRequest) { r.Policy = accp.RunPolicy{Timeout: -1} }, accp.ErrArgument},
		"no JSON":      {func(r *accp.RunRequest) { r.Policy = accp.RunPolicy{Simulate: map[string]any{"A": make(chan int)}} }, accp.ErrArgument},
		"no store":     {func(r *accp.RunRequest) { r.Session = "s" }, accp.ErrArgument},
		"nobody keeps": {func(r *accp.RunRequest) { r.Records = true }, accp.ErrArgument},
		"closed store": {func(r *accp.RunRequest) { r.Store, r.Session = closedStore(), "s" }, accp.ErrClosed},
		"failed store": {func(r *accp.RunRequest) { r.Store, r.Session = &accp.Store{}, "s" }, accp.ErrClosed},
	} {
		request := planOf(`[["a","A",{}]]`)
		one.change(&request)
		if _, err := accp.RunPlan(context.Background(), request, nil); !errors.Is(err, one.code) {
			t.Error(name, err)
		}
	}
	if _, err := (*accp.PlanRun)(nil).Run(context.Background(), nil); !errors.Is(err, accp.ErrClosed) {
		t.Error(err)
	}
}

func closedStore() *accp.Store {
	store := must(accp.OpenStore(context.Background(), "memory:", 0))
	_ = store.Close()
	return store
}

const crashing = `[{"parallel":[["a","A",{}],["b","B",{}]]},["join","MERGE",{}],["c","C",{"of":"$step.2"}],["d","D",{}]]`

// A process dies after any number of calls, repeatedly: no call whose result was recorded is
// repeated.
func TestAPlanGoesOnAfterACrash(t *testing.T) {
	ctx := context.Background()
	for after := 1; after <= 4; after++ {
		store := must(accp.OpenStore(ctx, "sqlite:"+filepath.Join(t.TempDir(), "runs.sqlite"), 0))
		request := planOf(crashing)
		request.Store, request.Session = store, "s"
		var c calls
		keys := map[string]string{}
		for lives := 0; ; lives++ {
			run := must(accp.NewPlanRun(request))
			count := 0
			result, err := run.Run(ctx, c.answering(func(_ context.Context, call accp.ToolCall, _ int) (any, error) {
				c.Lock()
				defer c.Unlock()
				if count++; count > after { // it dies before this one has answered
					_ = run.Close()
				}
				if key, ok := keys[call.Tool]; ok && key != call.Key {
					t.Error("another key", call)
				}
				keys[call.Tool] = call.Key
				return call.Tool, nil
			}))
			_ = run.Close()
			if err == nil {
				if result.Err() != nil || string(result.StepResults["2"]) != `["A","B"]` {
					t.Error(after, string(result.JSON))
				}
				break
			}
			// A process that dies before any result was reported has made no progress; this may happen
			// several times.
			if !errors.Is(err, accp.ErrClosed) || lives > 200 {
				t.Fatal(after, err)
			}
		}
		made := map[string]int{}
		for _, tool := range c.names() {
			made[tool]++
		}
		// A call whose result was lost with the process is repeated.
		if made["A"] == 0 || made["B"] == 0 || made["C"] == 0 || made["D"] == 0 || after == 4 && len(c.all) != 4 {
			t.Error(after, made)
		}
		_ = store.Close()
	}
}

func TestWhatWasRecordedIsNotCalledAgain(t *testing.T) {
	ctx := context.Background()
	store := must(accp.OpenStore(ctx, "memory:", 0))
	request := planOf(`[["a","A",{}],["b","B",{}],["c","C",{}]]`)
	request.Store, request.Session = store, "s"
	var c calls
	first := must(accp.NewPlanRun(request))
	_, err := first.Run(ctx, c.answering(func(_ context.Context, call accp.ToolCall, _ int) (any, error) {
		if call.Tool == "C" {
			second := must(accp.NewPlanRun(request)) // which fences the first
			result := must(second.Run(ctx, c.answering(func(context.Context, accp.ToolCall, int) (any, error) { return 2, nil })))
			if result.Err() != nil {
				t.Error(result.Err())
			}
		}
		return 1, nil
	}))
	if !errors.Is(err, accp.ErrSessionClosed) || !reflect.DeepEqual(c.names(), []string{"A", "B", "C", "C"}) {
		t.Error(err, c.names())
	}
	result := must(accp.RunPlan(ctx, request, c.answering(nil)))
	if string(result.StepResults["1"]) != "1" || string(result.StepResults["3"]) != "2" || len(c.all) != 4 {
		t.Error(string(result.JSON), c.names())
	}
	request.Policy = accp.RunPolicy{Retries: 7}
	if _, err := accp.NewPlanRun(request); !errors.Is(err, accp.ErrCorrupt) {
		t.Error("of another policy:", err)
	}
}

func TestTheCallerKeepsTheRecords(t *testing.T) {
	ctx := context.Background()
	request := planOf(`[["a","A",{}],["b","B",{}]]`)
	request.Records = true
	var c calls
	var log [][]byte
	full := errors.New("the disk is full")
	run := must(accp.NewPlanRun(request))
	run.Record = func(record []byte) error {
		if len(log) == 2 {
			return full
		}
		log = append(log, record)
		return nil
	}
	answer := c.answering(func(_ context.Context, call accp.ToolCall, _ int) (any, error) { return call.Tool, nil })
	if _, err := run.Run(ctx, answer); !errors.Is(err, full) || !reflect.DeepEqual(c.names(), []string{"A", "B"}) {
		t.Fatal(err, c.names())
	}
	again := must(accp.NewPlanRun(request))
	if err := again.Replay([]byte("{}")); !errors.Is(err, accp.ErrCorrupt) {
		t.Error(err)
	}
	for _, record := range log {
		if err := again.Replay(record); err != nil {
			t.Fatal(err)
		}
	}
	again.Record = func([]byte) error { return nil }
	if result := must(again.Run(ctx, answer)); string(result.Output) != `"B"` || !reflect.DeepEqual(c.names(), []string{"A", "B", "B"}) {
		t.Error(string(result.JSON), c.names())
	}
	if err := again.Replay(log[0]); !errors.Is(err, accp.ErrArgument) {
		t.Error(err)
	}
}

func TestAnAgentReplies(t *testing.T) {
	done := []byte(`{"g":"G","plan":[["a","A",{}]],"state":"DONE","result":{"output":[1]}}`)
	for _, one := range []struct {
		role   string
		text   []byte
		output string // "": it failed
	}{{"predictor", done, "[1]"}, {"predictor", []byte("Sure!"), ""}, {"formatter", []byte("Sure!"), `"Sure!"`}} {
		request := planOf(`[["a","A",{}]]`)
		request.Policy = accp.RunPolicy{Retries: -1}
		result := must(accp.RunPlan(context.Background(), request, accp.Tools{"A": saying(accp.AgentReply{one.role, one.text}, nil)}))
		if string(result.Output) != one.output {
			t.Error(one, string(result.JSON))
		}
	}
}

// A run without a driver: the actions and reports of a driver of one's own.
func TestARunByHand(t *testing.T) {
	at := time.UnixMilli(1_000_000)
	request := planOf(`[["a","A",{"x":1}]]`)
	request.Policy = accp.RunPolicy{Retries: -1, Timeout: time.Second}
	run := must(accp.NewPlanRun(request))
	defer run.Close()
	effect := must(run.Next(at))
	if effect.Kind != accp.EffectCall || effect.Path != "1" || effect.Tool != "A" || string(effect.Text) != `{"x":1}` || effect.Due != at.Add(time.Second) {
		t.Fatalf("%+v", effect)
	}
	if next := must(run.Next(at)); next.Kind != accp.EffectNothing || run.Due() != effect.Due || run.State() != accp.RunGoingOn {
		t.Errorf("%+v %v", next, run.Due())
	}
	if _, err := run.Final(); !errors.Is(err, accp.ErrArgument) {
		t.Error(err)
	}
	if err := run.Complete(effect.Call, "B", []byte("1"), at); !errors.Is(err, accp.ErrArgument) {
		t.Error(err)
	}
	working := []byte(`{"g":"G","plan":[["a","B",{}]],"state":"IN_PROGRESS"}`)
	if err := run.Reply(effect.Call, "A", "executor", working, at); err != nil || run.State() != accp.RunGoingOn {
		t.Error(err)
	}
	if err := run.Tick(effect.Due); err != nil {
		t.Fatal(err)
	}
	if stop := must(run.Next(effect.Due)); stop.Kind != accp.EffectStop || stop.Call != effect.Call {
		t.Errorf("%+v", stop)
	}
	for what, late := range map[string]error{"complete": run.Complete(effect.Call, "A", []byte("1"), effect.Due),
		"fail": run.Fail(effect.Call, "A", accp.CauseToolFailed, "late", effect.Due)} {
		if !errors.Is(late, accp.ErrDropped) {
			t.Error(what, late)
		}
	}
	if end := must(run.Next(effect.Due)); end.Kind != accp.EffectEnded || run.State() != accp.RunFailed || run.State().String() != "FAILED" || !run.Due().IsZero() {
		t.Errorf("%+v", end)
	}
	if err := run.Close(); err != nil || run.State() != -1 {
		t.Error(err, run.State())
	}
}

func TestAPolicyInJSON(t *testing.T) {
	for want, policy := range map[string]accp.RunPolicy{
		`{}`: {},
		`{"backoff_ms":0,"fallback":false,"jitter_percent":0,"max_backoff_ms":1,"retries":0,"timeout_ms":2}`: {Retries: -1, NoFallback: true, Timeout: 1500 * time.Microsecond,
			Backoff: -1, MaxBackoff: time.Nanosecond, JitterPercent: -1},
		`{"max_held_bytes":5,"max_output_bytes":3,"max_parallel":2,"max_params_bytes":4,"simulate":{"A":1},"tools":{"A":{"retries":3,"timeout_ms":1000},"B":{}}}`: {MaxParallel: 2,
			MaxOutputBytes: 3, MaxParamsBytes: 4, MaxHeldBytes: 5, Tools: map[string]accp.ToolPolicy{"A": {3, time.Second}, "B": {}}, Simulate: map[string]any{"A": 1}},
	} {
		if got := string(must(json.Marshal(policy))); got != want {
			t.Error(got, want)
		}
	}
}
