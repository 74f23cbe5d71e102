// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A model with tools, at an interface like OpenAI's: go run ./example/loop [-url URL -model MODEL],
// with the key in $API_KEY.
//
// The program appends each message to a session and sends the session's context instead of the
// whole history. The model fetches omitted text with the tool `resolve`, which needs one call in
// the program. Without a URL a stub in this process plays the model: model.go.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"

	accp "github.com/libaccp/libaccp/bindings/go"
)

const (
	opening = `[{"role":"system","content":"You look after a build farm. Answer in one sentence."},
{"role":"user","content":"Which workers stopped at 11:43 on Wednesday? There are logs of monday, tuesday and wednesday."}]`
	readLog = `{"type":"function","function":{"name":"read_log","description":"The log of a night.",
"parameters":{"type":"object","properties":{"night":{"type":"string"}},"required":["night"]}}}`
)

func try[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	url := flag.String("url", "", "where /chat/completions is; none: a stub plays the model")
	model := flag.String("model", "stub", "the model")
	flag.Parse()
	if *url == "" {
		*url = playModel()
	}
	ctx := context.Background()
	costs := costs{counter: try(try(accp.NewTokenizer("o200k_base")).NewCounter())}

	// README begin
	session := try(try(accp.NewEngine()).Open(ctx, "talk"))
	tools := []json.RawMessage{json.RawMessage(readLog), accp.InterfaceOpenAI.Tool()}
	for said := []byte(opening); said != nil; {
		try(session.AppendMessages(ctx, accp.InterfaceOpenAI, said))
		messages, _, err := session.ContextMessages(ctx, accp.InterfaceOpenAI, 0)
		check(err)
		costs.add(said, messages)
		answer := post(*url+"/chat/completions", map[string]any{"model": *model, "messages": messages, "tools": tools})
		said = follow(ctx, session, answer)
	}
	// README end
	fmt.Printf("%d tokens in all; the history each time would have been %d\n", costs.sent, costs.resent)
}

// costs compares the tokens of the requests with the tokens of the full history in each.
type costs struct {
	counter      *accp.Counter
	history      []byte
	sent, resent int
}

func (c *costs) add(said, request []byte) {
	c.history = append(c.history, said...)
	sent, whole := try(c.counter.Count(string(request))), try(c.counter.Count(string(c.history)))
	c.sent, c.resent = c.sent+sent, c.resent+whole
	fmt.Printf("a request of %d tokens; the history has %d\n", sent, whole)
}

// follow runs the tools that the model called, and returns the model's message with the results;
// nil if it called none.
func follow(ctx context.Context, session *accp.Session, came json.RawMessage) []byte {
	var message struct {
		Content   string
		ToolCalls []struct {
			ID       string
			Function struct{ Name, Arguments string }
		} `json:"tool_calls"`
	}
	check(json.Unmarshal(came, &message))
	fmt.Println("model:", message.Content)
	if len(message.ToolCalls) == 0 {
		return nil
	}
	all := []any{came}
	for _, call := range message.ToolCalls {
		fmt.Println("      ", call.Function.Name, call.Function.Arguments)
		arguments, result := []byte(call.Function.Arguments), ""
		if call.Function.Name == "resolve" {
			result = try(session.Answer(ctx, arguments))
		} else {
			result = logOf(arguments)
		}
		all = append(all, map[string]string{"role": "tool", "tool_call_id": call.ID, "content": result})
	}
	return try(json.Marshal(all))
}

// post sends a request and returns the model's message.
func post(url string, body any) json.RawMessage {
	request := try(http.NewRequest(http.MethodPost, url, bytes.NewReader(try(json.Marshal(body)))))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
	response := try(http.DefaultClient.Do(request))
	defer response.Body.Close()
	text := try(io.ReadAll(response.Body))
	if response.StatusCode != http.StatusOK {
		log.Fatalf("%s: %s", response.Status, text)
	}
	var answer struct {
		Choices []struct{ Message json.RawMessage }
	}
	check(json.Unmarshal(text, &answer))
	return answer.Choices[0].Message
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
