// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// RunStepState is the progress of a part of a plan. It never goes back.
type RunStepState int32

const (
	StepPending    RunStepState = capi.ACCP_RUN_STEP_PENDING
	StepInProgress RunStepState = capi.ACCP_RUN_STEP_IN_PROGRESS
	StepDone       RunStepState = capi.ACCP_RUN_STEP_DONE
	StepFailed     RunStepState = capi.ACCP_RUN_STEP_FAILED
)

// String returns the name, such as "IN_PROGRESS".
func (s RunStepState) String() string {
	return name(int(s), "PENDING", "IN_PROGRESS", "DONE", "FAILED")
}

// RunStepKind is the kind of a part of a plan.
type RunStepKind int32

const (
	PartStep     RunStepKind = capi.ACCP_RUN_STEP
	PartParallel RunStepKind = capi.ACCP_RUN_PARALLEL
	PartBranch   RunStepKind = capi.ACCP_RUN_BRANCH // a list of parts in a parallel
)

// RunStep is a part of a plan or of a message in it.
type RunStep struct {
	Kind  RunStepKind
	State RunStepState
	Tries uint32 // number of calls of tools for it, including late and unanswered ones
	Path  string
	Verb  string // of a step; else "", as for Tool
	Tool  string // the current or the last one
}

// Steps returns all parts of the plan; none for a refused message.
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
