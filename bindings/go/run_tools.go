// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
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

// ToolFailure is a try that failed, and with what: a *[PanicError] where the tool panicked.
type ToolFailure struct {
	Call ToolCall
	Err  error
}

// toolAnswer is what came of a call.
type toolAnswer struct {
	number uint64
	call   ToolCall
	output json.RawMessage
	reply  *AgentReply
	err    error
}

// callTool runs a tool: no panic leaves it.
func callTool(ctx context.Context, tool Tool, number uint64, call ToolCall) (answer toolAnswer) {
	answer = toolAnswer{number: number, call: call}
	ended := false
	defer func() {
		if !ended { // panic(nil) is nothing to recover() before Go 1.21
			answer.err = &PanicError{Value: recover(), Stack: debug.Stack()}
		}
	}()
	value, err := tool(ctx, call)
	if answer.err = err; err != nil {
		ended = true
		return answer
	}
	switch value := value.(type) {
	case AgentReply:
		answer.reply = &value
	case json.RawMessage:
		if answer.output = value; value == nil {
			answer.output = json.RawMessage("null")
		}
	default:
		if answer.output, err = json.Marshal(value); err != nil {
			answer.err = fmt.Errorf("no JSON: %w", err)
		}
	}
	ended = true
	return answer
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
