// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"bytes"
	"encoding/json"
	"sync"
)

// Message is a message between agents: a frame in Go. encoding/json reads and writes it in the form
// that the package uses.
type Message struct {
	Agent     string          `json:"agent"`
	Intent    string          `json:"intent"`
	Operation string          `json:"operation"`
	Payload   json.RawMessage `json:"payload"`        // an object, or a string for a text message
	Meta      json.RawMessage `json:"meta,omitempty"` // an object; nil: none

	// Decoding may add these; encoding ignores them.
	Untrusted json.RawMessage `json:"untrusted,omitempty"` // true, or the untrusted members of the payload
	Defaults  []string        `json:"defaults,omitempty"`  // with RuleMarkDefaults
}

// NewMessage makes a message with the payload json.Marshal(payload). Use json.Number, *big.Int or
// json.RawMessage for exact numbers.
func NewMessage(agent, intent, operation string, payload any) (Message, error) {
	text, err := json.Marshal(payload)
	if err != nil {
		return Message{}, err
	}
	return Message{Agent: agent, Intent: intent, Operation: operation, Payload: text}, nil
}

// DecodePayload reads the payload as json.Unmarshal does; a number in an any is a json.Number with
// all its digits.
func (m *Message) DecodePayload(to any) error { return decodeExactly(m.Payload, to) }

// DecodeMeta reads the metadata in the same way; it does nothing if none exists.
func (m *Message) DecodeMeta(to any) error {
	if len(m.Meta) == 0 {
		return nil
	}
	return decodeExactly(m.Meta, to)
}

func decodeExactly(text []byte, to any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(to)
}

// JSON returns the message in the package's form.
func (m Message) JSON() ([]byte, error) {
	if m.Payload == nil {
		m.Payload = json.RawMessage("{}")
	}
	return json.Marshal(m)
}

// ParseMessage reads a message in JSON, as Decode writes it.
func ParseMessage(text []byte) (Message, error) {
	var m Message
	err := json.Unmarshal(text, &m)
	return m, err
}

var codecs = sync.Pool{New: func() any { return made(NewCodec(WithRule(RuleKeepRefs, 1))) }}
var frames = sync.Pool{New: func() any { return made(NewFrame()) }}

func made[T any](handle T, err error) any {
	if err != nil {
		return err
	}
	return handle
}

// pooled runs a function with an object of a pool, or a new one.
func pooled[T any](pool *sync.Pool, use func(T) error) error {
	got := pool.Get()
	handle, ok := got.(T)
	if !ok {
		return got.(error)
	}
	defer pool.Put(handle)
	return use(handle)
}

// Marshal makes the frame of a message without a registry, refs as {"$ref":"warm.key"}. It may run
// on any goroutine. A Codec has options and is faster.
func Marshal(message Message) (frame []byte, err error) {
	text, err := message.JSON()
	if err != nil {
		return nil, err
	}
	err = pooled(&codecs, func(c *Codec) error {
		frame, err = c.Encode(text)
		return err
	})
	return frame, err
}

// Unmarshal makes the message of a frame in the same way.
func Unmarshal(frame []byte) (message Message, err error) {
	err = pooled(&codecs, func(c *Codec) error {
		text, err := c.Decode(frame)
		if err == nil {
			message, err = ParseMessage(text)
		}
		return err
	})
	return message, err
}

// Valid reports whether a text is a frame of the strict grammar.
func Valid(frame []byte) bool {
	return pooled(&frames, func(f *Frame) error { return f.ParseBytes(frame) }) == nil
}
