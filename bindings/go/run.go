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

// RunRequest is what a plan is run from.
type RunRequest struct {
	Message []byte         // a message of SACP
	Library []byte         // the document of its verbs and tools; nil: none
	Policy  json.Marshaler // a RunPolicy, or a json.RawMessage; nil: as if nothing was said in it
	Lenient bool           // verbs and tools that the library does not have are no error

	// Where the log is kept, so that another run of the same request goes on from there: in a session of a store, 1 to 256 bytes, whose only writer is this run;
	// or, with Records, by the caller.
	Store   *Store
	Session string
	Records bool
}

// RunState is how far a run has come.
type RunState int32

const (
	RunGoingOn RunState = capi.ACCP_RUN_GOING_ON
	RunDone    RunState = capi.ACCP_RUN_DONE
	RunFailed  RunState = capi.ACCP_RUN_FAILED
	RunRefused RunState = capi.ACCP_RUN_REFUSED // nothing ran: the message is not valid, or was run before
)

// String is "DONE", and so on.
func (s RunState) String() string {
	return name(int(s), "GOING_ON", "DONE", "FAILED", "REFUSED")
}

// name is one of several; "" for a number out of range.
func name(number int, names ...string) string {
	if number < 0 || number >= len(names) {
		return ""
	}
	return names[number]
}

// PlanRun runs the plan of a message: Run does all of it, with tools that are functions. The other methods are for those who have another way to call them: Next says
// what is to be done, and they tell what came of it. It does nothing itself, and reads no clock. Its calls queue, so anybody may cancel while Run goes on.
type PlanRun struct {
	*handle

	// Record makes a record of the log durable before it returns, where the request said Records. To be set before Run.
	Record func(record []byte) error

	told   chan struct{} // full after somebody told it something
	driven atomic.Bool   // Run goes on
}

// NewPlanRun makes a run. A message that is not valid, or whose state is not PENDING, is no error: the run is RunRefused, and its Final is the verdict.
//
// Where the session has a log, the run goes on from there, and message, library, policy and Lenient have to be the same: nothing whose answer is in the log is called
// again. ErrCorrupt: it is the log of another run, or damaged. ErrInvalidType: the library is none. ErrArgument: the policy is none, there is no such session. Of the
// options it reads the limits.
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

// RunEffectKind is what is to be done.
type RunEffectKind int32

const (
	EffectNothing RunEffectKind = capi.ACCP_RUN_NOTHING // wait for an answer, or until Due and tell Tick
	EffectCall    RunEffectKind = capi.ACCP_RUN_CALL    // call a tool, and tell what comes of it
	EffectStop    RunEffectKind = capi.ACCP_RUN_STOP    // nobody waits for this call any more
	EffectEnded   RunEffectKind = capi.ACCP_RUN_ENDED   // the last: the plan has ended
	EffectRecord  RunEffectKind = capi.ACCP_RUN_RECORD  // make Text durable before anything after it is done
)

// RunEffect is what Next says.
type RunEffect struct {
	Kind RunEffectKind
	Step uint32          // of a call: the index of its step in Steps
	Call uint64          // its number, never another's in this run
	Due  time.Time       // when it has timed out
	Path string          // of the step
	Verb string          // by its full name
	Tool string          // the step's own, or a fallback
	Text json.RawMessage // a call's params, references replaced; a record
	Key  string          // the same for each try of this tool for this step of this run, also after a restart; no other's
}

// Next says what is to be done next: to be asked until it is EffectNothing or EffectEnded, and again after anything was told. With a store the log is durable before
// what depends on it is said. ErrBusy, ErrIO with a full disk, ErrNoMemory of the store: ask again. ErrSessionClosed: another run has opened the session; a new run goes
// on from the log.
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

// Replay takes a record that an earlier run of the same request gave to its caller: all of them, in their order, before the first Next. ErrCorrupt: it is not what
// can come next, and nothing changes. ErrArgument: the run keeps its log itself, or has begun.
func (r *PlanRun) Replay(record []byte) error {
	return r.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_run_replay(p, capi.Text(record), s.Err())
	})
}

// Complete: a call brought this JSON. What is none, or over the policy's max_output_bytes, is a failure of the tool. The tool is whose answer it is, "" where the
// caller knows. ErrDropped: nobody waits for it any more. ErrArgument: another tool was called.
func (r *PlanRun) Complete(call uint64, tool string, output []byte, now time.Time) error {
	return r.tell(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_run_complete(p, call, tool, capi.Text(output), now.UnixMilli(), s.Err())
	})
}

// RunCause is why a call brought nothing.
type RunCause int32

const (
	CauseToolFailed RunCause = capi.ACCP_RUN_TOOL_FAILED
	CauseTimedOut   RunCause = capi.ACCP_RUN_TIMED_OUT
	CauseNoAgent    RunCause = capi.ACCP_RUN_NO_AGENT // nobody has this tool
)

// Fail: a call failed. The reason is for the log. As Complete.
func (r *PlanRun) Fail(call uint64, tool string, cause RunCause, reason string, now time.Time) error {
	reason = strings.ToValidUTF8(reason, "\ufffd")
	return r.tell(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_run_fail(p, call, tool, int(cause), reason, now.UnixMilli(), s.Err())
	})
}

// Reply: a call was answered by an agent of this role with SACP, whose output discipline holds: a message that is DONE brings its result's output, or else its result.
// After one that is IN_PROGRESS the call goes on. As Complete.
func (r *PlanRun) Reply(call uint64, tool, role string, reply []byte, now time.Time) error {
	return r.tell(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_run_reply(p, call, tool, role, capi.Text(reply), now.UnixMilli(), s.Err())
	})
}

// RequestMessage prints a call as a message of SACP for an agent that is to do it: the goal and the ctx, the one step as its plan, and a msg_id of its own, which is the same after a restart.
// Nobody else's answer counts then; a call that is printed again is the other agent's. The role is the agent's, as in Reply, or "". SACP.ToMessage makes a [Message] of it.
//
// ErrDropped: nobody waits for the call. ErrArgument: no such agent, or the call is a join, which is no plan by itself.
func (r *PlanRun) RequestMessage(call uint64, agent, role string) (json.RawMessage, error) {
	return r.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_run_print_request(p, call, agent, role, s.Out(), s.Err())
	})
}

// Receive: an agent sent this message of SACP, which SACP.FromMessage makes of one of ACCP. Where its reply_to is the msg_id of a RequestMessage it answers that call, as Reply does; anything
// else changes nothing. The sender is who sent it, as the caller knows, "" for the one who was asked.
//
// ErrDropped: nobody waits for it. ErrArgument: another agent was asked. ErrParseError: it is no JSON object with a reply_to, or longer than the policy's max_output_bytes.
func (r *PlanRun) Receive(sender string, message []byte, now time.Time) error {
	return r.tell(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_run_receive(p, sender, capi.Text(message), now.UnixMilli(), s.Err())
	})
}

// Tick: time has passed. Calls time out, and what waited is tried again.
func (r *PlanRun) Tick(now time.Time) error {
	return r.tell(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_run_tick(p, now.UnixMilli(), s.Err()) })
}

// Cancel ends a plan: calls that go on are stopped, no other is made, and it has failed. Of a plan that has ended nothing changes.
func (r *PlanRun) Cancel(now time.Time) error {
	return r.tell(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_run_cancel(p, now.UnixMilli(), s.Err()) })
}

// tell runs a call after which there may be something to do.
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

// Due is when Tick has to be told at the latest; the zero Time: nothing waits for a time.
func (r *PlanRun) Due() (due time.Time) {
	_ = r.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		if at := capi.Accp_run_due(p); at >= 0 {
			due = time.UnixMilli(at)
		}
		return 0
	})
	return due
}

// State is how far it has come; -1 of a run that is closed.
func (r *PlanRun) State() RunState {
	state := RunState(-1)
	_ = r.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		state = RunState(capi.Accp_run_state(p))
		return 0
	})
	return state
}

// Trace is the attempts so far as a JSON array, in the order of the steps' paths.
func (r *PlanRun) Trace() (json.RawMessage, error) {
	return r.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_run_print_trace(p, s.Out(), s.Err()) })
}

// Final is what the plan ended with: {"state":"DONE","result":{"output":…,"step_results":{…}}}, or FAILED with an error; of a message that was refused the verdict.
// ErrArgument: it has not ended.
func (r *PlanRun) Final() (json.RawMessage, error) {
	return r.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_run_print_final(p, s.Out(), s.Err()) })
}

// ReplyMessage is Final as a message that replies to the one that came, under a msg_id of its own. ErrArgument: it has not ended, or no message can have this id.
func (r *PlanRun) ReplyMessage(id string) (json.RawMessage, error) {
	return r.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_run_print_reply(p, id, s.Out(), s.Err()) })
}
