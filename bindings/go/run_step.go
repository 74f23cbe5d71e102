// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// RunStepState is how far a part of a plan has come. It never goes back.
type RunStepState int32

const (
	StepPending    RunStepState = capi.ACCP_RUN_STEP_PENDING
	StepInProgress RunStepState = capi.ACCP_RUN_STEP_IN_PROGRESS
	StepDone       RunStepState = capi.ACCP_RUN_STEP_DONE
	StepFailed     RunStepState = capi.ACCP_RUN_STEP_FAILED
)

// String is "IN_PROGRESS", and so on.
func (s RunStepState) String() string {
	return name(int(s), "PENDING", "IN_PROGRESS", "DONE", "FAILED")
}

// RunStepKind is what a part of a plan is.
type RunStepKind int32

const (
	PartStep     RunStepKind = capi.ACCP_RUN_STEP
	PartParallel RunStepKind = capi.ACCP_RUN_PARALLEL
	PartBranch   RunStepKind = capi.ACCP_RUN_BRANCH // of a parallel, one that is a list of parts
)

// RunStep is a part of a plan, of the messages in it too.
type RunStep struct {
	Kind  RunStepKind
	State RunStepState
	Tries uint32 // how many times a tool was called for it, answered or not in time
	Path  string
	Verb  string // of a step; else "", as its tool
	Tool  string // the one that is tried, or was the last
}

// Steps are all parts of the plan; none of a message that was refused.
func (r *PlanRun) Steps() (steps []RunStep, err error) {
	err = r.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		count := capi.Accp_run_step_count(p)
		for i := uint(0); i < count; i++ {
			if status := capi.Accp_run_step_at(p, i, s.RoomOut(), s.Err()); status != 0 {
				return status
			}
			from := (*capi.RunStep)(s.RoomOut())
			steps = append(steps, RunStep{RunStepKind(from.Kind), RunStepState(from.State), from.Tries, from.Path.String(), from.Verb.String(), from.Tool.String()})
		}
		return 0
	})
	return steps, err
}
