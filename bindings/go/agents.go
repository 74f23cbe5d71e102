// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"encoding/json"
	"time"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Agents is a registry of agents: which there are, what each can do, and for how long. Its calls queue. Entries, queries and answers have the forms of docs/sacp.md;
// where one is refused the error is a *[VerdictError], and nothing has changed.
//
// No clock is read: a time is given where leases count, and the zero Time is none, so that no lease ends.
type Agents struct{ *handle }

// NewAgents makes a registry in memory. With WithStore it is that of the store: every handle on it, in any process, has the same agents, and a change is durable
// before its call returns. Of other options it reads the limits.
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

// Register registers an agent, in place of one of that name; an entry with an embedding and nothing that it can do publishes the embedding of an agent that is there.
// AgentEntry.JSON writes one.
func (a *Agents) Register(entry []byte) error {
	return a.tell(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_capabilities_register(p, capi.Text(entry), s.Err())
	})
}

// EntryError is an entry of Agents.Load that was refused. Those before it are registered.
type EntryError struct {
	Number int // from 0
	Err    error
}

// Error is that of the entry.
func (e *EntryError) Error() string { return e.Err.Error() }

// Unwrap is why.
func (e *EntryError) Unwrap() error { return e.Err }

// Load registers each entry of a JSON array in turn, such as JSON writes, and stops at one that is refused, with an *[EntryError].
func (a *Agents) Load(document []byte) error {
	number := 0
	err := a.tell(func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_capabilities_load(p, capi.Text(document), s.Err())
		number = int(s.Error.Record)
		return status
	})
	if _, refused := err.(*VerdictError); refused {
		return &EntryError{number, err}
	}
	return err
}

// Remove takes an agent out. ErrRefNotFound where there is none of that name.
func (a *Agents) Remove(name string) error {
	return a.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_capabilities_remove(p, name, s.Err()) })
}

// Renew is an agent's sign of life: its lease ends then. ErrRefNotFound where there is none of that name, or its lease had ended by now, so that it has to be
// registered anew.
func (a *Agents) Renew(name string, until, now time.Time) error {
	return a.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_capabilities_renew(p, name, until.UnixMilli(), clockMs(now), s.Err())
	})
}

// Sweep takes out all agents whose lease had ended by now, and answers how many.
func (a *Agents) Sweep(now time.Time) (gone uint64, err error) {
	err = a.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		s.Number = 0
		status := capi.Accp_capabilities_sweep(p, now.UnixMilli(), s.NumberOut(), s.Err())
		gone = s.Number
		return status
	})
	return gone, err
}

// NoteOutcome notes how a piece of an agent's work went, for RankByOutcomes. ErrRefNotFound where there is none of that name.
func (a *Agents) NoteOutcome(name string, success bool) error {
	good := 0
	if success {
		good = 1
	}
	return a.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_capabilities_note_outcome(p, name, good, s.Err())
	})
}

// Ranking is what a query is asked for beyond the rules, as bits; 0: the rules alone.
type Ranking uint32

const (
	RankLexical    Ranking = capi.ACCP_RANK_LEXICAL     // also who has at least half of the query's words, before those that are like it
	RankByOutcomes Ranking = capi.ACCP_RANK_BY_OUTCOMES // first of each kind of match whose work has gone well
)

// Match is how an agent was found.
type Match int32

const (
	MatchExact   Match = capi.ACCP_MATCH_EXACT   // it can do all that was asked
	MatchLexical Match = capi.ACCP_MATCH_LEXICAL // by words
	MatchSimilar Match = capi.ACCP_MATCH_SIMILAR // by its embedding
)

// String is "exact", "lexical" or "similar".
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

// FoundAgent is an agent of an answer.
type FoundAgent struct {
	Name                string
	Entry               json.RawMessage // without its lease
	Match               Match
	Score               float64 // 1 where it is exact
	Successes, Outcomes uint64  // of all that were noted
}

// Query asks which agents can do something, the best first. AgentQuery.JSON writes a query.
func (a *Agents) Query(query []byte, ranking Ranking, now time.Time) ([]FoundAgent, error) {
	var found []FoundAgent
	err := a.tell(func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_capabilities_query(p, capi.Text(query), uint(ranking), clockMs(now), s.Out(), s.Err())
		if status != 0 {
			return status
		}
		from := (*capi.FoundAgent)(s.RoomOut())
		for i := int64(0); capi.Accp_capabilities_found(p, i, s.RoomOut()) != 0; i++ {
			found = append(found, FoundAgent{from.Name.String(), json.RawMessage(from.Entry.String()), Match(from.Match), from.Score, from.Successes, from.Outcomes})
		}
		return 0
	})
	return found, err
}

// QueryJSON is Query with the answer as it is sent: a JSON array of {"agent_name":…,"match":…} and perhaps a score.
func (a *Agents) QueryJSON(query []byte, ranking Ranking, now time.Time) (json.RawMessage, error) {
	return a.write(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_capabilities_query(p, capi.Text(query), uint(ranking), clockMs(now), s.Out(), s.Err())
	})
}

// Count is how many agents there are, those whose lease has ended too, as of the last call; 0 of one that is closed.
func (a *Agents) Count() (count uint64) {
	_ = a.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		count = capi.Accp_capabilities_count(p)
		return 0
	})
	return count
}

// JSON is all entries as a JSON array, in the order of their registration, of which Load makes the same registry again.
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

// tell runs a call that leaves a verdict where it refuses a text.
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

// clockMs is a time as C has it: the zero Time is none.
func clockMs(now time.Time) int64 {
	if now.IsZero() {
		return -1 // ACCP_NO_CLOCK
	}
	return now.UnixMilli()
}
