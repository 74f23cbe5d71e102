// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"strings"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Peer is the sender of a frame or message, as the host has authenticated it: its permitted names
// and its trust. The host takes it from the connection, never from the content.
type Peer struct {
	Agents []string // names that it may use; empty: none
	// Any allows every agent name except for the host's own. An untrusted peer may use system,
	// developer, user, assistant, tool or function only if Agents has that name.
	Any       bool
	Untrusted bool // its content is data, not instructions: its messages carry "untrusted":true
}

// names returns the names of a peer in C's form; "" for no peer.
func (p *Peer) names() (string, error) {
	if p == nil {
		return "", nil
	}
	for _, name := range p.Agents {
		if name == "" || name == "*" || strings.Contains(name, ",") {
			return "", newError(CodeArgument, "Peer.Agents: an agent's name is not empty, not *, and has no comma")
		}
	}
	all := p.Agents
	if p.Any {
		all = append([]string{"*"}, all...)
	}
	return strings.Join(all, ","), nil
}

// Receive takes an incoming frame. It returns nil if the frame was applied, once and in order, with
// all frames that waited for it; NextDelivery returns the messages. It returns ErrHeld if the frame
// waits for an earlier one, and ErrDropped if the frame expired or its chain was cancelled: send no
// answer. docs/session.md has the order of checks.
//
// peer is authenticated by the host; nil is a trusted peer that may use any name except for the
// host's own. ErrPolicyDenied means that the frame has a name that the peer may not use; the frame
// is not counted. A host with more than one peer passes it with every frame (docs/security.md).
func (s *Session) Receive(ctx context.Context, frame []byte, peer *Peer) error {
	names, err := peer.names()
	if err != nil {
		return err
	}
	return s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		if peer == nil {
			return capi.Accp_session_receive(p, capi.Text(frame), s.now(), nil, scratch.Err())
		}
		return capi.SessionReceive(p, capi.Text(frame), names, flag(peer.Untrusted), s.now(), scratch)
	})
}

// Delivery is the result of NextDelivery: a Message or an Err.
type Delivery struct {
	Message json.RawMessage // as Decode writes it; nil with an Err
	// Untrusted is set if the message comes from an untrusted peer or agent (Peer,
	// WithUntrustedAgents) or quotes one by a ref.
	Untrusted bool
	Warnings  Warnings // warnings about the message; 0 with an Err
	Seq       int64    // of the frame; for ErrTimeout the record number of the request, for Retry
	Mid       string   // mid of the message's frame; in parts, of the part that completed it; else ""
	Cid       string   // cid of the message's frame, "" if it has none; for ErrTimeout the request's cid or else its mid
	Err       error    // ErrSequenceGap: frames before Seq are missing (reported once); ErrTimeout: our request was not answered in time; else why a pending frame was refused
}

// NextDelivery returns the next message in order; nil if none exists. With the errors ErrClosed,
// ErrBusy and those of the context, nothing was taken out.
func (s *Session) NextDelivery(ctx context.Context) (delivery *Delivery, err error) {
	err = s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		if len(s.waiting) > 0 {
			delivery, s.waiting = s.waiting[0], s.waiting[1:]
		} else {
			delivery = nextDelivery(p, scratch)
		}
		return 0
	})
	return delivery, err
}

func nextDelivery(p unsafe.Pointer, s *capi.Scratch) *Delivery {
	if capi.Accp_session_next_delivery(p, s.RoomOut()) == 0 {
		return nil
	}
	from := (*capi.Delivery)(s.RoomOut())
	delivery := &Delivery{Seq: from.Seq, Mid: from.Mid.String(), Cid: from.Cid.String()}
	if from.Status != 0 {
		delivery.Err = &Error{Code: Code(from.Status), Message: spell(capi.Static(from.Reason))}
	} else {
		delivery.Untrusted = from.Origin == capi.ACCP_ORIGIN_UNTRUSTED
		delivery.Warnings = Warnings(capi.Accp_session_delivery_warnings(p))
		delivery.Message = append(json.RawMessage{}, from.Message.Bytes()...)
	}
	return delivery
}

// pick takes out the newest message that fits, and leaves the others to NextDelivery.
func (s *Session) pick(ctx context.Context, fits func(*Delivery) bool) (found *Delivery, err error) {
	err = s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		for delivery := nextDelivery(p, scratch); delivery != nil; delivery = nextDelivery(p, scratch) {
			s.waiting = append(s.waiting, delivery)
		}
		for i := len(s.waiting) - 1; i >= 0 && found == nil; i-- {
			if fits(s.waiting[i]) {
				found = s.waiting[i]
				s.waiting = append(s.waiting[:i:i], s.waiting[i+1:]...)
			}
		}
		return 0
	})
	return found, err
}
