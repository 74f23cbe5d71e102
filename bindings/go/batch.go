// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Batch processes many frames in one call into C, and is faster than single calls. Its calls queue;
// its results are valid until the next call. It reuses its memory.
type Batch struct {
	*handle
	records []Record
	text    []byte
	nodes   []Node
	lines   string
}

// Record is the result for one line: bytes or the tree of a frame. The batch owns the memory; its
// next call overwrites it.
type Record struct {
	Bytes []byte // the result of Encode and Decode, without a newline
	Err   error  // why this line was refused; other lines are not affected
	Tree
}

// NewBatch makes a batch.
func NewBatch(options ...Option) (*Batch, error) {
	h, err := open(capi.Accp_batch_free, options, capi.Accp_batch_new)
	if err != nil {
		return nil, err
	}
	return &Batch{handle: h}, nil
}

// Parse parses frames, one per line, and returns one record per line.
func (b *Batch) Parse(frames string) ([]Record, error) { return b.run(capi.BatchParse, frames) }

// Encode makes frames from messages in JSON, one per line, as a Codec without a registry does, and
// returns one record per line. An empty line is refused.
func (b *Batch) Encode(messages []byte) ([]Record, error) {
	return b.run(capi.BatchEncode, capi.Text(messages))
}

// Decode makes messages from frames, one per line, and returns one record per line.
func (b *Batch) Decode(frames []byte) ([]Record, error) {
	return b.run(capi.BatchDecode, capi.Text(frames))
}

func (b *Batch) run(which int, lines string) ([]Record, error) {
	err := b.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		b.records, b.text, b.nodes, b.lines = b.records[:0], b.text[:0], b.nodes[:0], lines
		status := capi.Batch(p, which, lines, s)
		if status != 0 {
			return status
		}
		if which == capi.BatchParse {
			nodes := s.Second.Nodes()
			b.nodes = append(b.nodes, *(*[]Node)(unsafe.Pointer(&nodes))...)
		} else {
			b.text = append(b.text, s.Second.Bytes()...)
		}
		b.take(s.View.Records())
		return 0
	})
	if err != nil {
		return nil, err
	}
	return b.records, nil
}

func (b *Batch) take(records []capi.Record) {
	if cap(b.records) < len(records) {
		b.records = make([]Record, len(records))
	}
	b.records = b.records[:len(records)]
	for i := range records {
		from, to := &records[i], &b.records[i]
		end := from.Offset + from.Len
		if to.Err != nil || to.nodes != nil {
			*to = Record{}
		}
		switch {
		case from.Status != 0:
			*to = Record{Err: &Error{Code: Code(from.Status), Offset: from.ErrorOffset, Message: spell(capi.Static(from.Message))}}
		case from.NodeCount > 0:
			to.Bytes = nil
			to.Tree = Tree{b.lines[from.Offset:end], b.nodes[from.FirstNode : from.FirstNode+uint64(from.NodeCount)]}
		default:
			to.Bytes = b.text[from.Offset:end:end]
		}
	}
}
