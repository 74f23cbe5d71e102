// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"fmt"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// SACPVersion is a version of SACP, which has states of its own.
type SACPVersion int32

const (
	SACP01 SACPVersion = capi.ACCP_SACP_0_1
	SACP10 SACPVersion = capi.ACCP_SACP_1_0
)

// States are those of the version, PENDING first.
func (v SACPVersion) States() []SACPState {
	var states []SACPState
	for number := int32(0); capi.Accp_sacp_state_name(int(v), int(number)) != nil; number++ {
		states = append(states, SACPState{v, number + 1})
	}
	return states
}

// SACPState is a state that a task is in. The zero one is none.
type SACPState struct {
	version SACPVersion
	ordinal int32 // its number in C, and 1
}

// ParseSACPState is the state of a name ("PENDING"); ErrInvalidType where the version has none of that name.
func ParseSACPState(version SACPVersion, name string) (SACPState, error) {
	if number := capi.Accp_sacp_state_find(int(version), name); number >= 0 {
		return SACPState{version, int32(number) + 1}, nil
	}
	return SACPState{}, newError(CodeInvalidType, fmt.Sprintf("no state of a task: %q", name))
}

// String is the state's name; "" for none.
func (s SACPState) String() string {
	return capi.Static(capi.Accp_sacp_state_name(int(s.version), int(s.ordinal)-1))
}

// MayFollow says whether a task may go on to it from another state of the same version. One that has ended goes on to none; any other may be said again.
func (s SACPState) MayFollow(before SACPState) bool {
	return s.version == before.version && capi.Accp_sacp_state_follows(int(s.version), int(before.ordinal)-1, int(s.ordinal)-1) != 0
}
