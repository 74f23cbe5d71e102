// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"runtime"
	"sync/atomic"
	"time"
)

// What handles hold in C, on average, as turns_test.go measures it: Go's collector sees a few hundred bytes of each, and would let gigabytes be forgotten.
const (
	engineBytes = 340 << 10 // with what its first session makes
	handleBytes = 8 << 10   // a session, a codec, any other
)

// The collector runs when so much is held in C: at first, and then at twice what was still in use after it had run. So forgotten handles hold no more than those
// in use do, or than this, and a program that closes what it opens pays nothing.
const firstPressure = 64 << 20

var pressure struct {
	held, next atomic.Int64
	running    atomic.Bool
}

// hold counts what a new handle holds in C, and has the collector find forgotten ones where it has become much.
func hold(bytes int64) {
	pressure.next.CompareAndSwap(0, firstPressure)
	if pressure.held.Add(bytes) < pressure.next.Load() || !pressure.running.CompareAndSwap(false, true) {
		return
	}
	defer pressure.running.Store(false)
	collect() // sessions, which keep their engines
	collect() // engines
	next := 2 * pressure.held.Load()
	if next < firstPressure {
		next = firstPressure
	}
	pressure.next.Store(next)
}

func unhold(bytes int64) { pressure.held.Add(-bytes) }

// collect runs the collector, and waits a little for what it finds to be closed.
func collect() {
	closed := make(chan struct{})
	runtime.SetFinalizer(&struct{ at *int }{new(int)}, func(any) { close(closed) })
	runtime.GC()
	select {
	case <-closed:
	case <-time.After(100 * time.Millisecond):
	}
	time.Sleep(time.Millisecond) // the finalizers after it
}
