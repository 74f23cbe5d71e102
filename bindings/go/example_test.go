// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	accp "github.com/libaccp/libaccp/bindings/go"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// Two agents: the planner's frame is the worker's message, and the worker's model is given a context.
func Example() {
	ctx := context.Background()
	engine, err := accp.NewEngine(accp.WithRule(accp.RuleSeed, 7))
	check(err)
	planner, err := engine.Open(ctx, "planner")
	check(err)
	worker, err := engine.Open(ctx, "worker")
	check(err)

	frame, err := planner.Send(ctx, []byte(`{"agent":"planner","intent":"req","operation":"schedule","payload":{"task":"impl_auth","priority":"high"}}`))
	check(err)
	check(worker.Receive(ctx, frame, nil))
	for {
		in, err := worker.NextDelivery(ctx)
		check(err)
		if in == nil {
			break
		}
		message, err := accp.ParseMessage(in.Message)
		check(err)
		fmt.Println(message.Agent, message.Operation, string(message.Payload))
	}
	text, tokens, err := worker.ContextText(ctx, 0)
	check(err)
	fmt.Printf("%s%d tokens\n", text, tokens)
	// Output:
	// planner schedule {"task":"impl_auth","priority":"high","deps":[]}
	// @planner req:schedule task:impl_auth priority:high deps:[]
	// 15 tokens
}

func ExampleFrame_Parse() {
	frame, err := accp.NewFrame()
	check(err)
	defer frame.Close()
	check(frame.Parse(`@planner>req:schedule{task:impl_auth|n:[1,2.50]}[mid:a00000000001,seq:1]`))
	fmt.Println(frame.Agent(), frame.Intent(), frame.Operation())
	payload := frame.Payload()
	for field := payload.First(); !field.IsZero(); field = field.Next(payload) {
		fmt.Println(field.Key(), field.Value())
	}

	err = frame.Parse(`@planner>req:schedule{task:}`)
	var refused *accp.Error
	if errors.As(err, &refused) {
		fmt.Println(refused.Code, "at byte", refused.Offset)
	}
	// Output:
	// planner req schedule
	// task impl_auth
	// n [1 2.50]
	// E1001 at byte 27
}

func ExampleMarshal() {
	message, err := accp.NewMessage("planner", "req", "schedule", struct {
		Task string      `json:"task"`
		Cost json.Number `json:"cost"`
	}{"Q3 findings", "123456789012345678901234567890"})
	check(err)
	frame, err := accp.Marshal(message)
	check(err)
	fmt.Println(string(frame))
	// Output: @planner>req:schedule{task:"Q3_findings"|cost:123456789012345678901234567890}
}

func ExampleBatch_Decode() {
	batch, err := accp.NewBatch()
	check(err)
	defer batch.Close()
	records, err := batch.Decode([]byte("@a>req:x{k:1}\n@a>req:x{k:}\n@b>done:y{}"))
	check(err)
	for _, record := range records {
		fmt.Println(string(record.Bytes), record.Err)
	}
	// Output:
	// {"agent":"a","intent":"req","operation":"x","payload":{"k":1}} <nil>
	//  accp: E1001 at byte 11: expected a value
	// {"agent":"b","intent":"done","operation":"y","payload":{}} <nil>
}

func ExampleScanner() {
	scanner, err := accp.NewScanner(strings.NewReader("@a>req:x{k:1}\n@b>done:y{}\n"))
	check(err)
	defer scanner.Close()
	for scanner.Scan() {
		check(scanner.FrameErr())
		fmt.Println(scanner.Frame().Agent(), scanner.Frame().Operation())
	}
	check(scanner.Err())
	// Output:
	// a x
	// b y
}

func ExampleCodec() {
	registry, err := accp.NewRegistry(accp.AllProfiles, nil)
	check(err)
	codec, err := accp.NewCodec(accp.WithRegistry(registry), accp.WithHooks(accp.Hooks{
		Resolve: func(_ context.Context, ref string) (json.RawMessage, error) {
			if ref == "warm.plan" {
				return json.RawMessage(`{"steps":3}`), nil
			}
			return nil, accp.ErrRefNotFound
		},
	}))
	check(err)
	defer codec.Close()
	frame, err := codec.Encode([]byte(`{"agent":"planner","intent":"req","operation":"schedule","payload":{"assignee":"dev","task":"auth","priority":"medium"}}`))
	check(err)
	fmt.Println(string(frame))
	message, err := codec.Decode([]byte(`@worker>ack:x{k:$warm.plan}`))
	check(err)
	fmt.Println(string(message))
	_, err = codec.Decode([]byte(`@worker>ack:x{k:$warm.other}`))
	fmt.Println(errors.Is(err, accp.ErrRefNotFound))
	// Output:
	// @planner>req:schedule{asgn:dev|task:auth}
	// {"agent":"worker","intent":"ack","operation":"x","payload":{"k":{"steps":3}}}
	// true
}

// One list of options makes a codec and an engine.
func ExampleOption() {
	registry, err := accp.NewRegistry(accp.ProfileWorkflow, nil)
	check(err)
	both := []accp.Option{accp.WithRegistry(registry), accp.WithRedacted("secret"), accp.WithHooks(accp.Hooks{
		Log: func(received bool, code accp.Code, text string) { fmt.Println(code, text) },
	})}
	codec, err := accp.NewCodec(both...)
	check(err)
	defer codec.Close()
	engine, err := accp.NewEngine(both...)
	check(err)
	session, err := engine.Open(context.Background(), "s")
	check(err)

	frame := []byte("@dev>done:schedule{task:impl_auth|secret:sesame}[mid:a00000000001,seq:1]")
	_, err = codec.Decode(frame)
	check(err)
	check(session.Receive(context.Background(), frame, nil))
	// Output:
	// OK @dev done:schedule {mid:a00000000001 seq:1} task:impl_auth priority:medium deps:[] secret: [redacted]
	// OK @dev done:schedule {mid:a00000000001 seq:1} task:impl_auth priority:medium deps:[] secret: [redacted]
}

func ExampleTokenizer_Count() {
	tokenizer, err := accp.NewTokenizer("o200k_base")
	check(err)
	defer tokenizer.Close()
	tokens, err := tokenizer.Count("hello world")
	check(err)
	fmt.Println(tokens)
	// Output: 2
}

func ExampleRenderer() {
	renderer, err := accp.NewRenderer()
	check(err)
	defer renderer.Close()
	text, err := renderer.Frame([]byte(`@planner>req:schedule{task:impl_auth|note:"Q3_findings"}`), 0)
	check(err)
	fmt.Println(text)
	back, err := renderer.Parse(text)
	check(err)
	fmt.Println(string(back))
	// Output:
	// @planner req:schedule task:impl_auth note: Q3 findings
	// {"agent":"planner","intent":"req","operation":"schedule","payload":{"task":"impl_auth","note":"Q3 findings"}}
}

func ExampleContextPacket() {
	packet, err := accp.NewContextPacket()
	check(err)
	defer packet.Close()
	check(packet.Generate(accp.PacketRequest{Task: "Add a login", Interface: accp.InterfaceSpeakers, Depth: accp.PacketStandard,
		Conversation: []byte("User: It must not touch the registration.\n\nAssistant: I'll use PyJWT, since it is installed.")}))
	prompt, err := packet.Prompt()
	check(err)
	fmt.Print(prompt)
	// Output:
	// # Add a login
	//
	// ## Constraints
	// - It must not touch the registration.
	//
	// ## Decisions
	// - I'll use PyJWT (agent): it is installed.
	//
	// ## Not included
	// - the conversation: 2 messages
}

func ExampleContextPacket_FromSession() {
	ctx := context.Background()
	engine, err := accp.NewEngine()
	check(err)
	defer engine.Close()
	session, err := engine.Open(ctx, "work")
	check(err)
	defer session.Close()
	for _, message := range []string{
		`{"agent":"user","intent":"req","operation":"plan","payload":{"content":"Mend the login. It must not touch the registration."}}`,
		`{"agent":"dev","intent":"fail","operation":"install","payload":{"package":"PyJWT","err":"not installed here"}}`,
	} {
		check(session.Append(ctx, []byte(message)))
	}
	packet, err := accp.NewContextPacket()
	check(err)
	defer packet.Close()
	check(packet.FromSession(ctx, session, accp.PacketRequest{Task: "Mend the login", Depth: accp.PacketDeep}))
	prompt, err := packet.Prompt()
	check(err)
	fmt.Print(prompt)
	// Output:
	// # Mend the login
	//
	// ## Constraints
	// - It must not touch the registration.
	//
	// ## Failed before
	// - install PyJWT: err: not installed here
	//
	// ## Not included
	// - the conversation: 2 messages
}

func ExampleSession_SendPacket() {
	ctx := context.Background()
	engine, err := accp.NewEngine()
	check(err)
	defer engine.Close()
	session, err := engine.Open(ctx, "work")
	check(err)
	defer session.Close()
	packet, err := accp.NewContextPacket()
	check(err)
	defer packet.Close()
	check(packet.Read([]byte("version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\ntarget_task: t\ncontext: {goal: g, decisions: [JWT]}\n")))
	_, err = session.SendPacket(ctx, []byte(`{"agent":"lead","intent":"sync","operation":"context","payload":{"to":"dev"}}`), packet)
	check(err)
	said, err := session.Resolve(ctx, "cold.m1", "")
	check(err)
	read, err := accp.NewContextPacket()
	check(err)
	defer read.Close()
	check(session.ReadPacket(ctx, said, read))
	fmt.Println(read.Checksum() == packet.Checksum())
	members, err := session.PutPacket(ctx, packet)
	check(err)
	name := strings.Split(string(members), ",")[0]
	answer, err := session.AnswerPacket(ctx, []byte(`{"agent":"dev","intent":"qry","operation":"context","payload":`+name+`,"layers":["decisions"]},`+
		`"meta":{"mid":"a00000000001","seq":2,"ts":1}}`), "lead")
	check(err)
	fmt.Println(strings.HasPrefix(string(answer), "@lead>done:context{layers:[decisions]|content:"))
	fmt.Println(session.ReadPacket(ctx, []byte(`{"agent":"a","intent":"esc","operation":"b","payload":{}}`), read))
	// Output:
	// true
	// true
	// accp: E1001: the message carries no packet
}

func ExamplePacketCode() {
	code, err := accp.NewPacketCode()
	check(err)
	defer code.Close()
	check(code.Add("routes/auth.py", []byte("\"\"\"Routes of accounts.\"\"\"\nasync def register(user): ...\nasync def login(user): ...\n")))
	check(code.Add("weather.py", []byte("def rain(): ...\n")))
	packet, err := accp.NewContextPacket()
	check(err)
	defer packet.Close()
	check(packet.Generate(accp.PacketRequest{Task: "Mend the login", Depth: accp.PacketStandard, Code: code}))
	prompt, err := packet.Prompt()
	check(err)
	fmt.Print(prompt)
	check(code.Add("routes/auth.py", []byte("another text")))
	stale, err := packet.StaleFiles(code)
	check(err)
	was, err := code.Remove("weather.py")
	check(err)
	fmt.Println(stale, was, code.Count())
	// Output:
	// # Mend the login
	//
	// ## Files
	// - routes/auth.py: Routes of accounts (login)
	//
	// ## Not included
	// - the code: 2 files
	// [routes/auth.py] true 1
}

// Two sides with different schemas agree on one registry.
func ExampleNegotiation() {
	ticket := []byte(`{"schemas":{"TICKET":{"code":"TK","version":2,"fields":["id","title"]}}}`)
	left, err := accp.NewRegistry(accp.AllProfiles, ticket)
	check(err)
	right, err := accp.NewRegistry(accp.AllProfiles, nil)
	check(err)
	var sides [2]*accp.Negotiation
	sides[0], err = accp.NewNegotiation("planner", accp.WithRegistry(left))
	check(err)
	sides[1], err = accp.NewNegotiation("worker", accp.WithRegistry(right))
	check(err)
	for quiet, turn := 0, 0; quiet < 2; turn = 1 - turn {
		frame, err := sides[turn].NextFrame()
		check(err)
		if quiet++; frame != nil {
			quiet = 0
			check(sides[1-turn].Receive(frame))
		}
	}
	here, there := sides[0].Agreement(), sides[1].Agreement()
	agreed, err := there.Registry.Find("TK")
	check(err)
	fmt.Println(here.State == accp.NegotiationAgreed, agreed.Name, here.Registry.Describe().Hash == there.Registry.Describe().Hash)
	// Output: true TICKET true
}

func ExampleCutChunks() {
	chunks, err := accp.CutChunks("s1", "Hello 😀 wörld", 8)
	check(err)
	streams, err := accp.NewStreams()
	check(err)
	defer streams.Close()
	for i := len(chunks) - 1; i >= 0; i-- { // in any order
		part, err := streams.Add(chunks[i])
		check(err)
		if part.State == accp.StreamComplete {
			fmt.Println(part.Whole)
		}
	}
	// Output: Hello 😀 wörld
}

// A plan that was written in Go is checked, and made whole.
func ExampleSACP() {
	library, err := accp.NewLibrary([]byte(`{"verbs":[{"name":"search","description":"Looks for hotels.","inputs":{"city":"string"},"outputs":"hotels","required":["city"]}],
		"tools":[{"id":"H_API","description":"Hotels.","supported_verbs":["search"]}]}`))
	check(err)
	sacp, err := accp.NewSACP(library)
	check(err)
	defer sacp.Close()
	message, err := accp.SACPMessage{Goal: "FIND_HOTEL", Plan: []accp.SACPPart{accp.SACPStep("search", "H_API", nil)}}.JSON()
	check(err)
	verdict, err := sacp.Validate(message)
	check(err)
	fmt.Println(verdict.Err())
	message, err = accp.SACPMessage{Goal: "SEARCH_HOTEL", Ctx: map[string]any{"city": "Paris"}}.JSON()
	check(err)
	whole, verdict, err := sacp.Plan(message)
	check(err)
	fmt.Println(verdict.Answer, string(whole))
	// Output:
	// accp: REQ_CLARIFY: step.1.city
	// VALID {"g":"SEARCH_HOTEL","ctx":{"city":"Paris"},"plan":[["search","H_API",{"city":"$ctx.city"}]]}
}

// Spans of a tracer, here lines. Hooks.Trace has the context of the call, and in it the current span.
func ExampleHooks_trace() {
	engine, err := accp.NewEngine(accp.WithHooks(accp.Hooks{Trace: func(ctx context.Context, event accp.Event, began time.Time) {
		fmt.Print(event.Operation())
		event.EachAttribute(func(name string, value any) {
			if name == "accp.session" || name == "accp.messages" {
				fmt.Print(" ", name, "=", value)
			}
		})
		fmt.Println()
	}}))
	check(err)
	defer engine.Close()
	session, err := engine.Open(context.Background(), "talk")
	check(err)
	defer session.Close()
	_, err = session.AppendMessages(context.Background(), accp.InterfaceOpenAI, []byte(`[{"role":"user","content":"Add a login."}]`))
	check(err)
	// Output: accp.append accp.session=talk accp.messages=1
}

func ExampleEngine_EachMetric() {
	engine, err := accp.NewEngine()
	check(err)
	defer engine.Close()
	session, err := engine.Open(context.Background(), "talk")
	check(err)
	defer session.Close()
	check(session.Append(context.Background(), []byte(`{"agent":"planner","intent":"req","operation":"schedule","payload":{"task":"impl_auth"}}`)))
	check(engine.EachMetric(func(name, unit string, read func() int64) error {
		if name == "accp.records" {
			fmt.Println(name, unit, read())
		}
		return nil
	}))
	// Output: accp.records {record} 1
}

func ExampleOpenStore() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "accp")
	check(err)
	defer os.RemoveAll(folder)
	store, err := accp.OpenStore(ctx, "sqlite:"+folder+"/work.db", 0)
	check(err)
	defer store.Close()
	engine, err := accp.NewEngine(accp.WithStore(store))
	check(err)
	defer engine.Close()
	session, err := engine.Open(ctx, "talk")
	check(err)
	defer session.Close()
	_, err = session.AppendMessages(ctx, accp.InterfaceOpenAI, []byte(`[{"role":"user","content":"Add a login."}]`))
	check(err)
	check(store.EachSession(ctx, func(id string) bool {
		fmt.Println(id)
		return true
	}))
	// Output: talk
}

// The list of a provider's messages goes in; what its next request needs comes out.
func ExampleSession_ContextMessages() {
	ctx := context.Background()
	engine, err := accp.NewEngine()
	check(err)
	defer engine.Close()
	session, err := engine.Open(ctx, "talk")
	check(err)
	defer session.Close()
	_, err = session.AppendMessages(ctx, accp.InterfaceOpenAI, []byte(`[{"role":"user","content":"Add a login."}]`))
	check(err)
	messages, _, err := session.ContextMessages(ctx, accp.InterfaceOpenAI, 0)
	check(err)
	fmt.Println(string(messages))
	// Output: [{"role":"user","content":"Add a login."}]
}

func ExampleRunPlan() {
	message := []byte(`{"g":"GREET","plan":[["find","NAMES",{}],["greet","GREETER",{"who":"$step.1"}]]}`)
	result, err := accp.RunPlan(context.Background(), accp.RunRequest{Message: message, Lenient: true}, accp.Tools{
		"NAMES": func(context.Context, accp.ToolCall) (any, error) { return "Ann", nil },
		"GREETER": func(_ context.Context, call accp.ToolCall) (any, error) {
			var params struct{ Who string }
			err := json.Unmarshal(call.Params, &params)
			return "Hello " + params.Who, err
		},
	})
	check(err)
	check(result.Err())
	fmt.Println(string(result.Output))
	// Output: "Hello Ann"
}

func ExampleAgents() {
	agents, err := accp.NewAgents()
	check(err)
	defer agents.Close()
	entry, err := accp.AgentEntry{Name: "PRICE_PREDICTOR", Verbs: []string{"predict"}, Tools: []string{"PRC_EST"}, Inputs: []string{"history"},
		Outputs: []string{"predictions"}, Description: "Predicts hotel prices"}.JSON()
	check(err)
	check(agents.Register(entry))
	query, err := accp.AgentQuery{Verb: "predict", Inputs: []string{"history"}}.JSON()
	check(err)
	found, err := agents.Query(query, 0, time.Now())
	check(err)
	for _, one := range found {
		fmt.Println(one.Name, one.Match)
	}
	// Output: PRICE_PREDICTOR exact
}

func ExampleValue() {
	value, err := accp.NewValue()
	check(err)
	defer value.Close()
	check(value.Parse([]byte(`{"cost":123456789012345678901234567890.10}`)))
	root, err := value.Root()
	check(err)
	fmt.Println(root.Get("cost").Number())
	// Output: 123456789012345678901234567890.10
}

func ExampleDeadlines() {
	deadlines, err := accp.NewDeadlines()
	check(err)
	defer deadlines.Close()
	noon := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	check(deadlines.Start("a00000000001", noon))
	early, err := deadlines.Expire(noon.Add(-time.Second))
	check(err)
	late, err := deadlines.Expire(noon.Add(time.Second))
	check(err)
	fmt.Println(early, late)
	// Output: [] [a00000000001]
}
