// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	accp "github.com/libaccp/libaccp/bindings/go"
	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// corpus is 2,000 different messages: as JSON, and as frames of 164 bytes on average.
func corpus(b testing.TB) (frames, messages []string) {
	text, err := os.ReadFile("../../data/corpus/compact.ndjson")
	if err != nil {
		b.Fatal(err)
	}
	codec := must(accp.NewCodec(accp.WithRule(accp.RuleKeepRefs, 1)))
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		message := strings.Replace(line, `"op":`, `"operation":`, 1)
		messages = append(messages, message)
		frames = append(frames, string(must(codec.Encode([]byte(message)))))
	}
	return frames, messages
}

// handleOf makes a handle of C's alone.
func handleOf(make func(s *capi.Scratch) int) *capi.Scratch {
	s := capi.NewScratch()
	if make(s) != 0 {
		panic("no handle")
	}
	return s
}

// rounds is how often to go through so many frames, so that ns/op is the time of one.
func rounds(n, of int) int { return (n + of - 1) / of }

func BenchmarkParseNative(b *testing.B) {
	frames, _ := corpus(b)
	s := handleOf(func(s *capi.Scratch) int { return capi.Accp_frame_new(nil, s.HandleOut(), s.Err()) })
	texts := capi.NewBench(frames)
	b.ResetTimer()
	if texts.Parse(s.Handle, rounds(b.N, len(frames))) == 0 {
		b.Fatal("refused")
	}
}

var seen int

func BenchmarkParseGo(b *testing.B) {
	frames, _ := corpus(b)
	frame := must(accp.NewFrame())
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < rounds(b.N, len(frames)); n++ {
		for _, text := range frames {
			if err := frame.Parse(text); err != nil {
				b.Fatal(err)
			}
			seen += len(frame.Agent()) + len(frame.Intent()) + len(frame.Operation())
			payload := frame.Payload()
			for field := payload.First(); !field.IsZero(); field = field.Next(payload) {
				seen += len(field.Key()) + len(field.Raw())
			}
		}
	}
}

func batches(frames []string) (all []string) {
	for from := 0; from+64 <= len(frames); from += 64 {
		all = append(all, strings.Join(frames[from:from+64], "\n"))
	}
	return all
}

func BenchmarkBatchNative(b *testing.B) {
	frames, _ := corpus(b)
	lines := batches(frames)
	s := handleOf(func(s *capi.Scratch) int { return capi.Accp_batch_new(nil, s.HandleOut(), s.Err()) })
	texts := capi.NewBench(lines)
	b.ResetTimer()
	if texts.Batch(s.Handle, rounds(b.N, 64*len(lines))) == 0 {
		b.Fatal("refused")
	}
}

func BenchmarkBatchGo(b *testing.B) {
	frames, _ := corpus(b)
	var lines [][]byte
	for _, text := range batches(frames) {
		lines = append(lines, []byte(text))
	}
	batch := must(accp.NewBatch())
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < rounds(b.N, 64*len(lines)); n++ {
		for _, text := range lines {
			records, err := batch.Decode(text)
			if err != nil {
				b.Fatal(err)
			}
			for i := range records {
				if records[i].Err == nil {
					seen += len(records[i].Bytes)
				}
			}
		}
	}
}

func BenchmarkDecodeNative(b *testing.B) {
	frames, _ := corpus(b)
	s := handleOf(func(s *capi.Scratch) int { return capi.Accp_codec_new(nil, s.HandleOut(), s.Err()) })
	texts := capi.NewBench(frames)
	b.ResetTimer()
	if texts.Decode(s.Handle, rounds(b.N, len(frames))) == 0 {
		b.Fatal("refused")
	}
}

func each(b *testing.B, texts []string, do func(text []byte) error) {
	var list [][]byte
	for _, text := range texts {
		list = append(list, []byte(text))
	}
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < rounds(b.N, len(list)); n++ {
		for _, text := range list {
			if err := do(text); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkDecodeGo(b *testing.B) {
	frames, _ := corpus(b)
	codec, to := must(accp.NewCodec()), []byte(nil)
	each(b, frames, func(text []byte) (err error) {
		to, err = codec.AppendDecode(to[:0], text)
		return err
	})
}

func BenchmarkDecodeGoMap(b *testing.B) {
	frames, _ := corpus(b)
	frame := must(accp.NewFrame())
	each(b, frames, func(text []byte) error {
		message, err := frame.DecodeMap(text)
		seen += len(message)
		return err
	})
}

func BenchmarkJSONMap(b *testing.B) {
	_, messages := corpus(b)
	each(b, messages, func(text []byte) error {
		var message map[string]any
		err := json.Unmarshal(text, &message)
		seen += len(message)
		return err
	})
}

// TestCorpus checks the assumption of the benchmarks: each message comes back, as JSON and as a
// map.
func TestCorpus(t *testing.T) {
	frames, messages := corpus(t)
	keep := accp.WithRule(accp.RuleKeepRefs, 1)
	frame, codec, bytes := must(accp.NewFrame(keep)), must(accp.NewCodec(keep)), 0
	for i, text := range frames {
		var want map[string]any
		decode := json.NewDecoder(strings.NewReader(messages[i]))
		decode.UseNumber()
		if err := decode.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if got := must(frame.DecodeMap([]byte(text))); asJSON(t, got) != asJSON(t, want) {
			t.Errorf("%s\n%s, not\n%s", text, asJSON(t, got), asJSON(t, want))
		}
		var got map[string]any
		if err := json.Unmarshal(must(codec.Decode([]byte(text))), &got); err != nil {
			t.Error(err)
		}
		bytes += len(text)
	}
	if len(frames) != 2000 || bytes/len(frames) < 150 || bytes/len(frames) > 180 {
		t.Errorf("%d frames of %d bytes", len(frames), bytes/len(frames))
	}
}
