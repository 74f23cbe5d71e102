// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// handle is one of C's that is for one call at a time. A second call in the meantime is ErrBusy, also from a callback of the first, and changes nothing;
// Close in the meantime takes effect when the call ends. So it is never freed under a call, nor entered twice.
type handle struct {
	state   atomic.Int32
	ptr     unsafe.Pointer
	scratch *capi.Scratch
	free    func(unsafe.Pointer)
	hooks   *capi.Hooks
	user    uintptr   // of hooks
	uses    []*shared // what must outlive it
}

const (
	stateIdle = iota
	stateBusy
	stateClosing // busy, and to be closed
	stateClosed
)

var errClosed = newError(CodeClosed, "it is closed")
var errBusy = newError(CodeBusy, "another call of it is under way")

// open makes a handle; create writes its pointer to s.Handle.
func open(free func(unsafe.Pointer), uses []*shared, create func(s *capi.Scratch) int) (*handle, error) {
	for i, used := range uses {
		if err := used.acquire(); err != nil {
			release(uses[:i])
			return nil, err
		}
	}
	s := capi.NewScratch()
	if err := failure(create(s), s, nil); err != nil {
		s.Free()
		release(uses)
		return nil, err
	}
	h := &handle{ptr: s.Handle, scratch: s, free: free, uses: uses}
	runtime.SetFinalizer(h, (*handle).Close)
	return h, nil
}

func release(uses []*shared) {
	for _, used := range uses {
		used.release()
	}
}

func (h *handle) enter() error {
	if h == nil {
		return errClosed
	}
	if h.state.CompareAndSwap(stateIdle, stateBusy) {
		return nil
	}
	if h.state.Load() == stateBusy {
		return errBusy
	}
	return errClosed
}

func (h *handle) leave() {
	if !h.state.CompareAndSwap(stateBusy, stateIdle) {
		h.drop()
	}
}

// Close frees what it holds; calling it again is nothing. It need not be called: the garbage collector does in the end, but knows nothing of memory
// that is not Go's. What has callbacks that refer to it must be closed, as they keep it.
func (h *handle) Close() error {
	if h == nil {
		return nil
	}
	for {
		switch {
		case h.state.CompareAndSwap(stateIdle, stateClosing):
			h.drop()
			return nil
		case h.state.CompareAndSwap(stateBusy, stateClosing), h.state.Load() >= stateClosing:
			return nil
		}
	}
}

func (h *handle) drop() {
	runtime.SetFinalizer(h, nil)
	h.free(h.ptr)
	h.scratch.Free()
	capi.DeleteHooks(h.user)
	release(h.uses)
	h.ptr, h.scratch, h.uses, h.hooks = nil, nil, nil, nil
	h.state.Store(stateClosed)
}

// do runs one call, and makes an error of what it answers.
func (h *handle) do(call func(p unsafe.Pointer, s *capi.Scratch) int) error {
	if err := h.enter(); err != nil {
		return err
	}
	defer h.leave()
	if h.hooks == nil {
		return failure(call(h.ptr, h.scratch), h.scratch, nil)
	}
	h.hooks.Cause = nil
	status := call(h.ptr, h.scratch)
	return failure(status, h.scratch, h.hooks.Cause)
}

// appendText runs a call that leaves a view in s.View, and appends it.
func (h *handle) appendText(to []byte, call func(p unsafe.Pointer, s *capi.Scratch) int) ([]byte, error) {
	err := h.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		s.View = capi.View{}
		status := call(p, s)
		if status == 0 {
			to = append(to, s.View.Bytes()...)
		}
		return status
	})
	return to, err
}

// hook sets a function of the host: set is told what C is to call, nil for nothing.
func (h *handle) hook(on bool, function unsafe.Pointer, put func(*capi.Hooks), set func(p, function unsafe.Pointer, user uintptr, err unsafe.Pointer) int) error {
	return h.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		if h.hooks == nil {
			h.hooks = &capi.Hooks{Status: statusOf}
			h.user = h.hooks.New()
		}
		if !on {
			function = nil
		}
		status := set(p, function, h.user, s.Err())
		if status == 0 {
			put(h.hooks)
		}
		return status
	})
}

// shared is a handle of C's that any number of goroutines may use at once. It is freed when it is closed and nobody uses it.
type shared struct {
	ptr    unsafe.Pointer
	free   func(unsafe.Pointer)
	refs   atomic.Int64
	closed atomic.Bool
	uses   []*shared
}

func newShared(ptr unsafe.Pointer, free func(unsafe.Pointer), uses []*shared) *shared {
	h := &shared{ptr: ptr, free: free, uses: uses}
	h.refs.Store(1)
	runtime.SetFinalizer(h, (*shared).Close)
	return h
}

// openShared makes one; create writes its pointer to s.Handle.
func openShared(free func(unsafe.Pointer), uses []*shared, create func(s *capi.Scratch) int) (*shared, error) {
	for i, used := range uses {
		if err := used.acquire(); err != nil {
			release(uses[:i])
			return nil, err
		}
	}
	var ptr unsafe.Pointer
	err := withScratch(func(s *capi.Scratch) int {
		s.Handle = nil
		status := create(s)
		ptr = s.Handle
		return status
	})
	if err != nil {
		release(uses)
		return nil, err
	}
	return newShared(ptr, free, uses), nil
}

func (h *shared) acquire() error {
	if h == nil || h.closed.Load() {
		return errClosed
	}
	for {
		n := h.refs.Load()
		if n == 0 {
			return errClosed
		}
		if h.refs.CompareAndSwap(n, n+1) {
			return nil
		}
	}
}

func (h *shared) release() {
	if h.refs.Add(-1) == 0 {
		h.free(h.ptr)
		release(h.uses)
	}
}

// Close gives it up; calling it again is nothing. What was made with it goes on, and keeps it as long.
func (h *shared) Close() error {
	if h != nil && h.closed.CompareAndSwap(false, true) {
		runtime.SetFinalizer(h, nil)
		h.release()
	}
	return nil
}

// do runs one call, beside any number of others.
func (h *shared) do(call func(p unsafe.Pointer, s *capi.Scratch) int) error {
	if err := h.acquire(); err != nil {
		return err
	}
	defer h.release()
	return withScratch(func(s *capi.Scratch) int { return call(h.ptr, s) })
}

type box struct{ *capi.Scratch }

var boxes = sync.Pool{New: func() any {
	b := &box{capi.NewScratch()}
	runtime.SetFinalizer(b, func(b *box) { b.Free() })
	return b
}}

// withScratch runs a call that has no scratch of its own.
func withScratch(call func(s *capi.Scratch) int) error {
	b := boxes.Get().(*box)
	defer boxes.Put(b)
	return failure(call(b.Scratch), b.Scratch, nil)
}
