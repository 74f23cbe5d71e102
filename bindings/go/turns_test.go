// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	accp "github.com/libaccp/libaccp/bindings/go"
)

// every runs what it is given on so many goroutines at once, so often on each.
func every(goroutines, times int, run func() error) (failed []error) {
	var group sync.WaitGroup
	var mutex sync.Mutex
	for g := 0; g < goroutines; g++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := 0; i < times; i++ {
				if err := run(); err != nil {
					mutex.Lock()
					failed = append(failed, err)
					mutex.Unlock()
				}
			}
		}()
	}
	group.Wait()
	return failed
}

// callsQueue is the rule of every handle, over the store that is named.
func callsQueue(t *testing.T, name string) {
	store := must(accp.OpenStore(background, name, accp.StoreNoWait))
	engine := must(accp.NewEngine(accp.WithStore(store), accp.WithHooks(accp.Hooks{Log: func(bool, accp.Code, string) {}})))
	session, codec, frame := must(engine.Open(background, "s")), must(accp.NewCodec()), must(accp.NewFrame())
	counter := must(must(accp.NewTokenizer("o200k_base")).NewCounter())
	one, two := must(accp.NewValue()), must(accp.NewValue())
	for _, v := range []*accp.Value{one, two} {
		must(struct{}{}, v.Parse([]byte(`{"k":1}`)))
	}
	for what, run := range map[string]func() error{
		"session": func() error { return session.Append(background, []byte(plan)) },
		"codec":   func() error { _, err := codec.Encode([]byte(plan)); return err },
		"frame":   func() error { return frame.Parse("@a>req:x{}") },
		"counter": func() error { _, err := counter.Count("hello world"); return err },
		"values": func() error {
			_, err := frame.Build("a", "req", "x", one, two)
			if err == nil {
				_, err = must(accp.NewFrame()).Build("a", "req", "x", two, one)
			}
			return err
		},
	} {
		if failed := every(8, 25, run); len(failed) > 0 {
			t.Errorf("%s: %d of 200 calls by 8 goroutines failed: %v", what, len(failed), failed[0])
		}
	}
	if n := must(session.RecordCount(background)); n != 200 {
		t.Errorf("%d records of 200", n)
	}
}

func TestCallsQueue(t *testing.T) { callsQueue(t, "memory:") }

// TestOnlyReentranceIsBusy calls from inside a callback what has called it: directly, by another handle, by another goroutine.
func TestOnlyReentranceIsBusy(t *testing.T) {
	var session, other *accp.Session
	var inside func(ctx context.Context) error
	resolve := func(ctx context.Context, _ string) (json.RawMessage, error) { return json.RawMessage("1"), inside(ctx) }
	session = must(must(accp.NewEngine(accp.WithHooks(accp.Hooks{Resolve: resolve}))).Open(background, "s"))
	appends := func(ctx context.Context) error { return session.Append(ctx, []byte(plan)) }
	other = must(must(accp.NewEngine(accp.WithHooks(accp.Hooks{Resolve: func(ctx context.Context, _ string) (json.RawMessage, error) {
		return json.RawMessage("1"), appends(ctx)
	}}))).Open(background, "o"))
	refs := []byte("@a>req:x{k:$warm.there}[mid:a00000000001,seq:1]")
	for name, call := range map[string]func(ctx context.Context) error{
		"itself":     appends,
		"by another": func(ctx context.Context) error { return other.Receive(ctx, refs, nil) },
		"next":       func(ctx context.Context) error { _, err := session.NextDelivery(ctx); return err },
		"a goroutine": func(ctx context.Context) error {
			answer := make(chan error)
			go func() { answer <- appends(ctx) }()
			return <-answer
		},
	} {
		var busy error
		inside = func(ctx context.Context) error { busy = call(ctx); return busy }
		wants(t, session.Receive(background, refs, nil), accp.ErrBusy)
		if !errors.Is(busy, accp.ErrBusy) || must(session.RecordCount(background)) != 0 {
			t.Errorf("%s: %v", name, busy)
		}
	}
	inside = func(ctx context.Context) error { _, err := must(accp.NewCodec()).Encode([]byte(plan)); return err } // any other handle may be used
	if err := session.Receive(background, refs, nil); err != nil {
		t.Error(err)
	}

	var codec *accp.Codec
	var counter *accp.Counter
	calls := 0
	host := must(accp.NewTokenizerFunc("host", true, func(string) (int, error) {
		calls++
		_, err := codec.Encode([]byte(plan))
		wants(t, err, accp.ErrBusy)
		return 1, nil
	}))
	codec = must(accp.NewCodec(accp.WithTokenizer(host)))
	defer codec.Close()
	must(codec.Encode([]byte(plan)))
	own := must(accp.NewTokenizerFunc("own", true, func(text string) (int, error) {
		calls++
		_, err := counter.Count(text)
		wants(t, err, accp.ErrBusy)
		return 1, nil
	}))
	counter = must(own.NewCounter())
	must(counter.Count("x"))
	if calls < 2 {
		t.Errorf("the host was asked %d times", calls)
	}
}

// blocked is a session with a call under way, and how to let it end.
func blocked(t *testing.T) (session *accp.Session, release func()) {
	entered, leave, over := make(chan struct{}), make(chan struct{}), make(chan error)
	session = must(must(accp.NewEngine(accp.WithHooks(accp.Hooks{Cold: &memory{texts: map[string][]byte{}, then: func() {
		close(entered)
		<-leave
	}}}))).Open(background, "s"))
	go func() { over <- session.Put(background, "cold.k", []byte("1"), time.Time{}) }()
	<-entered
	return session, func() {
		close(leave)
		if err := <-over; err != nil {
			t.Error(err)
		}
	}
}

// inQueue waits until so many goroutines wait for the turn of a handle.
func inQueue(t *testing.T, count int) {
	t.Helper()
	stacks := make([]byte, 1<<20)
	for began := time.Now(); time.Since(began) < patience; time.Sleep(time.Millisecond) {
		waiting := 0
		for _, one := range strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
			if state, frames, _ := strings.Cut(one, "\n"); strings.Contains(state, "[select") && strings.Contains(frames, ".(*handle).queue(") {
				waiting++
			}
		}
		if waiting >= count {
			return
		}
	}
	t.Fatal("not in the queue:", count)
}

func TestADeadlineReachesAQueuedCall(t *testing.T) {
	session, release := blocked(t)
	ctx, cancel := context.WithTimeout(background, 20*time.Millisecond)
	defer cancel()
	began := time.Now()
	wants(t, session.Append(ctx, []byte(plan)), context.DeadlineExceeded)
	_, err := session.NextDelivery(ctx)
	wants(t, err, context.DeadlineExceeded)
	if waited := time.Since(began); waited > patience {
		t.Error(waited)
	}
	release()
	if n := must(session.RecordCount(background)); n != 0 {
		t.Error(n, "records")
	}
}

func TestCloseEndsTheQueue(t *testing.T) {
	session, release := blocked(t)
	queued := make(chan error)
	for i := 0; i < 3; i++ {
		go func() { queued <- session.Append(background, []byte(plan)) }()
	}
	inQueue(t, 3)
	session.Close()
	for i := 0; i < 3; i++ {
		wants(t, <-queued, accp.ErrClosed)
	}
	release()
	wants(t, session.Append(background, []byte(plan)), accp.ErrClosed)
	_, err := session.NextDelivery(background)
	wants(t, err, accp.ErrClosed)
}

// TestTheQueueIsInOrder: calls are taken in the order in which they came.
func TestTheQueueIsInOrder(t *testing.T) {
	session, release := blocked(t)
	var group sync.WaitGroup
	for i := 0; i < 10; i++ {
		group.Add(1)
		go func(i int) {
			defer group.Done()
			must(struct{}{}, session.Append(background, []byte(`{"agent":"a","intent":"req","operation":"x","payload":{"n":`+string(rune('0'+i))+`}}`)))
		}(i)
		inQueue(t, i+1)
	}
	release()
	group.Wait()
	first := must(session.RecordCount(background)) - 9
	for i := 0; i < 10; i++ {
		if record := must(session.Record(background, first+uint64(i))); string(record.Text[len(record.Text)-3]) != string(rune('0'+i)) {
			t.Errorf("%d. is %s", i, record.Text)
		}
	}
}

func resident() (bytes int64) {
	text, _ := os.ReadFile("/proc/self/statm")
	_, _ = fmt.Sscan(string(text), new(int64), &bytes)
	return bytes * int64(os.Getpagesize())
}

// TestForgottenSessionsAreCollected: 2,000 engines, each with a session, that nobody closes, would be 680 MB; what is in use stays.
func TestForgottenSessionsAreCollected(t *testing.T) {
	used := must(must(accp.NewEngine()).Open(background, "used"))
	before := resident()
	for i := 0; i < 2000; i++ {
		must(must(must(accp.NewEngine()).Open(background, "s")).Send(background, []byte(plan)))
	}
	if grown := (resident() - before) >> 20; grown > 400 {
		t.Errorf("%d MiB after 2,000 forgotten sessions", grown)
	}
	must(used.Send(background, []byte(plan)))
}

func TestANilStoreIsRefused(t *testing.T) {
	missing, err := accp.OpenStore(background, "no such store", 0)
	wants(t, err, accp.ErrArgument)
	var cold *memory
	for name, option := range map[string]accp.Option{"a nil *Store": accp.WithStore(missing), "an empty Store": accp.WithStore(&accp.Store{}), "a nil cold store": accp.WithHooks(accp.Hooks{Cold: cold})} {
		engine, err := accp.NewEngine(option)
		if !errors.Is(err, accp.ErrArgument) || engine != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheClockIsTheEngines(t *testing.T) {
	now := noon
	session := must(must(accp.NewEngine(accp.WithClock(func() time.Time { return now }))).Open(background, "s"))
	for i := uint64(1); i < 4; i++ {
		now = now.Add(time.Minute)
		must(session.Send(background, []byte(plan)))
		if record := must(session.Record(background, i)); !record.Time.Equal(now) {
			t.Errorf("%v, not %v", record.Time, now)
		}
	}
}

// TestPeersSpeakAsThemselves: a frame under a name that its peer has not, or that is ours, is refused and counts for nothing.
func TestPeersSpeakAsThemselves(t *testing.T) {
	session := must(must(accp.NewEngine(accp.WithOwnAgents("planner"), accp.WithRule(accp.RuleBySender, 1))).Open(background, "s"))
	frame := []byte("@dev>req:x{k:1}[mid:a00000000001,seq:1]")
	dev, other := accp.Peer{Agents: []string{"dev", "qa"}, Untrusted: true}, accp.Peer{Agents: []string{"qa"}}
	wants(t, session.Receive(background, frame, &other), accp.ErrPolicyDenied)
	wants(t, session.Receive(background, frame, &accp.Peer{}), accp.ErrPolicyDenied)
	wants(t, session.Receive(background, frame, &accp.Peer{Agents: []string{"*"}}), accp.ErrArgument)
	wants(t, session.Receive(background, []byte("@planner>req:x{k:1}[mid:a00000000002,seq:1]"), &accp.Peer{Any: true}), accp.ErrPolicyDenied)
	if err := session.Receive(background, frame, &dev); err != nil {
		t.Fatal(err)
	}
	if in := must(session.NextDelivery(background)); in == nil || !in.Untrusted {
		t.Errorf("%+v", in)
	}
}

// TestWithoutAFramePeersSpeakAsThemselvesToo covers invalid peers and offsets; the steps of
// bindings.jsonl cover the permitted messages of a peer.
func TestWithoutAFramePeersSpeakAsThemselvesToo(t *testing.T) {
	session := must(must(accp.NewEngine(accp.WithOwnAgents("planner"))).Open(background, "s"))
	message, chat := []byte(`{"agent":"dev","intent":"done","operation":"x","payload":{},"untrusted":false}`), []byte(`{"role":"user","content":"a"}`)
	dev, wrong := &accp.Peer{Agents: []string{"dev"}, Untrusted: true}, &accp.Peer{Agents: []string{"dev", "*"}}
	var refused *accp.Error
	if err := session.AppendFrom(background, message, dev); !errors.As(err, &refused) || refused.Code != accp.CodePolicyDenied || refused.Offset != uint64(bytes.Index(message, []byte("false"))) {
		t.Errorf("%v", err)
	}
	wants(t, session.AppendFrom(background, message, wrong), accp.ErrArgument)
	_, err := session.AppendMessagesFrom(background, accp.InterfaceOpenAI, chat, wrong)
	wants(t, err, accp.ErrArgument)
	_, err = session.AppendMessagesFrom(background, accp.InterfaceOpenAI, chat, &accp.Peer{Any: true, Untrusted: true})
	wants(t, err, accp.ErrPolicyDenied)
	_, err = session.AppendHistory(background, accp.InterfaceOpenAI, chat, &accp.HistoryOptions{Peer: wrong})
	wants(t, err, accp.ErrArgument)
	_, err = session.AppendHistory(background, accp.InterfaceOpenAI, chat, &accp.HistoryOptions{Peer: dev})
	wants(t, err, accp.ErrPolicyDenied)
	if records := must(session.RecordCount(background)); records != 0 {
		t.Errorf("%d records", records)
	}
	must(session.AppendMessagesFrom(background, accp.InterfaceOpenAI, chat, &accp.Peer{Any: true, Agents: []string{"user"}, Untrusted: true}))
	if text, _, err := session.ContextText(background, 0); err != nil || text != "(untrusted message) @user req:plan content:a\n" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestDetectInterface(t *testing.T) {
	if found, ok := accp.DetectInterface([]byte("User: a\nAssistant: b")); !ok || found != accp.InterfaceSpeakers {
		t.Errorf("got %v, %v", found, ok)
	}
	if found, ok := accp.DetectInterface([]byte("only text")); ok {
		t.Errorf("got %v", found)
	}
}
