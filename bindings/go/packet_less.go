// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// PacketLayers are parts of a packet's prompt, as bits: a worker begins with the first and requests
// more.
type PacketLayers uint32

const (
	PacketGoals     PacketLayers = capi.ACCP_PACKET_GOALS     // the task, goal, success criteria and constraints
	PacketDecisions PacketLayers = capi.ACCP_PACKET_DECISIONS // decisions, their reasons and authors
	PacketCodebase  PacketLayers = capi.ACCP_PACKET_CODEBASE  // files, patterns, anti-patterns and examples
	PacketHistory   PacketLayers = capi.ACCP_PACKET_HISTORY   // failures, pivots, open questions, omitted items
	PacketAllLayers PacketLayers = capi.ACCP_PACKET_ALL_LAYERS
)

// PacketKind is the kind of a packet's item.
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

// Layers returns the prompt of the given layers and its tokens. It returns ErrArgument for an empty
// packet, for no layer and for an unknown one.
func (p *ContextPacket) Layers(layers PacketLayers) (prompt string, tokens int, err error) {
	prompt, err = p.string(func(packet unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_packet_print_layers(packet, uint(layers), s.Out(), s.Err())
		if status != 0 {
			return status
		}
		status = capi.Accp_packet_layer_tokens(packet, uint(layers), s.NumberOut(), s.Err())
		tokens = int(s.Number)
		return status
	})
	return prompt, tokens, err
}

// Filter removes items that are not about a task ("": the packet's own), and seals the packet;
// not_included then has the removed amounts. An item remains if its score, from 0 to 1, is at least
// the threshold (0: 0.07). Words and topics are compared (docs/packets.md). After an error the
// packet is unchanged, as after an error of Fade, ExtractPatterns, MergeDecisions and Revise.
func (p *ContextPacket) Filter(task string, threshold float64) error {
	return p.do(func(packet unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_filter(packet, task, threshold, s.Err())
	})
}

// Score returns the score of an item, counted from 1, in the last Filter; -1 if none exists.
func (p *ContextPacket) Score(kind PacketKind, number int) (score float64) {
	score = -1
	_ = p.do(func(packet unsafe.Pointer, _ *capi.Scratch) int {
		score = capi.Accp_packet_score(packet, int(kind), uint(number))
		return 0
	})
	return score
}

// Fade keeps the newest decisions, failures and pivots unchanged, shortens older ones to a line,
// and reduces ancient ones to an entry in not_included. A user's decisions keep their line. It
// seals the packet.
func (p *ContextPacket) Fade(recent, older uint32) error {
	return p.do(func(packet unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_fade(packet, uint(recent), uint(older), s.Err())
	})
}

// ExtractPatterns replaces files of one folder with equal summaries by a pattern and an example if
// there are at least minFiles (0: 3), and seals the packet.
func (p *ContextPacket) ExtractPatterns(minFiles uint32) error {
	return p.do(func(packet unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_extract_patterns(packet, uint(minFiles), s.Err())
	})
}

// MergeDecisions merges decisions about parts of one thing, and seals the packet. The originals
// remain in context.merged, which no prompt has.
func (p *ContextPacket) MergeDecisions() error {
	return p.do(func(packet unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_merge_decisions(packet, s.Err())
	})
}

// Revise makes the packet the next version of another, with a note in its changelog, and seals it.
// It returns ErrArgument if one of them is empty, and without a note.
func (p *ContextPacket) Revise(old *ContextPacket, note string) error {
	return p.withOther(old, func(packet, old unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_revise(packet, old, note, s.Err())
	})
}

// Diff returns the differences from an older packet:
// {"versions":[1,2],"decisions":{"added":[…],"removed":[…],"changed":[{"from":…,"to":…}]}}.
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

// withOther runs a call with two packets. The turn of the older object comes first, so no two calls
// wait for each other.
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

// PacketIndex searches the packets in it for answers to questions (docs/packets.md). Its calls
// queue.
type PacketIndex struct{ *handle }

// NewPacketIndex makes an empty index. It reads the limits of the options.
func NewPacketIndex(options ...Option) (*PacketIndex, error) {
	h, err := open(capi.Accp_packet_index_free, options, capi.Accp_packet_index_new)
	if err != nil {
		return nil, err
	}
	return &PacketIndex{h}, nil
}

// Add adds the current content of a packet; a packet with the same checksum is not added twice. It
// returns ErrArgument for an empty packet.
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

// Len returns the number of packets.
func (x *PacketIndex) Len() (size int) {
	_ = x.do(func(index unsafe.Pointer, _ *capi.Scratch) int {
		size = int(capi.Accp_packet_index_count(index))
		return 0
	})
	return size
}

// PacketAnswer is the result of a query to an index.
type PacketAnswer struct {
	Answer  string
	Sources []PacketSource
}

// PacketSource is an item that supports an answer.
type PacketSource struct {
	Packet  string // the checksum
	Task    string
	Kind    string // the item's list: decisions, constraints …
	Number  int    // position in the list, from 1
	Text    string
	Why     string
	MadeBy  string   `json:"made_by"`
	Score   float64  // from 0 to 1
	ByWayOf []string `json:"by_way_of"` // checksums of the packets on the path, for a question with from
}

// QueryJSON searches for the answer to a question in English. from is the checksum of a packet and
// limits the search to it and the packets that it refers to; "" searches all. It returns
// ErrRefNotFound if no item matches, and ErrArgument without a question or if no packet has that
// checksum.
func (x *PacketIndex) QueryJSON(question, from string) (json.RawMessage, error) {
	return x.appendText(nil, func(index unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_index_query(index, question, from, s.Out(), s.Err())
	})
}

// Query is QueryJSON with a parsed result.
func (x *PacketIndex) Query(question, from string) (answer PacketAnswer, err error) {
	text, err := x.QueryJSON(question, from)
	if err == nil {
		err = json.Unmarshal(text, &answer)
	}
	return answer, err
}
