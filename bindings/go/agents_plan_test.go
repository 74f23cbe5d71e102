// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	accp "github.com/libaccp/libaccp/bindings/go"
)

var (
	finder = accp.AgentEntry{Name: "FINDER", Verbs: []string{"search"}, Tools: []string{"H_API"}}
	ranker = accp.AgentEntry{Name: "RANKER", Verbs: []string{"rank"}, Tools: []string{"RANK"}}
)

const ranked = `{"g":"G","plan":[["s","H_API",{"city":"Paris"}],["rank","RANK",{"hotels":"$step.1"}]]}`

func TestSACP_9B_03_WhoCanDoAPlan(t *testing.T) {
	sacp := planners(t)
	defer sacp.Close()
	now := time.UnixMilli(7_000)
	leased := ranker
	leased.LeaseUntil = now
	const first = `{"feasible":true,"steps":[{"step":"1","verb":"search","tool":"H_API","by":"agent","agents":["FINDER"]},{"step":"2","verb":"rank","tool":"RANK",`
	none := strings.Replace(first, "true", "false", 1)
	for _, one := range []struct {
		agents []accp.AgentEntry
		check  accp.PlanCheck
		answer accp.Feasibility
		report string
	}{
		{[]accp.AgentEntry{finder, ranker}, accp.PlanCheck{}, accp.PlanFeasible, first + `"by":"agent","agents":["RANKER"]}]}`},
		{[]accp.AgentEntry{finder}, accp.PlanCheck{}, accp.PlanInfeasible, none + `"by":"nobody","why":"no_verb"}]}`},
		{[]accp.AgentEntry{finder, leased}, accp.PlanCheck{}, accp.PlanFeasible, first + `"by":"agent","agents":["RANKER"]}]}`},
		{[]accp.AgentEntry{finder, leased}, accp.PlanCheck{Now: now}, accp.PlanInfeasible, none + `"by":"nobody","why":"lease_ended","near":["RANKER"]}]}`},
		{[]accp.AgentEntry{finder, leased}, accp.PlanCheck{Now: now.Add(-time.Millisecond)}, accp.PlanFeasible, first + `"by":"agent","agents":["RANKER"]}]}`},
	} {
		report := must(registry(t, one.agents...).CheckPlan(sacp, []byte(ranked), one.check))
		if report.Answer != one.answer || string(report.JSON) != one.report || report.Verdict.Err() != nil {
			t.Errorf("%+v: %v %s %v", one.check, report.Answer, report.JSON, report.Verdict)
		}
	}
	agents, unknown := registry(t, finder), []byte(`{"g":"G","plan":[["fly","JET",{}]]}`)
	if report := must(agents.CheckPlan(sacp, unknown, accp.PlanCheck{})); report.Answer != accp.PlanInvalid || report.Verdict.Code != accp.SACPUnknownVerb || report.JSON != nil {
		t.Errorf("%+v", report)
	}
	if report := must(agents.CheckPlan(sacp, unknown, accp.PlanCheck{Lenient: true})); report.Answer != accp.PlanInfeasible || report.Answer.String() != "INFEASIBLE" {
		t.Errorf("%+v", report)
	}
	clarify := must(agents.CheckPlan(sacp, []byte(`{"g":"G","plan":[["search","H_API",{}]]}`), accp.PlanCheck{}))
	if clarify.Answer != accp.PlanInvalid || len(clarify.Verdict.Needs) != 1 || clarify.Verdict.Needs[0] != "step.1.city" {
		t.Errorf("%+v", clarify)
	}
}

const visas = `{"verbs":[{"name":"check","description":"Checks.","inputs":{"nation":"string","to":"string"},"outputs":"visa_required","required":[]}],` +
	`"tools":[{"id":"VISA","description":"Knows visas","supported_verbs":["check"]}]}`

// visa is a judge of messages of this library, and a plan that needs an agent.
func visa(t *testing.T) (*accp.SACP, []byte) {
	t.Helper()
	library := must(accp.NewLibrary([]byte(visas)))
	defer library.Close()
	sacp := must(accp.NewSACP(library))
	t.Cleanup(func() { _ = sacp.Close() })
	return sacp, []byte(`{"g":"G","msg_id":"m1","plan":[["check","VISA",{"to":"DE"}]]}`)
}

func TestSACP_14_05_AnAgentIsAskedForAndMade(t *testing.T) {
	sacp, message := visa(t)
	agents := registry(t)
	asked := must(agents.RequestAgents(sacp, message, accp.AgentRound{MsgID: "r"}, accp.PlanCheck{}))
	if asked.Answer != accp.RequestMade || len(asked.Requests) != 1 || !strings.Contains(string(asked.Requests[0]), `"msg_id":"r.1"`) || asked.Verdict.Err() != nil || agents.Count() != 0 {
		t.Fatalf("%+v", asked)
	}
	if verdict := must(sacp.Validate(asked.Requests[0])); verdict.Err() != nil {
		t.Error(verdict)
	}
	confirmation, verdict, err := agents.Spawn(sacp, asked.Requests[0], accp.SpawnRules{})
	if err != nil || verdict.Code != accp.SACPNoAgent || confirmation != nil || agents.Count() != 0 || !strings.Contains(string(verdict.JSON), "switched off") {
		t.Error(err, verdict, string(confirmation))
	}
	rules := accp.SpawnRules{Allow: true, LeaseUntil: time.UnixMilli(9_500), MsgID: "a1"}
	for i := 0; i < 2; i++ { // the same request again is confirmed again
		confirmation, verdict, err = agents.Spawn(sacp, asked.Requests[0], rules)
		if err != nil || verdict.Err() != nil || agents.Count() != 1 {
			t.Fatal(err, verdict)
		}
		for _, part := range []string{`"state":"DONE"`, `"msg_id":"a1"`, `"reply_to":"r.1"`, `"lease_until":9.5`, `"prompt":"You are`} {
			if !strings.Contains(string(confirmation), part) {
				t.Error(part, string(confirmation))
			}
		}
	}
	later := must(agents.RequestAgents(sacp, message, accp.AgentRound{Asked: 1}, accp.PlanCheck{}))
	if later.Answer != accp.RequestNotNeeded || string(later.Report) != string(must(agents.CheckPlan(sacp, message, accp.PlanCheck{})).JSON) || later.Requests != nil {
		t.Errorf("%+v", later)
	}
	if ended := must(agents.RequestAgents(sacp, message, accp.AgentRound{}, accp.PlanCheck{Now: time.UnixMilli(9_500)})); ended.Answer != accp.RequestMade {
		t.Errorf("%+v", ended)
	}
	_ = agents.Remove("VISA_AGENT")
	if _, verdict, err = agents.Spawn(sacp, asked.Requests[0], accp.SpawnRules{Allow: true}); err != nil || verdict.Err() != nil || strings.Contains(string(must(agents.JSON())), "lease") {
		t.Error(err, verdict, "for ever")
	}
}

func TestSACP_14_06_RoundsAreBounded(t *testing.T) {
	sacp, message := visa(t)
	agents := registry(t)
	for _, max := range []uint32{0, 1, 2, 3} {
		for asked := uint32(0); asked < 5; asked++ {
			round := must(agents.RequestAgents(sacp, message, accp.AgentRound{Asked: asked, MaxAsked: max}, accp.PlanCheck{}))
			want := accp.RequestMade
			if asked >= max && asked >= 1 {
				want = accp.RequestGivenUp
			}
			if round.Answer != want || (want == accp.RequestGivenUp) != (round.Verdict.Code == accp.SACPNoAgent) {
				t.Error(max, asked, round.Answer, round.Verdict)
			}
		}
	}
	// Two agents are missing, of tools that the library does not have.
	two := []byte(`{"g":"G","plan":[["fly","JET",{}],["sail","SHIP",{}]]}`)
	if round := must(agents.RequestAgents(sacp, two, accp.AgentRound{MsgID: "r"}, accp.PlanCheck{Lenient: true})); len(round.Requests) != 2 || round.Answer.String() != "REQUESTED" {
		t.Errorf("%+v", round)
	}
	if round := must(agents.RequestAgents(sacp, two, accp.AgentRound{}, accp.PlanCheck{})); round.Answer != accp.RequestInvalid || round.Verdict.Code != accp.SACPUnknownVerb {
		t.Errorf("%+v", round)
	}
}

func TestAnAgentCannotBeAskedFor(t *testing.T) {
	sacp, message := visa(t)
	agents := registry(t)
	for what, round := range map[string]accp.AgentRound{"four rounds": {MaxAsked: 4}, "no id": {MsgID: "a b"}} {
		if _, err := agents.RequestAgents(sacp, message, round, accp.PlanCheck{}); !errors.Is(err, accp.ErrArgument) {
			t.Error(what, err)
		}
	}
	for what, rules := range map[string]accp.SpawnRules{"no id": {Allow: true, MsgID: "a b"}, "before 1970": {Allow: true, LeaseUntil: time.UnixMilli(-1)}} {
		if _, _, err := agents.Spawn(sacp, message, rules); !errors.Is(err, accp.ErrArgument) {
			t.Error(what, err)
		}
	}
	if _, verdict, err := agents.Spawn(sacp, message, accp.SpawnRules{Allow: true}); err != nil || verdict.Answer != accp.SACPErr {
		t.Error("no request", err, verdict)
	}
	_, noJudge := agents.CheckPlan(nil, message, accp.PlanCheck{})
	_ = sacp.Close()
	_, closed := agents.RequestAgents(sacp, message, accp.AgentRound{}, accp.PlanCheck{})
	_ = agents.Close()
	_, _, gone := agents.Spawn(must(accp.NewSACP(nil)), message, accp.SpawnRules{})
	for what, err := range map[string]error{"nil": noJudge, "a judge": closed, "agents": gone} {
		if !errors.Is(err, accp.ErrClosed) {
			t.Error(what, err)
		}
	}
}

func TestOneJudgeForManyRegistries(t *testing.T) {
	sacp, message := visa(t)
	var all sync.WaitGroup
	for i := 0; i < 4; i++ {
		agents := registry(t)
		for j := 0; j < 2; j++ {
			all.Add(1)
			go func() {
				defer all.Done()
				for k := 0; k < 50; k++ {
					if report, err := agents.CheckPlan(sacp, message, accp.PlanCheck{}); err != nil || report.Answer != accp.PlanInfeasible {
						t.Error(err, report)
					}
					if verdict, err := sacp.Validate(message); err != nil || verdict.Err() != nil {
						t.Error(err, verdict)
					}
				}
			}()
		}
	}
	all.Wait()
}
