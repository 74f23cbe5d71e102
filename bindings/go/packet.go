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

// PacketDepth is the level of detail of a packet. Each level has a default budget in tokens of the
// prompt.
type PacketDepth int32

const (
	PacketMinimal  PacketDepth = capi.ACCP_PACKET_MINIMAL  // goal and constraints: 100
	PacketStandard PacketDepth = capi.ACCP_PACKET_STANDARD // adds decisions and files: 400
	PacketDeep     PacketDepth = capi.ACCP_PACKET_DEEP     // adds failed attempts and open questions: 800
)

// PacketWarnings are non-fatal findings about a packet, as bits.
type PacketWarnings uint32

const (
	PacketNoChecksum      PacketWarnings = capi.ACCP_PACKET_NO_CHECKSUM
	PacketOtherTokenCount PacketWarnings = capi.ACCP_PACKET_OTHER_TOKEN_COUNT // token_count differs from the tokens of the prompt
	PacketOtherChecksum   PacketWarnings = capi.ACCP_PACKET_OTHER_CHECKSUM    // read by ReadUnverified
	PacketDroppedItems    PacketWarnings = capi.ACCP_PACKET_DROPPED_ITEMS     // Hooks.Extract returned items that are not in the conversation
	PacketOtherLanguage   PacketWarnings = capi.ACCP_PACKET_OTHER_LANGUAGE    // the rules do not know the language of the conversation
)

// PacketRequest has the inputs of a packet.
type PacketRequest struct {
	Task         string      // the worker's task
	Conversation []byte      // our messages, one per line, or the format of Interface
	Interface    Interface   // format of the conversation; 0: ours
	Depth        PacketDepth // level of detail
	BudgetTokens uint64      // the most tokens of the prompt; 0: those of the depth
	Creator      string      // the creator; "": accp
	At           time.Time   // creation time; zero: now
	Code         *PacketCode // files of code, from which the packet selects those of the task; nil: none
	// Items has what the caller knows already: members of a packet's context in YAML or JSON, each
	// optional; an item may have a quote of the conversation. Items of a kind replace what the rules
	// find of it. See ContextPacket.Report. Empty: none.
	Items []byte
	// StrictBudget returns ErrBudgetExceeded if a given item, or a plain demand or decision of a
	// user, does not fit into the budget. Otherwise it is counted in not_included.
	StrictBudget bool
}

// ContextPacket has the knowledge that a worker needs, in a file for people and programs
// (docs/packets.md): task, goal, decisions, constraints, files, failures, and a checksum. It is
// empty until it is read or generated, and after either has failed. Its calls queue.
type ContextPacket struct {
	*handle
	clock func() time.Time
	order uint64 // creation order of all packets
}

// NewContextPacket makes an empty packet. It reads the tokenizer, the limits, the clock and the
// hook Extract of the options.
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

// Read reads a packet in YAML or JSON. It returns ErrParseError for invalid YAML, for other
// documents or a wrong checksum, and ErrInvalidType for invalid UTF-8 or a member of the wrong
// kind.
func (p *ContextPacket) Read(text []byte) error { return p.read(text, 0) }

// ReadUnverified reads a packet whose checksum may be missing, malformed or wrong:
// PacketOtherChecksum.
func (p *ContextPacket) ReadUnverified(text []byte) error {
	return p.read(text, capi.ACCP_PACKET_UNVERIFIED)
}

func (p *ContextPacket) read(text []byte, reading uint) error {
	return p.do(func(packet unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_parse(packet, capi.Text(text), reading, s.Err())
	})
}

// Generate makes and seals a packet from a conversation, from code, or from both, by deterministic
// rules. Items without space are counted in not_included. It returns ErrArgument without a task,
// without conversation, code and items, or for an interface without messages; ErrBudgetExceeded if
// the budget is smaller than a packet without items; the error of Hooks.Extract, and ErrCorrupt if its result has a
// wrong form.
func (p *ContextPacket) Generate(request PacketRequest) error { return p.generate(nil, request) }

// FromSession makes a packet from all messages of a session and the names and numbers in them; its
// sources refer to them: "$cold.m17:0-40". Without a Task it uses the session's first request;
// Conversation and Interface must be empty. It also returns ErrArgument if the session has no
// request.
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
			var options uint32
			if request.StrictBudget {
				options = capi.ACCP_PACKET_STRICT_BUDGET
			}
			at := request.At
			if at.IsZero() {
				at = p.clock()
			}
			return capi.PacketGenerate(packet, session, code, request.Task, capi.Text(request.Conversation), request.Creator, int32(request.Interface), int32(request.Depth),
				request.BudgetTokens, at.UnixMilli(), capi.Text(request.Items), options, s)
		})
	})
}

// MisspeltMembers returns unknown members that resemble known ones: for each its path, a blank, and
// the known name: "context.constrains constraints", "decisions[2].resaon reason". It returns
// ErrArgument for an empty packet.
func (p *ContextPacket) MisspeltMembers() (members []string, err error) {
	lines, err := p.string(func(packet unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_misspelt_members(packet, s.Out(), s.Err())
	})
	if lines != "" {
		members = strings.Split(strings.TrimSuffix(lines, "\n"), "\n")
	}
	return members, err
}

// Seal updates checksum, token_count and tokenizer. It returns ErrArgument for an empty packet.
func (p *ContextPacket) Seal() error {
	return p.do(func(packet unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_packet_seal(packet, s.Err()) })
}

// YAML returns the packet for a file. YAML, JSON and Prompt return ErrArgument for an empty packet.
func (p *ContextPacket) YAML() ([]byte, error) {
	return p.appendText(nil, func(packet unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_print_yaml(packet, s.Out(), s.Err())
	})
}

// JSON returns the packet as JSON.
func (p *ContextPacket) JSON() (json.RawMessage, error) {
	return p.appendText(nil, func(packet unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_print_json(packet, s.Out(), s.Err())
	})
}

// Prompt returns the Markdown for a worker's model.
func (p *ContextPacket) Prompt() (string, error) {
	return p.string(func(packet unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_print_prompt(packet, s.Out(), s.Err())
	})
}

// Report returns what became of PacketRequest.Items in the last packet generated, as JSON with
// dropped, unverified and contradicted; "" without items.
func (p *ContextPacket) Report() (string, error) {
	return p.string(func(packet unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_print_report(packet, s.Out(), s.Err())
	})
}

// Checksum returns the correct checksum, "sha256:…"; "" for an empty packet.
func (p *ContextPacket) Checksum() (checksum string) {
	_ = p.do(func(packet unsafe.Pointer, _ *capi.Scratch) int {
		checksum = strings.Clone(capi.Accp_packet_checksum(packet))
		return 0
	})
	return checksum
}

// TokenCount returns the tokens of the prompt by the tokenizer of the options (o200k_base); 0 for
// an empty packet.
func (p *ContextPacket) TokenCount() (tokens int) {
	_ = p.do(func(packet unsafe.Pointer, _ *capi.Scratch) int {
		tokens = int(capi.Accp_packet_tokens(packet))
		return 0
	})
	return tokens
}

// Warnings returns those of the packet that was read or made.
func (p *ContextPacket) Warnings() (warnings PacketWarnings) {
	_ = p.do(func(packet unsafe.Pointer, _ *capi.Scratch) int {
		warnings = PacketWarnings(capi.Accp_packet_warnings(packet))
		return 0
	})
	return warnings
}
