// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// An engine whose calls are spans of OpenTelemetry, under the span of the program. The package accp
// does not depend on OpenTelemetry: this program is a module of its own.
package main

import (
	"context"
	"fmt"
	"log"
	"time"

	accp "github.com/libaccp/libaccp/bindings/go"
	"go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// printer exports each span as one line.
type printer struct{}

func (printer) ExportSpans(_ context.Context, spans []sdk.ReadOnlySpan) error {
	for _, span := range spans {
		within := "nothing"
		if span.Parent().IsValid() {
			within = "a span of the program"
		}
		fmt.Println(span.Name(), "within", within, span.Attributes()[1].Key, span.Attributes()[1].Value.AsString())
	}
	return nil
}

func (printer) Shutdown(context.Context) error { return nil }

func main() {
	provider := sdk.NewTracerProvider(sdk.WithSyncer(printer{}))
	tracer := provider.Tracer("example")

	// README begin
	hooks := accp.Hooks{Trace: func(ctx context.Context, event accp.Event, began time.Time) {
		_, span := tracer.Start(ctx, event.Operation(), trace.WithTimestamp(began))
		event.EachAttribute(func(name string, value any) { span.SetAttributes(attribute.String(name, fmt.Sprint(value))) })
		span.End()
	}}
	// README end
	engine, err := accp.NewEngine(accp.WithHooks(hooks))
	check(err)
	ctx, span := tracer.Start(context.Background(), "work", trace.WithAttributes(attribute.Bool("a", true), attribute.String("b", "c")))
	session, err := engine.Open(ctx, "s")
	check(err)
	check(session.Append(ctx, []byte(`{"agent":"planner","intent":"req","operation":"schedule","payload":{"task":"impl_auth"}}`)))
	_, _, err = session.ContextText(ctx, 0)
	check(err)
	span.End()
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
