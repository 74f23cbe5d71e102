// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"bytes"
	"context"
	"encoding/json"
	"time"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// PlanCheck is how a plan is looked at.
type PlanCheck struct {
	Lenient bool      // as SACP.ValidateLenient
	Now     time.Time // the zero Time: no lease ends
}

// Feasibility is whether a plan can be carried out by the agents that there are.
type Feasibility int32

const (
	PlanInvalid    Feasibility = capi.ACCP_PLAN_INVALID    // the message is not valid
	PlanInfeasible Feasibility = capi.ACCP_PLAN_INFEASIBLE // there is a step that nobody can do
	PlanFeasible   Feasibility = capi.ACCP_PLAN_FEASIBLE   // each has somebody, for its tool or for one that it falls back on
)

// String is "INVALID", "INFEASIBLE" or "FEASIBLE".
func (f Feasibility) String() string { return name(int(f)+1, "INVALID", "INFEASIBLE", "FEASIBLE") }

// PlanReport says who can do each step of a plan.
type PlanReport struct {
	Answer  Feasibility
	Verdict Verdict         // why the message is PlanInvalid; else SACPValid
	JSON    json.RawMessage // the steps, as docs/sacp.md has it; nil where it is PlanInvalid
}

// CheckPlan says for every step of a message, and of the messages inside it, which agents can do it, or why none can. The message is judged by sacp, whose turn the call has too.
func (a *Agents) CheckPlan(sacp *SACP, message []byte, check PlanCheck) (report PlanReport, err error) {
	err = a.withSACP(sacp, func(agents, by unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_capabilities_check_plan(agents, by, capi.Text(message), check.reading(), clockMs(check.Now), s.NumberOut(), s.Out(), s.Err())
		if status == 0 {
			report.Answer = Feasibility(int32(s.Number))
			if report.Verdict = said(agents); report.Answer != PlanInvalid {
				report.JSON = json.RawMessage(s.View.String())
			}
		}
		return status
	})
	return report, err
}

// AgentRound is a round of requests for agents.
type AgentRound struct {
	Asked    uint32 // rounds before this one, for the same message
	MaxAsked uint32 // how many there may be: 1 to 3; 0: 1
	MsgID    string // what that of each request begins with, at most 120 bytes; "": they have none
}

// AgentRequestAnswer is what comes of a round.
type AgentRequestAnswer int32

const (
	RequestInvalid   AgentRequestAnswer = capi.ACCP_SPAWN_INVALID    // the message is not valid, or an agent cannot be asked for
	RequestNotNeeded AgentRequestAnswer = capi.ACCP_SPAWN_NOT_NEEDED // each step has somebody
	RequestMade      AgentRequestAnswer = capi.ACCP_SPAWN_REQUESTED  // agents are asked for
	RequestGivenUp   AgentRequestAnswer = capi.ACCP_SPAWN_GIVEN_UP   // there were as many rounds as there may be
)

// String is "NOT_NEEDED", and so on.
func (a AgentRequestAnswer) String() string {
	return name(int(a)+1, "INVALID", "NOT_NEEDED", "REQUESTED", "GIVEN_UP")
}

// AgentRequests is what RequestAgents answers.
type AgentRequests struct {
	Answer   AgentRequestAnswer
	Requests []json.RawMessage // of RequestMade: a message under the goal SPAWN_AGENT for each pair of a verb and a tool that nobody has
	Report   json.RawMessage   // of RequestNotNeeded: PlanReport.JSON
	Verdict  Verdict           // of RequestInvalid, and of RequestGivenUp, which is SACPNoAgent; else SACPValid
}

// RequestAgents asks for the agents that a plan lacks. Send each request to a service (Spawn), and when it has answered call this again, with one more round asked.
func (a *Agents) RequestAgents(sacp *SACP, message []byte, round AgentRound, check PlanCheck) (requests AgentRequests, err error) {
	err = a.withSACP(sacp, func(agents, by unsafe.Pointer, s *capi.Scratch) int {
		status := capi.RequestAgents(agents, by, capi.Text(message), check.reading(), clockMs(check.Now), round.Asked, round.MaxAsked, round.MsgID, s)
		if status != 0 {
			return status
		}
		requests.Answer = AgentRequestAnswer(int32(s.Number))
		switch text := []byte(s.View.String()); requests.Answer {
		case RequestNotNeeded:
			requests.Report = text
		case RequestMade:
			for _, line := range bytes.Split(text, []byte("\n")) {
				requests.Requests = append(requests.Requests, line)
			}
		default:
			requests.Verdict = verdictOf(text)
		}
		return status
	})
	return requests, err
}

// SpawnRules is how a service that makes agents is set; the zero one makes none.
type SpawnRules struct {
	Allow      bool      // it makes agents; without it requests are refused, with SACPNoAgent
	LeaseUntil time.Time // of those that it makes; the zero Time: for ever
	MsgID      string    // of the confirmation; "": it has none
}

// Spawn carries out a request for an agent, which sacp judges strictly: it registers the agent. The confirmation is a message that is DONE, with the agent's name, its entry, and what a model
// is told that is to act as it. The same request again is confirmed again. One that is refused has no confirmation, a verdict to be sent back, and nothing is registered.
func (a *Agents) Spawn(sacp *SACP, request []byte, rules SpawnRules) (confirmation json.RawMessage, verdict Verdict, err error) {
	until := int64(0)
	if !rules.LeaseUntil.IsZero() {
		until = rules.LeaseUntil.UnixMilli()
	}
	err = a.withSACP(sacp, func(agents, by unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Spawn(agents, by, capi.Text(request), rules.Allow, until, rules.MsgID, s)
		if status == 0 {
			if verdict = said(agents); verdict.Answer == SACPValid {
				confirmation = json.RawMessage(s.View.String())
			}
		}
		return status
	})
	return confirmation, verdict, err
}

func (c PlanCheck) reading() int {
	if c.Lenient {
		return capi.ACCP_SACP_LENIENT
	}
	return capi.ACCP_SACP_STRICT
}

// said is the verdict of the last call on agents.
func said(agents unsafe.Pointer) Verdict {
	return verdictOf([]byte(capi.Accp_capabilities_verdict(agents)))
}

// withSACP runs a call that has the turn of a SACP too: that of the agents first, so that two such calls never wait for each other.
func (a *Agents) withSACP(sacp *SACP, call func(agents, sacp unsafe.Pointer, s *capi.Scratch) int) error {
	if sacp == nil {
		return errClosed
	}
	return a.withBoth(context.Background(), sacp.handle, call)
}
