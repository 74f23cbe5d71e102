// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// handle is one of C's that serves one call at a time. The others queue, and are served in the order in which they came; a call from inside a callback of this very
// handle would wait for itself, and is ErrBusy. Close takes effect when the call under way ends; those that queue then are ErrClosed.
type handle struct {
	turn    chan struct{} // full while a call is under way, and for ever once the memory is freed
	closing atomic.Bool
	closed  chan struct{} // closed by Close
	lost    atomic.Bool   // a hook ended the goroutine inside a call: C's half of it never ended

	// Of whoever has the turn:
	ptr       unsafe.Pointer
	scratch   *capi.Scratch
	free      func(unsafe.Pointer)
	uses      []*shared // what must outlive it
	callsBack bool      // a call may lead to a function of the host's
}

var errClosed = newError(CodeClosed, "Close was called, or the handle was never opened")
var errLost = newError(CodeClosed, "a hook ended its goroutine inside a call of this handle (runtime.Goexit, or FailNow of a test): make the handle again")
var errNilContext = newError(CodeArgument, "the context is nil: pass context.Background()")
var errBusy = newError(CodeBusy, "a callback calls what has called it: do that after the call")

// open makes a handle under options, of what is named last.
func open(free func(unsafe.Pointer), options []Option, construct constructor, uses ...*shared) (*handle, error) {
	c, err := create(options, uses, construct)
	if err != nil {
		return nil, err
	}
	c.dropStore() // which only engines keep
	h := &handle{turn: make(chan struct{}, 1), closed: make(chan struct{}), ptr: c.scratch.Handle, scratch: c.scratch, free: free, uses: c.uses,
		callsBack: c.callsBack}
	runtime.SetFinalizer(h, (*handle).Close)
	hold(handleBytes)
	return h, nil
}

// enter waits for the turn, as long as the context lets it.
func (h *handle) enter(ctx context.Context) error {
	if h == nil {
		return errClosed
	}
	select {
	case h.turn <- struct{}{}:
	default:
		if err := h.queue(ctx); err != nil {
			return err
		}
	}
	switch {
	case h.closing.Load():
		h.leave()
		return errClosed
	case h.lost.Load():
		h.leave()
		return errLost
	}
	return nil
}

func (h *handle) queue(ctx context.Context) error {
	switch {
	case h.closing.Load():
		return errClosed
	case h.inside(capi.CurrentCall()), h.inside(callOf(ctx)):
		return errBusy
	}
	select {
	case h.turn <- struct{}{}:
		return nil
	case <-h.closed:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// inside says whether a call that has not ended is one of this handle, or was made by a callback of one.
func (h *handle) inside(call *capi.Call) bool {
	for ; call != nil; call = call.Outer {
		if call.Of == any(h) && !call.Over.Load() {
			return true
		}
	}
	return false
}

func (h *handle) leave() {
	if !h.closing.Load() {
		<-h.turn
		if !h.closing.Load() {
			return
		}
		select {
		case h.turn <- struct{}{}:
		default: // whoever has it frees
			return
		}
	}
	h.drop()
}

// Close frees what it holds; calling it again is nothing. It need not be called: the garbage collector does in the end, and is told what is held in C. What has callbacks that refer to it must
// be closed, as they keep it.
func (h *handle) Close() error {
	if h == nil || !h.closing.CompareAndSwap(false, true) {
		return nil
	}
	close(h.closed)
	select {
	case h.turn <- struct{}{}:
		h.drop()
	default: // a call is under way: it frees
	}
	return nil
}

// drop frees everything. Its caller has the turn, and keeps it. What is lost, C may still refer to: it is never freed, nor what it uses.
func (h *handle) drop() {
	runtime.SetFinalizer(h, nil)
	if h.lost.Load() {
		return
	}
	h.free(h.ptr)
	unhold(handleBytes)
	h.scratch.Free()
	release(h.uses)
	h.ptr, h.scratch, h.uses = nil, nil, nil
}

// do runs one call, and makes an error of what it answers.
func (h *handle) do(call func(p unsafe.Pointer, s *capi.Scratch) int) error {
	return h.within(context.Background(), call)
}

// within is do, under a context: it is asked before the call begins, and handed to callbacks.
func (h *handle) within(ctx context.Context, call func(p unsafe.Pointer, s *capi.Scratch) int) error {
	return h.entered(ctx, func() error { return failure(call(h.ptr, h.scratch), h.scratch) })
}

// entered runs something in the turn of the handle.
func (h *handle) entered(ctx context.Context, run func() error) error {
	if err := begun(ctx); err != nil {
		return err
	}
	if err := h.enter(ctx); err != nil {
		return err
	}
	defer h.leave()
	if !h.callsBack {
		return run()
	}
	return withCallbacks(ctx, h, run)
}

// begun says why a call under this context may not begin.
func begun(ctx context.Context) error {
	if ctx == nil {
		return errNilContext
	}
	return ctx.Err()
}

// withBoth is within, of two handles. The first has its turn first, so that no two calls wait for each other.
func (h *handle) withBoth(ctx context.Context, other *handle, call func(p, other unsafe.Pointer, s *capi.Scratch) int) error {
	return h.entered(ctx, func() error {
		defer func() {
			if other != nil && other.lost.Load() {
				h.lost.Store(true)
			}
		}()
		return other.within(ctx, func(of unsafe.Pointer, s *capi.Scratch) int {
			s.View, s.Number = capi.View{}, 0
			return call(h.ptr, of, s)
		})
	})
}

// withCallbacks runs a call that may lead to functions of the host's: they get to know its context, and what they fail with goes into its error.
func withCallbacks(ctx context.Context, of *handle, run func() error) error {
	err, cause := calledBack(ctx, of, run)
	if known, ok := err.(*Error); ok && cause != nil && known.Cause == nil {
		with := *known
		with.Cause = cause
		return &with
	}
	return err
}

// calledBack runs a call, and answers what it fails with, and what a function of the host's failed with.
func calledBack(ctx context.Context, of *handle, run func() error) (err, cause error) {
	call := &capi.Call{Context: ctx, Of: of}
	defer func() {
		if call.Exited && of != nil {
			of.lost.Store(true)
		}
	}()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer capi.SetCall(call)()
	err = run()
	return err, call.Cause
}

type callKey struct{}

// contextOf is what a callback is given: the context of the call, which says too that it is from inside it.
func contextOf(call *capi.Call) context.Context {
	ctx, ok := call.Context.(context.Context)
	if !ok {
		ctx = context.Background()
	}
	return context.WithValue(ctx, callKey{}, call)
}

func callOf(ctx context.Context) *capi.Call {
	call, _ := ctx.Value(callKey{}).(*capi.Call)
	return call
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

// openShared makes one under options, of what is named last.
func openShared(free func(unsafe.Pointer), options []Option, construct constructor, uses ...*shared) (*shared, error) {
	c, err := create(options, uses, construct)
	if err != nil {
		return nil, err
	}
	return c.share(free), nil
}

// share makes one of what create left.
func (c *config) share(free func(unsafe.Pointer)) *shared {
	if c.store != nil {
		c.uses = append(c.uses, c.store)
	}
	defer c.scratch.Free()
	return newShared(c.scratch.Handle, free, c.uses)
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
	return failure(call(b.Scratch), b.Scratch)
}
