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

// PlanCheck configures Agents.CheckPlan.
type PlanCheck struct {
	Lenient bool      // as SACP.ValidateLenient
	Now     time.Time // the zero Time: no lease ends
}

// Feasibility reports whether the registered agents can carry out a plan.
type Feasibility int32

const (
	PlanInvalid    Feasibility = capi.ACCP_PLAN_INVALID    // the message is not valid
	PlanInfeasible Feasibility = capi.ACCP_PLAN_INFEASIBLE // no agent can do one of the steps
	PlanFeasible   Feasibility = capi.ACCP_PLAN_FEASIBLE   // each step has an agent, for its tool or for a fallback
)

// String is "INVALID", "INFEASIBLE" or "FEASIBLE".
func (f Feasibility) String() string { return name(int(f)+1, "INVALID", "INFEASIBLE", "FEASIBLE") }

// PlanReport lists the agents that can do each step of a plan.
type PlanReport struct {
	Answer  Feasibility
	Verdict Verdict         // the fault of a PlanInvalid message; else SACPValid
	JSON    json.RawMessage // the steps, in the form of docs/sacp.md; nil if PlanInvalid
}

// CheckPlan finds the agents for every step of a message and of the messages in it, or the reason
// why a step has none. sacp validates the message, and the call also holds its turn.
func (a *Agents) CheckPlan(sacp *SACP, message []byte, check PlanCheck) (report PlanReport, err error) {
	err = a.withSACP(sacp, func(agents, by unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_capabilities_check_plan(agents, by, capi.Text(message), clockMs(check.Now), check.reading(), s.Out(), s.NumberOut(), s.Err())
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

// AgentRound is one round of requests for agents.
type AgentRound struct {
	Asked    uint32 // number of rounds before this one, for the same message
	MaxAsked uint32 // the most rounds: 1 to 3; 0: 1
	MsgID    string // prefix of the msg_id of each request, at most 120 bytes; "": none
}

// AgentRequestAnswer is the result of a round.
type AgentRequestAnswer int32

const (
	RequestInvalid   AgentRequestAnswer = capi.ACCP_SPAWN_INVALID    // the message is not valid, or an agent cannot be requested
	RequestNotNeeded AgentRequestAnswer = capi.ACCP_SPAWN_NOT_NEEDED // each step has an agent
	RequestMade      AgentRequestAnswer = capi.ACCP_SPAWN_REQUESTED  // agents are requested
	RequestGivenUp   AgentRequestAnswer = capi.ACCP_SPAWN_GIVEN_UP   // all rounds are used up
)

// String returns the name, such as "NOT_NEEDED".
func (a AgentRequestAnswer) String() string {
	return name(int(a)+1, "INVALID", "NOT_NEEDED", "REQUESTED", "GIVEN_UP")
}

// AgentRequests is the result of RequestAgents.
type AgentRequests struct {
	Answer   AgentRequestAnswer
	Requests []json.RawMessage // for RequestMade: one message with goal SPAWN_AGENT for each missing pair of verb and tool
	Report   json.RawMessage   // for RequestNotNeeded: PlanReport.JSON
	Verdict  Verdict           // for RequestInvalid, and SACPNoAgent for RequestGivenUp; else SACPValid
}

// RequestAgents writes requests for the agents that a plan lacks. Send each request to a service
// (Spawn). After its reply call RequestAgents again with Asked incremented.
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

// SpawnRules configures a service that makes agents; the zero value makes none.
type SpawnRules struct {
	Allow      bool      // make agents; otherwise requests are refused with SACPNoAgent
	LeaseUntil time.Time // lease of the new agents; the zero Time: no end
	MsgID      string    // msg_id of the confirmation; "": none
}

// Spawn carries out a request for an agent: it registers the agent. sacp validates the request
// strictly. The confirmation is a DONE message with the agent's name, its entry, and the
// instructions for a model that acts as the agent. A repeated request is confirmed again. A refused
// request returns a verdict for the sender, no confirmation, and registers nothing.
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

// said returns the verdict of the last call on agents.
func said(agents unsafe.Pointer) Verdict {
	return verdictOf([]byte(capi.Accp_capabilities_verdict(agents)))
}

// withSACP runs a call that also holds the turn of a SACP. The agents' turn comes first, so two
// such calls never wait for each other.
func (a *Agents) withSACP(sacp *SACP, call func(agents, sacp unsafe.Pointer, s *capi.Scratch) int) error {
	if sacp == nil {
		return errClosed
	}
	return a.withBoth(context.Background(), sacp.handle, call)
}
