// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// HistoryOptions are what AppendHistory takes beside the list.
type HistoryOptions struct {
	// Branch is the id of another session of the same store, which takes the list if it differs from what the session has; "": such a list is refused.
	Branch string
	Peer   *Peer // who the messages come from, as AppendMessagesFrom takes it; nil: the host itself
}

// HistoryReport is what became of a list.
type HistoryReport struct {
	Count int // messages of ours that the list makes, each one record
	Same  int // of these, from the front, the session had already
	Added int // messages that the call appended, to the session or its branch
	// Item and Record are the first difference: the number of the list's item, from 0, and the record of the session; 0 where they do not differ.
	Item     int
	Record   uint64
	Branched bool // the branch has taken the list, and the session is as it was
}

// AppendHistory appends those messages of a whole list that the session does not have yet: a host that holds the list passes it each time, as it does to a provider.
// They are compared from the front, by content. Of an Interface of 0 the list has messages of ours, as Append takes them. options may be nil.
//
// ErrSequenceGap: the list differs from what the session has, the report says where, and nothing has changed; options.Branch takes such a list instead. ErrParseError
// and ErrInvalidType as AppendMessages, and ErrPolicyDenied as AppendMessagesFrom for one of the new messages: nothing was appended.
func (s *Session) AppendHistory(ctx context.Context, of Interface, list []byte, options *HistoryOptions) (report HistoryReport, err error) {
	if options == nil {
		options = &HistoryOptions{}
	}
	branch, peer := options.Branch, options.Peer
	names, err := peer.names()
	if err != nil {
		return report, err
	}
	err = s.within(ctx, func(p unsafe.Pointer, scratch *capi.Scratch) int {
		got, status := capi.AppendHistory(p, capi.Text(list), int32(of), s.now(), branch, names, peer != nil, peer != nil && peer.Untrusted, scratch)
		report = HistoryReport{int(got.Count), int(got.Same), int(got.Added), int(got.Item), got.Record, got.IsBranched != 0}
		return status
	})
	return report, err
}
