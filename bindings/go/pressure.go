// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"runtime"
	"sync/atomic"
	"time"
)

// The average memory of handles in C, as turns_test.go measures it. Go's collector sees a few
// hundred bytes of each, and would allow gigabytes of forgotten handles.
const (
	engineBytes = 340 << 10 // with the memory of its first session
	handleBytes = 8 << 10   // a session, a codec, or any other
)

// firstPressure is the amount in C at which the collector runs first; later it runs at twice the
// amount that remained in use. So forgotten handles hold at most as much as those in use, or this
// amount. A program that closes its handles pays nothing.
const firstPressure = 64 << 20

var pressure struct {
	held, next atomic.Int64
	running    atomic.Bool
}

// hold counts the C memory of a new handle, and starts the collector if it has grown enough.
func hold(bytes int64) {
	pressure.next.CompareAndSwap(0, firstPressure)
	if pressure.held.Add(bytes) < pressure.next.Load() || !pressure.running.CompareAndSwap(false, true) {
		return
	}
	defer pressure.running.Store(false)
	collect() // collects sessions, which keep their engines
	collect() // collects engines
	next := 2 * pressure.held.Load()
	if next < firstPressure {
		next = firstPressure
	}
	pressure.next.Store(next)
}

func unhold(bytes int64) { pressure.held.Add(-bytes) }

// collect runs the collector, and waits briefly for the finalizers.
func collect() {
	closed := make(chan struct{})
	runtime.SetFinalizer(&struct{ at *int }{new(int)}, func(any) { close(closed) })
	runtime.GC()
	select {
	case <-closed:
	case <-time.After(100 * time.Millisecond):
	}
	time.Sleep(time.Millisecond) // later finalizers
}
