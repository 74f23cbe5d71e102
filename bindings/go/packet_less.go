// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// PacketLayers are parts of a packet's prompt, as bits: a worker begins with the first and asks for more.
type PacketLayers uint32

const (
	PacketGoals     PacketLayers = capi.ACCP_PACKET_GOALS     // the task, goal, success criteria and constraints
	PacketDecisions PacketLayers = capi.ACCP_PACKET_DECISIONS // what was decided, why, and by whom
	PacketCodebase  PacketLayers = capi.ACCP_PACKET_CODEBASE  // files, patterns, anti-patterns and examples
	PacketHistory   PacketLayers = capi.ACCP_PACKET_HISTORY   // failures, pivots, open questions, what is not included
	PacketAllLayers PacketLayers = capi.ACCP_PACKET_ALL_LAYERS
)

// PacketKind is what an item of a packet is.
type PacketKind int32

const (
	PacketGoal        PacketKind = capi.ACCP_PACKET_GOAL
	PacketCriterion   PacketKind = capi.ACCP_PACKET_CRITERION
	PacketConstraint  PacketKind = capi.ACCP_PACKET_CONSTRAINT
	PacketDecision    PacketKind = capi.ACCP_PACKET_DECISION
	PacketFile        PacketKind = capi.ACCP_PACKET_FILE
	PacketPattern     PacketKind = capi.ACCP_PACKET_PATTERN
	PacketAntiPattern PacketKind = capi.ACCP_PACKET_ANTI_PATTERN
	PacketExample     PacketKind = capi.ACCP_PACKET_EXAMPLE
	PacketFailure     PacketKind = capi.ACCP_PACKET_FAILURE
	PacketPivot       PacketKind = capi.ACCP_PACKET_PIVOT
	PacketQuestion    PacketKind = capi.ACCP_PACKET_QUESTION
	PacketNotIncluded PacketKind = capi.ACCP_PACKET_NOT_INCLUDED
)

// Layers is the prompt of some layers alone, and how many tokens it has. ErrArgument for an empty packet, for no layer and for one that is none.
func (p *ContextPacket) Layers(layers PacketLayers) (prompt string, tokens int, err error) {
	prompt, err = p.string(func(packet unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_packet_print_layers(packet, uint(layers), s.Out(), s.Err())
		if status != 0 {
			return status
		}
		status = capi.Accp_packet_count_layers(packet, uint(layers), s.NumberOut(), s.Err())
		tokens = int(s.Number)
		return status
	})
	return prompt, tokens, err
}

// Filter leaves out what is not about a task ("": the packet's own), and seals the packet; not_included then tells how much of each kind. An item stays whose score, from 0 to 1, is the threshold (0:
// 0.07) or more. Words and topics are compared (docs/packets.md). After an error the packet is what it was, as after one of Fade, ExtractPatterns, MergeDecisions and Revise.
func (p *ContextPacket) Filter(task string, threshold float64) error {
	return p.do(func(packet unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_filter(packet, task, threshold, s.Err())
	})
}

// Score is what an item, counted from 1, had in the last Filter; -1 where there is none.
func (p *ContextPacket) Score(kind PacketKind, number int) (score float64) {
	score = -1
	_ = p.do(func(packet unsafe.Pointer, _ *capi.Scratch) int {
		score = capi.Accp_packet_score(packet, int(kind), uint(number))
		return 0
	})
	return score
}

// Fade keeps of decisions, failures and pivots the newest as they are, older ones in a line, and of ancient ones a word in not_included; what a user decided keeps its line. It seals the packet.
func (p *ContextPacket) Fade(recent, older uint32) error {
	return p.do(func(packet unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_fade(packet, uint(recent), uint(older), s.Err())
	})
}

// ExtractPatterns puts a pattern and an example in the place of files of one folder whose summaries say the same, where there are minFiles (0: 3), and seals the packet.
func (p *ContextPacket) ExtractPatterns(minFiles uint32) error {
	return p.do(func(packet unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_extract_patterns(packet, uint(minFiles), s.Err())
	})
}

// MergeDecisions makes one decision of those that tell parts of one thing, and seals the packet. As they were, they stand in context.merged, which is in no prompt.
func (p *ContextPacket) MergeDecisions() error {
	return p.do(func(packet unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_merge_decisions(packet, s.Err())
	})
}

// Revise makes the packet the next version of another, with a note in its changelog, and seals it. ErrArgument where one of them is empty, and without a note.
func (p *ContextPacket) Revise(old *ContextPacket, note string) error {
	return p.withOther(old, func(packet, old unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_revise(packet, old, note, s.Err())
	})
}

// Diff is what the packet has that an older one has not, and the other way: {"versions":[1,2],"decisions":{"added":[…],"removed":[…],"changed":[{"from":…,"to":…}]}}.
func (p *ContextPacket) Diff(old *ContextPacket) (diff json.RawMessage, err error) {
	err = p.withOther(old, func(packet, old unsafe.Pointer, s *capi.Scratch) int {
		s.View = capi.View{}
		status := capi.Accp_packet_print_diff(packet, old, s.Out(), s.Err())
		if status == 0 {
			diff = append(diff, s.View.Bytes()...)
		}
		return status
	})
	return diff, err
}

var packetsMade atomic.Uint64

// withOther runs a call with two packets. The one that was made first has its turn first, so that no two calls wait for each other.
func (p *ContextPacket) withOther(other *ContextPacket, call func(packet, other unsafe.Pointer, s *capi.Scratch) int) error {
	if other == nil {
		return errClosed
	}
	if p == other {
		return p.do(func(packet unsafe.Pointer, s *capi.Scratch) int { return call(packet, packet, s) })
	}
	if p.order > other.order {
		return other.withBoth(context.Background(), p.handle, func(other, packet unsafe.Pointer, s *capi.Scratch) int { return call(packet, other, s) })
	}
	return p.withBoth(context.Background(), other.handle, call)
}

// PacketIndex answers questions from the packets that were added to it (docs/packets.md). Its calls queue.
type PacketIndex struct{ *handle }

// NewPacketIndex makes an empty index. Of its options it reads the limits.
func NewPacketIndex(options ...Option) (*PacketIndex, error) {
	h, err := open(capi.Accp_packet_index_free, options, capi.Accp_packet_index_new)
	if err != nil {
		return nil, err
	}
	return &PacketIndex{h}, nil
}

// Add adds what a packet says now; one with the same checksum is there already. ErrArgument for an empty packet.
func (x *PacketIndex) Add(packet *ContextPacket) error {
	if packet == nil {
		return errClosed
	}
	if err := packet.enter(context.Background()); err != nil {
		return err
	}
	defer packet.leave()
	return x.do(func(index unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_index_add(index, packet.ptr, s.Err())
	})
}

// Len is how many packets there are.
func (x *PacketIndex) Len() (size int) {
	_ = x.do(func(index unsafe.Pointer, _ *capi.Scratch) int {
		size = int(capi.Accp_packet_index_size(index))
		return 0
	})
	return size
}

// PacketAnswer is what an index found.
type PacketAnswer struct {
	Answer  string
	Sources []PacketSource
}

// PacketSource is an item that an answer is from.
type PacketSource struct {
	Packet  string // the checksum
	Task    string
	Kind    string // the list that it stands in: decisions, constraints …
	Number  int    // of the list, from 1
	Text    string
	Why     string
	MadeBy  string   `json:"made_by"`
	Score   float64  // from 0 to 1
	ByWayOf []string `json:"by_way_of"` // checksums, of a question with from: the packets between
}

// QueryJSON answers a question in English; from: the checksum of a packet, of which and of what it refers to alone it is asked, "" for all. ErrRefNotFound where nothing answers it; ErrArgument without a
// question, and where no packet has that checksum.
func (x *PacketIndex) QueryJSON(question, from string) (json.RawMessage, error) {
	return x.appendText(nil, func(index unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_index_query(index, question, from, s.Out(), s.Err())
	})
}

// Query is QueryJSON, read.
func (x *PacketIndex) Query(question, from string) (answer PacketAnswer, err error) {
	text, err := x.QueryJSON(question, from)
	if err == nil {
		err = json.Unmarshal(text, &answer)
	}
	return answer, err
}
