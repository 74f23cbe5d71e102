// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Two agents: the planner sends a message; the worker receives its frame and prints the context for
// its model.
package main

import (
	"context"
	"fmt"
	"log"

	accp "github.com/libaccp/libaccp/bindings/go"
)

const message = `{"agent":"planner","intent":"req","operation":"schedule","payload":{"task":"impl_auth","priority":"high"}}`

func try[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	ctx := context.Background()

	// README begin
	here, there := try(accp.NewEngine()), try(accp.NewEngine())
	planner, worker := try(here.Open(ctx, "planner")), try(there.Open(ctx, "worker"))

	frame := try(planner.Send(ctx, []byte(message)))
	fmt.Println(string(frame))
	if err := worker.Receive(ctx, frame, nil); err != nil {
		log.Fatal(err)
	}
	for in := try(worker.NextDelivery(ctx)); in != nil; in = try(worker.NextDelivery(ctx)) {
		fmt.Println(string(in.Message))
	}
	text, tokens, err := worker.ContextText(ctx, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s(%d tokens)\n", text, tokens)
	// README end
}
