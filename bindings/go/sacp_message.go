// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"encoding/json"
	"fmt"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// SACPOutFmt is what an answer is to be like.
type SACPOutFmt int32

const (
	SACPRaw     SACPOutFmt = capi.ACCP_SACP_RAW     // for programs
	SACPHuman   SACPOutFmt = capi.ACCP_SACP_HUMAN   // for people
	SACPSummary SACPOutFmt = capi.ACCP_SACP_SUMMARY // for programs, in short
)

// String is "raw", "human" or "summary".
func (f SACPOutFmt) String() string {
	switch f {
	case SACPRaw:
		return "raw"
	case SACPHuman:
		return "human"
	case SACPSummary:
		return "summary"
	}
	return fmt.Sprintf("out_fmt %d", int32(f))
}

// SACPMessage writes messages of SACP: JSON, or json.Marshal, makes the text that a SACP takes. What is zero is left out, but for goal and plan.
type SACPMessage struct {
	Goal     string
	Ctx      map[string]any
	Plan     []SACPPart
	OutFmt   SACPOutFmt // SACPRaw is left out, as everybody takes it for granted
	State    SACPState
	MsgID    string
	ReplyTo  string
	Subtasks []SACPMessage
	TestMode bool
	Result   map[string]any
	Ext      map[string]any // members of one's own
}

// SACPPart is an element of a plan: SACPStep, SACPParallel and SACPJoin make one.
type SACPPart struct{ value any }

// SACPStep is a step, [verb, tool, params]; nil params are none. A param may be a SACPMessage: a subtask.
func SACPStep(verb, tool string, params map[string]any) SACPPart {
	if params == nil {
		params = map[string]any{}
	}
	return SACPPart{[]any{verb, tool, params}}
}

// SACPParallel is parts that go side by side; one that is several steps is a SACPBranch.
func SACPParallel(branches ...SACPPart) SACPPart {
	return SACPPart{map[string]any{"parallel": parts(branches)}}
}

// SACPBranch is steps, one after another, in a SACPParallel; nowhere else.
func SACPBranch(steps ...SACPPart) SACPPart { return SACPPart{parts(steps)} }

// SACPJoin is the step directly behind a SACPParallel that takes what its branches made.
func SACPJoin(tool string, params map[string]any) SACPPart { return SACPStep("join", tool, params) }

// parts are written as an array, and never as null.
func parts(of []SACPPart) []SACPPart { return append([]SACPPart{}, of...) }

// MarshalJSON writes it as it stands in a plan.
func (p SACPPart) MarshalJSON() ([]byte, error) { return json.Marshal(p.value) }

// JSON is the message, as json.Marshal makes JSON of what is in its maps: numbers that are to be exact are json.Number, *big.Int or json.RawMessage.
func (m SACPMessage) JSON() ([]byte, error) { return json.Marshal(m) }

// MarshalJSON is JSON.
func (m SACPMessage) MarshalJSON() ([]byte, error) {
	out := struct {
		Goal     string         `json:"g"`
		Ctx      map[string]any `json:"ctx,omitempty"`
		Plan     []SACPPart     `json:"plan"`
		OutFmt   string         `json:"out_fmt,omitempty"`
		State    string         `json:"state,omitempty"`
		MsgID    string         `json:"msg_id,omitempty"`
		ReplyTo  string         `json:"reply_to,omitempty"`
		Subtasks any            `json:"subtask,omitempty"`
		TestMode bool           `json:"test_mode,omitempty"`
		Result   map[string]any `json:"result,omitempty"`
		Ext      map[string]any `json:"ext,omitempty"`
	}{Goal: m.Goal, Ctx: m.Ctx, Plan: parts(m.Plan), State: m.State.String(), MsgID: m.MsgID, ReplyTo: m.ReplyTo, TestMode: m.TestMode, Result: m.Result, Ext: m.Ext}
	if m.OutFmt != SACPRaw {
		out.OutFmt = m.OutFmt.String()
	}
	switch len(m.Subtasks) {
	case 0:
	case 1:
		out.Subtasks = m.Subtasks[0]
	default:
		out.Subtasks = m.Subtasks
	}
	return json.Marshal(out)
}
