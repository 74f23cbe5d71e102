// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"encoding/json"
	"fmt"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// SACPOutFmt is the requested format of a result.
type SACPOutFmt int32

const (
	SACPRaw     SACPOutFmt = capi.ACCP_SACP_RAW     // for programs
	SACPHuman   SACPOutFmt = capi.ACCP_SACP_HUMAN   // for people
	SACPSummary SACPOutFmt = capi.ACCP_SACP_SUMMARY // for programs, short
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

// SACPMessage writes SACP messages: JSON, or json.Marshal, makes the text for SACP. Zero fields are
// omitted, except for goal and plan.
type SACPMessage struct {
	Goal     string
	Ctx      map[string]any
	Plan     []SACPPart
	OutFmt   SACPOutFmt // SACPRaw is omitted because it is the default
	State    SACPState
	MsgID    string
	ReplyTo  string
	Subtasks []SACPMessage
	TestMode bool
	Result   map[string]any
	Ext      map[string]any // additional members
}

// SACPPart is an element of a plan: SACPStep, SACPParallel and SACPJoin make one.
type SACPPart struct{ value any }

// SACPStep makes a step, [verb, tool, params]; params may be nil. A param may be a SACPMessage: a
// subtask.
func SACPStep(verb, tool string, params map[string]any) SACPPart {
	if params == nil {
		params = map[string]any{}
	}
	return SACPPart{[]any{verb, tool, params}}
}

// SACPParallel makes parts that run side by side; several steps in order are a SACPBranch.
func SACPParallel(branches ...SACPPart) SACPPart {
	return SACPPart{map[string]any{"parallel": parts(branches)}}
}

// SACPBranch makes steps in order; only inside a SACPParallel.
func SACPBranch(steps ...SACPPart) SACPPart { return SACPPart{parts(steps)} }

// SACPJoin makes the step directly after a SACPParallel that takes the outputs of its branches.
func SACPJoin(tool string, params map[string]any) SACPPart { return SACPStep("join", tool, params) }

// parts returns a slice that is written as an array, never as null.
func parts(of []SACPPart) []SACPPart { return append([]SACPPart{}, of...) }

// MarshalJSON returns the part as in a plan.
func (p SACPPart) MarshalJSON() ([]byte, error) { return json.Marshal(p.value) }

// JSON returns the message. Its maps are converted by json.Marshal; use json.Number, *big.Int or
// json.RawMessage for exact numbers.
func (m SACPMessage) JSON() ([]byte, error) { return json.Marshal(m) }

// MarshalJSON returns JSON.
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
