// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"encoding/json"
	"strings"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// SACPReceiver is to whom a message goes.
type SACPReceiver struct {
	Role       string   // "interface" and "formatter" talk to people; any other is in between
	Formatters []string // tools that do too, with names of one line each
	MsgID      string   // of the message, where it has none; "": it goes without
}

// Compose prints a message as it goes to another agent, in its canonical form: out_fmt human is left out where the receiver does not talk to people, as who is in between answers raw or in
// summary. ErrArgument: a msg_id that no message can have.
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

// SACPThreadKind is how a message stands in a thread.
type SACPThreadKind string

const (
	ThreadRoot      SACPThreadKind = "root"      // it replies to nothing
	ThreadReply     SACPThreadKind = "reply"     // it replies to one that is there
	ThreadOrphan    SACPThreadKind = "orphan"    // it replies to one that is not there
	ThreadDuplicate SACPThreadKind = "duplicate" // it has the msg_id of an earlier line, which gets all replies to it
	ThreadCycle     SACPThreadKind = "cycle"     // the first line of a circle, which is cut open before it
)

// SACPThreadLine is a message in a thread.
type SACPThreadLine struct {
	Line    int // of the text, from 1
	Depth   int // how many replies it stands below the beginning of its thread
	Kind    SACPThreadKind
	MsgID   string `json:"msg_id"`   // "": it has none
	ReplyTo string `json:"reply_to"` // "": it replies to nothing
	Of      int    // of a ThreadDuplicate the earlier line; else 0
}

// Threads puts messages together by msg_id and reply_to: every one once, before what replies to it, replies and threads in the order of their lines. The text has a line for each, in any
// order: messages, verdicts with ids, or any objects that have them; empty lines are passed over. The byte of a refusal counts from the beginning of the text.
func (c *SACP) Threads(messages []byte) (lines []SACPThreadLine, err error) {
	text, err := c.thread(messages, 0)
	if err == nil {
		err = json.Unmarshal(text, &lines)
	}
	return lines, err
}

// ThreadsJSON is Threads as a JSON array, which docs/sacp.md has the form of.
func (c *SACP) ThreadsJSON(messages []byte) (json.RawMessage, error) { return c.thread(messages, 0) }

// ThreadsText is Threads for people: a line each, two blanks for every depth up to 32.
func (c *SACP) ThreadsText(messages []byte) (string, error) {
	text, err := c.thread(messages, 1)
	return string(text), err
}

func (c *SACP) thread(messages []byte, indented int) (json.RawMessage, error) {
	return c.write(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_sacp_thread(sacp, capi.Text(messages), indented, s.Out(), s.Err())
	})
}
