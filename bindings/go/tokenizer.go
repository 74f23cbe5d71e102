// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"math"
	"strings"
	"sync"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Tokenizer says how a model's vocabulary splits a text. Any number of goroutines may use one.
type Tokenizer struct {
	*shared
	counters sync.Pool // of *Counter, for Count
	host     bool      // counting calls a function of the host's
}

// Tokenizers are the names of those that are built in: "o200k_base", "cl100k_base", and "approx", which estimates.
func Tokenizers() []string {
	var names []string
	for i := uint(0); ; i++ {
		name := capi.Static(capi.Accp_tokenizer_builtin_name(i))
		if name == "" {
			return names
		}
		names = append(names, name)
	}
}

func newTokenizer(construct constructor, uses ...*shared) (*Tokenizer, error) {
	h, err := openShared(capi.Accp_tokenizer_free, nil, construct, uses...)
	if err != nil {
		return nil, err
	}
	return &Tokenizer{shared: h}, nil
}

// NewTokenizer makes one that is built in: this costs microseconds. ErrArgument for an unknown name.
func NewTokenizer(name string) (*Tokenizer, error) {
	return newTokenizer(func(config, out, err unsafe.Pointer) int { return capi.Accp_tokenizer_new(name, config, out, err) })
}

// NewTokenizerTiktoken makes one of the text of a .tiktoken file. The pattern is how text is cut ahead of merging: "o200k_base", "cl100k_base", "gpt2",
// "llama3", "qwen2", "qwen35", "deepseek3", "tekken".
func NewTokenizerTiktoken(name, pattern string, text []byte) (*Tokenizer, error) {
	return newTokenizer(func(config, out, err unsafe.Pointer) int {
		return capi.Accp_tokenizer_new_tiktoken(name, pattern, capi.Text(text), config, out, err)
	})
}

// NewTokenizerJSON makes one of the text of a Hugging Face tokenizer.json with a byte-level BPE model. ErrInvalidType for other kinds.
func NewTokenizerJSON(name string, text []byte) (*Tokenizer, error) {
	return newTokenizer(func(config, out, err unsafe.Pointer) int {
		return capi.Accp_tokenizer_new_json(name, capi.Text(text), config, out, err)
	})
}

// NewTokenizerFunc makes one that asks the host, on the goroutine that counts: count must be fit for several at once. It has no ids. An error, a panic or
// a negative count is ErrIO to whoever counts.
func NewTokenizerFunc(name string, approximate bool, count func(text string) (int, error)) (*Tokenizer, error) {
	if count == nil {
		return nil, newError(CodeArgument, "no function")
	}
	hooks := &capi.Hooks{Status: statusOf, Count: func(text string) (int64, error) {
		n, err := count(text)
		return int64(n), err
	}}
	user := hooks.New()
	owner := newShared(nil, func(unsafe.Pointer) { capi.DeleteHooks(user) }, nil)
	defer owner.Close()
	made, err := newTokenizer(func(config, out, err unsafe.Pointer) int {
		return capi.Accp_tokenizer_new_callback(name, flag(approximate), capi.CountFunction(), user, config, out, err)
	}, owner)
	if made != nil {
		made.host = true
	}
	return made, err
}

func flag(on bool) int {
	if on {
		return 1
	}
	return 0
}

// Name is its name.
func (t *Tokenizer) Name() (name string) {
	_ = t.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		name = strings.Clone(capi.Accp_tokenizer_name(p))
		return 0
	})
	return name
}

// Approximate says whether its counts are estimates.
func (t *Tokenizer) Approximate() (yes bool) {
	_ = t.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		yes = capi.Accp_tokenizer_approx(p) != 0
		return 0
	})
	return yes
}

// Size is how many tokens the vocabulary has, special ones not among them; 0 where there is none.
func (t *Tokenizer) Size() (size int) {
	_ = t.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		size = int(capi.Accp_tokenizer_size(p))
		return 0
	})
	return size
}

// Count counts the tokens of a text, on any goroutine.
func (t *Tokenizer) Count(text string) (int, error) {
	if t == nil || t.shared == nil || t.closed.Load() {
		return 0, errClosed
	}
	counter, _ := t.counters.Get().(*Counter)
	if counter == nil {
		made, err := t.NewCounter()
		if err != nil {
			return 0, err
		}
		counter = made
	}
	defer func() {
		if !counter.lost.Load() {
			t.counters.Put(counter)
		}
	}()
	return counter.Count(text)
}

// Counter counts with one tokenizer, and remembers what makes that fast. Its calls queue.
type Counter struct{ *handle }

// NewCounter makes one.
func (t *Tokenizer) NewCounter(options ...Option) (*Counter, error) {
	if t == nil || t.shared == nil {
		return nil, errClosed
	}
	h, err := open(capi.Accp_counter_free, options, func(config, out, err unsafe.Pointer) int {
		return capi.Accp_counter_new(t.ptr, config, out, err)
	}, t.shared)
	if err != nil {
		return nil, err
	}
	h.callsBack = t.host
	return &Counter{h}, nil
}

func (c *Counter) number(call func(p unsafe.Pointer, s *capi.Scratch) int) (n int, err error) {
	err = c.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		status := call(p, s)
		n = int(s.Number)
		return status
	})
	if err != nil {
		n = 0
	}
	return n, err
}

// Count counts the tokens of a text.
func (c *Counter) Count(text string) (int, error) { return c.count(text, math.MaxUint64) }

// CountWithin counts up to a bound: max+1 where there are more.
func (c *Counter) CountWithin(text string, max int) (int, error) {
	if max < 0 {
		max = 0
	}
	return c.count(text, uint64(max))
}

func (c *Counter) count(text string, max uint64) (int, error) {
	return c.number(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_counter_count(p, text, max, s.NumberOut(), s.Err())
	})
}

// Encode is the ids of a text's tokens. ErrArgument for a tokenizer without a vocabulary.
func (c *Counter) Encode(text string) (ids []uint32, err error) {
	err = c.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_counter_encode(p, text, unsafe.Pointer(&s.View.Text), s.CountOut(), s.Err())
		if status == 0 && s.Count > 0 {
			ids = append(ids, unsafe.Slice((*uint32)(s.View.Text), s.Count)...)
		}
		return status
	})
	return ids, err
}

// Decode is the bytes that ids stand for. ErrArgument for an unknown id: the offset counts ids.
func (c *Counter) Decode(ids []uint32) ([]byte, error) {
	var first unsafe.Pointer
	if len(ids) > 0 {
		first = unsafe.Pointer(&ids[0])
	}
	return c.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_counter_decode(p, first, int64(len(ids)), s.Out(), s.Err())
	})
}

// Append adds to a text that grows, cut anywhere; Total counts it.
func (c *Counter) Append(text string) error {
	return c.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_counter_append(p, text, s.Err()) })
}

// Total is the count of all that was appended since Reset: exactly what Count would say of it in one piece.
func (c *Counter) Total() (int, error) {
	return c.number(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_counter_total(p, s.NumberOut(), s.Err()) })
}

// Reset forgets the text that was appended.
func (c *Counter) Reset() error {
	return c.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		capi.Accp_counter_reset(p)
		return 0
	})
}
