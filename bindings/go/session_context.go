// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Interface is a format for messages or tools: a provider's or a file's.
type Interface int

const (
	InterfaceOpenAI     Interface = capi.ACCP_INTERFACE_OPENAI      // messages and tools of OpenAI's chat completions and compatible interfaces
	InterfaceAnthropic  Interface = capi.ACCP_INTERFACE_ANTHROPIC   // messages and tools of Anthropic's Messages
	InterfaceMCP        Interface = capi.ACCP_INTERFACE_MCP         // tools of the Model Context Protocol
	InterfaceClaudeCode Interface = capi.ACCP_INTERFACE_CLAUDE_CODE // a session file of Claude Code
	InterfaceSWEAgent   Interface = capi.ACCP_INTERFACE_SWE_AGENT   // a trajectory of SWE-agent
	InterfaceSpecStory  Interface = capi.ACCP_INTERFACE_SPECSTORY   // SpecStory's Markdown of Cursor and others
	InterfaceAider      Interface = capi.ACCP_INTERFACE_AIDER       // aider's chat history
	InterfaceSpeakers   Interface = capi.ACCP_INTERFACE_SPEAKERS    // text or Markdown with a name before each statement
	InterfaceCodex      Interface = capi.ACCP_INTERFACE_CODEX       // a session file of Codex
	InterfaceOpenCode   Interface = capi.ACCP_INTERFACE_OPENCODE    // a session of opencode, as it exports it
	InterfacePi         Interface = capi.ACCP_INTERFACE_PI          // a session file of pi
	InterfaceGemini     Interface = capi.ACCP_INTERFACE_GEMINI      // a chat file of Gemini CLI
)

// String returns the name: "openai"; "" for an unknown value.
func (i Interface) String() string { return capi.Static(capi.Accp_interface_name(int(i))) }

// FindInterface returns the interface of a name.
func FindInterface(name string) (found Interface, ok bool) {
	found = Interface(capi.Accp_interface_find(name))
	return found, found > 0
}

// DetectInterface returns the interface of a text's messages, by its beginning; not ok for our own
// messages or an unknown format.
func DetectInterface(text []byte) (found Interface, ok bool) {
	found = Interface(capi.Accp_interface_detect(capi.Text(text)))
	return found, found > 0
}

// Tool returns the definition of the tool "resolve", with which a model fetches omitted text: JSON
// for the tools of a request or for tools/list of the Model Context Protocol; nil for an interface
// without tools. Session.Answer returns the results of its calls.
func (i Interface) Tool() json.RawMessage {
	definition := capi.Static(capi.Accp_interface_tool(int(i)))
	if definition == "" {
		return nil
	}
	return json.RawMessage(definition)
}

// BlockKind is the kind of a Block. The kinds of one context come in this order.
type BlockKind int32

const (
	BlockPinned BlockKind = capi.ACCP_BLOCK_PINNED // the host's first messages and the first request: never shortened by a checkpoint
	BlockGap    BlockKind = capi.ACCP_BLOCK_GAP    // a line that names messages that are left out
	BlockClosed BlockKind = capi.ACCP_BLOCK_CLOSED // a checkpoint: unchanged until older ones are merged
	BlockOpen   BlockKind = capi.ACCP_BLOCK_OPEN   // messages since the last checkpoint, except for the newest
	BlockNewest BlockKind = capi.ACCP_BLOCK_NEWEST // the newest message
	BlockValues BlockKind = capi.ACCP_BLOCK_VALUES // the current values that Put stored under hot and warm, one per line
)

// Block is a part of a context's text.
type Block struct {
	Kind BlockKind
	// Stable predicts that the next context begins with everything up to the end of this block; the
	// next message and requested checkpoints cannot be predicted. Put a cache mark at the last such
	// block.
	Stable     bool
	Checkpoint int    // for a closed block, its newest checkpoint ($warm.ckpt_N); else 0
	Tokens     int    // of Text
	Since      uint64 // the record since which it is unchanged; 0 for a gap
	Text       string
}

// ContextBlocks returns the text of ContextText with the same budget as blocks, the most stable
// first; none without messages.
func (s *Session) ContextBlocks(ctx context.Context, budgetTokens uint64) (blocks []Block, err error) {
	err = s.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_session_context_blocks(p, budgetTokens, s.HandleOut(), s.CountOut(), s.Err())
		if status == 0 {
			blocks = make([]Block, 0, s.Count)
			for _, from := range capi.Blocks(s) {
				blocks = append(blocks, Block{BlockKind(from.Kind), from.IsStable != 0, int(from.Checkpoint), int(from.Tokens), from.Since, from.Text.String()})
			}
		}
		return status
	})
	return blocks, err
}

// ContextPages explains the context page by page, as JSON: what each message costs, whether it is in
// the context, and why.
func (s *Session) ContextPages(ctx context.Context) (pages json.RawMessage, err error) {
	return s.view(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_session_context_pages(p, s.Out(), s.Err())
	})
}

// ContextMessages returns the context of ContextText with the same budget as messages for a
// provider, and the tokens of their texts without the surrounding format. For InterfaceOpenAI it is
// an array of messages, for InterfaceAnthropic an object with "messages" and an optional "system",
// with cache_control as cache marks. A tool's call and its result are a pair if the call is complete,
// and text otherwise. Until results are left out, each context begins with the previous messages. It returns
// ErrArgument for an interface without messages.
func (s *Session) ContextMessages(ctx context.Context, of Interface, budgetTokens uint64) (messages json.RawMessage, tokens int, err error) {
	messages, err = s.view(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_session_context_messages(p, int(of), budgetTokens, s.Out(), s.NumberOut(), s.Err())
		tokens = int(s.Number)
		return status
	})
	if err != nil {
		return nil, 0, err
	}
	return messages, tokens, nil
}

// AppendMessages appends messages of an interface, and returns the number of our messages, each one
// record. For InterfaceOpenAI and InterfaceAnthropic it takes one message, an array, the body of a
// request, or one per line; for InterfaceClaudeCode and InterfaceSWEAgent a file. Images and other
// binaries become a line with their name. After ErrParseError and ErrInvalidType, with the offset,
// nothing was appended. After any other error see RecordCount.
func (s *Session) AppendMessages(ctx context.Context, of Interface, messages []byte) (count int, err error) {
	err = s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		status := capi.Accp_session_append_messages(p, capi.Text(messages), int(of), s.now(), scratch.CountOut(), scratch.Err())
		if status == 0 {
			count = int(scratch.Count)
		}
		return status
	})
	return count, err
}

// AppendMessagesFrom is AppendMessages for a peer: each message is checked and marked as by
// AppendFrom. An untrusted peer may use system, user, assistant or tool only if its Agents have
// that name. After ErrPolicyDenied for one of the messages nothing was appended.
func (s *Session) AppendMessagesFrom(ctx context.Context, of Interface, messages []byte, peer *Peer) (count int, err error) {
	if peer == nil {
		return s.AppendMessages(ctx, of, messages)
	}
	names, err := peer.names()
	if err != nil {
		return 0, err
	}
	err = s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		status := capi.SessionAppendMessages(p, capi.Text(messages), int(of), names, flag(peer.Untrusted), s.now(), scratch)
		if status == 0 {
			count = int(scratch.Number)
		}
		return status
	})
	return count, err
}

// Answer returns the result of a call of the tool "resolve" (Interface.Tool). arguments is the JSON
// object from the model; the result for the model has at most some 64 KiB. Faults of the model are
// such a text too, "error: …", and not an error, because the model can correct them. Only values of
// this session are returned, none of Hooks.Resolve or of another session.
func (s *Session) Answer(ctx context.Context, arguments []byte) (text string, err error) {
	out, err := s.view(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_answer(p, capi.Text(arguments), s.now(), scratch.Out(), scratch.Err())
	})
	if err != nil {
		return "", err
	}
	return capi.Text(out), nil
}
