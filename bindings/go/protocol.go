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
	// GetBudget is the token budget in use.
	GetBudget(ctx context.Context, session *Session) (TokenBudget, error)
	// RegisterSchema registers a custom schema.
	RegisterSchema(name string, schema Schema) error
}

// Schema is a schema to be registered: docs/registry.md has what each member means.
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

// CheckpointResult is what a checkpoint made.
type CheckpointResult struct {
	Version int             // of the newest checkpoint: $warm.ckpt_N
	Ref     string          // "warm.ckpt_3"; "" where there is none
	Content json.RawMessage // {"id","first","last","summary","facts","text"}
}

// Protocol is a MessageCodec over an engine. Any number of goroutines may use it.
type Protocol struct{ *Engine }

var _ MessageCodec = (*Protocol)(nil)

// NewProtocol makes one over an engine. Over nil, which a failed NewEngine left, its calls are ErrClosed, as those with a nil session are.
func NewProtocol(engine *Engine) *Protocol {
	if engine == nil {
		engine = &Engine{}
	}
	return &Protocol{engine}
}

// Encode makes the frame of a message, and keeps it in the session (specification 7.2).
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

// Decode takes a frame in and answers its message (specification 7.3). ErrHeld and ErrDropped as Session.Receive; the messages of other frames that it
// sets free, before or after it, are session.NextDelivery's.
func (p *Protocol) Decode(ctx context.Context, frame []byte, session *Session) (Message, error) {
	if session == nil {
		return Message{}, errClosed
	}
	if err := session.Receive(ctx, frame, nil); err != nil {
		return Message{}, err
	}
	mid := midOf(frame) // "" of a frame of another dialect: then the newest message is taken
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

// GetBudget is Session.Budget.
func (p *Protocol) GetBudget(ctx context.Context, session *Session) (TokenBudget, error) {
	if session == nil {
		return TokenBudget{}, errClosed
	}
	return session.Budget(ctx)
}

// RegisterSchema adds a schema to the engine's registry, for every session of it, open ones too. Both sides must do it, or negotiate.
func (p *Protocol) RegisterSchema(name string, schema Schema) error {
	document, err := json.Marshal(map[string]any{"schemas": map[string]Schema{name: schema}})
	if err != nil {
		return err
	}
	return p.Engine.RegisterSchema(document)
}
