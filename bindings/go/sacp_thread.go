// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"encoding/json"
	"strings"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// SACPReceiver describes the receiver of a message.
type SACPReceiver struct {
	Role       string   // "interface" and "formatter" talk to people; any other role is intermediate
	Formatters []string // tools that talk to people, with names of one line each
	MsgID      string   // for a message without one; "": none
}

// Compose prints a message for another agent in its canonical form. It omits out_fmt human if the
// receiver does not talk to people, because intermediate agents reply raw or in summary. It returns
// ErrArgument for an invalid msg_id.
func (c *SACP) Compose(message []byte, to SACPReceiver) (json.RawMessage, error) {
	for _, name := range to.Formatters {
		if name == "" || strings.Contains(name, "\n") {
			return nil, newError(CodeArgument, "formatters are tools, with names of one line each")
		}
	}
	formatters := strings.Join(to.Formatters, "\n")
	return c.write(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		return capi.SacpCompose(sacp, capi.Text(message), to.Role, formatters, to.MsgID, s)
	})
}

// SACPThreadKind is the position of a message in a thread.
type SACPThreadKind string

const (
	ThreadRoot      SACPThreadKind = "root"      // it replies to nothing
	ThreadReply     SACPThreadKind = "reply"     // it replies to a message in the text
	ThreadOrphan    SACPThreadKind = "orphan"    // it replies to a message that is missing
	ThreadDuplicate SACPThreadKind = "duplicate" // it has the msg_id of an earlier line, which gets all replies
	ThreadCycle     SACPThreadKind = "cycle"     // the first line of a cycle, which is cut before it
)

// SACPThreadLine is a message in a thread.
type SACPThreadLine struct {
	Line    int // of the text, from 1
	Depth   int // number of replies between the beginning of its thread and it
	Kind    SACPThreadKind
	MsgID   string `json:"msg_id"`   // "": none
	ReplyTo string `json:"reply_to"` // "": not a reply
	Of      int    // for a ThreadDuplicate, the earlier line; else 0
}

// Threads joins messages by msg_id and reply_to: each once, before its replies, with replies and
// threads in the order of their lines. The text has one object per line in any order: messages,
// verdicts with ids, or other objects with these members; empty lines are ignored. The byte of an
// error counts from the beginning of the text.
func (c *SACP) Threads(messages []byte) (lines []SACPThreadLine, err error) {
	text, err := c.thread(messages, 0)
	if err == nil {
		err = json.Unmarshal(text, &lines)
	}
	return lines, err
}

// ThreadsJSON is Threads as a JSON array in the form of docs/sacp.md.
func (c *SACP) ThreadsJSON(messages []byte) (json.RawMessage, error) { return c.thread(messages, 0) }

// ThreadsText is Threads for people: one line each, indented by two blanks per level up to 32.
func (c *SACP) ThreadsText(messages []byte) (string, error) {
	text, err := c.thread(messages, 1)
	return string(text), err
}

func (c *SACP) thread(messages []byte, indented int) (json.RawMessage, error) {
	return c.write(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_sacp_thread(sacp, capi.Text(messages), indented, s.Out(), s.Err())
	})
}
