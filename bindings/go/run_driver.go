// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// PlanResult is the result of a plan.
type PlanResult struct {
	State       RunState
	Output      json.RawMessage            // of a RunDone plan
	StepResults map[string]json.RawMessage // outputs of the steps by their paths
	Simulated   bool                       // no tool was called
	Verdict     Verdict                    // why it failed or was refused
	JSON        json.RawMessage            // everything, as PlanRun.Final returns it
	Failures    []ToolFailure              // failures of tools in their order; a RunDone plan may have some too
}

// Err returns nil for a RunDone plan; else a *[VerdictError] whose cause has the failures of the
// tools of the failed step: errors.Is finds the error of a tool, errors.As a [ToolFailure], the
// latest first.
func (r PlanResult) Err() error {
	if r.State == RunDone {
		return nil
	}
	refused := &VerdictError{Verdict: r.Verdict}
	if failures := r.failuresOf(r.Verdict.Step); len(failures) > 0 {
		refused.Cause = failures
	}
	return refused
}

// failuresOf returns the failures of a step; all if it is "".
func (r PlanResult) failuresOf(step string) (failures toolFailures) {
	for _, failure := range r.Failures {
		if step == "" || failure.Call.Path == step {
			failures = append(failures, failure)
		}
	}
	return failures
}

// RunPlan runs a plan to its end with tools on their own goroutines: steps in order, the branches
// of a parallel at once. See PlanRun.Run.
func RunPlan(ctx context.Context, request RunRequest, tools Toolbox, options ...Option) (PlanResult, error) {
	run, err := NewPlanRun(request, options...)
	if err != nil {
		return PlanResult{}, err
	}
	defer run.Close()
	return run.Run(ctx, tools)
}

var errDriven = newError(CodeBusy, "the plan is run already")

// Run runs the plan to its end. A failed plan is not an error: see PlanResult.Err. When the context
// ends, the plan is cancelled: no other tool is called, the contexts of running tools end, and Run
// returns the context's error.
//
// Any other error stops the run at its current state: ErrClosed, ErrSessionClosed, ErrIO, ErrBusy
// and ErrNoMemory of the store and the run, and the error of Record. Running tools are abandoned;
// another run of the same session or records continues from the log. It returns ErrBusy if Run is
// active already.
func (r *PlanRun) Run(ctx context.Context, tools Toolbox) (PlanResult, error) {
	if r == nil || r.handle == nil {
		return PlanResult{}, errClosed
	}
	if ctx == nil {
		return PlanResult{State: r.State()}, errNilContext
	}
	if !r.driven.CompareAndSwap(false, true) {
		return PlanResult{State: r.State()}, errDriven
	}
	defer r.driven.Store(false)
	if tools == nil {
		tools = Tools{}
	}
	inner, stop := context.WithCancel(ctx)
	defer stop()
	d := &driver{run: r, tools: tools, outer: ctx, ctx: inner, answers: make(chan toolAnswer), calls: map[uint64]runningCall{}}
	err := d.drive()
	result, final := d.result(err == nil)
	if err == nil {
		err = final
	}
	return result, err
}

// driver executes the actions of a run.
type driver struct {
	run       *PlanRun
	tools     Toolbox
	outer     context.Context
	ctx       context.Context // of the calls: it ends with the driver
	answers   chan toolAnswer
	calls     map[uint64]runningCall
	failures  []ToolFailure
	cancelled bool
}

type runningCall struct {
	ToolCall
	cancel context.CancelFunc
}

func (d *driver) drive() error {
	for {
		if d.outer.Err() != nil && !d.cancelled {
			d.cancelled = true
			if err := d.run.Cancel(time.Now()); err != nil && !errors.Is(err, ErrDropped) {
				return err
			}
		}
		if ended, err := d.takeEffects(); ended || err != nil {
			return err
		}
		if err := d.wait(); err != nil && !errors.Is(err, ErrDropped) {
			return err
		}
	}
}

// takeEffects executes the current actions, and reports whether the plan has ended.
func (d *driver) takeEffects() (ended bool, err error) {
	for {
		effect, err := d.run.Next(time.Now())
		if err != nil {
			return false, err
		}
		switch effect.Kind {
		case EffectNothing:
			return false, nil
		case EffectEnded:
			return true, nil
		case EffectCall:
			if err = d.call(effect); errors.Is(err, ErrDropped) {
				err = nil
			}
		case EffectStop:
			if stopped, ok := d.release(effect.Call); ok && !d.cancelled && !time.Now().Before(stopped.Due) {
				d.failures = append(d.failures, ToolFailure{stopped.ToolCall, context.DeadlineExceeded})
			}
		case EffectRecord:
			if d.run.Record == nil {
				return false, newError(CodeArgument, "the request said Records, and nobody keeps them: set Record")
			}
			err = d.run.Record(effect.Text)
		}
		if err != nil {
			return false, err
		}
	}
}

func (d *driver) call(effect RunEffect) error {
	tool := d.tools.Tool(effect.Tool)
	call := ToolCall{effect.Path, effect.Verb, effect.Tool, effect.Text, effect.Key, effect.Due}
	if tool == nil {
		d.calls[effect.Call] = runningCall{call, func() {}}
		return d.tell(toolAnswer{number: effect.Call, call: call, err: newError(CodeToolNotFound, "no tool of this name: "+effect.Tool)})
	}
	ctx, cancel := context.WithDeadline(d.ctx, effect.Due)
	d.calls[effect.Call] = runningCall{call, cancel}
	go callTool(ctx, tool, effect.Call, call, func(answer toolAnswer) {
		select {
		case d.answers <- answer:
		case <-d.ctx.Done(): // no longer needed
		}
	})
	return nil
}

// release ends the context of a call whose result is no longer needed.
func (d *driver) release(number uint64) (call runningCall, ok bool) {
	if call, ok = d.calls[number]; ok {
		call.cancel()
		delete(d.calls, number)
	}
	return call, ok
}

// wait waits for an event.
func (d *driver) wait() error {
	var due <-chan time.Time
	if at := d.run.Due(); !at.IsZero() {
		timer := time.NewTimer(time.Until(at))
		defer timer.Stop()
		due = timer.C
	}
	over := d.outer.Done()
	if d.cancelled {
		over = nil
	}
	select {
	case answer := <-d.answers:
		return d.tell(answer)
	case <-due:
		return d.run.Tick(time.Now())
	case <-over:
	case <-d.run.told:
	case <-d.run.closed:
		return errClosed
	}
	return nil
}

// tell reports the result of a call to the run.
func (d *driver) tell(answer toolAnswer) error {
	if _, ok := d.release(answer.number); !ok {
		return nil // no longer needed
	}
	if answer.err != nil {
		d.failures = append(d.failures, ToolFailure{answer.call, answer.err})
		return d.run.Fail(answer.number, answer.call.Tool, answer.cause(d.outer), answer.err.Error(), time.Now())
	}
	if answer.reply != nil {
		return d.run.Reply(answer.number, answer.call.Tool, answer.reply.Role, answer.reply.Text, time.Now())
	}
	return d.run.Complete(answer.number, answer.call.Tool, answer.output, time.Now())
}

// result returns the result of the plan if it has ended.
func (d *driver) result(ended bool) (PlanResult, error) {
	result := PlanResult{State: d.run.State(), Failures: d.failures}
	if !ended {
		return result, nil
	}
	text, err := d.run.Final()
	if err != nil {
		return result, err
	}
	result.JSON = text
	if result.State == RunRefused {
		result.Verdict = verdictOf(text)
		return result, nil
	}
	var final struct {
		Result struct {
			Output      json.RawMessage            `json:"output"`
			Error       json.RawMessage            `json:"error"`
			StepResults map[string]json.RawMessage `json:"step_results"`
			Simulated   bool                       `json:"simulated"`
		} `json:"result"`
	}
	if err := json.Unmarshal(text, &final); err != nil {
		return result, err
	}
	result.Output, result.StepResults, result.Simulated = final.Result.Output, final.Result.StepResults, final.Result.Simulated
	if final.Result.Error != nil {
		result.Verdict = verdictOf(final.Result.Error)
	}
	if d.cancelled && result.State == RunFailed {
		return result, d.outer.Err()
	}
	return result, nil
}

// verdictOf reads a verdict from the library's text, which has no byte.
func verdictOf(text []byte) Verdict {
	var from struct {
		Status  string   `json:"status"`
		Code    string   `json:"code"`
		Details string   `json:"details"`
		Need    []string `json:"need"`
	}
	if json.Unmarshal(text, &from) != nil {
		return Verdict{}
	}
	verdict := Verdict{Details: from.Details, Needs: from.Need, JSON: json.RawMessage(strings.Clone(string(text)))}
	switch from.Status {
	case "ERR":
		verdict.Answer = SACPErr
		verdict.Code, _ = ParseSACPCode(from.Code)
		verdict.Step = stepOf(from.Details)
	case "REQ_CLARIFY":
		verdict.Answer = SACPReqClarify
	}
	return verdict
}

// stepOf returns the path at the end of the details of a step's fault; "" if none exists.
func stepOf(details string) string {
	const before = "action step "
	if at := strings.LastIndex(details, before); at >= 0 {
		if path := details[at+len(before):]; !strings.ContainsAny(path, " \n") {
			return path
		}
	}
	return ""
}
