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

// ToolCall is a call of a tool.
type ToolCall struct {
	Path   string // of the step
	Verb   string // by its full name
	Tool   string // the step's own, or a fallback
	Params json.RawMessage
	Key    string    // equal for each try of this tool for this step of this run, also after a restart: for tools that must do a thing once
	Due    time.Time // deadline of the result and of the context
}

// Tool does the work of a step on its own goroutine. Its result is converted by json.Marshal; a
// json.RawMessage is used unchanged, and an [AgentReply] is an agent's message. With an error or a
// panic the tool has failed; ErrToolNotFound means that no agent has the tool, so it is not tried
// again.
//
// The context ends when the result is no longer needed. A tool that continues delays nothing; its
// result is dropped.
type Tool func(ctx context.Context, call ToolCall) (any, error)

// AgentReply is the SACP message of a tool that is an agent of this role (PlanRun.Reply). An
// IN_PROGRESS message is not a result: the call continues until its timeout, so the tool should
// wait for the final message.
type AgentReply struct {
	Role string
	Text []byte
}

// Toolbox has the tools of a plan.
type Toolbox interface {
	Tool(name string) Tool // nil: unknown tool
}

// Tools is a Toolbox of tools by their names.
type Tools map[string]Tool

// Tool returns the tool of that name.
func (t Tools) Tool(name string) Tool { return t[name] }

// AnyTool is a Toolbox with one function for every name.
type AnyTool Tool

// Tool returns the function.
func (t AnyTool) Tool(string) Tool { return Tool(t) }

// ToolFailure is a failed try with its error: a *[PanicError] if the tool panicked,
// context.DeadlineExceeded if it was late. It is an error itself.
type ToolFailure struct {
	Call ToolCall
	Err  error
}

// Error returns "step 1, tool A: " and the error.
func (f ToolFailure) Error() string {
	return "step " + f.Call.Path + ", tool " + f.Call.Tool + ": " + f.Err.Error()
}

// Unwrap returns the error.
func (f ToolFailure) Unwrap() error { return f.Err }

// toolFailures are the failed tries of a step as one error. (errors.Join came with Go 1.20.)
type toolFailures []ToolFailure

// Error returns the text of the last failure.
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

// Is reports whether any of the failures matches.
func (f toolFailures) Is(target error) bool {
	return f.any(func(one ToolFailure) bool { return errors.Is(one, target) })
}

// As finds an error in any of them, the latest first.
func (f toolFailures) As(target any) bool {
	return f.any(func(one ToolFailure) bool { return errors.As(one, target) })
}

// toolAnswer is the result of a call.
type toolAnswer struct {
	number uint64
	call   ToolCall
	output json.RawMessage
	reply  *AgentReply
	err    error
}

// callTool runs a tool and reports its result. It catches panics; a tool that ends its goroutine
// has failed.
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

// read converts a tool's result.
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

// cause returns why a call failed.
func (a toolAnswer) cause(ctx context.Context) RunCause {
	switch {
	case errors.Is(a.err, ErrToolNotFound):
		return CauseNoAgent
	case errors.Is(a.err, context.DeadlineExceeded) && ctx.Err() == nil && !time.Now().Before(a.call.Due):
		return CauseTimedOut
	}
	return CauseToolFailed
}
