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

// NewNegotiation begins one, with this side's registry, its name as frames have it, and what it can do; NoExtensions: the bare specification.
func NewNegotiation(own *Registry, agent string, extensions Extensions, options ...Option) (*Negotiation, error) {
	if own == nil {
		return nil, newError(CodeArgument, "no registry")
	}
	frame, err := NewFrame(options...)
	if err != nil {
		return nil, err
	}
	h, err := open(func(p unsafe.Pointer) { capi.Accp_negotiation_free(p); frame.Close() }, []*shared{own.shared}, func(s *capi.Scratch) int {
		return withOptions(options, s, func(o unsafe.Pointer) int {
			return capi.Accp_negotiation_new(o, own.ptr, agent, uint(extensions), s.HandleOut(), s.Err())
		})
	})
	if err != nil {
		frame.Close()
		return nil, err
	}
	return &Negotiation{h, frame}, nil
}

// SetTokenizer names the tokenizer that this side counts by. Before the first Next.
func (n *Negotiation) SetTokenizer(name string) error {
	return n.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_negotiation_set_tokenizer(p, name, s.Err())
	})
}

// Features are what sessions can do beyond the extensions, as bits.
type Features uint32

const (
	FeatureMerges Features = capi.ACCP_FEATURE_MERGES // RuleMerges
	FeatureParts  Features = capi.ACCP_FEATURE_PARTS  // RuleParts; in force only with Q1
	FeatureStore  Features = capi.ACCP_FEATURE_STORE  // RuleSharesStore
)

// SetFeatures names what this side's sessions can do. Before the first Next.
func (n *Negotiation) SetFeatures(features Features) error {
	return n.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_negotiation_set_features(p, uint(features), s.Err())
	})
}

// Features are those in force: what both sides named.
func (n *Negotiation) Features() (features Features) {
	_ = n.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		features = Features(capi.Accp_negotiation_get_features(p))
		return 0
	})
	return features
}

// SetChunkBytes sets how many bytes of a delta go in one frame: 64 to 8,192; 200 where it is not set. Before the first Next.
func (n *Negotiation) SetChunkBytes(bytes uint32) error {
	return n.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_negotiation_set_chunk_bytes(p, uint(bytes), s.Err())
	})
}

// Know tells of a registry of the peer's that was kept from before: it need not be sent again.
func (n *Negotiation) Know(known *Registry) error {
	if known == nil {
		return newError(CodeArgument, "no registry")
	}
	if err := known.acquire(); err != nil {
		return err
	}
	defer known.release()
	return n.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_negotiation_know(p, known.ptr, s.Err()) })
}

// Receive takes in a frame sync:registry of the peer. There may be frames to send afterwards, also after an error.
func (n *Negotiation) Receive(frame []byte) error {
	return n.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Negotiate(p, n.frame.ptr, capi.Text(frame), s)
	})
}

// Next is the next frame to be sent, without metadata; nil when there is none for now. Call it until then, at the beginning, and after each frame and timeout.
func (n *Negotiation) Next() ([]byte, error) {
	return n.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_negotiation_next(p, s.Out(), s.Err()) })
}

// Timeout says that the peer has been silent for as long as the caller waits: what is wanted is asked for again, five times, then refused.
func (n *Negotiation) Timeout() error {
	return n.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_negotiation_timeout(p, s.Err()) })
}

// State is how far it has come; NegotiationRefused when it is closed.
func (n *Negotiation) State() NegotiationState {
	state := NegotiationRefused
	_ = n.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		state = NegotiationState(capi.Accp_negotiation_get_state(p))
		return 0
	})
	return state
}

// Extensions are those in force: what both sides named.
func (n *Negotiation) Extensions() (extensions Extensions) {
	_ = n.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		extensions = Extensions(capi.Accp_negotiation_get_extensions(p))
		return 0
	})
	return extensions
}

// Registry is the registry in force; nil where there is none.
func (n *Negotiation) Registry() (registry *Registry) {
	_ = n.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		registry = sharedRegistry(capi.Accp_negotiation_registry(p))
		return 0
	})
	return registry
}

// Peer is the peer's own registry, to be kept and told of in the next session; nil where it is not known.
func (n *Negotiation) Peer() (registry *Registry) {
	_ = n.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		registry = sharedRegistry(capi.Accp_negotiation_peer(p))
		return 0
	})
	return registry
}

// PeerTokenizer is the name of the peer's tokenizer; "" where it named none.
func (n *Negotiation) PeerTokenizer() (name string) {
	_ = n.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		s.Count = 0
		from := capi.View{Text: capi.Accp_negotiation_peer_tokenizer(p, s.CountOut())}
		from.Len = s.Count
		name = from.String()
		return 0
	})
	return name
}
