// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"bytes"
	"encoding/json"
	"sync"
)

// Message is what agents say to each other: a frame in Go. encoding/json reads and writes it in the form that all of the package takes.
type Message struct {
	Agent     string          `json:"agent"`
	Intent    string          `json:"intent"`
	Operation string          `json:"operation"`
	Payload   json.RawMessage `json:"payload"`        // an object, or a string where the message is a text
	Meta      json.RawMessage `json:"meta,omitempty"` // an object; nil: none

	// What decoding may add, and encoding passes over.
	Untrusted json.RawMessage `json:"untrusted,omitempty"` // true, or those members of the payload that came from outside
	Defaults  []string        `json:"defaults,omitempty"`  // with RuleMarkDefaults
}

// NewMessage makes one with the payload that json.Marshal makes of a value: numbers that are to be exact are json.Number, *big.Int or json.RawMessage.
func NewMessage(agent, intent, operation string, payload any) (Message, error) {
	text, err := json.Marshal(payload)
	if err != nil {
		return Message{}, err
	}
	return Message{Agent: agent, Intent: intent, Operation: operation, Payload: text}, nil
}

// DecodePayload reads the payload into a value as json.Unmarshal does; a number read into an any is a json.Number, with all its digits.
func (m *Message) DecodePayload(to any) error { return decodeExactly(m.Payload, to) }

// DecodeMeta reads the metadata the same way; nothing where there is none.
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

// JSON is the message as the package takes it.
func (m Message) JSON() ([]byte, error) {
	if m.Payload == nil {
		m.Payload = json.RawMessage("{}")
	}
	return json.Marshal(m)
}

// ParseMessage reads a message in JSON, as decoding writes it.
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

// pooled lends what a pool has, or makes.
func pooled[T any](pool *sync.Pool, use func(T) error) error {
	got := pool.Get()
	handle, ok := got.(T)
	if !ok {
		return got.(error)
	}
	defer pool.Put(handle)
	return use(handle)
}

// Marshal makes the frame of a message without a registry, refs as {"$ref":"warm.key"}; on any goroutine. A Codec has the options and is faster.
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

// Unmarshal makes the message of a frame, in the same way.
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

// Valid says whether a text is a frame of the strict grammar.
func Valid(frame []byte) bool {
	return pooled(&frames, func(f *Frame) error { return f.ParseBytes(frame) }) == nil
}
