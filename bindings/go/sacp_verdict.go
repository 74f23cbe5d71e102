// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"encoding/json"
	"fmt"
	"strings"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// SACPCode is the fault of a SACP message; 0: none.
type SACPCode int32

const (
	SACPMissingField           SACPCode = capi.ACCP_SACP_MISSING_FIELD
	SACPMalformedMessage       SACPCode = capi.ACCP_SACP_MALFORMED_MESSAGE
	SACPMalformedPlan          SACPCode = capi.ACCP_SACP_MALFORMED_PLAN
	SACPInvalidType            SACPCode = capi.ACCP_SACP_INVALID_TYPE
	SACPUnknownVerb            SACPCode = capi.ACCP_SACP_UNKNOWN_VERB
	SACPUnknownTool            SACPCode = capi.ACCP_SACP_UNKNOWN_TOOL
	SACPVerbToolMismatch       SACPCode = capi.ACCP_SACP_VERB_TOOL_MISMATCH
	SACPUnknownState           SACPCode = capi.ACCP_SACP_UNKNOWN_STATE
	SACPBadOutFmt              SACPCode = capi.ACCP_SACP_BAD_OUT_FMT
	SACPOutputDiscipline       SACPCode = capi.ACCP_SACP_OUTPUT_DISCIPLINE
	SACPUnsupportedVersion     SACPCode = capi.ACCP_SACP_UNSUPPORTED_VERSION
	SACPNoAgent                SACPCode = capi.ACCP_SACP_NO_AGENT
	SACPToolFailed             SACPCode = capi.ACCP_SACP_TOOL_FAILED
	SACPTimeout                SACPCode = capi.ACCP_SACP_TIMEOUT
	SACPLimit                  SACPCode = capi.ACCP_SACP_LIMIT
	SACPInvalidStateTransition SACPCode = capi.ACCP_SACP_INVALID_STATE_TRANSITION
)

// ParseSACPCode returns the code of a name ("MALFORMED_PLAN"); ErrInvalidType for any other text.
func ParseSACPCode(name string) (SACPCode, error) {
	if code := capi.Accp_sacp_code_find(name); code >= 0 {
		return SACPCode(code), nil
	}
	return 0, newError(CodeInvalidType, fmt.Sprintf("no code of SACP: %q", name))
}

// String returns the code's name: "MALFORMED_PLAN"; "" for 0 and unknown codes.
func (c SACPCode) String() string { return capi.Static(capi.Accp_sacp_code_name(int(c))) }

// Code returns the package's code for it, such as CodeToolExecFailed for SACPToolFailed; 0 for 0.
func (c SACPCode) Code() Code {
	switch c {
	case SACPMissingField, SACPMalformedPlan, SACPInvalidType, SACPBadOutFmt, SACPUnknownState, SACPInvalidStateTransition:
		return CodeInvalidType
	case SACPMalformedMessage, SACPLimit:
		return CodeParseError
	case SACPUnknownVerb, SACPOutputDiscipline:
		return CodePolicyDenied
	case SACPUnknownTool, SACPNoAgent:
		return CodeToolNotFound
	case SACPVerbToolMismatch:
		return CodeToolSchemaMismatch
	case SACPUnsupportedVersion:
		return CodeUnknownSchema
	case SACPToolFailed:
		return CodeToolExecFailed
	case SACPTimeout:
		return CodeTimeout
	}
	return 0
}

// SACPAnswer is the result of a verdict.
type SACPAnswer int32

const (
	SACPValid      SACPAnswer = capi.ACCP_SACP_VALID
	SACPErr        SACPAnswer = capi.ACCP_SACP_ERR
	SACPReqClarify SACPAnswer = capi.ACCP_SACP_REQ_CLARIFY // no fault, but something is missing
)

// String returns the answer's name: "REQ_CLARIFY".
func (a SACPAnswer) String() string {
	switch a {
	case SACPValid:
		return "VALID"
	case SACPErr:
		return "ERR"
	case SACPReqClarify:
		return "REQ_CLARIFY"
	}
	return fmt.Sprintf("answer %d", int32(a))
}

// Verdict is the result of checking a message.
type Verdict struct {
	Answer  SACPAnswer
	Code    SACPCode
	Details string          // in words; for a fault in a step its path is at the end
	Step    string          // that path ("2.1"); "" if none exists
	Byte    uint64          // offset of the fault in the text
	Needs   []string        // what is missing: "plan", "step.PATH.NAME", "ctx.NAME"
	JSON    json.RawMessage // all of it as the specification prints it, for the sender
}

// Err returns nil for SACPValid, and a *[VerdictError] for the others.
func (v Verdict) Err() error {
	if v.Answer == SACPValid {
		return nil
	}
	return &VerdictError{Verdict: v}
}

// VerdictError is the error for a refused message: errors.As finds it.
type VerdictError struct {
	Verdict Verdict
	Cause   error // the *Error of the refusing call; for PlanResult.Err the errors of the tools; nil from Verdict.Err
}

// Is makes errors.Is(err, ErrTimeout) true for a verdict with code SACPTimeout, and likewise for
// every code (SACPCode.Code).
func (e *VerdictError) Is(target error) bool {
	return (&Error{Code: e.Verdict.Code.Code()}).Is(target)
}

// Error returns "MALFORMED_PLAN: Missing parameters for action step 2", or "REQ_CLARIFY: plan".
func (e *VerdictError) Error() string {
	if e.Verdict.Answer == SACPErr {
		text := "accp: " + e.Verdict.Code.String() + ": " + e.Verdict.Details
		if failures, ok := e.Cause.(toolFailures); ok {
			text += ": " + failures.Error()
		}
		return text
	}
	return "accp: " + e.Verdict.Answer.String() + ": " + strings.Join(e.Verdict.Needs, ", ")
}

// Unwrap returns the cause.
func (e *VerdictError) Unwrap() error { return e.Cause }

// readVerdict copies the verdict of the last call. It does not change s.Error, and overwrites
// s.View.
func readVerdict(sacp unsafe.Pointer, s *capi.Scratch) (Verdict, int) {
	if status := capi.Accp_sacp_verdict(sacp, s.RoomOut(), nil); status != 0 {
		return Verdict{}, status
	}
	from := (*capi.Verdict)(s.RoomOut())
	verdict := Verdict{Answer: SACPAnswer(from.Answer), Code: SACPCode(from.Code), Details: from.Details.String(), Step: from.Step.String(), Byte: from.Byte}
	for i := uint(0); i < uint(from.NeedCount); i++ {
		verdict.Needs = append(verdict.Needs, strings.Clone(capi.Accp_sacp_need(sacp, i)))
	}
	status := capi.Accp_sacp_print_verdict(sacp, s.Out(), nil)
	if status == 0 {
		verdict.JSON = json.RawMessage(s.View.String())
	}
	return verdict, status
}
