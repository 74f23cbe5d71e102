// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	accp "github.com/libaccp/libaccp/bindings/go"
)

// TestConfigErrors: invalid options are refused by the constructor, which returns no handle.
func TestConfigErrors(t *testing.T) {
	registry := accp.WithRegistry(must(accp.NewRegistry(accp.AllProfiles, nil)))
	allow := accp.WithHooks(accp.Hooks{CheckPolicy: func(accp.PolicyCase) error { return nil }})
	closed := must(accp.NewTokenizer("approx"))
	closed.Close()
	for name, options := range map[string][]accp.Option{
		"an unknown limit":             {accp.WithLimit(99, 1)},
		"an unknown rule":              {accp.WithRule(99, 1)},
		"a value that no rule has":     {accp.WithRule(accp.RuleParts, 2)},
		"an unknown dialect":           {accp.WithDialect(7)},
		"an unknown extension":         {accp.WithExtensions(1 << 20)},
		"an unknown strictness":        {registry, accp.WithStrictness(1 << 20)},
		"p1 without a registry":        {accp.WithExtensions(accp.P1)},
		"a schema without a registry":  {accp.WithSchema("TA")},
		"strictness without one":       {accp.WithStrictness(accp.StrictSchema)},
		"a policy without one":         {allow},
		"parts without q1":             {accp.WithRule(accp.RuleParts, 1), accp.WithExtensions(accp.NoExtensions)},
		"an ignored member without it": {accp.WithIgnored("a", "")},
		"a redacted key with a NUL":    {accp.WithRedacted("a\x00b")},
		"an own agent without a name":  {accp.WithOwnAgents("")},
		"an agent without a name":      {accp.WithUntrustedAgents("a", "")},
	} {
		codec, err := accp.NewCodec(options...)
		if !errors.Is(err, accp.ErrArgument) || codec != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := accp.NewCodec(registry, accp.WithSchema("XX"))
	wants(t, err, accp.ErrUnknownSchema)
	_, err = accp.NewCodec(accp.WithTokenizer(closed))
	wants(t, err, accp.ErrClosed)
	for name, options := range map[string][]accp.Option{
		"parts without q1":          {accp.WithRule(accp.RuleParts, 1), accp.WithExtensions(accp.NoExtensions)},
		"an agreement that is open": {accp.WithAgreement(accp.Agreement{})},
		"one that was refused":      {accp.WithAgreement(accp.Agreement{State: accp.NegotiationRefused})},
		"one without its registry":  {accp.WithAgreement(accp.Agreement{State: accp.NegotiationAgreed})},
		"an unknown strictness":     {accp.WithStrictness(1 << 20)},
	} {
		if _, err := accp.NewEngine(options...); !errors.Is(err, accp.ErrArgument) {
			t.Errorf("an engine with %s: %v", name, err)
		}
	}
	gone := must(accp.NewRegistry(accp.AllProfiles, nil))
	gone.Close()
	_, err = accp.NewEngine(accp.WithAgreement(accp.Agreement{State: accp.NegotiationAgreed, Registry: gone}))
	wants(t, err, accp.ErrClosed)
	_, err = accp.NewNegotiation("a")
	wants(t, err, accp.ErrArgument)
}

// TestOneListServesAll: the options of a codec and an engine are those of every other handle too, and each reads its own.
func TestOneListServesAll(t *testing.T) {
	asked := 0
	tokenizer := must(accp.NewTokenizer("o200k_base"))
	registry := must(accp.NewRegistry(accp.AllProfiles, []byte(`{"schemas":{"TICKET":{"code":"TK","version":1,"fields":["id","title"],"bind":["req:triage"]}}}`)))
	options := []accp.Option{
		accp.WithStore(must(accp.OpenStore(background, "memory:", 0))), accp.WithRegistry(registry), accp.WithTokenizer(tokenizer),
		accp.WithExtensions(accp.P1), accp.WithRule(accp.RuleBySender, 1), accp.WithRule(accp.RuleKeepStreams, 0), accp.WithRule(accp.RuleSpecialTokens, 1),
		accp.WithClock(func() time.Time { return noon }), accp.WithIgnored("note"), accp.WithUntrustedAgents("stranger"),
		accp.WithHooks(accp.Hooks{Resolve: func(_ context.Context, ref string) (json.RawMessage, error) {
			asked++
			return json.Marshal("for " + ref)
		}}),
	}
	codec, engine := must(accp.NewCodec(options...)), must(accp.NewEngine(options...))
	session := must(engine.Open(background, "s"))
	message := []byte(`{"agent":"a","intent":"req","operation":"triage","payload":{"id":7,"title":"It breaks"},"note":1}`)
	frame := must(codec.Encode(message))
	if want := `@a>req:triage{TK:[7,"It_breaks"]}`; string(frame) != want || must(codec.Budget()).Total.Tokens == 0 {
		t.Errorf("%s", frame)
	}
	refs := []byte(`@stranger>req:x{k:$warm.there}[mid:a00000000001,seq:1]`)
	if err := session.Receive(background, refs, nil); err != nil {
		t.Fatal(err)
	}
	in := must(session.NextDelivery(background))
	if back := must(codec.Decode(refs)); !bytes.Contains(back, []byte("for warm.there")) || !bytes.Contains(in.Message, []byte("for warm.there")) || asked != 2 || !in.Untrusted {
		t.Errorf("%s, %s, asked %d times", back, in.Message, asked)
	}
	if must(session.Record(background, 1)).Time != noon {
		t.Error("another clock")
	}
	must(struct{}{}, must(accp.NewFrame(options...)).Parse(string(frame)))
	if n := must(must(tokenizer.NewCounter(options...)).Count("<|endoftext|>")); n != 1 {
		t.Errorf("%d tokens", n)
	}
	streams := must(accp.NewStreams(options...))
	if part := must(streams.Add(accp.Chunk{Cid: "c", Data: "x", Final: true})); part.Data != "x" || part.Whole != "" || streams.OpenCount() != 0 {
		t.Errorf("%+v", part)
	}
	negotiation := must(accp.NewNegotiation("a", options...))
	if hello := must(negotiation.NextFrame()); !bytes.Contains(hello, []byte("o200k_base")) || negotiation.Agreement().State != accp.NegotiationOpen {
		t.Errorf("%s", hello)
	}
	if err := negotiation.AddKnown(registry); err != nil {
		t.Error(err)
	}
	_, _, _ = negotiation.Close(), must(accp.NewBatch(options...)).Close(), must(accp.NewRenderer(options...)).Close()
	if agreed := negotiation.Agreement(); agreed.State != accp.NegotiationRefused {
		t.Errorf("%+v", agreed)
	}
}

// TestHooksOutliveTheCollector: nothing but the handle keeps what it calls.
func TestHooksOutliveTheCollector(t *testing.T) {
	collected := make(chan string, 2)
	hooks := func(name string) accp.Option {
		kept := &[1 << 10]byte{7}
		runtime.SetFinalizer(kept, func(*[1 << 10]byte) { collected <- name })
		return accp.WithHooks(accp.Hooks{Resolve: func(context.Context, string) (json.RawMessage, error) { return json.Marshal(kept[0]) }})
	}
	codec := must(accp.NewCodec(hooks("codec")))
	session := must(must(accp.NewEngine(hooks("session"))).Open(background, "s"))
	for i := 0; i < 5; i++ {
		runtime.GC()
	}
	refs := []byte(`@a>req:x{k:$warm.there}[mid:a00000000001,seq:1]`)
	must(struct{}{}, session.Receive(background, refs, nil))
	in := must(session.NextDelivery(background))
	if back := must(codec.Decode(refs)); !bytes.Contains(back, []byte(`"k":7`)) || !bytes.Contains(in.Message, []byte(`"k":7`)) || len(collected) > 0 {
		t.Errorf("%s, %s", back, in.Message)
	}
	codec.Close()
	session.Close()
	names := ""
	for began := time.Now(); len(names) < len("codecsession"); {
		runtime.GC()
		select {
		case name := <-collected:
			names += name
		case <-time.After(10 * time.Millisecond):
			if time.Since(began) > patience {
				t.Fatalf("only what %q called was collected", names)
			}
		}
	}
}

func TestDeliveriesNameTheirFrames(t *testing.T) {
	now := noon
	engine := must(accp.NewEngine(accp.WithRule(accp.RuleDeadlineMs, 1000), accp.WithClock(func() time.Time { return now })))
	ours, theirs := must(engine.Open(background, "ours")), must(engine.Open(background, "theirs"))
	message := func(meta string) []byte {
		return []byte(`{"agent":"a","intent":"req","operation":"x","payload":{}` + meta + `}`)
	}
	for _, meta := range []string{`,"meta":{"cid":"c7"}`, ""} {
		must(struct{}{}, theirs.Receive(background, must(ours.Send(background, message(meta))), nil))
	}
	first, second := must(theirs.NextDelivery(background)), must(theirs.NextDelivery(background))
	if first.Cid != "c7" || second.Cid != "" || len(first.Mid) != 12 || !bytes.Contains(first.Message, []byte(first.Mid)) || first.Mid == second.Mid {
		t.Errorf("%+v, %+v", first, second)
	}
	now = now.Add(time.Minute)
	must(struct{}{}, ours.Expire(background))
	for i, cid := range []string{"c7", second.Mid} {
		late := must(ours.NextDelivery(background))
		wants(t, late.Err, accp.ErrTimeout)
		if late.Cid != cid || late.Mid != "" || late.Message != nil || late.Seq != int64(i+1) {
			t.Errorf("%+v", late)
		}
	}
}

func TestReadOnlyAndGranted(t *testing.T) {
	engine := must(accp.NewEngine())
	owner, other := must(engine.Open(background, "owner")), must(engine.Open(background, "other"))
	must(struct{}{}, owner.Put(background, "warm.plan", []byte(`{"steps":3}`), time.Time{}))
	reader := must(engine.OpenReadOnly(background, "owner"))
	if plan := must(reader.Resolve(background, "warm.plan", "")); string(plan) != `{"steps":3}` {
		t.Errorf("%s", plan)
	}
	wants(t, reader.Append(background, []byte(plan)), accp.ErrArgument)
	_, err := engine.OpenReadOnly(background, "nobody")
	wants(t, err, accp.ErrRefNotFound)
	must(struct{}{}, owner.AddGrant(background, "other", "warm.", time.Time{}))
	if plan := must(other.Resolve(background, "warm.plan", "owner")); string(plan) != `{"steps":3}` {
		t.Errorf("%s", plan)
	}
	must(struct{}{}, owner.RemoveGrant(background, "other", "warm."))
	_, err = other.Resolve(background, "warm.plan", "owner")
	wants(t, err, accp.ErrUnauthorizedRef)
	must(struct{}{}, owner.Remove(background, "warm.plan"))
	_, err = owner.Resolve(background, "warm.plan", "")
	wants(t, err, accp.ErrRefNotFound)
}

// TestAnswers covers results that the vectors omit, and hooks in sessions.
func TestAnswers(t *testing.T) {
	request := []byte(`{"agent":"a","intent":"req","operation":"buy","payload":{},"meta":{"mid":"a00000000001"}}`)
	answer := []byte(`{"agent":"b","intent":"done","payload":{"ok":true}}`)
	codec := must(accp.NewCodec())
	if to := must(codec.AppendReply([]byte("> "), request, answer)); string(to) != "> @b>done:buy{ok:true}[cid:a00000000001,aid:a00000000001]" {
		t.Errorf("%s", to)
	}
	ask := func(accp.PolicyCase) error { panic("mine") }
	session := must(must(accp.NewEngine(accp.WithHooks(accp.Hooks{CheckPolicy: func(asked accp.PolicyCase) error { return ask(asked) }}))).Open(background, "s"))
	_, err := session.Reply(background, request, answer)
	if wants(t, err, accp.ErrInternalError); !strings.Contains(err.Error(), "mine") || must(session.Outcome(background)) != (accp.Outcome{}) {
		t.Error(err)
	}
	ask = func(asked accp.PolicyCase) error {
		_, err := session.Outcome(background)
		wants(t, err, accp.ErrBusy)
		return nil
	}
	must(session.Reply(background, request, answer))
	if sent := must(session.Outcome(background)); sent != (accp.Outcome{Parts: 1}) {
		t.Errorf("%+v", sent)
	}
	session.Close()
	_, err = session.Reply(background, request, answer)
	wants(t, err, accp.ErrClosed)
	_, err = session.Outcome(background)
	wants(t, err, accp.ErrClosed)
}

func TestATokenizerThatFailsIsTheCause(t *testing.T) {
	mine := errors.New("mine")
	host := must(accp.NewTokenizerFunc("host", true, func(string) (int, error) { return 0, mine }))
	_, err := must(accp.NewCodec(accp.WithTokenizer(host))).Encode([]byte(plan))
	wants(t, err, accp.ErrIO)
	wants(t, err, mine)
	_, err = must(must(accp.NewEngine(accp.WithTokenizer(host))).Open(background, "s")).Send(background, []byte(plan))
	if !errors.Is(err, accp.ErrIO) || !errors.Is(err, mine) || !strings.HasSuffix(err.Error(), "mine") {
		t.Error(err)
	}
}

func TestAPacketKeepsItsTokenizerAndTakesTheClock(t *testing.T) {
	mine, fails := errors.New("mine"), false
	host := must(accp.NewTokenizerFunc("bytes", true, func(text string) (int, error) {
		if fails {
			return 0, mine
		}
		return len(text), nil
	}))
	packet := must(accp.NewContextPacket(accp.WithTokenizer(host), accp.WithClock(func() time.Time { return noon })))
	_ = host.Close()
	request := accp.PacketRequest{Task: "Add a login", Conversation: []byte("User: It must not fail.\n\nAssistant: ok"), Interface: accp.InterfaceSpeakers, BudgetTokens: 200}
	if err := packet.Generate(request); err != nil {
		t.Fatal(err)
	}
	prompt := must(packet.Prompt())
	if packet.TokenCount() != len(prompt) || !strings.Contains(prompt, "- It must not fail.") {
		t.Errorf("%d tokens: %s", packet.TokenCount(), prompt)
	}
	var said struct {
		Created   time.Time
		Tokenizer string
	}
	if err := json.Unmarshal(must(packet.JSON()), &said); err != nil || !said.Created.Equal(noon) || said.Tokenizer != "bytes" {
		t.Error(said, err)
	}
	fails = true
	err := packet.Generate(request)
	wants(t, err, accp.ErrIO)
	wants(t, err, mine)
	wants(t, packet.Seal(), accp.ErrArgument)
}

func TestAPacketTellsItsTypingErrors(t *testing.T) {
	packet := must(accp.NewContextPacket())
	if err := packet.Read([]byte("version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\ntarget_task: t\ncontext: {goal: g, constrains: [c]}\n")); err != nil {
		t.Fatal(err)
	}
	if got := must(packet.MisspeltMembers()); len(got) != 1 || got[0] != "context.constrains constraints" {
		t.Error(got)
	}
}

func TestAPacketAsksItsExtractor(t *testing.T) {
	mine, fails := errors.New("mine"), false
	items, asked := `{"items":[{"kind":"decision","text":"survive the proxy","message":1},{"kind":"failure","text":"made up","message":0}]}`, ""
	packet := must(accp.NewContextPacket(accp.WithHooks(accp.Hooks{Extract: func(conversation json.RawMessage) (json.RawMessage, error) {
		if asked = string(conversation); fails {
			return nil, mine
		}
		return json.RawMessage(items), nil
	}})))
	request := accp.PacketRequest{Task: "Add a login", Conversation: []byte("User: Add a login.\n\nAssistant: Cookies survive the proxy."), Interface: accp.InterfaceSpeakers,
		Depth: accp.PacketStandard}
	if err := packet.Generate(request); err != nil {
		t.Fatal(err)
	}
	if prompt := must(packet.Prompt()); !strings.Contains(prompt, "- Cookies survive the proxy. (agent)") || packet.Warnings() != accp.PacketDroppedItems {
		t.Error(prompt, packet.Warnings())
	}
	if !strings.HasPrefix(asked, `{"task":"Add a login","messages":[{"number":0,"role":"user",`) {
		t.Error(asked)
	}
	items = "no"
	wants(t, packet.Generate(request), accp.ErrCorrupt)
	fails = true
	err := packet.Generate(request)
	wants(t, err, accp.ErrIO)
	wants(t, err, mine)
	wants(t, packet.Seal(), accp.ErrArgument)
}

func TestAnEngineCounts(t *testing.T) {
	engine := must(accp.NewEngine())
	session := must(engine.Open(background, "s"))
	if err := session.Receive(background, []byte("@a>req:x{}"), nil); err == nil {
		t.Error("a frame without an envelope was taken")
	}
	must(session.Send(background, []byte(`{"agent":"a","intent":"req","operation":"x","payload":{}}`)))
	found := 0
	for _, metric := range engine.Metrics() {
		if metric == (accp.Metric{Name: "accp.frames.sent", Unit: "{frame}", Value: 1}) {
			found++
		}
	}
	if got := engine.Outcomes(true, accp.Code(1001)); found != 1 || got != 1 || engine.Outcomes(false, 0) != 1 {
		t.Error(engine.Metrics(), got)
	}
}
