// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"encoding/json"
	"time"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Agents is a registry of agents: their names, abilities and leases. Its calls queue. docs/sacp.md
// describes entries, queries and results. If one is refused, the error is a *[VerdictError] and
// nothing has changed.
//
// The registry reads no clock: calls that depend on leases take a time. With the zero Time no lease
// ends.
type Agents struct{ *handle }

// NewAgents makes a registry in memory, or with WithStore in a store. All handles on a store share
// its agents, in any process, and a change is durable before its call returns. It reads WithStore
// and the limits of the options.
func NewAgents(options ...Option) (*Agents, error) {
	var store unsafe.Pointer
	all := append(append([]Option{}, options...), func(c *config) error {
		if c.store != nil {
			store = c.store.ptr
		}
		return nil
	})
	h, err := open(capi.Accp_capabilities_close, all, func(config, out, err unsafe.Pointer) int {
		return capi.Accp_capabilities_open(store, config, out, err)
	})
	if err != nil {
		return nil, err
	}
	return &Agents{h}, nil
}

// Register registers an agent and replaces one of the same name. An entry with an embedding and no
// abilities publishes the embedding of an existing agent. AgentEntry.JSON writes an entry.
func (a *Agents) Register(entry []byte) error {
	return a.tell(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_capabilities_register(p, capi.Text(entry), s.Err())
	})
}

// EntryError reports the entry of Agents.Load that was refused. The entries before it are
// registered.
type EntryError struct {
	Number int // from 0
	Err    error
}

// Error returns the text of Err.
func (e *EntryError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *EntryError) Unwrap() error { return e.Err }

// Load registers each entry of a JSON array in turn, such as JSON writes. It stops at the first
// refused entry with an *[EntryError].
func (a *Agents) Load(document []byte) error {
	number := 0
	err := a.tell(func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_capabilities_register_all(p, capi.Text(document), s.Err())
		number = int(s.Error.Record)
		return status
	})
	if _, refused := err.(*VerdictError); refused {
		return &EntryError{number, err}
	}
	return err
}

// Remove removes an agent. It returns ErrRefNotFound if no agent has that name.
func (a *Agents) Remove(name string) error {
	return a.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_capabilities_remove(p, name, s.Err()) })
}

// Renew extends an agent's lease. It returns ErrRefNotFound if no agent has that name or if
// its lease has ended; the agent then has to register again.
func (a *Agents) Renew(name string, until, now time.Time) error {
	return a.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_capabilities_renew(p, name, until.UnixMilli(), clockMs(now), s.Err())
	})
}

// Sweep removes all agents whose lease has ended, and returns their number.
func (a *Agents) Sweep(now time.Time) (gone uint64, err error) {
	err = a.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		s.Number = 0
		status := capi.Accp_capabilities_expire(p, now.UnixMilli(), s.NumberOut(), s.Err())
		gone = s.Number
		return status
	})
	return gone, err
}

// NoteOutcome records the outcome of an agent's work, for RankByOutcomes. It returns ErrRefNotFound
// if no agent has that name.
func (a *Agents) NoteOutcome(name string, success bool) error {
	good := 0
	if success {
		good = 1
	}
	return a.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_capabilities_record_outcome(p, name, good, s.Err())
	})
}

// Ranking selects criteria of a query beyond the rules, as bits; 0: only the rules.
type Ranking uint32

const (
	RankLexical    Ranking = capi.ACCP_RANK_LEXICAL     // include agents that have at least half of the query's words, before similar ones
	RankByOutcomes Ranking = capi.ACCP_RANK_BY_OUTCOMES // within each kind of match, agents with successful outcomes come first
)

// Match is the way in which a query found an agent.
type Match int32

const (
	MatchExact   Match = capi.ACCP_MATCH_EXACT   // it meets all criteria
	MatchLexical Match = capi.ACCP_MATCH_LEXICAL // by words
	MatchSimilar Match = capi.ACCP_MATCH_SIMILAR // by its embedding
)

// String returns "exact", "lexical" or "similar".
func (m Match) String() string {
	switch m {
	case MatchExact:
		return "exact"
	case MatchLexical:
		return "lexical"
	case MatchSimilar:
		return "similar"
	}
	return ""
}

// FoundAgent is an agent in the result of a query.
type FoundAgent struct {
	Name                string
	Entry               json.RawMessage // without its lease
	Match               Match
	Score               float64 // 1 for MatchExact
	Successes, Outcomes uint64  // of all recorded outcomes
}

// Query finds the agents that can do something, the best first. AgentQuery.JSON writes a query.
func (a *Agents) Query(query []byte, ranking Ranking, now time.Time) ([]FoundAgent, error) {
	var found []FoundAgent
	err := a.tell(func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_capabilities_query(p, capi.Text(query), clockMs(now), uint(ranking), s.Out(), s.Err())
		if status != 0 {
			return status
		}
		from := (*capi.FoundAgent)(s.RoomOut())
		for i := int64(0); capi.Accp_capabilities_found(p, i, s.RoomOut(), nil) == 0; i++ {
			found = append(found, FoundAgent{from.Name.String(), json.RawMessage(from.Entry.String()), Match(from.Match), from.Score, from.Successes, from.Outcomes})
		}
		return 0
	})
	return found, err
}

// QueryJSON is Query with the result as JSON: an array of {"agent_name":…,"match":…} with an
// optional score.
func (a *Agents) QueryJSON(query []byte, ranking Ranking, now time.Time) (json.RawMessage, error) {
	return a.write(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_capabilities_query(p, capi.Text(query), clockMs(now), uint(ranking), s.Out(), s.Err())
	})
}

// Count returns the number of agents after the last call, including those with an ended lease; 0 if
// the registry is closed.
func (a *Agents) Count() (count uint64) {
	_ = a.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		count = capi.Accp_capabilities_count(p)
		return 0
	})
	return count
}

// JSON returns all entries as a JSON array in the order of registration. Load makes an equal
// registry from it.
func (a *Agents) JSON() (json.RawMessage, error) {
	return a.write(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_capabilities_print(p, s.Out(), s.Err()) })
}

func (a *Agents) write(call func(p unsafe.Pointer, s *capi.Scratch) int) (text json.RawMessage, err error) {
	err = a.tell(func(p unsafe.Pointer, s *capi.Scratch) int {
		s.View = capi.View{}
		status := call(p, s)
		if status == 0 {
			text = json.RawMessage(s.View.String())
		}
		return status
	})
	return text, err
}

// tell runs a call that leaves a verdict if it refuses a text.
func (a *Agents) tell(call func(p unsafe.Pointer, s *capi.Scratch) int) error {
	var verdict Verdict
	err := a.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		status := call(p, s)
		if status > 0 {
			verdict = verdictOf([]byte(capi.Accp_capabilities_verdict(p)))
		}
		return status
	})
	if known, ok := err.(*Error); ok && verdict.Answer == SACPErr {
		verdict.Byte = known.Offset
		return &VerdictError{verdict, err}
	}
	return err
}

// clockMs converts a time for C; the zero Time means no time.
func clockMs(now time.Time) int64 {
	if now.IsZero() {
		return -1 // ACCP_NO_CLOCK
	}
	return now.UnixMilli()
}
