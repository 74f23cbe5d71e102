// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"encoding/json"
	"strings"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Library is the verbs and tools that messages of SACP may speak of, with the types of their params, and short names. It is constant: any number of goroutines may use one.
type Library struct{ *shared }

// NewLibrary reads one: {"verbs":[{"name","description","inputs","outputs"}],"tools":[{"id","description","supported_verbs"}],"aliases":{…}}; nil is one without verbs and
// tools. Of its options it reads the limits. The error's offset is a byte of the document; SACP.CheckLibrary says it in SACP's own codes.
func NewLibrary(document []byte, options ...Option) (*Library, error) {
	h, err := openShared(capi.Accp_library_free, options, func(config, out, err unsafe.Pointer) int {
		return capi.Accp_library_new(capi.Text(document), config, out, err)
	})
	if err != nil {
		return nil, err
	}
	return &Library{h}, nil
}

// SACP checks messages by which agents plan for each other (a goal, a context, a plan of steps) against a library, and makes other forms of them. Its calls queue.
//
// Where a message is refused the error is a *[VerdictError].
type SACP struct{ *handle }

// NewSACP makes one; library may be nil: one without verbs and tools. Of its options it reads the limits.
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

// Validate says whether a message is one that can be run. The error is for a call that could not be made: what is wrong with the message the verdict says.
func (c *SACP) Validate(message []byte) (Verdict, error) {
	return c.validate(message, capi.ACCP_SACP_STRICT)
}

// ValidateLenient takes verbs and tools that the library does not have; all else holds.
func (c *SACP) ValidateLenient(message []byte) (Verdict, error) {
	return c.validate(message, capi.ACCP_SACP_LENIENT)
}

func (c *SACP) validate(message []byte, reading int) (Verdict, error) {
	return c.judge(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_sacp_check(sacp, capi.Text(message), reading, nil, s.Err())
	})
}

// SACPReply is whose reply is validated, and to what.
type SACPReply struct {
	Role    string     // of the sender: an "interface" or a "formatter" may write prose
	OutFmt  SACPOutFmt // of the message that it answers: who was asked for SACPHuman may too
	Lenient bool       // as ValidateLenient
}

// ValidateReply says whether a reply may be sent: a message, a verdict, or prose where its sender may write that.
func (c *SACP) ValidateReply(text []byte, reply SACPReply) (Verdict, error) {
	reading := capi.ACCP_SACP_STRICT
	if reply.Lenient {
		reading = capi.ACCP_SACP_LENIENT
	}
	return c.judge(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_sacp_check_reply(sacp, capi.Text(text), reply.Role, int(reply.OutFmt), reading, nil, s.Err())
	})
}

// CheckLibrary says whether NewLibrary takes a document.
func (c *SACP) CheckLibrary(document []byte) (Verdict, error) {
	return c.judge(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_sacp_check_library(sacp, capi.Text(document), nil, s.Err())
	})
}

// Canonical prints a message in its canonical form: compact, members in one order, numbers as they were written.
func (c *SACP) Canonical(message []byte) (json.RawMessage, error) {
	return c.spell(message, capi.ACCP_SACP_AS_IS)
}

// Expand prints it with the full names of verbs and keys.
func (c *SACP) Expand(message []byte) (json.RawMessage, error) {
	return c.spell(message, capi.ACCP_SACP_FULL)
}

// Compact prints it with the short ones, which Expand takes back.
func (c *SACP) Compact(message []byte) (json.RawMessage, error) {
	return c.spell(message, capi.ACCP_SACP_BRIEF)
}

func (c *SACP) spell(message []byte, spelling int) (json.RawMessage, error) {
	return c.write(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_sacp_spell(sacp, capi.Text(message), spelling, s.Out(), s.Err())
	})
}

// ToMessage makes a [Message] in JSON of a message of SACP, a verdict, a query to a registry of agents ({"query":…}) or its answer ({"agents":…}), which agent says; Codec.Encode
// and Session.Send take it. SACPRegistry has its schemas.
func (c *SACP) ToMessage(text []byte, agent string) (json.RawMessage, error) {
	return c.write(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_sacp_to_message(sacp, capi.Text(text), agent, s.Out(), s.Err())
	})
}

// FromMessage is the way back. Nothing is lost; through a frame numbers may be spelt anew and maps reordered.
func (c *SACP) FromMessage(message []byte) (json.RawMessage, error) {
	return c.write(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_sacp_from_message(sacp, capi.Text(message), s.Out(), s.Err())
	})
}

// Plan makes a plan whole, and prints the message with full names: a required param that is missing comes from the ctx, from a step before it, or from new steps, the fewest that
// will do; an empty plan is made for the one output or verb that the goal names. What nothing makes stays missing, and the verdict asks for it.
func (c *SACP) Plan(message []byte) (json.RawMessage, Verdict, error) { return c.plan(message, 0) }

// PlanParallel is Plan, but steps that take nothing from each other go side by side, in parallels: for whoever knows that they have no effect on each other.
func (c *SACP) PlanParallel(message []byte) (json.RawMessage, Verdict, error) {
	return c.plan(message, 1)
}

func (c *SACP) plan(message []byte, beside int) (json.RawMessage, Verdict, error) {
	var whole json.RawMessage
	var verdict Verdict
	_, err := c.write(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_sacp_plan(sacp, capi.Text(message), beside, s.Out(), s.Err())
		if status == 0 {
			whole = json.RawMessage(s.View.String()) // before the verdict is printed in its place
			verdict, status = readVerdict(sacp, s)
		}
		return status
	})
	return whole, verdict, err
}

// SACPAgent is an agent that a model is to act as. It has a verb and a tool at least, and their names one line each.
type SACPAgent struct {
	Name         string
	Verbs, Tools []string // that it may be asked for
}

// Prompt is what a model is told that is to act as an agent, by the template of appendix C; the message is the one that it is to work on, nil for one that comes later.
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

// Specification is the protocol in short, for a model that writes or reads messages, and the library's verbs and tools.
func (c *SACP) Specification() (string, error) {
	return c.string(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_sacp_print_specification(sacp, s.Out(), s.Err())
	})
}

// SACPRegistry is a document for NewRegistry, with the schemas by which messages of SACP are sent by position.
func SACPRegistry() []byte { return []byte(capi.Accp_sacp_registry()) }

// write runs a call that leaves a view in s.View, or a verdict about why not.
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
