// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// NegotiationState is how far a negotiation has come. While it is open, nothing else may be sent in the session.
type NegotiationState int

const (
	NegotiationOpen    NegotiationState = capi.ACCP_NEGOTIATION_OPEN
	NegotiationAgreed  NegotiationState = capi.ACCP_NEGOTIATION_AGREED  // Registry is in force on both sides
	NegotiationBare    NegotiationState = capi.ACCP_NEGOTIATION_BARE    // no common registry
	NegotiationRefused NegotiationState = capi.ACCP_NEGOTIATION_REFUSED // the session cannot go on
)

// Negotiation is one side of agreeing on a registry (specification 6.4): a state machine that does no I/O. Its calls queue.
type Negotiation struct {
	*handle
	frame *Frame
}

// NewNegotiation begins one. The agent is this side's name, as frames have it; the options say what it has: WithRegistry, without which it is ErrArgument,
// WithExtensions, WithTokenizer, whose name the peer is told, and as features RuleMerges, RuleParts, RuleBySender and RuleSharesStore, the last only where it is known
// that both sides read the same store.
func NewNegotiation(agent string, options ...Option) (*Negotiation, error) {
	frame, err := NewFrame(options...)
	if err != nil {
		return nil, err
	}
	h, err := open(func(p unsafe.Pointer) { capi.Accp_negotiation_free(p); frame.Close() }, options, func(config, out, err unsafe.Pointer) int {
		return capi.Accp_negotiation_new(agent, config, out, err)
	})
	if err != nil {
		frame.Close()
		return nil, err
	}
	return &Negotiation{h, frame}, nil
}

// Features are what sessions can do beyond the extensions, as bits. Each is the rule of the engines to be made (WithAgreement).
type Features uint32

const (
	FeatureMerges  Features = capi.ACCP_FEATURE_MERGES  // RuleMerges
	FeatureParts   Features = capi.ACCP_FEATURE_PARTS   // RuleParts; named unless it was set to 0; in force only with Q1
	FeatureStore   Features = capi.ACCP_FEATURE_STORE   // RuleSharesStore
	FeatureSenders Features = capi.ACCP_FEATURE_SENDERS // RuleBySender, so both may speak at once; named unless the rule was set to 0
)

// AddKnown tells of a registry of the peer's that was kept from before (Agreement.Peer): it need not be sent again.
func (n *Negotiation) AddKnown(known *Registry) error {
	if known == nil {
		return newError(CodeArgument, "no registry")
	}
	if err := known.acquire(); err != nil {
		return err
	}
	defer known.release()
	return n.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_negotiation_add_known(p, known.ptr, s.Err())
	})
}

// Receive takes in a frame sync:registry of the peer. There may be frames to send afterwards, also after an error.
func (n *Negotiation) Receive(frame []byte) error {
	return n.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Negotiate(p, n.frame.ptr, capi.Text(frame), s)
	})
}

// NextFrame is the next frame to be sent, without metadata; nil when there is none for now. Call it until then, at the beginning, and after each frame and timeout.
func (n *Negotiation) NextFrame() ([]byte, error) {
	return n.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_negotiation_next_frame(p, s.Out(), s.Err())
	})
}

// Timeout says that the peer has been silent for as long as the caller waits: what is wanted is asked for again, five times, then refused.
func (n *Negotiation) Timeout() error {
	return n.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_negotiation_timeout(p, s.Err()) })
}

// Agreement is what a negotiation has come to. While it is open nothing is agreed.
type Agreement struct {
	State         NegotiationState
	Extensions    Extensions // in force: what both sides named
	Features      Features   // the same
	Registry      *Registry  // in force; nil where there is none
	Peer          *Registry  // the peer's own, to be kept and told of in the next session (AddKnown); nil where it is not known
	PeerTokenizer string     // its name; "" where the peer named none
}

// WithAgreement puts in force what was negotiated, for codecs, engines and batches: the registry, the extensions, and the features as rules, in place of what options
// before it say of these. Where the two sides are bare it is a registry without schemas. ErrArgument for an agreement that is open or refused.
func WithAgreement(agreement Agreement) Option {
	return func(c *config) error {
		set := func(registry unsafe.Pointer) int {
			*(*capi.Agreement)(c.scratch.RoomOut()) = capi.Agreement{State: int32(agreement.State), Extensions: uint32(agreement.Extensions),
				Features: uint32(agreement.Features), Registry: registry}
			return capi.Accp_config_set_agreement(c.ptr, c.scratch.RoomOut(), c.scratch.Err())
		}
		if agreement.Registry == nil {
			return c.done(set(nil))
		}
		if err := agreement.Registry.acquire(); err != nil {
			return err
		}
		defer agreement.Registry.release()
		return c.done(set(agreement.Registry.ptr))
	}
}

// Agreement is how far it has come; NegotiationRefused when it is closed.
func (n *Negotiation) Agreement() Agreement {
	out := Agreement{State: NegotiationRefused}
	_ = n.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_negotiation_agreement(p, s.RoomOut(), s.Err())
		if status == 0 {
			from := (*capi.Agreement)(s.RoomOut())
			out = Agreement{NegotiationState(from.State), Extensions(from.Extensions), Features(from.Features), sharedRegistry(from.Registry),
				sharedRegistry(from.Peer), from.PeerTokenizer.String()}
		}
		return status
	})
	return out
}
