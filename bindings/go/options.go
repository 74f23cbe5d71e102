// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"time"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Option configures a handle. The New functions and OpenStore take any number of options and read
// those that they support, so one list serves several kinds of handles. A later option overrides an
// earlier one for the same setting:
//
//	every handle            WithLimit
//	Agents                  WithStore
//	Frame, Batch, Renderer  WithDialect, WithExtensions, WithIgnored; RuleAbbreviate, RuleKeepRefs
//	Counter                 RuleTokenCache, RuleSpecialTokens
//	Streams                 RuleKeepStreams, and their limits
//	Negotiation             WithRegistry, WithTokenizer, WithExtensions; RuleMerges, RuleParts, RuleBySender, RuleSharesStore, RuleChunkBytes
//	Codec                   as Frame; WithRegistry, WithAgreement, WithTokenizer, WithHooks, WithSchema, WithStrictness, WithRedacted; RuleMaxTokens,
//	                        RuleParts, RuleMarkDefaults, RuleInlineCharacters
//	Engine                  WithStore, WithRegistry, WithAgreement, WithTokenizer, WithHooks, WithClock, WithDialect, WithExtensions, WithStrictness, WithRedacted,
//	                        WithOwnAgents, WithUntrustedAgents; rules
type Option func(c *config) error

// WithLimit sets one limit. It returns ErrArgument for a value out of range.
func WithLimit(limit Limit, value uint64) Option {
	return func(c *config) error {
		return c.done(capi.Accp_config_set_limit(c.ptr, int(limit), value, c.scratch.Err()))
	}
}

// WithRule sets one rule. It returns ErrArgument for an unknown rule or an invalid value.
func WithRule(rule Rule, value int64) Option {
	return func(c *config) error {
		return c.done(capi.Accp_config_set_rule(c.ptr, int(rule), value, c.scratch.Err()))
	}
}

// WithDialect sets the dialect for reading frames; the default is Strict.
func WithDialect(dialect Dialect) Option { return WithRule(capi.ACCP_RULE_DIALECT, int64(dialect)) }

// WithExtensions sets the extensions in force with the other side (as WithAgreement does); the
// default is Q1. With NoExtensions, the bare specification, most JSON strings cannot be written.
func WithExtensions(extensions Extensions) Option {
	return WithRule(capi.ACCP_RULE_EXTENSIONS, int64(extensions))
}

// WithStrictness sets what codecs and sessions refuse in addition to their rules. A codec needs a
// registry.
func WithStrictness(strictness Strictness) Option {
	return WithRule(capi.ACCP_RULE_STRICTNESS, int64(strictness))
}

// WithRegistry sets the registry. Without one, or with nil, a codec uses only the grammar, and an
// engine only the profiles of the specification.
func WithRegistry(registry *Registry) Option {
	return func(c *config) error {
		if registry == nil {
			return c.done(capi.Accp_config_set_registry(c.ptr, nil, c.scratch.Err()))
		}
		return registry.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_config_set_registry(c.ptr, p, s.Err()) })
	}
}

// WithStore sets the store of an engine's sessions; the default is the engine's own store in
// memory. It returns ErrArgument for nil: after a failed OpenStore, sessions in memory would be
// lost silently.
func WithStore(store *Store) Option {
	return func(c *config) error {
		if store == nil || store.shared == nil {
			return newError(CodeArgument, "WithStore of a nil *Store: OpenStore failed; leave it out for a store in memory")
		}
		if err := store.acquire(); err != nil {
			return err
		}
		c.dropStore()
		c.store = store.shared
		return c.done(capi.Accp_config_set_store(c.ptr, store.ptr, c.scratch.Err()))
	}
}

// WithTokenizer sets the tokenizer for counts. Without one, or with nil, an engine, a packet and a
// codec with RuleMaxTokens use o200k_base; any other codec counts nothing, and a negotiation names
// none.
func WithTokenizer(tokenizer *Tokenizer) Option {
	return func(c *config) error {
		if tokenizer == nil {
			return c.done(capi.Accp_config_set_tokenizer(c.ptr, nil, c.scratch.Err()))
		}
		if err := c.use(tokenizer.shared); err != nil {
			return err
		}
		c.callsBack = c.callsBack || tokenizer.host
		return c.done(capi.Accp_config_set_tokenizer(c.ptr, tokenizer.ptr, c.scratch.Err()))
	}
}

// WithClock sets the clock of an engine's sessions or a packet; the default, also for nil, is
// time.Now. The function must not use them.
func WithClock(clock func() time.Time) Option {
	return func(c *config) error {
		if c.clock = clock; clock == nil {
			c.clock = time.Now
		}
		return nil
	}
}

// WithSchema sets the schema code for messages that name none. A codec returns ErrUnknownSchema if
// its registry does not have it.
func WithSchema(code string) Option {
	return func(c *config) error { return c.done(capi.Accp_config_set_schema(c.ptr, code, c.scratch.Err())) }
}

// WithIgnored names members of JSON messages that encoding ignores instead of refusing.
func WithIgnored(names ...string) Option { return each(names, capi.Accp_config_add_ignored) }

// WithRedacted names keys whose values Hooks.Log hides at any depth; use full names: account, not
// acc.
func WithRedacted(keys ...string) Option { return each(keys, capi.Accp_config_add_redacted) }

// WithOwnAgents names agents of the host: no session accepts a frame with one of these names from
// outside (ErrPolicyDenied). An agent under whose name a session has sent a frame is the host's own
// in that session anyway.
func WithOwnAgents(agents ...string) Option { return each(agents, capi.Accp_config_add_own_agent) }

// WithUntrustedAgents names agents whose messages are data and not instructions in sessions, from
// any peer: they carry "untrusted":true.
func WithUntrustedAgents(agents ...string) Option {
	return each(agents, func(config unsafe.Pointer, agent string, err unsafe.Pointer) int {
		return capi.Accp_config_set_agent_origin(config, agent, capi.ACCP_ORIGIN_UNTRUSTED, err)
	})
}

func each(names []string, add func(config unsafe.Pointer, name string, err unsafe.Pointer) int) Option {
	return func(c *config) error {
		for _, name := range names {
			if err := c.done(add(c.ptr, name, c.scratch.Err())); err != nil {
				return err
			}
		}
		return nil
	}
}
