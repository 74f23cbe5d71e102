// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"fmt"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// SACPVersion is a version of SACP; each has its own states.
type SACPVersion int32

const (
	SACP01 SACPVersion = capi.ACCP_SACP_0_1
	SACP10 SACPVersion = capi.ACCP_SACP_1_0
)

// States returns the states of the version, PENDING first.
func (v SACPVersion) States() []SACPState {
	var states []SACPState
	for number := int32(0); capi.Accp_sacp_state_name(int(v), int(number)) != nil; number++ {
		states = append(states, SACPState{v, number + 1})
	}
	return states
}

// SACPState is a state of a task. The zero value is not a state.
type SACPState struct {
	version SACPVersion
	ordinal int32 // its number in C plus 1
}

// ParseSACPState returns the state of a name ("PENDING"); ErrInvalidType if the version has no such
// state.
func ParseSACPState(version SACPVersion, name string) (SACPState, error) {
	if number := capi.Accp_sacp_state_find(int(version), name); number >= 0 {
		return SACPState{version, int32(number) + 1}, nil
	}
	return SACPState{}, newError(CodeInvalidType, fmt.Sprintf("no state of a task: %q", name))
}

// String returns the state's name; "" for the zero value.
func (s SACPState) String() string {
	return capi.Static(capi.Accp_sacp_state_name(int(s.version), int(s.ordinal)-1))
}

// MayFollow reports whether a task may change to this state from another state of the same version.
// After an end state no other is possible; any other state may be repeated.
func (s SACPState) MayFollow(before SACPState) bool {
	return s.version == before.version && capi.Accp_sacp_state_is_next(int(s.version), int(before.ordinal)-1, int(s.ordinal)-1) != 0
}
