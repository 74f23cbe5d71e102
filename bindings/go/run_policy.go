// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"encoding/json"
	"time"
)

// RunPolicy configures a run. Zero fields have their defaults; a negative value means 0. Times have
// milliseconds.
type RunPolicy struct {
	Retries        int           // tries of a tool after its first; 0: 1, negative: none
	NoFallback     bool          // do not try other tools
	Timeout        time.Duration // of one call; 0: a minute
	Backoff        time.Duration // the wait before the first retry, doubled each time; 0: 200 ms, negative: none
	MaxBackoff     time.Duration // the most; 0: 30 s
	JitterPercent  int           // random addition to a wait; 0: 20, negative: none
	MaxParallel    int           // concurrent calls; 0: 16
	MaxOutputBytes int           // of one answer; 0: 16 MiB
	MaxParamsBytes int           // of one step's params; 0: 16 MiB
	MaxHeldBytes   int           // of all held data; 0: 256 MiB
	Tools          map[string]ToolPolicy
	Simulate       map[string]any // results of tools in a dry run
}

// ToolPolicy has settings for one tool.
type ToolPolicy struct {
	Retries int           // 0: the policy's, negative: none
	Timeout time.Duration // 0: the policy's
}

// MarshalJSON returns the policy in the form of the library.
func (p RunPolicy) MarshalJSON() ([]byte, error) {
	out := map[string]any{}
	setNumber(out, "retries", int64(p.Retries))
	set(out, "fallback", false, p.NoFallback)
	setNumber(out, "timeout_ms", milliseconds(p.Timeout))
	setNumber(out, "backoff_ms", milliseconds(p.Backoff))
	setNumber(out, "max_backoff_ms", milliseconds(p.MaxBackoff))
	setNumber(out, "jitter_percent", int64(p.JitterPercent))
	setNumber(out, "max_parallel", int64(p.MaxParallel))
	setNumber(out, "max_output_bytes", int64(p.MaxOutputBytes))
	setNumber(out, "max_params_bytes", int64(p.MaxParamsBytes))
	setNumber(out, "max_held_bytes", int64(p.MaxHeldBytes))
	tools := map[string]any{}
	for name, tool := range p.Tools {
		own := map[string]any{}
		setNumber(own, "retries", int64(tool.Retries))
		setNumber(own, "timeout_ms", milliseconds(tool.Timeout))
		tools[name] = own
	}
	set(out, "tools", tools, len(tools) > 0)
	set(out, "simulate", p.Simulate, len(p.Simulate) > 0)
	return json.Marshal(out)
}

// milliseconds rounds up, so that a positive time does not become 0.
func milliseconds(d time.Duration) int64 {
	if d < 0 {
		return -1
	}
	return int64((d + time.Millisecond - 1) / time.Millisecond)
}

func setNumber(out map[string]any, name string, value int64) {
	if value < 0 {
		out[name] = 0
	} else if value > 0 {
		out[name] = value
	}
}
