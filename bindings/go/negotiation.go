// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// NegotiationState is the progress of a negotiation. While it is open, nothing else may be sent in
// the session.
type NegotiationState int

const (
	NegotiationOpen    NegotiationState = capi.ACCP_NEGOTIATION_OPEN
	NegotiationAgreed  NegotiationState = capi.ACCP_NEGOTIATION_AGREED  // Registry is in force on both sides
	NegotiationBare    NegotiationState = capi.ACCP_NEGOTIATION_BARE    // no common registry
	NegotiationRefused NegotiationState = capi.ACCP_NEGOTIATION_REFUSED // the session cannot continue
)

// Negotiation is one side of an agreement on a registry (specification 6.4): a state machine that
// does no I/O. Its calls queue.
type Negotiation struct {
	*handle
	frame *Frame
}

// NewNegotiation begins a negotiation. agent is this side's name in frames. It reads these options:
// WithRegistry (required, else ErrArgument), WithExtensions, WithTokenizer, whose name the peer
// receives, and as features RuleMerges, RuleParts, RuleBySender and RuleSharesStore. Set the last
// one only if both sides are known to read the same store.
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

// Features are abilities of sessions beyond the extensions, as bits. Each is a rule for engines
// (WithAgreement).
type Features uint32

const (
	FeatureMerges  Features = capi.ACCP_FEATURE_MERGES  // RuleMerges
	FeatureParts   Features = capi.ACCP_FEATURE_PARTS   // RuleParts; offered unless it is 0; needs Q1
	FeatureStore   Features = capi.ACCP_FEATURE_STORE   // RuleSharesStore
	FeatureSenders Features = capi.ACCP_FEATURE_SENDERS // RuleBySender, so both may send at once; offered unless the rule is 0
)

// AddKnown adds the peer's registry from an earlier session (Agreement.Peer), so that it is not
// sent again.
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

// Receive takes a sync:registry frame of the peer. There may be frames to send afterwards, also
// after an error.
func (n *Negotiation) Receive(frame []byte) error {
	return n.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Negotiate(p, n.frame.ptr, capi.Text(frame), s)
	})
}

// NextFrame returns the next frame to send, without metadata; nil if none exists now. Call it
// until it returns nil: at the beginning, and after each frame and timeout.
func (n *Negotiation) NextFrame() ([]byte, error) {
	return n.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_negotiation_next_frame(p, s.Out(), s.Err())
	})
}

// Timeout reports that the peer did not reply in time. The request is repeated five times; then the
// negotiation is refused.
func (n *Negotiation) Timeout() error {
	return n.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_negotiation_timeout(p, s.Err()) })
}

// Agreement is the result of a negotiation. While it is open nothing is agreed.
type Agreement struct {
	State         NegotiationState
	Extensions    Extensions // in force: those that both sides named
	Features      Features   // the same
	Registry      *Registry  // in force; nil if none
	Peer          *Registry  // the peer's own, to be kept for the next session (AddKnown); nil if unknown
	PeerTokenizer string     // its name; "" if the peer named none
}

// WithAgreement applies a negotiated agreement to codecs, engines and batches: registry,
// extensions, and features as rules. It overrides earlier options for these. If the sides are bare,
// the registry has no schemas. It returns ErrArgument for an open or refused agreement.
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

// Agreement returns the current result; NegotiationRefused if it is closed.
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
