// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	accp "github.com/libaccp/libaccp/bindings/go"
)

var predictor = accp.AgentEntry{Name: "PRICE_PREDICTOR", Verbs: []string{"predict"}, Tools: []string{"PRC_EST"}, Inputs: []string{"ctx.history", "method"},
	Outputs: []string{"predictions"}, Description: "Predicts hotel prices", Tags: []string{"prices"}, Confidence: 0.5, Others: map[string]any{"team": "red"}}

// registry is one with these agents in it.
func registry(t *testing.T, entries ...accp.AgentEntry) *accp.Agents {
	t.Helper()
	agents := must(accp.NewAgents())
	t.Cleanup(func() { _ = agents.Close() })
	for _, entry := range entries {
		if err := agents.Register(must(entry.JSON())); err != nil {
			t.Fatal(err)
		}
	}
	return agents
}

// named is what a query finds, in its order.
func named(t *testing.T, agents *accp.Agents, query accp.AgentQuery, ranking accp.Ranking, now time.Time) (names []string) {
	t.Helper()
	for _, found := range must(agents.Query(must(query.JSON()), ranking, now)) {
		names = append(names, found.Name+" "+found.Match.String())
	}
	return names
}

func TestSACP_11_09_AgentsAreFoundByWhatTheyCan(t *testing.T) {
	sure := accp.AgentEntry{Name: "SURE", Verbs: []string{"predict"}, Outputs: []string{"predictions"}, Inputs: []string{"ctx.history"}, Confidence: 0.9}
	agents := registry(t, predictor, sure, accp.AgentEntry{Name: "RANKER", Verbs: []string{"rank"}, Description: "sorts hotels by price"})
	for _, one := range []struct {
		query   accp.AgentQuery
		ranking accp.Ranking
		want    []string
	}{
		{accp.AgentQuery{Verb: "predict", Inputs: []string{"history"}, Output: "predictions"}, 0, []string{"SURE exact", "PRICE_PREDICTOR exact"}},
		{accp.AgentQuery{Verb: "predict", Top: 1}, 0, []string{"SURE exact"}},
		{accp.AgentQuery{Tool: "PRC_EST"}, 0, []string{"PRICE_PREDICTOR exact"}},
		{accp.AgentQuery{Tags: []string{"prices"}, MinConfidence: 0.5}, 0, []string{"PRICE_PREDICTOR exact"}},
		{accp.AgentQuery{Verb: "hotel_prices"}, 0, nil},
		{accp.AgentQuery{Verb: "hotel_prices"}, accp.RankLexical, []string{"PRICE_PREDICTOR lexical"}},
		{accp.AgentQuery{}, 0, []string{"SURE exact", "PRICE_PREDICTOR exact", "RANKER exact"}},
	} {
		if got := named(t, agents, one.query, one.ranking, time.Time{}); !reflect.DeepEqual(got, one.want) {
			t.Errorf("%+v: %v", one.query, got)
		}
	}
	found := must(agents.Query(must(accp.AgentQuery{Tool: "PRC_EST"}.JSON()), 0, time.Time{}))[0]
	if !strings.Contains(string(found.Entry), `"team":"red"`) || found.Score != 1 || found.Outcomes != 0 {
		t.Errorf("%+v", found)
	}
	if answer := string(must(agents.QueryJSON([]byte(`{"query":{"tool":"PRC_EST"}}`), 0, time.Time{}))); answer != `[{"agent_name":"PRICE_PREDICTOR","match":"exact"}]` {
		t.Error(answer)
	}
}

func TestSACP_12_03_AgentsAreFoundByLikeness(t *testing.T) {
	near, far := predictor, predictor
	near.Name, near.Embedding, near.EmbeddingModel = "NEAR", []float64{1, 1}, "m"
	far.Name, far.Embedding, far.EmbeddingModel = "FAR", []float64{-1, 1}, "m"
	agents := registry(t, near, far, predictor)
	query := must(accp.AgentQuery{Embedding: []float64{1, 0}, EmbeddingModel: "m", Threshold: 0.7}.JSON())
	found := must(agents.Query(query, 0, time.Time{}))
	if len(found) != 1 || found[0].Name != "NEAR" || found[0].Match != accp.MatchSimilar || found[0].Score < 0.7071 || found[0].Score > 0.7072 {
		t.Errorf("%+v", found)
	}
	if err := agents.Register([]byte(`{"agent":"FAR","embedding":[1,0],"description":"d","embedding_model":"m"}`)); err != nil {
		t.Fatal(err)
	}
	if found := must(agents.Query(query, 0, time.Time{})); len(found) != 2 || found[0].Name != "FAR" {
		t.Errorf("%+v", found)
	}
}

func TestSACP_11_10_AgentsComeAndGo(t *testing.T) {
	now := time.UnixMilli(1_000_000)
	leased := predictor
	leased.LeaseUntil = now.Add(1500 * time.Millisecond)
	agents := registry(t, leased)
	all, later := accp.AgentQuery{}, now.Add(2*time.Second)
	if len(named(t, agents, all, 0, now)) != 1 || len(named(t, agents, all, 0, later)) != 0 || len(named(t, agents, all, 0, time.Time{})) != 1 {
		t.Error("its lease")
	}
	if err := agents.Renew(leased.Name, later.Add(time.Second), later); !errors.Is(err, accp.ErrRefNotFound) {
		t.Error("too late:", err)
	}
	if err := agents.Renew(leased.Name, later.Add(time.Second), now); err != nil || len(named(t, agents, all, 0, later)) != 1 {
		t.Error(err)
	}
	if gone := must(agents.Sweep(later)); gone != 0 {
		t.Error(gone)
	}
	if gone := must(agents.Sweep(later.Add(time.Hour))); gone != 1 || agents.Count() != 0 {
		t.Error(gone, agents.Count())
	}
	for what, err := range map[string]error{"remove": agents.Remove("NOBODY"), "note": agents.NoteOutcome("NOBODY", true), "renew": agents.Renew("NOBODY", now, now)} {
		if !errors.Is(err, accp.ErrRefNotFound) {
			t.Error(what, err)
		}
	}
	if err := agents.Register(must(predictor.JSON())); err != nil || agents.Count() != 1 || agents.Remove(predictor.Name) != nil || agents.Count() != 0 {
		t.Error(err, agents.Count())
	}
}

func TestSACP_12_04_OutcomesWeigh(t *testing.T) {
	good, bad := predictor, predictor
	good.Name, bad.Name = "GOOD", "BAD"
	agents := registry(t, bad, good)
	for i := 0; i < 3; i++ {
		if agents.NoteOutcome("GOOD", true) != nil || agents.NoteOutcome("BAD", i == 0) != nil {
			t.Fatal("not noted")
		}
	}
	if names := named(t, agents, accp.AgentQuery{}, accp.RankByOutcomes, time.Time{}); names[0] != "GOOD exact" {
		t.Error(names)
	}
	found := must(agents.Query([]byte(`{"query":{}}`), 0, time.Time{}))
	if found[0].Name != "BAD" || found[0].Successes != 1 || found[0].Outcomes != 3 {
		t.Errorf("%+v", found)
	}
}

func TestSACP_11_07_AnEntryIsRefused(t *testing.T) {
	agents := registry(t, predictor)
	ok := string(must(accp.AgentEntry{Name: "OK"}.JSON()))
	number := strings.Replace(ok, `"OK"`, "1", 1)
	for text, code := range map[string]accp.SACPCode{`{"agent_name":"A"}`: accp.SACPMissingField, number: accp.SACPInvalidType, `{`: accp.SACPMalformedMessage,
		`{"agent":"NOBODY","embedding":[1],"description":"d"}`: accp.SACPNoAgent} {
		err := agents.Register([]byte(text))
		var refusal *accp.VerdictError
		if !errors.As(err, &refusal) || refusal.Verdict.Code != code || refusal.Verdict.JSON == nil || accp.CodeOf(err) < 1000 {
			t.Error(text, err)
		}
		var entry *accp.EntryError
		if err := agents.Load([]byte("[" + ok + "," + text + "]")); text != "{" && (!errors.As(err, &entry) || entry.Number != 1 || !errors.As(err, &refusal) || agents.Count() != 2) {
			t.Error(text, err)
		}
	}
	var refusal *accp.VerdictError
	if _, err := agents.Query([]byte(`{"query":{"colour":"red"}}`), 0, time.Time{}); !errors.As(err, &refusal) || refusal.Verdict.Code != accp.SACPMalformedMessage {
		t.Error(err)
	}
	if _, err := agents.Query([]byte(`{"query":{}}`), 4, time.Time{}); !errors.Is(err, accp.ErrArgument) {
		t.Error(err)
	}
}

func TestSACP_11_01_AStoreHoldsOneRegistryForAll(t *testing.T) {
	ctx := context.Background()
	name := "sqlite:" + filepath.Join(t.TempDir(), "agents.sqlite")
	store := must(accp.OpenStore(ctx, name, 0))
	first, second := must(accp.NewAgents(accp.WithStore(store))), must(accp.NewAgents(accp.WithStore(store)))
	_ = store.Close() // both keep it
	if err := first.Register(must(predictor.JSON())); err != nil {
		t.Fatal(err)
	}
	if names := named(t, second, accp.AgentQuery{Verb: "predict"}, 0, time.Time{}); len(names) != 1 {
		t.Error(names)
	}
	_, _ = first.Close(), second.Close()
	again := must(accp.OpenStore(ctx, name, 0))
	defer again.Close()
	third, copied := must(accp.NewAgents(accp.WithStore(again))), must(accp.NewAgents())
	defer third.Close()
	document := must(third.JSON())
	if err := copied.Load(document); err != nil || copied.Count() != 1 || string(must(copied.JSON())) != string(document) {
		t.Error(err, string(document))
	}
	if _, err := accp.NewAgents(accp.WithStore(nil)); !errors.Is(err, accp.ErrArgument) {
		t.Error(err)
	}
	_ = copied.Close()
	if err := copied.Register(nil); !errors.Is(err, accp.ErrClosed) {
		t.Error(err)
	}
}

func TestSACP_V1_02_VersionsOfAMessage(t *testing.T) {
	sacp := planners(t)
	defer sacp.Close()
	sender := accp.SACPSender{MsgID: "m1", Sender: "planner", Recipient: "worker", Now: time.UnixMilli(1_700_000_000_000)}
	message := `{"g":"G","plan":[["search","H_API",{"city":"Paris"}]]}`
	newer := must(sacp.ToVersion10([]byte(message), sender))
	for _, part := range []string{`"proto_ver":"1.0.0"`, `"sender":"planner"`, `"msg_id":"m1"`, `"2023-11-14T22:13:20`} {
		if !strings.Contains(string(newer), part) {
			t.Error(part, string(newer))
		}
	}
	if back := string(must(sacp.ToVersion01(newer))); !strings.HasPrefix(back, `{"g":"G","plan":[["search","H_API",{"city":"Paris"}]],`) {
		t.Error(back)
	}
	var refusal *accp.VerdictError
	if _, err := sacp.ToVersion10([]byte(`{"g":"G","plan":[],"subtask":{"g":"H","plan":[]}}`), sender); !errors.As(err, &refusal) {
		t.Error(err)
	}
}
