// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// withPacket is within with the turn of a packet; the session's turn comes first.
func (s *Session) withPacket(ctx context.Context, packet *ContextPacket, call func(p, packet unsafe.Pointer, s *capi.Scratch) int) error {
	if packet == nil {
		return errClosed
	}
	return s.withBoth(ctx, packet.handle, call)
}

// PutPacket seals a packet and stores it in the session: under its checksum in cold, and the text
// of each layer in warm. Neither is in contexts. It returns members for the payload of a message
// that carries the packet: {"packet":"$cold.packet_c3b0…","tokens":380,"layers":{"goals":90}}. It
// returns ErrArgument for an empty packet.
func (s *Session) PutPacket(ctx context.Context, packet *ContextPacket) (members json.RawMessage, err error) {
	err = s.withPacket(ctx, packet, func(p, of unsafe.Pointer, scratch *capi.Scratch) int {
		status := capi.Accp_session_put_packet(p, of, scratch.Out(), scratch.Err())
		members = append(json.RawMessage(nil), scratch.View.Bytes()...)
		return status
	})
	return members, err
}

// SendPacket does the same and sends a message that carries the packet, as Send does: a sync of
// operation context, an esc or a req.
func (s *Session) SendPacket(ctx context.Context, message []byte, packet *ContextPacket) (frame []byte, err error) {
	err = s.withPacket(ctx, packet, func(p, of unsafe.Pointer, scratch *capi.Scratch) int {
		status := capi.Accp_session_send_packet(p, capi.Text(message), of, s.now(), scratch.Out(), scratch.Err())
		frame = append([]byte(nil), scratch.View.Bytes()...)
		return status
	})
	return frame, err
}

// ReadPacket reads the packet of a message, a Delivery.Message or one from this session, into
// packet. It returns ErrParseError if the message has none or its name refers to something else,
// and ErrRefNotFound if it is not available: request it by a qry of operation context.
func (s *Session) ReadPacket(ctx context.Context, message []byte, packet *ContextPacket) error {
	return s.withPacket(ctx, packet, func(p, of unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_read_packet(p, capi.Text(message), s.now(), of, scratch.Err())
	})
}

// AnswerPacket replies, as agent, to a qry of operation context for a packet of this session or
// some of its layers: {"packet":"$cold.packet_c3b0…","layers":["decisions"]}. It returns
// ErrArgument for another request, and ErrRefNotFound if the packet does not exist.
func (s *Session) AnswerPacket(ctx context.Context, request []byte, agent string) (frame []byte, err error) {
	return s.view(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_reply_packet(p, capi.Text(request), agent, s.now(), scratch.Out(), scratch.Err())
	})
}

// SetPanes makes the session report the results of packets to a project (docs/panes.md). For a
// message that carries a packet and names a worker in `to`, the worker's ack of operation context
// becomes feedback, and its done or fail a recorded task. The project's current settings apply; nil
// stops the reports.
func (s *Session) SetPanes(ctx context.Context, panes *Panes) error {
	if panes == nil {
		return s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
			return capi.Accp_session_set_panes(p, nil, s.now(), scratch.Err())
		})
	}
	return s.withBoth(ctx, panes.handle, func(p, of unsafe.Pointer, scratch *capi.Scratch) int {
		return capi.Accp_session_set_panes(p, of, s.now(), scratch.Err())
	})
}
