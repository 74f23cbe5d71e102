// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Option says how a handle behaves: given to the New functions, which use those that concern them.
type Option func(p unsafe.Pointer, s *capi.Scratch) int

// Dialect is which frames are taken. What encoding writes depends on the extensions alone.
type Dialect int

const (
	Strict Dialect = capi.ACCP_STRICT // the specification's grammar, exactly
	Compat Dialect = capi.ACCP_COMPAT // reading only: also a bare @name as a value, a bare : in an array element, null as removal in `delta`
	U8     Dialect = capi.ACCP_U8     // also raw non-ASCII code points inside strings
)

// Extensions to the specification, as bits. Each is in force only where both sides have named it.
type Extensions uint32

const (
	NoExtensions Extensions = capi.ACCP_EXT_NONE
	Q1           Extensions = capi.ACCP_EXT_Q1 // any JSON value, without loss, inside the strict grammar: on by default
	T1           Extensions = capi.ACCP_EXT_T1 // an array of like objects as a table; implies Q1
	U8Text       Extensions = capi.ACCP_EXT_U8 // strings carry raw non-ASCII code points; implies Q1 and the dialect U8
	P1           Extensions = capi.ACCP_EXT_P1 // payloads by position, under a schema of the agreed registry; implies Q1; to be negotiated
)

// Limit is a bound that a text is refused beyond, never cut.
type Limit int

const (
	LimitFrameBytes  Limit = capi.ACCP_LIMIT_FRAME_BYTES  // one frame: 65,536
	LimitParams      Limit = capi.ACCP_LIMIT_PARAMS       // params of a payload, pairs of a metadata block: 256
	LimitItems       Limit = capi.ACCP_LIMIT_ITEMS        // elements of one array, entries of one map: 4,096
	LimitKeyBytes    Limit = capi.ACCP_LIMIT_KEY_BYTES    // one key, agent, intent, operation or ref: 256
	LimitDepth       Limit = capi.ACCP_LIMIT_DEPTH        // arrays and maps inside one another: 5
	LimitJSONBytes   Limit = capi.ACCP_LIMIT_JSON_BYTES   // one JSON text: 16 MiB
	LimitJSONDepth   Limit = capi.ACCP_LIMIT_JSON_DEPTH   // of a value: 1,024
	LimitMemoryBytes Limit = capi.ACCP_LIMIT_MEMORY_BYTES // what one handle may hold: 1 GiB
)

// String is the limit's name: "frame_bytes".
func (l Limit) String() string { return capi.Static(capi.Accp_limit_name(int(l))) }

// Default is the value that a limit has where nobody set it.
func (l Limit) Default() uint64 { return uint64(capi.Accp_limit_default(int(l))) }

// WithDialect sets the dialect that frames are read in; Strict where it is not given.
func WithDialect(dialect Dialect) Option {
	return func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_options_set_dialect(p, int(dialect), s.Err())
	}
}

// WithExtensions sets the extensions in force; Q1 where it is not given.
func WithExtensions(extensions Extensions) Option {
	return func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_options_set_extensions(p, uint(extensions), s.Err())
	}
}

// WithAbbreviations abbreviates payload keys when encoding and expands them when decoding (specification 4.2): both sides must have it.
func WithAbbreviations() Option {
	return func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_options_set_abbreviate(p, 1, s.Err()) }
}

// WithRefs makes decoding write a ref as {"$ref":"warm.key"}, and encoding make a ref of such an object. Else decoding a ref is ErrRefNotFound.
func WithRefs() Option {
	return func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_options_set_keep_refs(p, 1, s.Err()) }
}

// WithLimit sets one limit.
func WithLimit(limit Limit, value uint64) Option {
	return func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_options_set_limit(p, int(limit), value, s.Err())
	}
}

// WithIgnored names a member of a JSON message to pass over when encoding, where it would be refused. It may be given several times.
func WithIgnored(name string) Option {
	return func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_options_ignore(p, name, s.Err()) }
}

// WithTokenCache sets how many pieces of text a counter remembers the counts of: 4 to 2^20; 16,384 where it is not given.
func WithTokenCache(entries uint32) Option {
	return func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_options_set_token_cache(p, uint(entries), s.Err())
	}
}

// withOptions runs a call with options made of these, nil for none; the error is in s.
func withOptions(options []Option, s *capi.Scratch, call func(options unsafe.Pointer) int) int {
	if len(options) == 0 {
		return call(nil)
	}
	if status := capi.Accp_options_new(s.HandleOut(), s.Err()); status != 0 {
		return status
	}
	p := s.Handle
	s.Handle = nil
	defer capi.Accp_options_free(p)
	for _, option := range options {
		if status := option(p, s); status != 0 {
			return status
		}
	}
	return call(p)
}
