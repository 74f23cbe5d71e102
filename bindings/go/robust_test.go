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
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	accp "github.com/libaccp/libaccp/bindings/go"
)

// TestMain collects garbage without end where ACCP_GO_GC is set: what C still needs must be kept by what Go holds.
func TestMain(m *testing.M) {
	if os.Getenv("ACCP_GO_GC") == "" {
		os.Exit(m.Run())
	}
	debug.SetGCPercent(1)
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	code := m.Run()
	close(stop)
	os.Exit(code)
}

// patience is how long a test waits for what happens at once on an idle machine: only what hangs takes longer.
const patience = 2 * time.Minute

const plan = `{"agent":"planner","intent":"req","operation":"schedule","payload":{"task":"impl_auth","priority":"high"}}`

var noon = time.UnixMilli(1714000000000)

func wants(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%v, not %v", err, want)
	}
}

func TestTextsOfEveryKind(t *testing.T) {
	frame, codec, value := must(accp.NewFrame()), must(accp.NewCodec()), must(accp.NewValue())
	for _, text := range []string{"", "\x00", "a\x00b\x00", "😀👩‍👩‍👧 naïve 日本", "\u2028\ufeff", strings.Repeat("é", 9000), `\|:,[]{}~$"@`} {
		message := must(accp.NewMessage("a", "req", "x", map[string]any{"k": text, "list": []any{text, nil, true}}))
		line := must(codec.Encode(must(message.JSON())))
		back := must(accp.ParseMessage(must(codec.Decode(line))))
		var payload struct {
			K    string
			List []any
		}
		if err := back.DecodePayload(&payload); err != nil || payload.K != text || payload.List[0] != text {
			t.Errorf("%q comes back as %q, %v", text, payload.K, err)
		}
		must(struct{}{}, value.Set(text))
		if root := must(value.Root()); root.Kind() != accp.String || root.Text() != text {
			t.Errorf("%q as a value: %q", text, root.Text())
		}
		if n := must(must(accp.NewTokenizer("o200k_base")).Count(text)); (n == 0) != (text == "") {
			t.Errorf("%q has %d tokens", text, n)
		}
	}
	wants(t, frame.Parse("@a>req:x{k:\x00}"), accp.ErrParseError)
	wants(t, value.Parse([]byte("\"\xff\"")), accp.ErrInvalidType)
}

func TestNumbersAreExact(t *testing.T) {
	const digits = "123456789012345678901234567890"
	frame := must(accp.NewFrame())
	if err := frame.Parse("@a>req:x{n:" + digits + "|d:-0.10|s:abc}"); err != nil {
		t.Fatal(err)
	}
	n, d := frame.Payload().Get("n"), frame.Payload().Get("d")
	if must(n.BigInt()).String() != digits || n.Number() != digits || d.Number() != "-0.10" || must(d.Rat()).RatString() != "-1/10" {
		t.Error(n.Number(), d.Number())
	}
	_, err := n.Int64()
	wants(t, err, accp.ErrInvalidType)
	_, err = frame.Payload().Get("s").BigInt()
	wants(t, err, accp.ErrInvalidType)
	message := must(accp.NewMessage("a", "req", "x", map[string]any{"n": json.Number(digits), "e": json.RawMessage("1.50e-7")}))
	back := must(accp.Unmarshal(must(accp.Marshal(message))))
	var payload map[string]any
	if err := back.DecodePayload(&payload); err != nil || payload["n"] != json.Number(digits) || payload["e"] != json.Number("1.50e-7") {
		t.Error(payload, err)
	}
}

func TestTenMegabytes(t *testing.T) {
	big := strings.Repeat("payload 😀 ", 900_000) // 11 MB
	codec := must(accp.NewCodec(accp.WithLimit(accp.LimitFrameBytes, 1<<28), accp.WithLimit(accp.LimitJSONBytes, 1<<28)))
	message := must(must(accp.NewMessage("a", "req", "x", map[string]string{"k": big})).JSON())
	line := must(codec.Encode(message))
	if back := must(codec.Decode(line)); !bytes.Contains(back, []byte(big)) {
		t.Error("11 MB do not come back")
	}
	wants(t, must(accp.NewFrame()).ParseBytes(line), accp.ErrParseError)
	_, err := must(accp.NewCodec()).Encode(make([]byte, 20<<20))
	wants(t, err, accp.ErrParseError)
	value := must(accp.NewValue())
	wants(t, value.Parse(bytes.Repeat([]byte("["), 10<<20)), accp.ErrInvalidType)
}

const smallPacket = `{"version":1,"created":"2024-01-15T10:30:00Z","creator":"a","target_task":"t","context":{"goal":"g"}}`

// closers is one of each handle, and a call of it.
func closers(t *testing.T) map[string]struct {
	close func() error
	use   func() error
} {
	type pair = struct {
		close func() error
		use   func() error
	}
	frame, value, batch, render := must(accp.NewFrame()), must(accp.NewValue()), must(accp.NewBatch()), must(accp.NewRenderer())
	packet, index := must(accp.NewContextPacket()), must(accp.NewPacketIndex())
	code := must(accp.NewPacketCode())
	tokenizer := must(accp.NewTokenizer("o200k_base"))
	counter := must(tokenizer.NewCounter())
	registry := must(accp.NewRegistry(accp.AllProfiles, nil))
	codec := must(accp.NewCodec(accp.WithRegistry(registry)))
	library := must(accp.NewLibrary(nil))
	sacp := must(accp.NewSACP(library))
	negotiation := must(accp.NewNegotiation("a", accp.WithRegistry(registry)))
	agents, run := must(accp.NewAgents()), must(accp.NewPlanRun(planOf(`[["a","A",{}]]`)))
	streams, deadlines := must(accp.NewStreams()), must(accp.NewDeadlines())
	store := must(accp.OpenStore(background, "memory:", 0))
	engine := must(accp.NewEngine(accp.WithStore(store)))
	session := must(engine.Open(background, "s"))
	return map[string]pair{
		"frame":  {frame.Close, func() error { return frame.Parse("@a>req:x{}") }},
		"value":  {value.Close, func() error { return value.Parse([]byte("1")) }},
		"batch":  {batch.Close, func() error { _, err := batch.Decode([]byte("@a>req:x{}")); return err }},
		"render": {render.Close, func() error { _, err := render.JSON([]byte("1"), 0); return err }},
		"packet": {packet.Close, func() error { return packet.Read([]byte(smallPacket)) }},
		"index": {index.Close, func() error {
			if _, err := index.Query("Why?", ""); !errors.Is(err, accp.ErrRefNotFound) {
				return err
			}
			return nil
		}},
		"code":        {code.Close, func() error { return code.Add("a.py", nil) }},
		"tokenizer":   {tokenizer.Close, func() error { _, err := tokenizer.Count("x"); return err }},
		"counter":     {counter.Close, func() error { _, err := counter.Count("x"); return err }},
		"library":     {library.Close, func() error { _, err := accp.NewSACP(library); return err }},
		"sacp":        {sacp.Close, func() error { _, err := sacp.Validate([]byte("{}")); return err }},
		"agents":      {agents.Close, func() error { return agents.Load([]byte("[]")) }},
		"run":         {run.Close, func() error { _, err := run.Next(noon); return err }},
		"registry":    {registry.Close, func() error { _, err := registry.Find("TA"); return err }},
		"codec":       {codec.Close, func() error { _, err := codec.Decode([]byte("@a>req:x{}")); return err }},
		"negotiation": {negotiation.Close, func() error { _, err := negotiation.NextFrame(); return err }},
		"streams":     {streams.Close, func() error { _, err := streams.Add(accp.Chunk{Cid: "c", Data: "x"}); return err }},
		"deadlines":   {deadlines.Close, func() error { return deadlines.Start("c", noon) }},
		"store":       {store.Close, func() error { _, err := store.Counts(background); return err }},
		"engine":      {engine.Close, func() error { _, err := engine.Open(background, "t"); return err }},
		"session":     {session.Close, func() error { return session.Append(background, []byte(plan)) }},
	}
}

func TestUseAfterClose(t *testing.T) {
	for name, c := range closers(t) {
		if err := c.use(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := c.close(); err != nil {
			t.Errorf("%s: close: %v", name, err)
		}
		if err := c.use(); !errors.Is(err, accp.ErrClosed) {
			t.Errorf("%s: after close: %v", name, err)
		}
		if err := c.close(); err != nil {
			t.Errorf("%s: second close: %v", name, err)
		}
	}
	var frame accp.Frame
	wants(t, frame.Parse("@a>req:x{}"), accp.ErrClosed)
}

func TestWhatIsUsedStays(t *testing.T) {
	store := must(accp.OpenStore(background, "memory:", 0))
	engine := must(accp.NewEngine(accp.WithStore(store), accp.WithRegistry(must(accp.NewRegistry(accp.AllProfiles, nil))), accp.WithTokenizer(must(accp.NewTokenizer("o200k_base")))))
	session := must(engine.Open(background, "s"))
	_, _ = engine.Close(), store.Close()
	if err := session.Append(background, []byte(plan)); err != nil {
		t.Error(err)
	}
	tokenizer := must(accp.NewTokenizer("o200k_base"))
	counter := must(tokenizer.NewCounter())
	tokenizer.Close()
	if n, err := counter.Count("hello world"); n != 2 || err != nil {
		t.Error(n, err)
	}
}

// hooked is a codec under the profiles of the specification.
func hooked(hooks accp.Hooks) *accp.Codec {
	return must(accp.NewCodec(accp.WithRegistry(must(accp.NewRegistry(accp.AllProfiles, nil))), accp.WithHooks(hooks)))
}

func TestCallbacks(t *testing.T) {
	var codec *accp.Codec
	frame := []byte("@a>req:x{k:$warm.key}")
	mine := errors.New("mine")
	answers := map[string]func(string) (json.RawMessage, error){
		"mine":    func(string) (json.RawMessage, error) { return nil, mine },
		"panic":   func(string) (json.RawMessage, error) { panic("in the resolver") },
		"nil":     func(string) (json.RawMessage, error) { var m map[string]int; m["x"] = 1; return nil, nil },
		"expired": func(string) (json.RawMessage, error) { return nil, fmt.Errorf("gone: %w", accp.ErrRefExpired) },
		"denied":  func(string) (json.RawMessage, error) { return nil, accp.ErrPolicyDenied },
		"nothing": func(string) (json.RawMessage, error) { return nil, nil },
		"self":    func(string) (json.RawMessage, error) { return codec.Decode([]byte("@a>req:x{}")) },
		"close":   func(string) (json.RawMessage, error) { return json.RawMessage("1"), nil },
	}
	errs := map[string]error{}
	for name, answer := range answers {
		codec = hooked(accp.Hooks{Resolve: func(_ context.Context, ref string) (json.RawMessage, error) { return answer(ref) }})
		_, errs[name] = codec.Decode(frame)
		codec.Close()
	}
	wants(t, errs["mine"], mine)
	wants(t, errs["mine"], accp.ErrIO)
	var panicked *accp.PanicError
	if !errors.As(errs["panic"], &panicked) || panicked.Value != "in the resolver" || !bytes.Contains(panicked.Stack, []byte("robust_test")) {
		t.Error(errs["panic"])
	}
	if !errors.As(errs["nil"], &panicked) {
		t.Error(errs["nil"])
	}
	wants(t, errs["expired"], accp.ErrRefExpired)
	wants(t, errs["denied"], accp.ErrPolicyDenied)
	wants(t, errs["nothing"], accp.ErrCorrupt)
	wants(t, errs["self"], accp.ErrBusy)
	if errs["close"] != nil {
		t.Error(errs["close"])
	}
	_, err := hooked(accp.Hooks{}).Decode(frame)
	wants(t, err, accp.ErrRefNotFound)

	ask := func(accp.PolicyCase) error { panic(1) }
	codec = hooked(accp.Hooks{CheckPolicy: func(asked accp.PolicyCase) error { return ask(asked) }, Log: func(bool, accp.Code, string) { panic("log") }})
	_, err = codec.Decode([]byte("@a>req:x{}"))
	wants(t, err, accp.ErrInternalError)
	ask = func(accp.PolicyCase) error { panic(nil) } // it allows nothing
	_, err = codec.Decode([]byte("@a>req:x{}"))
	wants(t, err, accp.ErrInternalError)
	ask = func(accp.PolicyCase) error { return nil }
	if _, err = codec.Decode([]byte("@a>req:x{}")); err != nil {
		t.Error(err)
	}
	ask = func(accp.PolicyCase) error { return codec.Close() } // takes effect when the call ends
	if _, err = codec.Decode([]byte("@a>req:x{}")); err != nil {
		t.Error(err)
	}
	_, err = codec.Decode([]byte("@a>req:x{}"))
	wants(t, err, accp.ErrClosed)
}

func TestPartsOfMessages(t *testing.T) {
	parted := accp.WithRule(accp.RuleParts, 1)
	seq := int64(1)
	sender := must(accp.NewCodec(parted, accp.WithRule(accp.RuleMaxTokens, 60), accp.WithHooks(accp.Hooks{NextEnvelope: func(first accp.Envelope) (accp.Envelope, error) {
		seq++
		first.Seq, first.Mid = seq, must(accp.Mid('a', 0, uint64(seq)))
		return first, nil
	}})))
	receiver := must(accp.NewCodec(parted))
	if err := sender.SetEnvelope(&accp.Envelope{Fields: accp.HasMid | accp.HasSeq, Mid: must(accp.Mid('a', 0, 1)), Seq: 1}); err != nil {
		t.Fatal(err)
	}
	message := must(must(accp.NewMessage("a", "req", "x", map[string]string{"text": strings.Repeat("many words to be sent ", 20)})).JSON())
	parts := bytes.Split(must(sender.Encode(message)), []byte("\n"))
	if len(parts) < 3 || sender.Outcome().Parts != len(parts) {
		t.Fatalf("%d parts, %+v", len(parts), sender.Outcome())
	}
	for i, part := range parts {
		whole, err := receiver.Decode(part)
		if i < len(parts)-1 {
			wants(t, err, accp.ErrHeld)
		} else if err != nil || !bytes.Contains(whole, []byte("to be sent many words")) {
			t.Error(string(whole), err)
		}
	}
	must(receiver.Encode(message))
	if n := must(receiver.Budget()); n.Total.Tokens != 0 || n.Header.Tokens != 0 || n.Total.Hard == 0 {
		t.Error(n)
	}
}

// memory is a cold store of Go's.
type memory struct {
	mutex sync.Mutex
	texts map[string][]byte
	calls int
	ctx   []context.Context
	fail  error
	panic bool
	then  func() // what Put does besides
}

func (m *memory) Put(ctx context.Context, key string, text []byte) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.panic {
		panic("in the cold store")
	}
	if m.then != nil {
		m.then()
	}
	m.calls++
	m.ctx = append(m.ctx, ctx)
	m.texts[key] = text
	return m.fail
}

func (m *memory) Get(ctx context.Context, key string) ([]byte, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.ctx = append(m.ctx, ctx)
	text, ok := m.texts[key]
	if !ok {
		return nil, accp.ErrRefNotFound
	}
	return text, ctx.Err()
}

func TestColdStore(t *testing.T) {
	cold := &memory{texts: map[string][]byte{}}
	engine := must(accp.NewEngine(accp.WithHooks(accp.Hooks{Cold: cold})))
	session := must(engine.Open(background, "s"))
	type mark struct{}
	ctx, cancel := context.WithCancel(context.WithValue(background, mark{}, 7))
	if err := session.Put(ctx, "cold.report", []byte(`{"rows":[1,2,3]}`), time.Time{}); err != nil {
		t.Fatal(err)
	}
	if value, err := session.Resolve(ctx, "cold.report", ""); string(value) != `{"rows":[1,2,3]}` || err != nil {
		t.Errorf("%s %v", value, err)
	}
	if cold.calls == 0 || cold.ctx[0].Value(mark{}) != 7 {
		t.Error("the store is not told the call's context")
	}
	mine := errors.New("mine")
	cold.fail = mine
	err := session.Put(ctx, "cold.other", []byte(`1`), time.Time{})
	wants(t, err, mine)
	wants(t, err, accp.ErrIO)
	cold.panic = true
	var panicked *accp.PanicError
	if err = session.Put(ctx, "cold.third", []byte(`2`), time.Time{}); !errors.As(err, &panicked) {
		t.Error(err)
	}
	cold.texts = map[string][]byte{}
	_, err = session.Resolve(ctx, "cold.report", "")
	wants(t, err, accp.ErrCorrupt)

	// A cold store that is itself kept in a session, of an engine with a cold store of its own.
	inner, mid := &memory{texts: map[string][]byte{}}, must(must(accp.NewEngine(accp.WithHooks(accp.Hooks{Cold: cold}))).Open(background, "mid"))
	deep := must(must(accp.NewEngine(accp.WithHooks(accp.Hooks{Cold: inner}))).Open(background, "deep"))
	cold.panic, cold.fail, cold.then = false, mine, func() {
		if err := deep.Put(background, "cold.k", []byte("1"), time.Time{}); err != nil {
			t.Error(err)
		}
	}
	wants(t, mid.Put(ctx, "cold.outer", []byte(`3`), time.Time{}), mine)
	if len(inner.texts) != 1 {
		t.Error("the inner session put nothing")
	}
	cancel()
	wants(t, session.Put(ctx, "cold.late", []byte(`1`), time.Time{}), context.Canceled)
}

func TestEngineHooks(t *testing.T) {
	var lines []string
	engine := must(accp.NewEngine(accp.WithRedacted("secret"), accp.WithRule(accp.RuleSpecification, 1), accp.WithHooks(accp.Hooks{
		Resolve:   func(_ context.Context, ref string) (json.RawMessage, error) { return json.Marshal("for " + ref) },
		Summarise: func(context.Context, string, int) (string, error) { return "what a model wrote", nil },
		Log:       func(_ bool, code accp.Code, text string) { lines = append(lines, code.String()+" "+text) },
	})))
	session := must(engine.Open(background, "s"))
	if err := session.Receive(background, []byte("@a>req:x{k:$warm.there|secret:sesame}[mid:a00000000001,seq:1]"), nil); err != nil {
		t.Fatal(err)
	}
	in := must(session.NextDelivery(background))
	if in == nil || !bytes.Contains(in.Message, []byte(`"for warm.there"`)) {
		t.Errorf("%s", in.Message)
	}
	if err := session.Checkpoint(background); err != nil {
		t.Error(err)
	}
	if summary := must(session.Resolve(background, "warm.ckpt_1.summary", "")); !bytes.Contains(summary, []byte("what a model wrote")) {
		t.Errorf("%s", summary)
	}
	if len(lines) != 1 || strings.Contains(lines[0], "sesame") || !strings.HasPrefix(lines[0], "OK @a req:x") {
		t.Errorf("%q", lines)
	}
}

func Test64GoroutinesOnTheirOwnSessions(t *testing.T) {
	cold := &memory{texts: map[string][]byte{}}
	engine := must(accp.NewEngine(accp.WithHooks(accp.Hooks{Cold: cold}), accp.WithStore(must(accp.OpenStore(background, "memory:", 0)))))
	tokenizer := must(accp.NewTokenizer("o200k_base"))
	var group sync.WaitGroup
	for g := 0; g < 64; g++ {
		group.Add(1)
		go func(g int) {
			defer group.Done()
			session, err := engine.Open(background, fmt.Sprint("s", g))
			if err != nil {
				t.Error(err)
				return
			}
			defer session.Close()
			for i := 0; i < 20; i++ {
				value := fmt.Sprintf(`"value %d of %d"`, i, g)
				_, err := session.Send(background, []byte(plan))
				if err == nil {
					err = session.Put(background, "cold.k", []byte(value), time.Time{})
				}
				got, err2 := session.Resolve(background, "cold.k", "")
				if err != nil || err2 != nil || string(got) != value {
					t.Error(err, err2, string(got))
				}
				if n, err := tokenizer.Count("hello world"); n != 2 || err != nil {
					t.Error(n, err)
				}
			}
			if n := must(session.RecordCount(background)); n != 20 {
				t.Error(n, "records")
			}
		}(g)
	}
	group.Wait()
}

func TestOneHandleMisused(t *testing.T) {
	engine := must(accp.NewEngine())
	session, frame := must(engine.Open(background, "s")), must(accp.NewFrame())
	codec := must(accp.NewCodec())
	var group sync.WaitGroup
	var mutex sync.Mutex
	taken := uint64(0)
	for g := 0; g < 64; g++ {
		group.Add(1)
		go func(g int) {
			defer group.Done()
			for i := 0; i < 50; i++ {
				err := session.Append(background, []byte(plan))
				if err == nil {
					mutex.Lock()
					taken++
					mutex.Unlock()
				}
				err2 := frame.Parse("@a>req:x{}")
				_, err3 := codec.Encode([]byte(plan))
				for _, err := range []error{err, err2, err3} {
					if err != nil && !errors.Is(err, accp.ErrClosed) {
						t.Error(err)
					}
				}
				if g == 0 && i == 40 {
					codec.Close()
					frame.Close()
				}
			}
		}(g)
	}
	group.Wait()
	if n := must(session.RecordCount(background)); n != taken || n != 64*50 {
		t.Errorf("%d records, %d were taken", n, taken)
	}
}

// TestFinalizers makes what nobody closes while the collector runs, and uses it up to the last moment.
func TestFinalizers(t *testing.T) {
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	defer close(stop)
	for i := 0; i < 300; i++ {
		if value := must(must(accp.NewFrame()).DecodeMap([]byte("@a>req:x{k:1}"))); len(value) != 4 {
			t.Fatal(value)
		}
		registry := must(accp.NewRegistry(accp.AllProfiles, nil))
		asked := 0
		codec := must(accp.NewCodec(accp.WithRegistry(registry), accp.WithHooks(accp.Hooks{CheckPolicy: func(accp.PolicyCase) error { runtime.GC(); asked++; return nil }})))
		if i%10 == 0 {
			if must(codec.Encode([]byte(plan))); asked != 1 {
				t.Fatal("the policy was not asked")
			}
			session := must(must(accp.NewEngine(accp.WithRegistry(registry))).Open(background, "s"))
			must(session.Send(background, []byte(plan)))
		}
		if n := must(must(must(accp.NewTokenizer("o200k_base")).NewCounter()).Count("hello world")); n != 2 {
			t.Fatal(n)
		}
	}
}

func TestScanner(t *testing.T) {
	from := strings.NewReader("@a>req:x{k:1}\n\nno frame\r\n@b>done:y{}[seq:2]")
	scanner := must(accp.NewScanner(from))
	defer scanner.Close()
	var got []string
	for scanner.Scan() {
		if err := scanner.FrameErr(); err != nil {
			got = append(got, fmt.Sprint(scanner.Line(), accp.CodeOf(err)))
			continue
		}
		got = append(got, scanner.Frame().Agent()+scanner.Frame().Operation())
	}
	if want := "[ax 3E1001 by]"; fmt.Sprint(got) != want && fmt.Sprint(got) != "[ax 3 E1001 by]" || scanner.Err() != nil {
		t.Error(got, scanner.Err())
	}
	long := must(accp.NewScanner(strings.NewReader(strings.Repeat("x", 300_000))))
	for long.Scan() {
	}
	wants(t, long.Err(), accp.ErrParseError)
}

func TestErrors(t *testing.T) {
	frame := must(accp.NewFrame())
	err := fmt.Errorf("reading: %w", frame.Parse("@a>req:x{k:}"))
	wants(t, err, accp.ErrParseError)
	var known *accp.Error
	if !errors.As(err, &known) || known.Offset != 11 || known.Code != accp.CodeParseError || known.Code.Retryable() || accp.CodeOf(err) != 1001 {
		t.Errorf("%#v", known)
	}
	if errors.Is(err, accp.ErrInvalidType) || !accp.CodeTimeout.Retryable() || accp.CodeTimeout.Category() != accp.CategoryDelivery {
		t.Error("codes")
	}
	if want := "accp: E1001 at byte 11: "; !strings.HasPrefix(known.Error(), want) {
		t.Error(known)
	}
	_, err = accp.NewFrame(accp.WithLimit(accp.LimitDepth, 1000))
	wants(t, err, accp.ErrArgument)
}

func fine(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Two packets in one call, in both orders at once, and one with itself; and reading a result.
func TestPacketsTogether(t *testing.T) {
	a, b := must(accp.NewContextPacket()), must(accp.NewContextPacket())
	text := strings.Replace(smallPacket, `"goal":"g"`, `"goal":"g","decisions":[{"choice":"Use JWT","reason":"Stateless","made_by":"user"}]`, 1)
	fine(t, a.Read([]byte(text)))
	fine(t, b.Read([]byte(text)))
	var group sync.WaitGroup
	for i := 0; i < 4; i++ {
		first, second := a, b
		if i%2 == 1 {
			first, second = b, a
		}
		group.Add(1)
		go func() {
			defer group.Done()
			for k := 0; k < 200; k++ {
				_ = must(first.Diff(second))
			}
		}()
	}
	group.Wait()
	fine(t, a.Revise(a, "again"))
	wants(t, a.Revise(nil, "never"), accp.ErrClosed)
	fine(t, a.Filter("JWT", 0))
	if score := a.Score(accp.PacketDecision, 1); score <= 0.07 || a.Score(accp.PacketDecision, 2) != -1 {
		t.Error(score)
	}
	index := must(accp.NewPacketIndex())
	fine(t, index.Add(a))
	wants(t, index.Add(nil), accp.ErrClosed)
	answer := must(index.Query("Why JWT?", a.Checksum()))
	if answer.Answer != "Stateless" || len(answer.Sources) != 1 || answer.Sources[0].MadeBy != "user" || len(answer.Sources[0].ByWayOf) != 0 {
		t.Errorf("%+v", answer)
	}
}
