// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	accp "github.com/libaccp/libaccp/bindings/go"
)

// eachLine gives the objects of a file of vectors, and says how many there were.
func eachLine(t *testing.T, name string, check func(t *testing.T, line []byte)) int {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "tests", "vectors", name))
	if err != nil {
		t.Skip("the vectors are not here: ", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	count := 0
	for lines.Scan() {
		count++
		check(t, lines.Bytes())
	}
	return count
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// typed is an item in the form of frames.jsonl.
func typed(i accp.Item) any {
	switch i.Kind() {
	case accp.Null:
		return map[string]any{"null": nil}
	case accp.Bool:
		return map[string]any{"bool": i.Bool()}
	case accp.Int:
		return map[string]any{"int": i.Raw()}
	case accp.Dec:
		return map[string]any{"dec": i.Raw()}
	case accp.Ref:
		return map[string]any{"ref": i.Raw()}
	case accp.Array:
		list := []any{}
		for c := i.First(); !c.IsZero(); c = c.Next(i) {
			list = append(list, typed(c))
		}
		return map[string]any{"array": list}
	case accp.Map:
		list := []any{}
		for c := i.First(); !c.IsZero(); c = c.Next(i) {
			list = append(list, []any{c.Key(), typed(c)})
		}
		return map[string]any{"map": list}
	}
	return map[string]any{"str": i.Text()}
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestVectorsFrames(t *testing.T) {
	frame := must(accp.NewFrame())
	defer frame.Close()
	kinds := map[string]int{}
	count := eachLine(t, "frames.jsonl", func(t *testing.T, line []byte) {
		var v struct {
			Frame, Code string
			OK          bool
			AST         map[string]any
			Canon       *string
		}
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		err := frame.Parse(v.Frame)
		if !v.OK {
			var known *accp.Error
			if !errors.As(err, &known) || known.Code.String() != v.Code {
				t.Errorf("%q: %v, not %s", v.Frame, err, v.Code)
			}
			kinds["refused"]++
			return
		}
		kinds["taken"]++
		if err != nil {
			t.Errorf("%q: %v", v.Frame, err)
			return
		}
		got := map[string]any{"agent": frame.Agent(), "intent": frame.Intent(), "operation": frame.Operation(), "payload": typed(frame.Payload())}
		if meta := frame.Meta(); !meta.IsZero() {
			got["meta"] = typed(meta)
		} else {
			got["meta"] = nil
		}
		if _, ok := v.AST["meta"]; !ok {
			delete(got, "meta")
		}
		if asJSON(t, got) != asJSON(t, v.AST) {
			t.Errorf("%q:\n%s, not\n%s", v.Frame, asJSON(t, got), asJSON(t, v.AST))
		}
		canon, err := frame.Canonical()
		switch {
		case v.Canon == nil:
			if !errors.Is(err, accp.ErrInvalidType) {
				t.Errorf("%q: canonical %q, %v", v.Frame, canon, err)
			}
		case err != nil || canon != *v.Canon:
			t.Errorf("%q: canonical %q, %v, not %q", v.Frame, canon, err, *v.Canon)
		}
	})
	if count != 700 || kinds["taken"] < 300 || kinds["refused"] < 150 {
		t.Errorf("%d vectors, %v", count, kinds)
	}
}

func TestVectorsQ1(t *testing.T) {
	frame, value, other := must(accp.NewFrame()), must(accp.NewValue()), must(accp.NewValue())
	count := eachLine(t, "q1.jsonl", func(t *testing.T, line []byte) {
		var v struct{ JSON, Wire string }
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		message := fmt.Sprintf(`{"agent":"a","intent":"req","operation":"x","payload":{"k":%s}}`, v.JSON)
		wire := "@a>req:x{k:" + v.Wire + "}"
		if got, err := frame.Encode([]byte(message)); string(got) != wire {
			t.Errorf("%s: %s, %v, not %s", v.JSON, got, err, wire)
		}
		back, err := frame.Decode([]byte(wire))
		if err != nil {
			t.Errorf("%s: %v", wire, err)
			return
		}
		for to, text := range map[*accp.Value][]byte{value: back, other: []byte(message)} {
			if err := to.Parse(text); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := string(must(value.HashForm())), string(must(other.HashForm())); a != b {
			t.Errorf("%s comes back as %s", b, a)
		}
	})
	if count < 300 {
		t.Errorf("%d vectors", count)
	}
}

func TestVectorsTokens(t *testing.T) {
	counters := map[string]*accp.Counter{}
	for _, name := range []string{"o200k_base", "cl100k_base"} {
		counters[name] = must(must(accp.NewTokenizer(name)).NewCounter())
	}
	eachLine(t, "tokens.jsonl", func(t *testing.T, line []byte) {
		var v struct {
			Text   string
			O200k  []uint32 `json:"o200k_base"`
			Cl100k []uint32 `json:"cl100k_base"`
		}
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		for name, ids := range map[string][]uint32{"o200k_base": v.O200k, "cl100k_base": v.Cl100k} {
			got := must(counters[name].Encode(v.Text))
			if asJSON(t, got) != asJSON(t, ids) && len(got)+len(ids) > 0 {
				t.Errorf("%s of %q: %v, not %v", name, v.Text, got, ids)
			}
			if n := must(counters[name].Count(v.Text)); n != len(ids) {
				t.Errorf("%s of %q: %d, not %d", name, v.Text, n, len(ids))
			}
			if text := must(counters[name].Decode(ids)); string(text) != v.Text {
				t.Errorf("%s: %q, not %q", name, text, v.Text)
			}
		}
	})
}
