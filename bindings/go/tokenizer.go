// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"math"
	"strings"
	"sync"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Tokenizer splits text by a model's vocabulary. Any number of goroutines may use one.
type Tokenizer struct {
	*shared
	counters sync.Pool // pool of *Counter, for Count
	host     bool      // counting calls a function of the host
}

// Tokenizers returns the names of the built-in tokenizers: "o200k_base", "cl100k_base", and
// "approx", which estimates.
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

// NewTokenizer returns a built-in tokenizer in microseconds. It returns ErrArgument for an unknown
// name.
func NewTokenizer(name string) (*Tokenizer, error) {
	return newTokenizer(func(config, out, err unsafe.Pointer) int { return capi.Accp_tokenizer_new(name, config, out, err) })
}

// NewTokenizerTiktoken makes a tokenizer from the text of a .tiktoken file. pattern defines how
// text is cut before merging: "o200k_base", "cl100k_base", "gpt2", "llama3", "qwen2", "qwen35",
// "deepseek3", "tekken".
func NewTokenizerTiktoken(name, pattern string, text []byte) (*Tokenizer, error) {
	return newTokenizer(func(config, out, err unsafe.Pointer) int {
		return capi.Accp_tokenizer_new_tiktoken(name, pattern, capi.Text(text), config, out, err)
	})
}

// NewTokenizerJSON makes a tokenizer from the text of a Hugging Face tokenizer.json with a
// byte-level BPE model. It returns ErrInvalidType for other kinds.
func NewTokenizerJSON(name string, text []byte) (*Tokenizer, error) {
	return newTokenizer(func(config, out, err unsafe.Pointer) int {
		return capi.Accp_tokenizer_new_json(name, capi.Text(text), config, out, err)
	})
}

// NewTokenizerFunc makes a tokenizer that calls the host's count on the goroutine that counts,
// concurrently. It has no ids. An error, a panic or a negative count is ErrIO for the caller.
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

// Name returns the name.
func (t *Tokenizer) Name() (name string) {
	_ = t.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		name = strings.Clone(capi.Accp_tokenizer_name(p))
		return 0
	})
	return name
}

// Approximate reports whether its counts are estimates.
func (t *Tokenizer) Approximate() (yes bool) {
	_ = t.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		yes = capi.Accp_tokenizer_is_approximate(p) != 0
		return 0
	})
	return yes
}

// Size returns the number of tokens in the vocabulary without special ones; 0 for a tokenizer
// without a vocabulary.
func (t *Tokenizer) Size() (size int) {
	_ = t.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		size = int(capi.Accp_tokenizer_token_count(p))
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

// Counter counts with one tokenizer and caches pieces of text. Its calls queue.
type Counter struct{ *handle }

// NewCounter makes a counter.
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

// CountWithin counts up to a bound: max+1 if there are more.
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

// Encode returns the ids of a text's tokens. It returns ErrArgument for a tokenizer without a
// vocabulary.
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

// Decode returns the bytes of ids. It returns ErrArgument for an unknown id; the offset counts ids.
func (c *Counter) Decode(ids []uint32) ([]byte, error) {
	var first unsafe.Pointer
	if len(ids) > 0 {
		first = unsafe.Pointer(&ids[0])
	}
	return c.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_counter_decode(p, first, int64(len(ids)), s.Out(), s.Err())
	})
}

// Append adds to a growing text, which may be cut anywhere; Total counts it.
func (c *Counter) Append(text string) error {
	return c.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_counter_append(p, text, s.Err()) })
}

// Total returns the count of all text since Reset, equal to Count of the whole text.
func (c *Counter) Total() (int, error) {
	return c.number(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_counter_total(p, s.NumberOut(), s.Err()) })
}

// Reset drops the appended text.
func (c *Counter) Reset() error {
	return c.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		capi.Accp_counter_reset(p)
		return 0
	})
}
