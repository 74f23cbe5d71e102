// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"strconv"
)

// MessageCodec is the interface of specification 7.1: its five operations. Protocol is one.
type MessageCodec interface {
	// Encode encodes a structured message into a frame.
	Encode(ctx context.Context, message Message, session *Session) (frame []byte, err error)
	// Decode decodes a frame back into a structured message.
	Decode(ctx context.Context, frame []byte, session *Session) (Message, error)
	// Checkpoint triggers a compression checkpoint.
	Checkpoint(ctx context.Context, session *Session) (CheckpointResult, error)
	// GetBudget returns the token budget in use.
	GetBudget(ctx context.Context, session *Session) (TokenBudget, error)
	// RegisterSchema registers a custom schema.
	RegisterSchema(name string, schema Schema) error
}

// Schema is a schema to be registered; docs/registry.md describes its members.
type Schema struct {
	Code     string            `json:"code"`
	Version  int64             `json:"version,omitempty"`
	Fields   []string          `json:"fields"`
	Defaults map[string]any    `json:"defaults,omitempty"`
	Types    map[string]string `json:"types,omitempty"`
	Aliases  map[string]string `json:"aliases,omitempty"`
	Required []string          `json:"required,omitempty"`
	Bind     []string          `json:"bind,omitempty"` // "req:triage"
}

// CheckpointResult describes a checkpoint.
type CheckpointResult struct {
	Version int             // number of the newest checkpoint: $warm.ckpt_N
	Ref     string          // "warm.ckpt_3"; "" if none exists
	Content json.RawMessage // {"id","first","last","summary","facts","text"}
}

// Protocol is a MessageCodec over an engine. Any number of goroutines may use it.
type Protocol struct{ *Engine }

var _ MessageCodec = (*Protocol)(nil)

// NewProtocol makes a Protocol over an engine. With nil, as a failed NewEngine returns, its calls
// return ErrClosed, as do calls with a nil session.
func NewProtocol(engine *Engine) *Protocol {
	if engine == nil {
		engine = &Engine{}
	}
	return &Protocol{engine}
}

// Encode makes the frame of a message and records it in the session (specification 7.2).
func (p *Protocol) Encode(ctx context.Context, message Message, session *Session) ([]byte, error) {
	if session == nil {
		return nil, errClosed
	}
	text, err := message.JSON()
	if err != nil {
		return nil, err
	}
	return session.Send(ctx, text)
}

// Decode receives a frame and returns its message (specification 7.3). It returns ErrHeld and
// ErrDropped as Session.Receive does. Messages of other frames that it releases come from
// session.NextDelivery.
func (p *Protocol) Decode(ctx context.Context, frame []byte, session *Session) (Message, error) {
	if session == nil {
		return Message{}, errClosed
	}
	if err := session.Receive(ctx, frame, nil); err != nil {
		return Message{}, err
	}
	mid := midOf(frame) // "" for a frame of another dialect: then the newest message is used
	delivery, err := session.pick(ctx, func(d *Delivery) bool { return d.Err == nil && (mid == "" || d.Mid == mid) })
	if err != nil {
		return Message{}, err
	}
	if delivery == nil {
		return Message{}, ErrHeld
	}
	return ParseMessage(delivery.Message)
}

func midOf(frame []byte) (mid string) {
	_ = pooled(&frames, func(f *Frame) error {
		err := f.ParseBytes(frame)
		if err == nil {
			envelope, _ := f.Envelope()
			mid = envelope.Mid
		}
		return err
	})
	return mid
}

// Checkpoint makes a checkpoint now.
func (p *Protocol) Checkpoint(ctx context.Context, session *Session) (result CheckpointResult, err error) {
	if session == nil {
		return result, errClosed
	}
	if err = session.Checkpoint(ctx); err != nil {
		return result, err
	}
	if result.Version, err = session.NewestCheckpoint(ctx); err != nil || result.Version == 0 {
		return result, err
	}
	result.Ref = "warm.ckpt_" + strconv.Itoa(result.Version)
	result.Content, err = session.Resolve(ctx, result.Ref, "")
	return result, err
}

// GetBudget returns Session.Budget.
func (p *Protocol) GetBudget(ctx context.Context, session *Session) (TokenBudget, error) {
	if session == nil {
		return TokenBudget{}, errClosed
	}
	return session.Budget(ctx)
}

// RegisterSchema adds a schema to the engine's registry, for all its sessions, also open ones. Both
// sides must do it, or negotiate.
func (p *Protocol) RegisterSchema(name string, schema Schema) error {
	document, err := json.Marshal(map[string]any{"schemas": map[string]Schema{name: schema}})
	if err != nil {
		return err
	}
	return p.Engine.RegisterSchema(document)
}
