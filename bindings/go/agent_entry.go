// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"encoding/json"
	"time"
)

// AgentEntry writes an entry of a registry of agents. Zero fields are omitted, except for those
// that every entry has.
type AgentEntry struct {
	Name           string
	Verbs, Tools   []string
	Inputs         []string
	Outputs        []string
	Description    string
	Tags           []string
	Confidence     float64
	Version        string
	Embedding      []float64
	EmbeddingModel string
	LeaseUntil     time.Time      // to the millisecond
	Others         map[string]any // additional members; the fields above win
}

// JSON is the entry.
func (e AgentEntry) JSON() ([]byte, error) {
	out := members(e.Others)
	out["agent_name"], out["description"] = e.Name, e.Description
	for name, list := range map[string][]string{"supported_verbs": e.Verbs, "supported_tools": e.Tools, "inputs": e.Inputs, "outputs": e.Outputs} {
		out[name] = append([]string{}, list...)
	}
	set(out, "tags", e.Tags, len(e.Tags) > 0)
	set(out, "confidence_score", e.Confidence, e.Confidence != 0)
	set(out, "version", e.Version, e.Version != "")
	set(out, "embedding", e.Embedding, len(e.Embedding) > 0)
	set(out, "embedding_model", e.EmbeddingModel, e.EmbeddingModel != "")
	if !e.LeaseUntil.IsZero() {
		out["lease_until"] = float64(e.LeaseUntil.UnixMilli()) / 1000
	}
	return json.Marshal(out)
}

// AgentQuery writes a query to a registry of agents. Zero fields are not criteria: the zero query
// matches all agents.
type AgentQuery struct {
	Verb, Tool     string
	Inputs         []string // a name with a dot matches the same text, one without matches the last part of a name
	Output         string   // as Inputs
	Tags           []string // all of them
	MinConfidence  float64
	Embedding      []float64 // finds similar agents that do not meet all other criteria
	EmbeddingModel string
	Threshold      float64 // the least cosine; 0: 0.75
	Top            int     // the most agents in the result; 0: all
}

// JSON is the query: {"query":{…}}.
func (q AgentQuery) JSON() ([]byte, error) {
	out := map[string]any{}
	set(out, "verb", q.Verb, q.Verb != "")
	set(out, "tool", q.Tool, q.Tool != "")
	set(out, "inputs", q.Inputs, len(q.Inputs) > 0)
	set(out, "output_type", q.Output, q.Output != "")
	set(out, "tags", q.Tags, len(q.Tags) > 0)
	set(out, "min_confidence", q.MinConfidence, q.MinConfidence != 0)
	set(out, "embedding", q.Embedding, len(q.Embedding) > 0)
	set(out, "embedding_model", q.EmbeddingModel, q.EmbeddingModel != "")
	set(out, "threshold", q.Threshold, q.Threshold != 0)
	set(out, "top_k", q.Top, q.Top != 0)
	return json.Marshal(map[string]any{"query": out})
}

// members returns a copy that can be added to.
func members(of map[string]any) map[string]any {
	out := make(map[string]any, len(of)+8)
	for name, value := range of {
		out[name] = value
	}
	return out
}

func set(out map[string]any, name string, value any, is bool) {
	if is {
		out[name] = value
	}
}
