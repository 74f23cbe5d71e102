// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"math"
	"time"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Deadlines holds the open requests of one side by their cid, with the time until which each waits.
// Times have milliseconds. Its calls queue.
type Deadlines struct{ *handle }

// NewDeadlines makes an empty table.
func NewDeadlines(options ...Option) (*Deadlines, error) {
	h, err := open(capi.Accp_deadline_free, options, capi.Accp_deadline_new)
	if err != nil {
		return nil, err
	}
	return &Deadlines{h}, nil
}

// Start adds a request that waits until the given time, or moves an existing one. It returns
// ErrBudgetExceeded if 4,096 are waiting.
func (d *Deadlines) Start(cid string, until time.Time) error {
	return d.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_deadline_start(p, cid, until.UnixMilli(), s.Err())
	})
}

// Extend moves a deadline after the intent wait. It returns ErrTimeout if the request no longer
// waits.
func (d *Deadlines) Extend(cid string, until time.Time) error {
	return d.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_deadline_extend(p, cid, until.UnixMilli(), s.Err())
	})
}

// Answer removes a request that has got a reply or was cancelled. It returns ErrTimeout if the
// request no longer waits, so the reply is late.
func (d *Deadlines) Answer(cid string) error {
	return d.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_deadline_remove(p, cid, s.Err()) })
}

// Expire removes the requests whose deadline is before now, the earliest first. Each has failed
// with ErrTimeout.
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

// Next returns the earliest deadline; the zero Time if none exists.
func (d *Deadlines) Next() (next time.Time) {
	_ = d.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		if at := capi.Accp_deadline_next(p); at != math.MaxInt64 {
			next = time.UnixMilli(at)
		}
		return 0
	})
	return next
}
