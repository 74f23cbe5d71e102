//go:build go1.23

// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	accp "github.com/libaccp/libaccp/bindings/go"
)

func ExampleSession_Deliveries() {
	ctx := context.Background()
	engine, err := accp.NewEngine()
	check(err)
	defer engine.Close()
	session, err := engine.Open(ctx, "worker")
	check(err)
	defer session.Close()
	for _, frame := range []string{"@a>req:x{k:1}[mid:a00000000001,seq:1]", "@a>req:y{k:2}[mid:a00000000002,seq:2]"} {
		check(session.Receive(ctx, []byte(frame), nil))
	}
	for delivery, err := range session.Deliveries(ctx) {
		check(err)
		fmt.Println(delivery.Seq, delivery.Mid)
	}
	// Output:
	// 1 a00000000001
	// 2 a00000000002
}

func ExampleItem_Children() {
	frame, err := accp.NewFrame()
	check(err)
	defer frame.Close()
	check(frame.Parse(`@planner>req:schedule{task:impl_auth|n:[1,2.50]}`))
	for key, child := range frame.Payload().Children() {
		fmt.Println(key, child.Value())
	}
	// Output:
	// task impl_auth
	// n [1 2.50]
}

func TestIterators(t *testing.T) {
	store := must(accp.OpenStore(background, "memory:", 0))
	engine := must(accp.NewEngine(accp.WithStore(store)))
	for _, id := range []string{"one", "two", "three"} {
		session := must(engine.Open(background, id))
		fine(t, session.Receive(background, []byte("@a>req:x{}[mid:a00000000001,seq:1]"), nil))
		fine(t, session.Receive(background, []byte("@a>req:x{}[mid:a00000000002,seq:2]"), nil))
		for delivery, err := range session.Deliveries(background) {
			fine(t, err)
			if delivery.Seq != 1 {
				t.Error(delivery)
			}
			break
		}
		left := 0
		for delivery, err := range session.Deliveries(background) {
			fine(t, err)
			left += int(delivery.Seq)
		}
		records := 0
		for record, err := range session.Records(background) {
			fine(t, err)
			if !strings.HasPrefix(string(record.Text), "@a>req:x{}") {
				t.Errorf("%s", record.Text)
			}
			records++
		}
		if left != 2 || records != 2 {
			t.Error(left, records)
		}
		session.Close()
		failures := 0
		for delivery, err := range session.Deliveries(background) {
			wants(t, err, accp.ErrClosed)
			if failures++; delivery != nil {
				t.Error(delivery)
			}
		}
		for _, err := range session.Records(background) {
			wants(t, err, accp.ErrClosed)
			failures++
		}
		if failures != 2 {
			t.Error(failures)
		}
	}
	var ids []string
	for id, err := range store.Sessions(background) {
		fine(t, err)
		if ids = append(ids, id); len(ids) == 2 {
			break
		}
	}
	if fmt.Sprint(ids) != "[one two]" {
		t.Error(ids)
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	errors := 0
	for id, err := range store.Sessions(ctx) {
		wants(t, err, context.Canceled)
		if errors++; id != "" {
			t.Error(id)
		}
	}
	var got []string
	scanner := must(accp.NewScanner(strings.NewReader("@a>req:x{}\nno frame\n@b>req:y{}\n" + strings.Repeat("z", 300_000))))
	for frame, err := range scanner.Frames() {
		switch {
		case frame == nil:
			wants(t, err, accp.ErrParseError)
			got = append(got, "end")
		case err != nil:
			got = append(got, "bad")
		default:
			got = append(got, frame.Agent())
		}
	}
	if fmt.Sprint(got) != "[a bad b end]" || errors != 1 {
		t.Error(got, errors)
	}
	names := 0
	for name, value := range (accp.Event{Session: "s", Seq: 3}).Attributes() {
		if names++; name == "accp.session" {
			if value != "s" {
				t.Error(value)
			}
			break
		}
	}
	if names == 0 {
		t.Error("no attributes")
	}
}
