// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	accp "github.com/libaccp/libaccp/bindings/go"
)

const sayings = `{"ignore":["please"],"phrases":[{"say":["[find] hotels[ in {city}]"],"slots":{"city":{"type":"text"}},` +
	`"message":{"g":"FIND_HOTEL","plan":[["search","H_API",{"city":"{city}"}]]}},` +
	`{"say":["stay in {city}"],"slots":{"city":{"type":"text"}},"message":{"g":"FIND_HOTEL","plan":[["search","H_API",{"city":"{city}"}]]}},` +
	`{"say":["stay in {place}"],"slots":{"place":{"type":"text"}},"message":{"g":"GET_RANKING","ctx":{"city":"{place}"},"plan":[]}}]}`

const (
	inRome   = `{"g":"X","plan":[["search","H_API",{"city":"Rome"}]]}`
	mismatch = `{"g":"X","plan":[["search","RANK",{"city":"Rome"}]]}`
)

func phrasesOf(t *testing.T) *accp.Phrases {
	t.Helper()
	library := must(accp.NewLibrary([]byte(hotels)))
	phrases := must(accp.NewPhrases([]byte(sayings), library))
	_ = library.Close() // they keep it
	t.Cleanup(func() { _ = phrases.Close() })
	return phrases
}

func TestSACP_9A_02_APromptIsAMessageOrAQuestion(t *testing.T) {
	phrases := phrasesOf(t)
	for _, one := range []struct {
		prompt, message string
		needs           []string
	}{
		{"Find hotels in Paris, please!", `{"g":"FIND_HOTEL","plan":[["search","H_API",{"city":"Paris"}]]}`, nil},
		{"hotels in \"Stow in the Wold\"", `{"g":"FIND_HOTEL","plan":[["search","H_API",{"city":"Stow in the Wold"}]]}`, nil},
		{"hotels", "", []string{"ctx.city"}},
		{"stay in Rome", "", []string{"goal.FIND_HOTEL", "goal.GET_RANKING"}},
		{"sing", "", []string{"goal"}},
		{"", "", []string{"goal"}},
	} {
		message, verdict, err := phrases.Ask(background, one.prompt)
		if err != nil || string(message) != one.message || !reflect.DeepEqual(verdict.Needs, one.needs) || (verdict.Answer == accp.SACPValid) != (one.needs == nil) {
			t.Error(one.prompt, string(message), verdict, err)
		}
	}
	if _, verdict, err := phrases.Ask(background, strings.Repeat("x", 5000)); err != nil || verdict.Code != accp.SACPLimit {
		t.Error(verdict, err)
	}
	if _, verdict, err := phrases.Ask(background, "\xff"); err != nil || verdict.Code != accp.SACPMalformedMessage {
		t.Error(verdict, err)
	}
}

func TestPhrasesThatAreRefused(t *testing.T) {
	library := must(accp.NewLibrary([]byte(hotels)))
	for text, want := range map[string]struct {
		offset uint64
		err    error
	}{`{"phrases":`: {11, accp.ErrParseError}, `{"phrases":1}`: {11, accp.ErrInvalidType}, `{"phrases":[{"say":["x"]}]}`: {12, accp.ErrInvalidType}} {
		var detail *accp.Error
		if made, err := accp.NewPhrases([]byte(text), library); !errors.Is(err, want.err) || !errors.As(err, &detail) || detail.Offset != want.offset || made != nil {
			t.Error(text, err)
		}
	}
	if _, err := accp.NewPhrases([]byte(sayings), nil); !errors.Is(err, accp.ErrArgument) {
		t.Error(err)
	}
	if _, err := accp.NewPhrases([]byte(strings.Repeat(" ", 100_000)+sayings), library, accp.WithLimit(accp.LimitMemoryBytes, 65536)); !errors.Is(err, accp.ErrNoMemory) {
		t.Error(err)
	}
	_ = library.Close()
	if _, err := accp.NewPhrases([]byte(sayings), library); !errors.Is(err, accp.ErrClosed) {
		t.Error(err)
	}
}

// oracle is a model with fixed replies that records its requests.
type oracle struct {
	says  []string
	asked []accp.ModelRequest
}

func (s *oracle) model(_ context.Context, asked accp.ModelRequest) ([]byte, error) {
	s.asked = append(s.asked, asked)
	return []byte(s.says[len(s.asked)-1]), nil
}

func TestSACP_9A_04_AModelsMessageIsCheckedAndAskedForAgainOnce(t *testing.T) {
	for _, one := range []struct {
		says    []string
		message string
		code    accp.SACPCode
		needs   []string
	}{
		{[]string{inRome}, inRome, 0, nil},
		{[]string{mismatch, inRome}, inRome, 0, nil},
		{[]string{mismatch, mismatch}, "", accp.SACPVerbToolMismatch, nil},
		{[]string{"Sure! Here it is.", inRome}, inRome, 0, nil},
		{[]string{"", inRome}, inRome, 0, nil},
		{[]string{`{"status":"REQ_CLARIFY","need":["ctx.city"]}`}, "", 0, []string{"ctx.city"}},
	} {
		phrases, model := phrasesOf(t), oracle{says: one.says}
		if err := phrases.SetModel(model.model); err != nil {
			t.Fatal(err)
		}
		message, verdict, err := phrases.Ask(background, "tell me of Rome")
		if err != nil || string(message) != one.message || verdict.Code != one.code || !reflect.DeepEqual(verdict.Needs, one.needs) || len(model.asked) != len(one.says) {
			t.Error(one.says, string(message), verdict, err)
		}
		first, last := model.asked[0], model.asked[len(model.asked)-1]
		if first.Prompt != "tell me of Rome" || first.Refused != nil || !strings.Contains(first.Specification, "search(city!:string") {
			t.Errorf("%+v", first)
		}
		if len(model.asked) > 1 && !strings.HasPrefix(string(last.Refused), `{"status":"ERR"`) {
			t.Error(string(last.Refused))
		}
	}
}

func TestAModelIsAskedWhereNoPhraseFits(t *testing.T) {
	phrases, model := phrasesOf(t), oracle{says: []string{inRome}}
	if err := phrases.SetModel(model.model); err != nil {
		t.Fatal(err)
	}
	for _, prompt := range []string{"hotels in Paris", "hotels", "stay in Rome"} {
		if _, _, err := phrases.Ask(background, prompt); err != nil || model.asked != nil {
			t.Error(prompt, err)
		}
	}
	other := oracle{says: []string{inRome}}
	if err := phrases.SetModel(other.model); err != nil {
		t.Fatal(err)
	}
	if message, _, err := phrases.Ask(background, "else"); err != nil || string(message) != inRome || model.asked != nil {
		t.Error(string(message), err)
	}
	if err := phrases.SetModel(nil); err != nil {
		t.Fatal(err)
	}
	if _, verdict, err := phrases.Ask(background, "else"); err != nil || verdict.Needs[0] != "goal" || len(other.asked) != 1 {
		t.Error(verdict, err)
	}
}

type mine struct{}

func TestAModelThatFails(t *testing.T) {
	phrases, own := phrasesOf(t), errors.New("mine")
	ctx, cancel := context.WithCancel(context.WithValue(background, mine{}, "yes"))
	errs := map[string]error{}
	for name, model := range map[string]accp.Model{
		"own": func(context.Context, accp.ModelRequest) ([]byte, error) { return nil, own },
		"denied": func(context.Context, accp.ModelRequest) ([]byte, error) {
			return nil, fmt.Errorf("no: %w", accp.ErrPolicyDenied)
		},
		"panic":   func(context.Context, accp.ModelRequest) ([]byte, error) { panic("in the model") },
		"context": func(ctx context.Context, _ accp.ModelRequest) ([]byte, error) { cancel(); return nil, ctx.Err() },
		"ask": func(context.Context, accp.ModelRequest) ([]byte, error) {
			_, _, err := phrases.Ask(background, "x")
			return nil, err
		},
		"set": func(context.Context, accp.ModelRequest) ([]byte, error) { return nil, phrases.SetModel(nil) },
		"value": func(ctx context.Context, _ accp.ModelRequest) ([]byte, error) {
			if ctx.Value(mine{}) != "yes" {
				return nil, own
			}
			return []byte(inRome), nil
		},
	} {
		if ctx.Err() != nil {
			ctx, cancel = context.WithCancel(context.WithValue(background, mine{}, "yes"))
		}
		if err := phrases.SetModel(model); err != nil {
			t.Fatal(err)
		}
		var message []byte
		if message, _, errs[name] = phrases.Ask(ctx, "else"); (message == nil) != (name != "value") {
			t.Error(name, string(message))
		}
	}
	cancel()
	for name, wanted := range map[string][]error{"own": {own, accp.ErrIO}, "denied": {accp.ErrPolicyDenied}, "panic": {accp.ErrIO}, "context": {context.Canceled, accp.ErrIO},
		"ask": {accp.ErrBusy}, "set": {accp.ErrBusy}, "value": {nil}} {
		for _, want := range wanted {
			if !errors.Is(errs[name], want) {
				t.Error(name, errs[name])
			}
		}
	}
	var panicked *accp.PanicError
	if !errors.As(errs["panic"], &panicked) || panicked.Value != "in the model" {
		t.Error(errs["panic"])
	}
	if _, _, err := phrases.Ask(ctx, "hotels in Paris"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if message, _, err := phrases.Ask(background, "hotels in Paris"); err != nil || message == nil {
		t.Error("after all of that", err)
	}
	_ = phrases.SetModel(func(context.Context, accp.ModelRequest) ([]byte, error) { return []byte(inRome), phrases.Close() })
	if message, _, err := phrases.Ask(background, "else"); err != nil || string(message) != inRome {
		t.Error("closed in the model: when the call ends", err)
	}
	if _, _, err := phrases.Ask(background, "else"); !errors.Is(err, accp.ErrClosed) || !errors.Is(phrases.SetModel(nil), accp.ErrClosed) {
		t.Error(err)
	}
}

func TestManyAskOnePhrases(t *testing.T) {
	phrases := phrasesOf(t)
	if err := phrases.SetModel(func(_ context.Context, asked accp.ModelRequest) ([]byte, error) {
		runtime.GC()
		return []byte(strings.Replace(inRome, "Rome", asked.Prompt, 1)), nil
	}); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := 0; i < 8; i++ {
		all.Add(1)
		go func(prompt string) {
			defer all.Done()
			if message, _, err := phrases.Ask(background, prompt); err != nil || string(message) != strings.Replace(inRome, "Rome", prompt, 1) {
				t.Error(prompt, string(message), err)
			}
		}(fmt.Sprint("town ", i))
	}
	all.Wait()
}
