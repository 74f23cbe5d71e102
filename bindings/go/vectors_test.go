// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	accp "github.com/libaccp/libaccp/bindings/go"
)

// eachLine passes each object of a file of vectors to check, and returns their number.
func eachLine(t *testing.T, name string, check func(t *testing.T, line []byte)) int {
	t.Helper()
	directory := os.Getenv("ACCP_VECTORS")
	if directory == "" {
		directory = filepath.Join("..", "..", "tests", "system", "vectors")
	}
	file, err := os.Open(filepath.Join(directory, name))
	if err != nil {
		t.Fatal(err)
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
	codec, value, other := must(accp.NewCodec()), must(accp.NewValue()), must(accp.NewValue())
	count := eachLine(t, "q1.jsonl", func(t *testing.T, line []byte) {
		var v struct{ JSON, Wire string }
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		message := fmt.Sprintf(`{"agent":"a","intent":"req","operation":"x","payload":{"k":%s}}`, v.JSON)
		wire := "@a>req:x{k:" + v.Wire + "}"
		if got, err := codec.Encode([]byte(message)); string(got) != wire {
			t.Errorf("%s: %s, %v, not %s", v.JSON, got, err, wire)
		}
		back, err := codec.Decode([]byte(wire))
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

// TestVectorsTokens are 22,828 texts as tiktoken splits them (tests/token/README.md).
func TestVectorsTokens(t *testing.T) {
	unpack := exec.Command("xz", "-dc", filepath.Join("..", "..", "tests", "token", "vectors.txt.xz"))
	from, err := unpack.StdoutPipe()
	if err == nil {
		err = unpack.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	counters := [2]*accp.Counter{}
	for i, name := range []string{"o200k_base", "cl100k_base"} {
		counters[i] = must(must(accp.NewTokenizer(name)).NewCounter())
	}
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<24)
	count := 0
	for ; lines.Scan(); count++ {
		fields := append(strings.Split(lines.Text(), " "), "")
		text := must(hex.DecodeString(fields[4]))
		for i, counter := range counters {
			ids := must(counter.Encode(string(text)))
			hash := fnv.New64a()
			for _, id := range ids {
				_ = binary.Write(hash, binary.LittleEndian, id)
			}
			if want := fields[2*i+1]; fmt.Sprintf("%x", hash.Sum64()) != want || strconv.Itoa(len(ids)) != fields[2*i] {
				t.Fatalf("%q: %d tokens, not %s, or others", text, len(ids), fields[2*i])
			}
			if n := must(counter.Count(string(text))); n != len(ids) {
				t.Fatalf("%q: %d, not %d", text, n, len(ids))
			}
			if back := must(counter.Decode(ids)); utf8.Valid(text) && string(back) != string(text) {
				t.Fatalf("%q comes back as %q", text, back)
			}
		}
	}
	if err := unpack.Wait(); err != nil || count < 20_000 {
		t.Errorf("%d vectors, %v", count, err)
	}
}
