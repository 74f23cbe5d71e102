// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"encoding/json"
	"strings"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Library has the verbs and tools that SACP messages may use, with the types of their params, and
// short names. It is constant: any number of goroutines may use one.
type Library struct{ *shared }

// NewLibrary reads a library:
// {"verbs":[{"name","description","inputs","outputs"}],"tools":[{"id","description","supported_verbs"}],"aliases":{…}};
// nil has no verbs or tools. It reads the limits of the options. The error's offset is a byte of
// the document; SACP.CheckLibrary reports it with SACP's own codes.
func NewLibrary(document []byte, options ...Option) (*Library, error) {
	h, err := openShared(capi.Accp_library_free, options, func(config, out, err unsafe.Pointer) int {
		return capi.Accp_library_new(capi.Text(document), config, out, err)
	})
	if err != nil {
		return nil, err
	}
	return &Library{h}, nil
}

// SACP checks messages by which agents plan (a goal, a context, a plan of steps) against a library,
// and converts them. Its calls queue.
//
// If a message is refused, the error is a *[VerdictError].
type SACP struct{ *handle }

// NewSACP makes a SACP; library may be nil: no verbs and tools. It reads the limits of the options.
func NewSACP(library *Library, options ...Option) (*SACP, error) {
	var uses []*shared
	if library != nil {
		uses = append(uses, library.shared)
	}
	h, err := open(capi.Accp_sacp_free, options, func(config, out, err unsafe.Pointer) int {
		var from unsafe.Pointer
		if library != nil {
			from = library.ptr
		}
		return capi.Accp_sacp_new(from, config, out, err)
	}, uses...)
	if err != nil {
		return nil, err
	}
	return &SACP{h}, nil
}

// Validate checks whether a message can be run. Its verdict has the faults of the message; the
// error is only for a call that could not be made.
func (c *SACP) Validate(message []byte) (Verdict, error) {
	return c.validate(message, capi.ACCP_SACP_STRICT)
}

// ValidateLenient accepts verbs and tools that the library does not have; all other checks apply.
func (c *SACP) ValidateLenient(message []byte) (Verdict, error) {
	return c.validate(message, capi.ACCP_SACP_LENIENT)
}

func (c *SACP) validate(message []byte, reading int) (Verdict, error) {
	return c.judge(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_sacp_check(sacp, capi.Text(message), reading, nil, s.Err())
	})
}

// SACPReply describes a reply for ValidateReply.
type SACPReply struct {
	Role    string     // role of the sender: an "interface" or a "formatter" may write prose
	OutFmt  SACPOutFmt // out_fmt of the request: after SACPHuman the sender may write prose too
	Lenient bool       // as ValidateLenient
}

// ValidateReply checks whether a reply may be sent: a message, a verdict, or prose if the sender
// may write it.
func (c *SACP) ValidateReply(text []byte, reply SACPReply) (Verdict, error) {
	reading := capi.ACCP_SACP_STRICT
	if reply.Lenient {
		reading = capi.ACCP_SACP_LENIENT
	}
	return c.judge(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_sacp_check_reply(sacp, capi.Text(text), reply.Role, int(reply.OutFmt), reading, nil, s.Err())
	})
}

// CheckLibrary checks whether NewLibrary accepts a document.
func (c *SACP) CheckLibrary(document []byte) (Verdict, error) {
	return c.judge(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_sacp_check_library(sacp, capi.Text(document), nil, s.Err())
	})
}

// Canonical prints a message in its canonical form: compact, with ordered members and unchanged
// numbers.
func (c *SACP) Canonical(message []byte) (json.RawMessage, error) {
	return c.spell(message, capi.ACCP_SACP_AS_IS)
}

// Expand prints a message with the full names of verbs and keys.
func (c *SACP) Expand(message []byte) (json.RawMessage, error) {
	return c.spell(message, capi.ACCP_SACP_FULL)
}

// Compact prints a message with short names; Expand is the inverse.
func (c *SACP) Compact(message []byte) (json.RawMessage, error) {
	return c.spell(message, capi.ACCP_SACP_BRIEF)
}

func (c *SACP) spell(message []byte, spelling int) (json.RawMessage, error) {
	return c.write(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_sacp_spell(sacp, capi.Text(message), spelling, s.Out(), s.Err())
	})
}

// ToMessage makes a [Message] in JSON, with the sender agent, from a SACP message, a verdict, a
// query to a registry of agents ({"query":…}) or its result ({"agents":…}). Codec.Encode and
// Session.Send accept it. SACPRegistry has its schemas.
func (c *SACP) ToMessage(text []byte, agent string) (json.RawMessage, error) {
	return c.write(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_sacp_to_message(sacp, capi.Text(text), agent, s.Out(), s.Err())
	})
}

// FromMessage is the inverse of ToMessage. Nothing is lost; after a frame, numbers may have another
// spelling and maps another order.
func (c *SACP) FromMessage(message []byte) (json.RawMessage, error) {
	return c.write(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_sacp_from_message(sacp, capi.Text(message), s.Out(), s.Err())
	})
}

// Plan completes a plan and prints the message with full names. A missing required param comes from
// the ctx, from an earlier step, or from the fewest new steps. An empty plan is made for the output
// or verb that the goal names. If nothing supplies a param, the verdict requests it.
func (c *SACP) Plan(message []byte) (json.RawMessage, Verdict, error) { return c.plan(message, 0) }

// PlanParallel is Plan with independent steps in parallels: for steps without effects on each
// other.
func (c *SACP) PlanParallel(message []byte) (json.RawMessage, Verdict, error) {
	return c.plan(message, 1)
}

func (c *SACP) plan(message []byte, beside int) (json.RawMessage, Verdict, error) {
	var whole json.RawMessage
	var verdict Verdict
	_, err := c.write(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_sacp_plan(sacp, capi.Text(message), beside, s.Out(), s.Err())
		if status == 0 {
			whole = json.RawMessage(s.View.String()) // before the verdict is printed over it
			verdict, status = readVerdict(sacp, s)
		}
		return status
	})
	return whole, verdict, err
}

// SACPAgent describes an agent for a model's prompt. It has at least one verb and one tool, with
// names of one line each.
type SACPAgent struct {
	Name         string
	Verbs, Tools []string // that it may be requested for
}

// Prompt returns the instructions for a model that acts as an agent, by the template of appendix C.
// message is the one to work on; nil if it comes later.
func (c *SACP) Prompt(agent SACPAgent, message []byte) (string, error) {
	for _, name := range append(append([]string{agent.Name}, agent.Verbs...), agent.Tools...) {
		if strings.Contains(name, "\n") {
			return "", newError(CodeArgument, "an agent, its verbs and its tools have names of one line each")
		}
	}
	verbs, tools := strings.Join(agent.Verbs, "\n"), strings.Join(agent.Tools, "\n")
	text, err := c.write(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_sacp_print_prompt(sacp, agent.Name, verbs, tools, capi.Text(message), s.Out(), s.Err())
	})
	return string(text), err
}

// Specification returns a summary of the protocol with the library's verbs and tools, for a model
// that writes or reads messages.
func (c *SACP) Specification() (string, error) {
	return c.string(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_sacp_print_specification(sacp, s.Out(), s.Err())
	})
}

// SACPRegistry returns a document for NewRegistry with the schemas that send SACP messages by
// position.
func SACPRegistry() []byte { return []byte(capi.Accp_sacp_registry()) }

// write runs a call that leaves a view in s.View, or a verdict with the reason.
func (c *SACP) write(call func(sacp unsafe.Pointer, s *capi.Scratch) int) (json.RawMessage, error) {
	var verdict Verdict
	text, err := c.appendText(nil, func(sacp unsafe.Pointer, s *capi.Scratch) int {
		status := call(sacp, s)
		if status > 0 {
			verdict, _ = readVerdict(sacp, s)
		}
		return status
	})
	if err != nil && verdict.Answer == SACPErr {
		return nil, &VerdictError{verdict, err}
	}
	return text, err
}

// judge runs a call that leaves a verdict.
func (c *SACP) judge(call func(sacp unsafe.Pointer, s *capi.Scratch) int) (verdict Verdict, err error) {
	err = c.do(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		status := call(sacp, s)
		if status == 0 {
			verdict, status = readVerdict(sacp, s)
		}
		return status
	})
	return verdict, err
}
