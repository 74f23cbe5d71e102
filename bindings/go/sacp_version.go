// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"encoding/json"
	"time"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// SACPSender has what a message of version 1.0.0 needs beyond one of 0.1; used if the message lacks
// it.
type SACPSender struct {
	MsgID     string // "": the message must have one
	Sender    string
	Recipient string    // "": none
	Now       time.Time // before the year 10000
}

// ToVersion10 converts a message of version 0.1 to 1.0.0, whose steps are objects with ids. It
// refuses a message that cannot be converted without loss: 1.0.0 has no messages inside messages.
func (c *SACP) ToVersion10(message []byte, sender SACPSender) (json.RawMessage, error) {
	return c.write(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		return capi.SacpTo10(sacp, capi.Text(message), sender.MsgID, sender.Sender, sender.Recipient, sender.Now.UnixMilli(), s)
	})
}

// ToVersion01 is the inverse: 0.1 has no retries and timeouts of single steps.
func (c *SACP) ToVersion01(message []byte) (json.RawMessage, error) {
	return c.write(func(sacp unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_sacp_to_0_1(sacp, capi.Text(message), s.Out(), s.Err())
	})
}
