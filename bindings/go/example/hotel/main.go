// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Completes the specification's FIND_HOTEL plan and runs it with three programs as its tools. The
// argument is the folder with message, library and programs: docs/examples/hotel.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"

	accp "github.com/libaccp/libaccp/bindings/go"
)

func try[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	folder := "../../docs/examples/hotel"
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt) // Ctrl-C cancels the plan
	defer stop()
	document := try(os.ReadFile(filepath.Join(folder, "library.json")))
	message := try(os.ReadFile(filepath.Join(folder, "request.json")))

	// README begin
	program := func(name string) accp.Tool {
		return func(ctx context.Context, call accp.ToolCall) (any, error) {
			command := exec.CommandContext(ctx, filepath.Join(folder, name))
			command.Stdin = bytes.NewReader(call.Params)
			output, err := command.Output()
			return json.RawMessage(output), err
		}
	}
	sacp := try(accp.NewSACP(try(accp.NewLibrary(document))))
	whole, verdict, err := sacp.Plan(message) // what is missing comes from the context, and from the steps before
	check(err)
	check(verdict.Err())
	tools := accp.Tools{"H_API": program("search"), "RANK": program("rank"), "PRES": program("present")}
	result := try(accp.RunPlan(ctx, accp.RunRequest{Message: whole, Library: document}, tools))
	check(result.Err())
	var text string
	check(json.Unmarshal(result.Output, &text))
	fmt.Println(text)
	// README end
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
