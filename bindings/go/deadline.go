// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"math"
	"time"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Deadlines are the requests of one side that wait for an answer, by their cid, and until when. Times are to the millisecond. Its calls queue.
type Deadlines struct{ *handle }

// NewDeadlines makes an empty table.
func NewDeadlines(options ...Option) (*Deadlines, error) {
	h, err := open(capi.Accp_deadline_free, options, capi.Accp_deadline_new)
	if err != nil {
		return nil, err
	}
	return &Deadlines{h}, nil
}

// Start: a request was sent, and waits until then; one that waits already is moved. ErrBudgetExceeded where 4,096 wait.
func (d *Deadlines) Start(cid string, until time.Time) error {
	return d.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_deadline_start(p, cid, until.UnixMilli(), s.Err())
	})
}

// Extend: the intent wait came. ErrTimeout where it waits no more.
func (d *Deadlines) Extend(cid string, until time.Time) error {
	return d.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_deadline_extend(p, cid, until.UnixMilli(), s.Err())
	})
}

// Answer: its answer came, or it was cancelled. ErrTimeout where it waits no more: the answer came too late.
func (d *Deadlines) Answer(cid string) error {
	return d.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_deadline_answer(p, cid, s.Err()) })
}

// Expire takes out the requests whose deadline is before now, the earliest first. The error of each is ErrTimeout.
func (d *Deadlines) Expire(now time.Time) (cids []string, err error) {
	err = d.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		for {
			s.View = capi.View{}
			if status := capi.Accp_deadline_expire(p, now.UnixMilli(), s.Out(), s.Err()); status != 0 {
				return status
			}
			if s.View.Len == 0 {
				return 0
			}
			cids = append(cids, s.View.String())
		}
	})
	return cids, err
}

// Next is the earliest deadline of all; the zero Time where nothing waits.
func (d *Deadlines) Next() (next time.Time) {
	_ = d.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		if at := capi.Accp_deadline_next(p); at != math.MaxInt64 {
			next = time.UnixMilli(at)
		}
		return 0
	})
	return next
}
