// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Interface is one that has messages, or tools, in a form of its own: a provider's, or a file's.
type Interface int

const (
	InterfaceOpenAI     Interface = capi.ACCP_INTERFACE_OPENAI      // messages and tools of OpenAI's chat completions, and of what is compatible with them
	InterfaceAnthropic  Interface = capi.ACCP_INTERFACE_ANTHROPIC   // those of Anthropic's Messages
	InterfaceMCP        Interface = capi.ACCP_INTERFACE_MCP         // tools of the Model Context Protocol
	InterfaceClaudeCode Interface = capi.ACCP_INTERFACE_CLAUDE_CODE // a session's file of Claude Code
	InterfaceSWEAgent   Interface = capi.ACCP_INTERFACE_SWE_AGENT   // a trajectory of SWE-agent
	InterfaceSpecStory  Interface = capi.ACCP_INTERFACE_SPECSTORY   // the Markdown that SpecStory keeps of Cursor and others
	InterfaceAider      Interface = capi.ACCP_INTERFACE_AIDER       // aider's chat history
	InterfaceSpeakers   Interface = capi.ACCP_INTERFACE_SPEAKERS    // text or Markdown with a name before what each says
)

// String is its name: "openai"; "" for what is none.
func (i Interface) String() string { return capi.Static(capi.Accp_interface_name(int(i))) }

// FindInterface is the interface of a name.
func FindInterface(name string) (found Interface, ok bool) {
	found = Interface(capi.Accp_interface_find(name))
	return found, found > 0
}

// DetectInterface is the one whose messages a text has, by what it begins with; not ok where it is messages of our own, or nothing that can be told.
func DetectInterface(text []byte) (found Interface, ok bool) {
	found = Interface(capi.Accp_interface_detect(capi.Text(text)))
	return found, found > 0
}

// Tool is the definition of the tool "resolve", by which a model asks for what a context leaves out: JSON to be put among the tools of a request, or into what
// tools/list of the Model Context Protocol answers. nil for an interface without tools. Session.Answer answers its calls.
func (i Interface) Tool() json.RawMessage {
	definition := capi.Static(capi.Accp_interface_tool(int(i)))
	if definition == "" {
		return nil
	}
	return json.RawMessage(definition)
}

// BlockKind is what a Block is. Those of one context come in this order.
type BlockKind int32

const (
	BlockPinned BlockKind = capi.ACCP_BLOCK_PINNED // what the host said first, and the first request: never shortened by a checkpoint
	BlockGap    BlockKind = capi.ACCP_BLOCK_GAP    // a line that says how many messages a budget leaves out
	BlockClosed BlockKind = capi.ACCP_BLOCK_CLOSED // a checkpoint: written once, and then as it is until older ones are folded together
	BlockOpen   BlockKind = capi.ACCP_BLOCK_OPEN   // what was said since, but for the newest message
	BlockNewest BlockKind = capi.ACCP_BLOCK_NEWEST // the newest message
	BlockValues BlockKind = capi.ACCP_BLOCK_VALUES // what Put has put under hot and warm, a line each, as it is now
)

// Block is a part of a context's text.
type Block struct {
	Kind BlockKind
	// Stable: the next context begins with all up to the end of this block, as far as can be foreseen: what the next message is, and a checkpoint that is asked
	// for, cannot. The last such block is where a cache mark belongs.
	Stable     bool
	Checkpoint int    // of a closed block the newest that it holds ($warm.ckpt_N); else 0
	Tokens     int    // of Text
	Since      uint64 // the record since which it stands like this; 0 for a gap
	Text       string
}

// ContextBlocks is the text of ContextText, within the same budget, as blocks, the most stable first; none where nothing was said yet.
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

// ContextMessages is the context of ContextText, within the same budget, as messages that are ready to be sent, and how many tokens its texts have, without the
// form around them. For InterfaceOpenAI it is an array of messages; for InterfaceAnthropic an object with "messages" and perhaps "system", with cache_control where
// a cache mark belongs. A tool's call and its result are a pair where both stand there as they were said, and text otherwise. Between two folds each begins
// with the messages of the one before. ErrArgument for an interface that takes no messages.
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

// AppendMessages appends what an interface calls messages, and says how many of ours came of it, each one record. Of InterfaceOpenAI and InterfaceAnthropic it
// takes one message, an array of them, the body of a request, or a line each; of InterfaceClaudeCode and InterfaceSWEAgent a file. Images and other binaries become
// a line that names them. ErrParseError and ErrInvalidType, with their offset, for what is none of it: then nothing was appended. After any other error RecordCount
// says how many were.
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

// AppendMessagesFrom appends messages of an interface that a peer gives: AppendMessages, with each message checked and marked as AppendFrom does. An untrusted peer says
// nothing as system, user, assistant or tool unless its Agents have that name. ErrPolicyDenied: the peer may not say one of the messages; nothing was appended.
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

// Answer answers a call of the tool "resolve" (Interface.Tool) by its arguments, the JSON object that the model gave: what goes back to the model, at most some
// 64 KiB. What the model got wrong is such a text too, "error: …", and no error, as the model can mend it. Only what this session has is answered: nothing of
// Hooks.Resolve, and nothing of another session.
func (s *Session) Answer(ctx context.Context, arguments []byte) (text string, err error) {
	out, err := s.view(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_answer(p, capi.Text(arguments), s.now(), scratch.Out(), scratch.Err())
	})
	if err != nil {
		return "", err
	}
	return capi.Text(out), nil
}
