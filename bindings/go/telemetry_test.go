// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	accp "github.com/libaccp/libaccp/bindings/go"
)

func TestATracerGetsTheContextOfTheCall(t *testing.T) {
	type key struct{}
	var spans []string
	events := 0
	engine := must(accp.NewEngine(accp.WithHooks(accp.Hooks{
		Trace: func(ctx context.Context, event accp.Event, began time.Time) {
			if since := time.Since(began); since < 0 || since > time.Minute {
				t.Error(since)
			}
			span := fmt.Sprint(ctx.Value(key{}), " ", event.Operation())
			event.EachAttribute(func(name string, value any) {
				if name != "accp.seq" && !strings.HasSuffix(name, "tokens") && name != "messaging.message.body.size" && name != "messaging.message.id" {
					span += fmt.Sprintf(" %s=%v", name, value)
				}
			})
			spans = append(spans, span)
			panic("ignored")
		},
		Event: func(accp.Event) { events++ },
	})))
	session := must(engine.Open(background, "s"))
	ctx := context.WithValue(background, key{}, "mine")
	fine(t, session.Append(ctx, []byte(plan)))
	must(session.Send(ctx, []byte(plan)))
	wants(t, session.Receive(background, []byte("no frame"), nil), accp.ErrParseError)
	want := []string{"mine accp.append messaging.system=accp accp.session=s accp.messages=1",
		"mine accp.send messaging.system=accp messaging.operation.type=send accp.session=s accp.agent=planner",
		"<nil> accp.receive messaging.system=accp messaging.operation.type=receive accp.session=s error.type=E1001"}
	if fmt.Sprintf("%q", spans) != fmt.Sprintf("%q", want) || events != 3 {
		t.Errorf("%q, %d events", spans, events)
	}
}

func TestMetricsOneByOne(t *testing.T) {
	engine := must(accp.NewEngine())
	reads := map[string]func() int64{}
	fine(t, engine.EachMetric(func(name, unit string, read func() int64) error {
		reads[name+" "+unit] = read
		return nil
	}))
	if len(reads) != len(engine.Metrics()) || reads["accp.records {record}"]() != 0 {
		t.Error(reads)
	}
	session := must(engine.Open(background, "s"))
	fine(t, session.Append(background, []byte(plan)))
	if n := reads["accp.records {record}"](); n != 1 {
		t.Error(n, "records")
	}
	mine, calls := errors.New("mine"), 0
	wants(t, engine.EachMetric(func(string, string, func() int64) error { calls++; return mine }), mine)
	wants(t, engine.EachMetric(nil), accp.ErrArgument)
	session.Close()
	engine.Close()
	wants(t, engine.EachMetric(func(string, string, func() int64) error { calls++; return nil }), accp.ErrClosed)
	if n := reads["accp.records {record}"](); n != 0 || calls != 1 {
		t.Error(n, calls)
	}
}
