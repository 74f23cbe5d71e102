// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	accp "github.com/libaccp/libaccp/bindings/go"
)

// Events without a frame are reported too: appends, contexts, and messages that a budget omits.
func TestEventsOfAppendsAndContexts(t *testing.T) {
	var told []accp.Event
	engine := must(accp.NewEngine(accp.WithHooks(accp.Hooks{Event: func(e accp.Event) { told = append(told, e) }})))
	session := must(engine.Open(background, "s"))
	var chat []string
	for i := 0; i < 20; i++ {
		chat = append(chat, fmt.Sprintf(`{"role":"user","content":"question %d: %s"}`, i, strings.Repeat("word ", 50)))
	}
	if n := must(session.AppendMessages(background, accp.InterfaceOpenAI, []byte("["+strings.Join(chat, ",")+"]"))); n != 20 {
		t.Fatal(n)
	}
	_, whole, err := session.ContextText(background, 0)
	fine(t, err)
	_, short, err := session.ContextText(background, uint64(whole/2))
	fine(t, err)
	kinds := ""
	for _, e := range told {
		kinds += e.Kind.String() + " "
	}
	if kinds != "appended context context evicted " {
		t.Fatalf("%s: %+v", kinds, told)
	}
	if e := told[0]; e.Session != "s" || e.Count != 20 || e.Tokens == 0 || e.Bytes == 0 {
		t.Errorf("%+v", e)
	}
	if e := told[1]; e.Tokens != uint64(whole) || e.Count != 20 || e.History == 0 || e.Cached+e.Written != e.Tokens {
		t.Errorf("%+v", e)
	}
	if e := told[2]; e.Tokens != uint64(short) {
		t.Errorf("%+v", e)
	}
	if e := told[3]; e.Count == 0 || e.Count >= 20 || e.Tokens == 0 {
		t.Errorf("%+v", e)
	}
	if accp.EventKind(-1).String() != "" || accp.EventKind(99).String() != "" {
		t.Error("names of kinds that are none")
	}
}

// An error has the amount found, the amount allowed, and advice with Go names.
func TestErrorsNameWhatGoHas(t *testing.T) {
	session := must(must(accp.NewEngine()).Open(background, "s"))
	words := strings.Repeat("word ", 300)
	_, tooLong := session.Send(background, []byte(`{"agent":"a","intent":"req","operation":"x","payload":{"text":"`+words+`"}}`))
	_, json := must(accp.NewCodec(accp.WithLimit(accp.LimitJSONBytes, 8))).Encode([]byte(plan))
	_, rules := must(accp.NewEngine(accp.WithRule(accp.RuleHotDue, 1000), accp.WithRule(accp.RuleHotMax, 500))).Open(background, "s")
	for name, one := range map[string]struct {
		err  error
		want []string
	}{
		"the first long message": {tooLong, []string{"E2003", " of 240)", "Engine.OpenLocal", "RuleParts", "RuleSharesStore", "raise RuleMaxTokens"}},
		"a limit":                {json, []string{"E1001", "LimitJSONBytes", " of 8)"}},
		"rules":                  {rules, []string{"RuleHotDue and RuleHotMax", "RuleSummaryMax"}},
		"a mid":                  {session.Receive(background, []byte("@a>req:x{}[mid:long_one,seq:1]"), nil), []string{"RuleLooseMid allows others"}},
	} {
		for _, want := range one.want {
			if !strings.Contains(fmt.Sprint(one.err), want) {
				t.Errorf("%s: no %q in: %v", name, want, one.err)
			}
		}
		for _, other := range []string{"ACCP_", "accp_", "rule ", "mode "} {
			if strings.Contains(fmt.Sprint(one.err), other) {
				t.Errorf("%s: %q in: %v", name, other, one.err)
			}
		}
	}
}

// A store is one URL: NATS too, here with a server of its own.
func TestStoreInNATS(t *testing.T) {
	_, err := accp.OpenStore(background, "redis://127.0.0.1:1", 0)
	if wants(t, err, accp.ErrArgument); !strings.Contains(err.Error(), "sqlite:PATH or nats://HOST:PORT/PREFIX") {
		t.Error(err)
	}
	program, err := exec.LookPath("nats-server")
	if err != nil {
		program = "/usr/sbin/nats-server"
	}
	ports := t.TempDir()
	server := exec.Command(program, "-a", "127.0.0.1", "-p", "-1", "-js", "-sd", t.TempDir(), "--ports_file_dir", ports)
	fine(t, server.Start())
	defer func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}()
	url := "nats://" + portOf(t, ports) + "/accp_go"
	var store *accp.Store
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		if store, err = accp.OpenStore(background, url, 0); err == nil || time.Since(began) > patience {
			break
		}
	}
	fine(t, err)
	session := must(must(accp.NewEngine(accp.WithStore(store))).Open(background, "s"))
	fine(t, session.Append(background, []byte(plan)))
	fine(t, session.Close())
	fine(t, store.Close())
	again := must(accp.OpenStore(background, url, accp.StoreExisting))
	if n := must(must(must(accp.NewEngine(accp.WithStore(again))).OpenReadOnly(background, "s")).RecordCount(background)); n != 1 {
		t.Error(n)
	}
}

// portOf waits for the address that a server wrote down.
func portOf(t *testing.T, directory string) string {
	t.Helper()
	for began := time.Now(); time.Since(began) < patience; time.Sleep(20 * time.Millisecond) {
		files, _ := os.ReadDir(directory)
		for _, file := range files {
			text, _ := os.ReadFile(directory + "/" + file.Name())
			if at := strings.Index(string(text), "nats://"); at >= 0 {
				address, _, _ := strings.Cut(string(text[at+len("nats://"):]), `"`)
				return address
			}
		}
	}
	t.Fatal(errors.New("nats-server wrote no address down"))
	return ""
}

// Every rule and limit has a name here, by the name that the library has for it; a new one that Go lacks fails here.
func TestNamesOfRulesAndLimits(t *testing.T) {
	names := accp.NamedThings()
	for i := 0; i < 100; i++ {
		if name := accp.Rule(i).String(); name != "" && names["rule "+name] == "" {
			t.Errorf("rule %s", name)
		}
		if name := accp.Limit(i).String(); name != "" && names["limit "+name] == "" {
			t.Errorf("limit %s", name)
		}
	}
	for text, want := range map[string]string{
		"open both in mode local, or raise rule max_tokens":      "open both by Engine.OpenLocal, or raise RuleMaxTokens",
		"longer than the limit json_bytes allows, call it a day": "longer than LimitJSONBytes allows, call it a day",
		"short: call session_sync until it succeeds":             "short: call Session.Sync until it succeeds",
		"over the memory limit that was set":                     "over the memory limit that was set",
		"the rule unheard_of":                                    "the rule unheard_of",
	} {
		if got := accp.Spell(text); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
