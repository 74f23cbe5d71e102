// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"encoding/json"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// RunRequest has the inputs of a run.
type RunRequest struct {
	Message []byte         // a message of SACP
	Library []byte         // the document of its verbs and tools; nil: none
	Policy  json.Marshaler // a RunPolicy or a json.RawMessage; nil: defaults
	Lenient bool           // unknown verbs and tools are allowed

	// Store and Session locate the log, from which another run of the same request continues. The
	// session (1 to 256 bytes) has this run as its only writer. With Records the caller keeps the
	// log instead.
	Store   *Store
	Session string
	Records bool
}

// RunState is the progress of a run.
type RunState int32

const (
	RunGoingOn RunState = capi.ACCP_RUN_GOING_ON
	RunDone    RunState = capi.ACCP_RUN_DONE
	RunFailed  RunState = capi.ACCP_RUN_FAILED
	RunRefused RunState = capi.ACCP_RUN_REFUSED // nothing ran: the message is not valid or was run before
)

// String returns the name, such as "DONE".
func (s RunState) String() string {
	return name(int(s), "GOING_ON", "DONE", "FAILED", "REFUSED")
}

// name returns one of several names; "" for a number out of range.
func name(number int, names ...string) string {
	if number < 0 || number >= len(names) {
		return ""
	}
	return names[number]
}

// PlanRun runs the plan of a message. Run does all of it with functions as tools. The other methods
// are for callers that call tools in another way: Next returns the next action, other methods
// report its result. PlanRun does nothing itself and reads no clock. Its calls queue, so any
// goroutine may cancel during Run.
type PlanRun struct {
	*handle

	// Record makes a record of the log durable before it returns, if the request has Records. Set
	// it before Run.
	Record func(record []byte) error

	told   chan struct{} // full after an event was reported
	driven atomic.Bool   // Run is active
}

// NewPlanRun makes a run. For a message that is not valid or whose state is not PENDING it returns
// no error: the run is RunRefused, and its Final is the verdict.
//
// If the session has a log, the run continues from it, and message, library, policy and Lenient
// must be the same. No call is repeated whose result is in the log. It returns ErrCorrupt for the
// log of another run or a damaged one, ErrInvalidType for an invalid library, and ErrArgument for
// an invalid policy or a missing session. It reads the limits of the options.
func NewPlanRun(request RunRequest, options ...Option) (*PlanRun, error) {
	policy := []byte(nil)
	if request.Policy != nil {
		var err error
		if policy, err = request.Policy.MarshalJSON(); err != nil {
			return nil, newError(CodeArgument, "the policy: "+err.Error())
		}
	}
	var uses []*shared
	if request.Store != nil {
		uses = append(uses, request.Store.shared)
	}
	h, err := open(capi.Accp_run_free, options, func(config, out, err unsafe.Pointer) int {
		var store unsafe.Pointer
		if request.Store != nil {
			store = request.Store.ptr
		}
		return capi.NewRun(capi.Text(request.Message), capi.Text(request.Library), capi.Text(policy), request.Session, store, request.flags(),
			time.Now().UnixMilli(), config, out, err)
	}, uses...)
	if err != nil {
		return nil, err
	}
	return &PlanRun{handle: h, told: make(chan struct{}, 1)}, nil
}

func (r RunRequest) flags() (flags uint32) {
	if r.Lenient {
		flags |= capi.ACCP_RUN_LENIENT
	}
	if r.Records {
		flags |= capi.ACCP_RUN_RECORDS
	}
	return flags
}

// RunEffectKind is the kind of an action.
type RunEffectKind int32

const (
	EffectNothing RunEffectKind = capi.ACCP_RUN_NOTHING // wait for a result, or until Due and then call Tick
	EffectCall    RunEffectKind = capi.ACCP_RUN_CALL    // call a tool and report its result
	EffectStop    RunEffectKind = capi.ACCP_RUN_STOP    // the result of this call is no longer needed
	EffectEnded   RunEffectKind = capi.ACCP_RUN_ENDED   // the last: the plan has ended
	EffectRecord  RunEffectKind = capi.ACCP_RUN_RECORD  // make Text durable before any later action
)

// RunEffect is an action that Next returns.
type RunEffect struct {
	Kind RunEffectKind
	Step uint32          // index of the call's step in Steps
	Call uint64          // unique number of the call in this run
	Due  time.Time       // when it times out
	Path string          // of the step
	Verb string          // by its full name
	Tool string          // the step's own, or a fallback
	Text json.RawMessage // a call's params with replaced references; or a record
	Key  string          // equal for each try of this tool for this step of this run, also after a restart; unique otherwise
}

// Next returns the next action. Call it until it returns EffectNothing or EffectEnded, and again
// after each event. With a store the log is durable before Next returns an action that depends on
// it. After ErrBusy, ErrIO with a full disk and ErrNoMemory of the store, call it again.
// ErrSessionClosed means that another run has opened the session; a new run continues from the log.
func (r *PlanRun) Next(now time.Time) (effect RunEffect, err error) {
	err = r.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_run_next(p, now.UnixMilli(), s.RoomOut(), s.Err())
		if status == 0 {
			from := (*capi.RunEffect)(s.RoomOut())
			effect = RunEffect{Kind: RunEffectKind(from.Kind), Step: from.Step, Call: from.Call, Path: from.Path.String(), Verb: from.Verb.String(),
				Tool: from.Tool.String(), Text: json.RawMessage(from.Text.String()), Key: from.Key.String()}
			if effect.Kind == EffectCall {
				effect.Due = time.UnixMilli(from.DueMs)
			}
		}
		return status
	})
	return effect, err
}

// Replay takes a record that an earlier run of the same request returned: all of them, in order,
// before the first Next. It returns ErrCorrupt if the record cannot come next, and nothing changes;
// ErrArgument if the run keeps its log itself or has begun.
func (r *PlanRun) Replay(record []byte) error {
	return r.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_run_replay(p, capi.Text(record), s.Err())
	})
}

// Complete reports the JSON output of a call. Invalid JSON or more than the policy's
// max_output_bytes counts as a failure of the tool. tool is the tool that answered, or "" if the
// caller is certain. It returns ErrDropped if the result is no longer needed, and ErrArgument if
// another tool was called.
func (r *PlanRun) Complete(call uint64, tool string, output []byte, now time.Time) error {
	return r.tell(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_run_complete(p, call, tool, capi.Text(output), now.UnixMilli(), s.Err())
	})
}

// RunCause is the reason for a failed call.
type RunCause int32

const (
	CauseToolFailed RunCause = capi.ACCP_RUN_TOOL_FAILED
	CauseTimedOut   RunCause = capi.ACCP_RUN_TIMED_OUT
	CauseNoAgent    RunCause = capi.ACCP_RUN_NO_AGENT // no agent has this tool
)

// Fail reports that a call failed. The reason goes to the log. Errors are as for Complete.
func (r *PlanRun) Fail(call uint64, tool string, cause RunCause, reason string, now time.Time) error {
	reason = strings.ToValidUTF8(reason, "\ufffd")
	return r.tell(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_run_fail(p, call, tool, int(cause), reason, now.UnixMilli(), s.Err())
	})
}

// Reply reports the SACP message with which an agent of this role answered a call, under its rules
// for output. A DONE message has its result's output, or else its result. After an IN_PROGRESS
// message the call continues. Errors are as for Complete.
func (r *PlanRun) Reply(call uint64, tool, role string, reply []byte, now time.Time) error {
	return r.tell(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_run_receive_reply(p, call, tool, role, capi.Text(reply), now.UnixMilli(), s.Err())
	})
}

// RequestMessage prints a call as a SACP message for an agent: the goal and the ctx, the step as
// its plan, and a msg_id that is the same after a restart. Then only that agent's reply counts;
// printing the call again for another agent replaces it. role is the agent's, as in Reply, or "".
// SACP.ToMessage makes a [Message] from it.
//
// It returns ErrDropped if the result is no longer needed, and ErrArgument for an invalid agent or
// for a join, which is not a plan by itself.
func (r *PlanRun) RequestMessage(call uint64, agent, role string) (json.RawMessage, error) {
	return r.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_run_print_request(p, call, agent, role, s.Out(), s.Err())
	})
}

// Receive takes a SACP message of an agent, which SACP.FromMessage makes from a [Message]. If its
// reply_to is the msg_id of a RequestMessage, it counts as that call's reply (see Reply); otherwise it
// changes nothing. sender is the authenticated sender, "" for the requested agent.
//
// It returns ErrDropped if the result is no longer needed, ErrArgument if another agent was
// requested, and ErrParseError if the message is not a JSON object with a reply_to or is longer
// than the policy's max_output_bytes.
func (r *PlanRun) Receive(sender string, message []byte, now time.Time) error {
	return r.tell(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_run_receive(p, sender, capi.Text(message), now.UnixMilli(), s.Err())
	})
}

// Tick reports that time has passed: calls time out, and waiting steps are tried again.
func (r *PlanRun) Tick(now time.Time) error {
	return r.tell(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_run_tick(p, now.UnixMilli(), s.Err()) })
}

// Cancel ends a plan: running calls are stopped, no other is made, and the plan has failed. It does
// nothing if the plan has ended.
func (r *PlanRun) Cancel(now time.Time) error {
	return r.tell(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_run_cancel(p, now.UnixMilli(), s.Err()) })
}

// tell runs a call after which there may be new actions.
func (r *PlanRun) tell(call func(p unsafe.Pointer, s *capi.Scratch) int) error {
	err := r.do(call)
	if err == nil {
		select {
		case r.told <- struct{}{}:
		default:
		}
	}
	return err
}

// Due returns the latest time for the next Tick; the zero Time if no time is awaited.
func (r *PlanRun) Due() (due time.Time) {
	_ = r.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		if at := capi.Accp_run_due(p); at >= 0 {
			due = time.UnixMilli(at)
		}
		return 0
	})
	return due
}

// State returns the progress; -1 if the run is closed.
func (r *PlanRun) State() RunState {
	state := RunState(-1)
	_ = r.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		state = RunState(capi.Accp_run_state(p))
		return 0
	})
	return state
}

// Trace returns the attempts so far as a JSON array, in the order of the steps' paths.
func (r *PlanRun) Trace() (json.RawMessage, error) {
	return r.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_run_print_trace(p, s.Out(), s.Err()) })
}

// Final returns the result of the plan: {"state":"DONE","result":{"output":…,"step_results":{…}}},
// FAILED with an error, or the verdict of a refused message. It returns ErrArgument if the plan has
// not ended.
func (r *PlanRun) Final() (json.RawMessage, error) {
	return r.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_run_print_final(p, s.Out(), s.Err()) })
}

// ReplyMessage returns Final as a reply to the request, with a new msg_id. It returns ErrArgument
// if the plan has not ended or the id is invalid.
func (r *PlanRun) ReplyMessage(id string) (json.RawMessage, error) {
	return r.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_run_print_reply(p, id, s.Out(), s.Err()) })
}
