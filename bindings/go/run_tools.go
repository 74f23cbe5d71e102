// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// ToolCall is what a tool is called for.
type ToolCall struct {
	Path   string // of the step
	Verb   string // by its full name
	Tool   string // the step's own, or a fallback
	Params json.RawMessage
	Key    string    // the same for each try of this tool for this step of this run, also after a restart: for tools that are to do a thing once
	Due    time.Time // when nobody waits for it any more: the deadline of its context too
}

// Tool does the work of a step, on a goroutine of its own. What it answers goes on as the JSON that json.Marshal makes of it, a json.RawMessage as it is, an [AgentReply]
// as what an agent said. With an error, or a panic, it has failed; with ErrToolNotFound nobody has it, so that it is not tried again.
//
// The context ends when nobody waits for the answer any more. A tool that goes on all the same keeps nobody waiting: what it answers is dropped.
type Tool func(ctx context.Context, call ToolCall) (any, error)

// AgentReply is the answer of a tool that is an agent of this role, with SACP (PlanRun.Reply). A message that is IN_PROGRESS is no answer: after it the call goes on
// until it times out, so the tool waits for the one that ends it.
type AgentReply struct {
	Role string
	Text []byte
}

// Toolbox has the tools of a plan.
type Toolbox interface {
	Tool(name string) Tool // nil: nobody has it
}

// Tools is a Toolbox of tools by their names.
type Tools map[string]Tool

// Tool is the one of that name.
func (t Tools) Tool(name string) Tool { return t[name] }

// AnyTool is a Toolbox that has one function for every name.
type AnyTool Tool

// Tool is the function.
func (t AnyTool) Tool(string) Tool { return Tool(t) }

// ToolFailure is a try that failed, and with what: a *[PanicError] where the tool panicked, context.DeadlineExceeded where its time was up. It is an error itself.
type ToolFailure struct {
	Call ToolCall
	Err  error
}

// Error is "step 1, tool A: " and the error.
func (f ToolFailure) Error() string {
	return "step " + f.Call.Path + ", tool " + f.Call.Tool + ": " + f.Err.Error()
}

// Unwrap is the error.
func (f ToolFailure) Unwrap() error { return f.Err }

// toolFailures are the tries of a step that failed, as one error. (errors.Join came with Go 1.20.)
type toolFailures []ToolFailure

// Error is that of the last one.
func (f toolFailures) Error() string {
	text := f[len(f)-1].Error()
	if len(f) > 1 {
		text = fmt.Sprintf("%s (the last of %d failures)", text, len(f))
	}
	return text
}

func (f toolFailures) any(fits func(ToolFailure) bool) bool {
	for i := len(f) - 1; i >= 0; i-- {
		if fits(f[i]) {
			return true
		}
	}
	return false
}

// Is finds an error in any of them.
func (f toolFailures) Is(target error) bool {
	return f.any(func(one ToolFailure) bool { return errors.Is(one, target) })
}

// As finds one in any of them, the latest first.
func (f toolFailures) As(target any) bool {
	return f.any(func(one ToolFailure) bool { return errors.As(one, target) })
}

// toolAnswer is what came of a call.
type toolAnswer struct {
	number uint64
	call   ToolCall
	output json.RawMessage
	reply  *AgentReply
	err    error
}

// callTool runs a tool, and tells what came of it: no panic leaves it, and a tool that ends its goroutine has failed.
func callTool(ctx context.Context, tool Tool, number uint64, call ToolCall, tell func(toolAnswer)) {
	answer := toolAnswer{number: number, call: call, err: errToolExited}
	defer func() { tell(answer) }()
	answer.err = capi.Guard(func() error {
		value, err := tool(ctx, call)
		if err == nil {
			err = answer.read(value)
		}
		return err
	})
}

var errToolExited = errors.New("accp: the tool ended its goroutine (runtime.Goexit, or FailNow of a test)")

// read takes what a tool answered.
func (a *toolAnswer) read(value any) (err error) {
	switch value := value.(type) {
	case AgentReply:
		a.reply = &value
	case json.RawMessage:
		if a.output = value; value == nil {
			a.output = json.RawMessage("null")
		}
	default:
		if a.output, err = json.Marshal(value); err != nil {
			return fmt.Errorf("no JSON: %w", err)
		}
	}
	return nil
}

// cause is why an answer brought nothing.
func (a toolAnswer) cause(ctx context.Context) RunCause {
	switch {
	case errors.Is(a.err, ErrToolNotFound):
		return CauseNoAgent
	case errors.Is(a.err, context.DeadlineExceeded) && ctx.Err() == nil && !time.Now().Before(a.call.Due):
		return CauseTimedOut
	}
	return CauseToolFailed
}
