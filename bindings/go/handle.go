// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// handle is a C handle that serves one call at a time. Others queue in the order in which they
// came. A call from inside a callback of this handle returns ErrBusy, because it would wait for
// itself. Close takes effect when the running call ends; queued calls return ErrClosed.
type handle struct {
	turn    chan struct{} // full during a call, and permanently once the memory is freed
	closing atomic.Bool
	closed  chan struct{} // closed by Close
	lost    atomic.Bool   // a hook ended the goroutine inside a call, so the C call never returned

	// The fields below belong to the holder of the turn:
	ptr       unsafe.Pointer
	scratch   *capi.Scratch
	free      func(unsafe.Pointer)
	uses      []*shared // what must outlive it
	callsBack bool      // a call may run a function of the host
}

var errClosed = newError(CodeClosed, "Close was called, or the handle was never opened")
var errLost = newError(CodeClosed, "a hook ended its goroutine inside a call of this handle (runtime.Goexit, or FailNow of a test): make the handle again")
var errNilContext = newError(CodeArgument, "the context is nil: pass context.Background()")
var errBusy = newError(CodeBusy, "a callback calls what has called it: do that after the call")

// open makes a handle with options by the given constructor.
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

// enter waits for the turn until the context ends.
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

// inside reports whether a running call belongs to this handle or was made by a callback of such a
// call.
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
		default: // the holder of the turn frees the memory
			return
		}
	}
	h.drop()
}

// Close frees the memory of the handle; it may be called twice. Without it the garbage collector
// frees the memory, and knows the amount held in C. A handle whose callbacks refer to it must be
// closed, because they keep it reachable.
func (h *handle) Close() error {
	if h == nil || !h.closing.CompareAndSwap(false, true) {
		return nil
	}
	close(h.closed)
	select {
	case h.turn <- struct{}{}:
		h.drop()
	default: // the running call frees the memory
	}
	return nil
}

// drop frees everything. Its caller has the turn and keeps it. A lost handle is never freed, nor
// are the objects that it uses, because C may still refer to them.
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

// do runs one call and converts its status to an error.
func (h *handle) do(call func(p unsafe.Pointer, s *capi.Scratch) int) error {
	return h.within(context.Background(), call)
}

// within is do with a context, which is checked before the call begins and passed to callbacks.
func (h *handle) within(ctx context.Context, call func(p unsafe.Pointer, s *capi.Scratch) int) error {
	return h.entered(ctx, func() error { return failure(call(h.ptr, h.scratch), h.scratch) })
}

// entered runs a function in the turn of the handle.
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

// begun returns an error if a call with this context may not begin.
func begun(ctx context.Context) error {
	if ctx == nil {
		return errNilContext
	}
	return ctx.Err()
}

// withBoth is within for two handles. The first handle's turn comes first, so no two calls wait for
// each other.
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

// withCallbacks runs a call that may run functions of the host. They receive its context, and their
// errors become the cause of the call's error.
func withCallbacks(ctx context.Context, of *handle, run func() error) error {
	err, cause := calledBack(ctx, of, run)
	if known, ok := err.(*Error); ok && cause != nil && known.Cause == nil {
		with := *known
		with.Cause = cause
		return &with
	}
	return err
}

// calledBack runs a call and returns its error and the error of a host's function.
func calledBack(ctx context.Context, of *handle, run func() error) (err, cause error) {
	call := &capi.Call{Context: ctx, Of: of, Began: time.Now()}
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

// contextOf returns the context for a callback: that of the call, marked as being inside it.
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

// shared is a C handle that any number of goroutines may use at once. It is freed once it is closed
// and unused.
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

// openShared makes a shared handle with options by the given constructor.
func openShared(free func(unsafe.Pointer), options []Option, construct constructor, uses ...*shared) (*shared, error) {
	c, err := create(options, uses, construct)
	if err != nil {
		return nil, err
	}
	return c.share(free), nil
}

// share makes a shared handle from what create left.
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

// Close releases the handle; it may be called twice. Objects that were made with it keep it alive
// and continue to work.
func (h *shared) Close() error {
	if h != nil && h.closed.CompareAndSwap(false, true) {
		runtime.SetFinalizer(h, nil)
		h.release()
	}
	return nil
}

// do runs one call, concurrently with any others.
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

// withScratch runs a call with a new scratch.
func withScratch(call func(s *capi.Scratch) int) error {
	b := boxes.Get().(*box)
	defer boxes.Put(b)
	return failure(call(b.Scratch), b.Scratch)
}
