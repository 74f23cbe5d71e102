// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// HistoryOptions are options of AppendHistory.
type HistoryOptions struct {
	// Branch is the id of another session of the same store. It takes the list if the list differs
	// from the session; "": such a list is refused.
	Branch string
	Peer   *Peer // sender of the messages, as for AppendMessagesFrom; nil: the host itself
}

// HistoryReport is the result of AppendHistory.
type HistoryReport struct {
	Count int // number of our messages in the list, each one record
	Same  int // how many of them, from the front, the session had already
	Added int // messages that the call appended to the session or its branch
	// Item and Record are the first difference: the index in the list, from 0, and the record of
	// the session; 0 if none exists.
	Item     int
	Record   uint64
	Branched bool // the branch took the list; the session is unchanged
}

// AppendHistory appends the messages of a whole list that the session does not have yet; a host
// passes its list each time, as to a provider. The messages are compared from the front by content.
// With Interface 0 the list has our messages, as for Append. options may be nil.
//
// It returns ErrSequenceGap if the list differs from the session; the report has the place, nothing
// has changed, and options.Branch can take such a list. It returns ErrParseError and ErrInvalidType
// as AppendMessages does, and ErrPolicyDenied as AppendMessagesFrom does; nothing was appended
// then.
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
