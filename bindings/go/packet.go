// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"strings"
	"time"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// PacketDepth is how much a packet says. Each has a budget of its own, in tokens of the prompt.
type PacketDepth int32

const (
	PacketMinimal  PacketDepth = capi.ACCP_PACKET_MINIMAL  // goal and constraints: 100
	PacketStandard PacketDepth = capi.ACCP_PACKET_STANDARD // and decisions and files: 400
	PacketDeep     PacketDepth = capi.ACCP_PACKET_DEEP     // and failed attempts and open questions: 800
)

// PacketWarnings are what was read and taken, and somebody may want to know, as bits.
type PacketWarnings uint32

const (
	PacketNoChecksum      PacketWarnings = capi.ACCP_PACKET_NO_CHECKSUM
	PacketOtherTokenCount PacketWarnings = capi.ACCP_PACKET_OTHER_TOKEN_COUNT // token_count is not the number of tokens of the prompt
	PacketOtherChecksum   PacketWarnings = capi.ACCP_PACKET_OTHER_CHECKSUM    // read by ReadUnverified
	PacketDroppedItems    PacketWarnings = capi.ACCP_PACKET_DROPPED_ITEMS     // Hooks.Extract gave items that are not in the conversation
)

// PacketRequest is what a packet is made from.
type PacketRequest struct {
	Task         string      // what the worker is to do
	Conversation []byte      // messages of ours, a line each, or what Interface says
	Interface    Interface   // whose messages they are; 0: ours
	Depth        PacketDepth // how much the packet says
	BudgetTokens uint64      // the most tokens of its prompt; 0: those of the depth
	Creator      string      // who makes it; "": accp
	At           time.Time   // when; zero: now
	Code         *PacketCode // files, of which the packet tells those of the task; nil: none
}

// ContextPacket is what a worker must know, in a file that people and programs read (docs/packets.md): task, goal, decisions, constraints, files, failures, under a
// checksum. It is empty until it is read or generated, and after either has failed. Its calls queue.
type ContextPacket struct {
	*handle
	clock func() time.Time
	order uint64 // how many were made before it, and it
}

// NewContextPacket makes an empty packet. Of its options it reads the tokenizer, the limits, the clock and the hook Extract.
func NewContextPacket(options ...Option) (*ContextPacket, error) {
	p := &ContextPacket{clock: time.Now, order: packetsMade.Add(1)}
	options = append(options[:len(options):len(options)], func(c *config) error {
		p.clock = c.clock
		return nil
	})
	h, err := open(capi.Accp_packet_free, options, capi.Accp_packet_new)
	if err != nil {
		return nil, err
	}
	p.handle = h
	return p, nil
}

// Read reads a packet, YAML or JSON. ErrParseError for no YAML, no packet, or a wrong checksum; ErrInvalidType for no UTF-8, or a member of the wrong kind.
func (p *ContextPacket) Read(text []byte) error { return p.read(text, 0) }

// ReadUnverified reads a packet whose checksum may be a placeholder, malformed or another one: PacketOtherChecksum.
func (p *ContextPacket) ReadUnverified(text []byte) error {
	return p.read(text, capi.ACCP_PACKET_UNVERIFIED)
}

func (p *ContextPacket) read(text []byte, reading uint) error {
	return p.do(func(packet unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_read(packet, capi.Text(text), reading, s.Err())
	})
}

// Generate makes a packet of a conversation, of code, or of both, by rules and so the same each time, and seals it. What has no space is counted in not_included. ErrArgument without a task,
// or with neither conversation nor code, and for an interface without messages; ErrBudgetExceeded where the task alone is over the budget;
// what Hooks.Extract fails with, and ErrCorrupt where its answer has another form.
func (p *ContextPacket) Generate(request PacketRequest) error { return p.generate(nil, request) }

// FromSession makes a packet of all that was said in a session, and of what its messages state in names and numbers; its sources name them: "$cold.m17:0-40". A request without
// a Task is for the session's first; it has neither Conversation nor Interface. ErrArgument too where nobody has asked for anything.
func (p *ContextPacket) FromSession(ctx context.Context, session *Session, request PacketRequest) error {
	if session == nil {
		return errClosed
	}
	return session.entered(ctx, func() error {
		defer func() {
			if p.lost.Load() {
				session.lost.Store(true)
			}
		}()
		return p.generate(session.ptr, request)
	})
}

func (p *ContextPacket) generate(session unsafe.Pointer, request PacketRequest) error {
	return request.Code.lend(func(code unsafe.Pointer) error {
		return p.do(func(packet unsafe.Pointer, s *capi.Scratch) int {
			at := request.At
			if at.IsZero() {
				at = p.clock()
			}
			return capi.PacketGenerate(packet, session, code, request.Task, capi.Text(request.Conversation), request.Creator, int32(request.Interface), int32(request.Depth),
				request.BudgetTokens, at.UnixMilli(), s)
		})
	})
}

// MisspeltMembers are members that the packet does not know, and that look like one that it knows: for each where it stands, a blank, and what it may be meant for,
// "context.constrains constraints", "decisions[2].resaon reason". ErrArgument for an empty packet.
func (p *ContextPacket) MisspeltMembers() (members []string, err error) {
	lines, err := p.string(func(packet unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_misspelt_members(packet, s.Out(), s.Err())
	})
	if lines != "" {
		members = strings.Split(strings.TrimSuffix(lines, "\n"), "\n")
	}
	return members, err
}

// Seal makes checksum, token_count and tokenizer what they ought to be. ErrArgument for an empty packet.
func (p *ContextPacket) Seal() error {
	return p.do(func(packet unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_packet_seal(packet, s.Err()) })
}

// YAML is the packet for a file. ErrArgument for an empty packet, as for JSON and Prompt.
func (p *ContextPacket) YAML() ([]byte, error) {
	return p.appendText(nil, func(packet unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_print_yaml(packet, s.Out(), s.Err())
	})
}

// JSON is the packet as JSON.
func (p *ContextPacket) JSON() (json.RawMessage, error) {
	return p.appendText(nil, func(packet unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_print_json(packet, s.Out(), s.Err())
	})
}

// Prompt is the Markdown that a worker's model reads.
func (p *ContextPacket) Prompt() (string, error) {
	return p.string(func(packet unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_print_prompt(packet, s.Out(), s.Err())
	})
}

// Checksum is the one that the packet ought to have, "sha256:…"; "" for an empty packet.
func (p *ContextPacket) Checksum() (checksum string) {
	_ = p.do(func(packet unsafe.Pointer, _ *capi.Scratch) int {
		checksum = strings.Clone(capi.Accp_packet_checksum(packet))
		return 0
	})
	return checksum
}

// TokenCount is how many tokens the prompt has, by the tokenizer of the options (o200k_base); 0 for an empty packet.
func (p *ContextPacket) TokenCount() (tokens int) {
	_ = p.do(func(packet unsafe.Pointer, _ *capi.Scratch) int {
		tokens = int(capi.Accp_packet_tokens(packet))
		return 0
	})
	return tokens
}

// Warnings are those of the packet that was read or made.
func (p *ContextPacket) Warnings() (warnings PacketWarnings) {
	_ = p.do(func(packet unsafe.Pointer, _ *capi.Scratch) int {
		warnings = PacketWarnings(capi.Accp_packet_warnings(packet))
		return 0
	})
	return warnings
}
