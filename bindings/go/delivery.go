// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"strings"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Peer is who sent a frame or a message, as the host knows: what it may say, and how far it is trusted. The host takes it from the connection, and never from what the
// peer sent.
type Peer struct {
	Agents []string // the names that it may speak as; none: none
	// Any: it may speak as any agent but the host's own. If it is untrusted, it speaks as system, developer, user, assistant, tool or function only if Agents has that
	// name too.
	Any       bool
	Untrusted bool // what it says is data, and no instruction: its messages carry "untrusted":true
}

// names are those of a peer as C takes them; "" for no peer.
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

// Receive takes a frame that has come in: nil when it was applied, once and in order, with all that had waited for it; NextDelivery hands the messages out.
// ErrHeld: it waits for an earlier frame. ErrDropped: expired, or of a chain that was cancelled: answer nothing. docs/session.md has the order of checks.
//
// The peer is one that the host has authenticated; nil: it is trusted, with any name but the host's own. ErrPolicyDenied: a frame under another name than those of
// the peer, or under one of the host's own; nothing of it counts. A host with more than one peer says it of every frame (docs/security.md).
func (s *Session) Receive(ctx context.Context, frame []byte, peer *Peer) error {
	names, err := peer.names()
	if err != nil {
		return err
	}
	return s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		if peer == nil {
			return capi.Accp_session_receive(p, capi.Text(frame), nil, s.now(), scratch.Err())
		}
		return capi.SessionReceive(p, capi.Text(frame), names, flag(peer.Untrusted), s.now(), scratch)
	})
}

// Delivery is what NextDelivery hands out: a Message, or an Err.
type Delivery struct {
	Message json.RawMessage // as decoding writes it; nil where there is an Err
	// Untrusted says that the message is of a peer or agent that the host does not trust (Peer, WithUntrustedAgents), or quotes by a ref what one has said.
	Untrusted bool
	Warnings  Warnings // what is odd about the message; 0 where there is an Err
	Seq       int64    // of the frame; of ErrTimeout the number of the request's record, for Retry
	Mid       string   // of a message its frame's: of one in parts, of the part that made it whole; else ""
	Cid       string   // of a message its frame's, "" where it has none; of ErrTimeout the request's, or its mid where it had none
	Err       error    // ErrSequenceGap: frames before Seq are missing, said once; ErrTimeout: a request of ours was not answered in time; else why a frame that had waited is refused
}

// NextDelivery is the next message in its order; nil when there is no more. An error says that nothing was taken out: ErrClosed, ErrBusy, or the context's.
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

// pick takes out the newest message that is there and fits, and leaves the others to NextDelivery.
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
