// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"

	accp "github.com/libaccp/libaccp/bindings/go"
)

const hotels = `{"verbs":[{"name":"search","description":"Looks for hotels.","inputs":{"city":"string","limit":"integer"},"outputs":"hotels","required":["city"]},` +
	`{"name":"rank","description":"Sorts.","inputs":{"hotels":"any"},"outputs":"ranking","required":["hotels"]}],` +
	`"tools":[{"id":"H_API","description":"Hotels.","supported_verbs":["search"]},{"id":"RANK","description":"Ranks.","supported_verbs":["rank"]}],` +
	`"aliases":{"verbs":{"s":"search"},"verb_params":{"search":{"c":"city"}}}}`

// planners is a checker with the library of hotels, which is closed: the checker keeps it.
func planners(t *testing.T) *accp.SACP {
	t.Helper()
	library := must(accp.NewLibrary([]byte(hotels)))
	sacp := must(accp.NewSACP(library))
	_ = library.Close()
	return sacp
}

func TestVerdicts(t *testing.T) {
	sacp := planners(t)
	for _, one := range []struct {
		message, json string
		code          accp.SACPCode
		step          string
		needs         []string
		err           string
	}{
		{`{"g":"G","plan":[["s","H_API",{"c":"Paris"}]]}`, `{"status":"VALID"}`, 0, "", nil, ""},
		{`{"g":"G","plan":[["s","H_API",{"c":"Paris"}],["rank","RANK"]]}`,
			`{"status":"ERR","code":"MALFORMED_PLAN","details":"Missing parameters for action step 2"}`, accp.SACPMalformedPlan, "2", nil,
			"accp: MALFORMED_PLAN: Missing parameters for action step 2"},
		{`{"g":"G","plan":[["search","H_API",{}]]}`, `{"status":"REQ_CLARIFY","need":["step.1.city"]}`, 0, "", []string{"step.1.city"}, "accp: REQ_CLARIFY: step.1.city"},
		{`{"g":"G","plan":[["rank","H_API",{}]]}`, ``, accp.SACPVerbToolMismatch, "1", nil, "accp: VERB_TOOL_MISMATCH: "},
		{"{\"g\":\"\xff\",\"plan\":[]}", ``, accp.SACPMalformedMessage, "", nil, "accp: MALFORMED_MESSAGE: "},
		{"", ``, accp.SACPMalformedMessage, "", nil, "accp: MALFORMED_MESSAGE: "},
	} {
		v := must(sacp.Validate([]byte(one.message)))
		if v.Code != one.code || v.Step != one.step || !reflect.DeepEqual(v.Needs, one.needs) || one.json != "" && string(v.JSON) != one.json {
			t.Errorf("%s: %+v", one.message, v)
		}
		err := v.Err()
		if (err == nil) != (one.err == "") || err != nil && !strings.HasPrefix(err.Error(), one.err) {
			t.Errorf("%s: %v", one.message, err)
		}
		var refusal *accp.VerdictError
		if err != nil && (!errors.As(err, &refusal) || !reflect.DeepEqual(refusal.Verdict, v)) {
			t.Errorf("%s: %v carries no verdict", one.message, err)
		}
	}
	unknown := []byte(`{"g":"G","plan":[["fly","AIR",{}]]}`)
	if v := must(sacp.Validate(unknown)); v.Code != accp.SACPUnknownVerb {
		t.Error(v)
	}
	if v := must(sacp.ValidateLenient(unknown)); v.Answer != accp.SACPValid {
		t.Error(v)
	}
}

func TestReplies(t *testing.T) {
	sacp := planners(t)
	for _, one := range []struct {
		text  string
		reply accp.SACPReply
		code  accp.SACPCode
	}{
		{"It is 12 degrees.", accp.SACPReply{Role: "executor"}, accp.SACPOutputDiscipline},
		{"It is 12 degrees.", accp.SACPReply{Role: "executor", OutFmt: accp.SACPHuman}, 0},
		{"It is 12 degrees.", accp.SACPReply{Role: "formatter"}, 0},
		{`{"status":"VALID"}`, accp.SACPReply{Role: "executor"}, 0},
		{`{"g":"G","plan":[["fly","AIR",{}]]}`, accp.SACPReply{Role: "executor"}, accp.SACPUnknownVerb},
		{`{"g":"G","plan":[["fly","AIR",{}]]}`, accp.SACPReply{Role: "executor", Lenient: true}, 0},
	} {
		if v := must(sacp.ValidateReply([]byte(one.text), one.reply)); v.Code != one.code {
			t.Errorf("%s, %+v: %+v", one.text, one.reply, v)
		}
	}
	_, err := sacp.ValidateReply(nil, accp.SACPReply{OutFmt: 3})
	wants(t, err, accp.ErrArgument)
}

func TestALibraryThatIsRefused(t *testing.T) {
	const wrong = `{"verbs":[],"x":1}`
	_, err := accp.NewLibrary([]byte(wrong))
	wants(t, err, accp.ErrParseError)
	var known *accp.Error
	if !errors.As(err, &known) || known.Offset != 16 {
		t.Error(err)
	}
	sacp := must(accp.NewSACP(nil))
	if v := must(sacp.CheckLibrary([]byte(wrong))); v.Answer != accp.SACPErr || v.Byte != 16 {
		t.Error(v)
	}
	if v := must(sacp.CheckLibrary([]byte(hotels))); v.Answer != accp.SACPValid {
		t.Error(v)
	}
	_, err = accp.NewLibrary([]byte(hotels), accp.WithLimit(accp.LimitJSONBytes, 16))
	wants(t, err, accp.ErrParseError)
}

func TestSpellings(t *testing.T) {
	sacp := planners(t)
	brief, full := `{"g":"G","plan":[["s","H_API",{"c":"Paris"}]]}`, `{"g":"G","plan":[["search","H_API",{"city":"Paris"}]]}`
	if got := must(sacp.Expand([]byte(` {"plan":[["s","H_API",{"c":"Paris"}]], "g":"G"}`))); string(got) != full {
		t.Errorf("%s", got)
	}
	if got := must(sacp.Compact([]byte(full))); string(got) != brief {
		t.Errorf("%s", got)
	}
	if got := must(sacp.Canonical([]byte(` {"plan":[],"g":"G"}`))); string(got) != `{"g":"G","plan":[]}` {
		t.Errorf("%s", got)
	}
	refused := []byte(`{"g":"G","plan":[["s"]]}`)
	for name, call := range map[string]func() error{
		"Expand":    func() error { _, err := sacp.Expand(refused); return err },
		"Compact":   func() error { _, err := sacp.Compact(refused); return err },
		"Canonical": func() error { _, err := sacp.Canonical(refused); return err },
		"Plan":      func() error { _, _, err := sacp.Plan(refused); return err },
		"Prompt": func() error {
			_, err := sacp.Prompt(accp.SACPAgent{Name: "A", Verbs: []string{"v"}, Tools: []string{"t"}}, refused)
			return err
		},
		"ToMessage": func() error { _, err := sacp.ToMessage([]byte(`{"status":"ERR"}`), "a"); return err },
		"FromMessage": func() error {
			_, err := sacp.FromMessage([]byte(`{"intent":"esc","operation":"x","payload":{}}`))
			return err
		},
	} {
		err := call()
		var refusal *accp.VerdictError
		var known *accp.Error
		if !errors.As(err, &refusal) || refusal.Verdict.Code == 0 || refusal.Verdict.Err() == nil || !errors.As(err, &known) || known.Code < 1000 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAMessageOfSACPInAFrame(t *testing.T) {
	sacp := planners(t)
	registry := must(accp.NewRegistry(accp.AllProfiles, accp.SACPRegistry()))
	codec := must(accp.NewCodec(accp.WithRegistry(registry)))
	said := `{"g":"G","plan":[["search","H_API",{"city":"Paris"}]],"msg_id":"m1"}`
	frame := must(codec.Encode(must(sacp.ToMessage([]byte(said), "planner"))))
	if got := must(sacp.FromMessage(must(codec.Decode(frame)))); string(got) != said {
		t.Errorf("%s of %s", got, frame)
	}
}

func TestAPlanIsMadeWhole(t *testing.T) {
	sacp := planners(t)
	whole, verdict, err := sacp.Plan([]byte(`{"g":"RANK","ctx":{"city":"Paris"},"plan":[],"msg_id":"m1"}`))
	if err != nil || verdict.Answer != accp.SACPValid || !strings.Contains(string(whole), `["search","H_API",{"city":`) || !strings.Contains(string(whole), `"reply_to":"m1"`) {
		t.Errorf("%s %+v %v", whole, verdict, err)
	}
	whole, verdict, err = sacp.Plan([]byte(`{"g":"RANK","plan":[]}`))
	if err != nil || verdict.Answer != accp.SACPReqClarify || len(verdict.Needs) != 1 || len(whole) == 0 {
		t.Errorf("%s %+v %v", whole, verdict, err)
	}
	three := []byte(`{"g":"G","plan":[["search","H_API",{"city":"Paris"}],["search","H_API",{"city":"Rome"}],["rank","RANK",{"hotels":[]}]]}`)
	whole, _, err = sacp.PlanParallel(three)
	if err != nil || !strings.Contains(string(whole), `{"parallel":[["search"`) {
		t.Errorf("%s %v", whole, err)
	}
}

func TestWhatAModelIsTold(t *testing.T) {
	sacp := planners(t)
	agent := accp.SACPAgent{Name: "Finder", Verbs: []string{"search", "rank"}, Tools: []string{"H_API"}}
	text := must(sacp.Prompt(agent, []byte(`{ "g":"G","plan":[]}`)))
	for _, line := range []string{"Finder", "- search\n- rank\n", "- H_API\n", `{"g":"G","plan":[]}`} {
		if !strings.Contains(text, line) {
			t.Errorf("no %q in %s", line, text)
		}
	}
	if text = must(sacp.Prompt(agent, nil)); strings.Contains(text, `"g"`) {
		t.Error(text)
	}
	_, err := sacp.Prompt(accp.SACPAgent{Name: "Finder", Verbs: []string{"a\nb"}, Tools: []string{"H_API"}}, nil)
	wants(t, err, accp.ErrArgument)
	_, err = sacp.Prompt(accp.SACPAgent{Name: "Finder"}, nil)
	wants(t, err, accp.ErrArgument)
	if text = must(sacp.Specification()); !strings.Contains(text, "search(city!:string,limit:integer) -> hotels\n") {
		t.Error(text)
	}
}

func TestStatesOfSACP(t *testing.T) {
	var names []string
	for _, state := range accp.SACP01.States() {
		names = append(names, state.String())
		if must(accp.ParseSACPState(accp.SACP01, state.String())) != state {
			t.Error(state)
		}
	}
	if got := strings.Join(names, " "); got != "PENDING IN_PROGRESS DONE FAILED" || len(accp.SACP10.States()) != 7 {
		t.Error(got)
	}
	pending, done := accp.SACP01.States()[0], accp.SACP01.States()[2]
	running, accepted := accp.SACP01.States()[1], must(accp.ParseSACPState(accp.SACP10, "ACCEPTED"))
	var none accp.SACPState
	if !running.MayFollow(pending) || !pending.MayFollow(pending) || done.MayFollow(pending) || pending.MayFollow(done) || accepted.MayFollow(pending) ||
		none.MayFollow(none) || pending.MayFollow(none) || none.String() != "" {
		t.Error("states do not follow as they should")
	}
	_, err := accp.ParseSACPState(accp.SACP01, "WAITING")
	wants(t, err, accp.ErrInvalidType)
	if code := must(accp.ParseSACPCode("NO_AGENT")); code != accp.SACPNoAgent || code.String() != "NO_AGENT" || accp.SACPCode(0).String() != "" {
		t.Error(code)
	}
	_, err = accp.ParseSACPCode("no_agent")
	wants(t, err, accp.ErrInvalidType)
}

func TestMessagesOfSACPAreWritten(t *testing.T) {
	message := accp.SACPMessage{
		Goal: `say "Ümläut"`,
		Ctx:  map[string]any{"city": "Paris"},
		Plan: []accp.SACPPart{
			accp.SACPParallel(
				accp.SACPStep("search", "H_API", map[string]any{"limit": json.Number("5"), "city": "$ctx.city"}),
				accp.SACPBranch(accp.SACPStep("a", "A", nil), accp.SACPStep("b", "B", nil))),
			accp.SACPJoin("MERGE", nil),
		},
		OutFmt: accp.SACPHuman, State: accp.SACP01.States()[0], MsgID: "m1", ReplyTo: "m0", TestMode: true, Ext: map[string]any{"x": 1},
		Subtasks: []accp.SACPMessage{{Goal: "H"}},
	}
	want := `{"g":"say \"Ümläut\"","ctx":{"city":"Paris"},"plan":[{"parallel":[["search","H_API",{"city":"$ctx.city","limit":5}],[["a","A",{}],["b","B",{}]]]},` +
		`["join","MERGE",{}]],"out_fmt":"human","state":"PENDING","msg_id":"m1","reply_to":"m0","subtask":{"g":"H","plan":[]},"test_mode":true,"ext":{"x":1}}`
	text := must(message.JSON())
	if string(text) != want {
		t.Errorf("%s", text)
	}
	sacp := planners(t)
	if got := must(sacp.Canonical(text)); string(got) != want {
		t.Errorf("%s", got)
	}
	if v := must(sacp.ValidateLenient(must(accp.SACPMessage{Goal: "G", Plan: message.Plan, Ctx: message.Ctx}.JSON()))); v.Answer != accp.SACPValid {
		t.Errorf("%+v", v)
	}
	text = must(accp.SACPMessage{Goal: "G", Subtasks: []accp.SACPMessage{{Goal: "H"}, {Goal: "I"}}}.JSON())
	if string(text) != `{"g":"G","plan":[],"subtask":[{"g":"H","plan":[]},{"g":"I","plan":[]}]}` {
		t.Errorf("%s", text)
	}
	if v := must(sacp.Validate(must(accp.SACPMessage{Goal: "G", OutFmt: 7}.JSON()))); v.Code != accp.SACPBadOutFmt {
		t.Errorf("%+v", v)
	}
	if _, err := (accp.SACPMessage{Goal: "G", Ctx: map[string]any{"n": math.NaN()}}).JSON(); err == nil {
		t.Error("NaN is no JSON")
	}
}

// Verdicts of calls that queue are each that of its own message.
func TestVerdictsTogether(t *testing.T) {
	sacp := planners(t)
	var all sync.WaitGroup
	for _, city := range []string{`{"city":"Paris"}`, `{}`, `{"city":1}`} {
		message := []byte(`{"g":"G","plan":[["search","H_API",` + city + `]]}`)
		want := must(sacp.Validate(message))
		all.Add(1)
		go func() {
			defer all.Done()
			for i := 0; i < 200; i++ {
				if got, err := sacp.Validate(message); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%+v, not %+v", got, want)
				}
			}
		}()
	}
	all.Wait()
}
