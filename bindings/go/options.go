// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"time"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Option says how a handle behaves. The New functions and OpenStore take any number of options, and read those that concern them, so one list serves handles of
// several kinds; of two that say the same the later counts:
//
//	every handle            WithLimit
//	Agents                  WithStore
//	Frame, Batch, Renderer  WithDialect, WithExtensions, WithIgnored; RuleAbbreviate, RuleKeepRefs
//	Counter                 RuleTokenCache, RuleSpecialTokens
//	Streams                 RuleKeepStreams, and their limits
//	Negotiation             WithRegistry, WithTokenizer, WithExtensions; RuleMerges, RuleParts, RuleBySender, RuleSharesStore, RuleChunkBytes
//	Codec                   what a Frame reads; WithRegistry, WithAgreement, WithTokenizer, WithHooks, WithSchema, WithStrictness, WithRedacted; RuleMaxTokens,
//	                        RuleParts, RuleMarkDefaults, RuleInlineCharacters
//	Engine                  WithStore, WithRegistry, WithAgreement, WithTokenizer, WithHooks, WithClock, WithDialect, WithExtensions, WithStrictness, WithRedacted,
//	                        WithOwnAgents, WithUntrustedAgents; rules
type Option func(c *config) error

// WithLimit sets one limit. ErrArgument for a value that is out of its range.
func WithLimit(limit Limit, value uint64) Option {
	return func(c *config) error {
		return c.done(capi.Accp_config_set_limit(c.ptr, int(limit), value, c.scratch.Err()))
	}
}

// WithRule sets one rule. ErrArgument for one that is unknown, or a value that it cannot have.
func WithRule(rule Rule, value int64) Option {
	return func(c *config) error {
		return c.done(capi.Accp_config_set_rule(c.ptr, int(rule), value, c.scratch.Err()))
	}
}

// WithDialect sets the dialect that frames are read in; Strict where it is not given.
func WithDialect(dialect Dialect) Option { return WithRule(capi.ACCP_RULE_DIALECT, int64(dialect)) }

// WithExtensions sets the extensions in force with the other side (WithAgreement does too); Q1 where it is not given. With NoExtensions, the bare specification,
// most JSON strings have no spelling.
func WithExtensions(extensions Extensions) Option {
	return WithRule(capi.ACCP_RULE_EXTENSIONS, int64(extensions))
}

// WithStrictness sets what codecs and sessions refuse beyond their rules. A codec needs a registry.
func WithStrictness(strictness Strictness) Option {
	return WithRule(capi.ACCP_RULE_STRICTNESS, int64(strictness))
}

// WithRegistry sets the registry. Without one, or with nil, a codec encodes and decodes what the grammar alone says, and an engine has the profiles of the
// specification and nothing else.
func WithRegistry(registry *Registry) Option {
	return func(c *config) error {
		if registry == nil {
			return c.done(capi.Accp_config_set_registry(c.ptr, nil, c.scratch.Err()))
		}
		return registry.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_config_set_registry(c.ptr, p, s.Err()) })
	}
}

// WithStore sets where the sessions of an engine are kept; without it that is a store in memory, the engine's own. ErrArgument for nil: it is what a failed
// OpenStore left, and sessions in memory would be lost without a word.
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

// WithTokenizer sets what tokens are counted by. Without one, or with nil, that is o200k_base in an engine, a packet and a codec with RuleMaxTokens; any other codec
// counts nothing, and a negotiation names none.
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

// WithClock sets what time it is for the sessions of an engine, and for a packet; time.Now without it, or with nil. The function must not use them.
func WithClock(clock func() time.Time) Option {
	return func(c *config) error {
		if c.clock = clock; clock == nil {
			c.clock = time.Now
		}
		return nil
	}
}

// WithSchema sets the schema, by its code, of messages that a codec is given and that name none. ErrUnknownSchema where its registry does not have it.
func WithSchema(code string) Option {
	return func(c *config) error { return c.done(capi.Accp_config_set_schema(c.ptr, code, c.scratch.Err())) }
}

// WithIgnored names members of a JSON message to pass over when encoding, where they would be refused.
func WithIgnored(names ...string) Option { return each(names, capi.Accp_config_add_ignored) }

// WithRedacted names keys whose values Hooks.Log does not show, wherever they stand: in full, account and not acc.
func WithRedacted(keys ...string) Option { return each(keys, capi.Accp_config_add_redacted) }

// WithOwnAgents names agents of the host: no session takes a frame under one of these names from outside (ErrPolicyDenied). An agent that a session has sent a
// frame as is the host's own in that session anyway.
func WithOwnAgents(agents ...string) Option { return each(agents, capi.Accp_config_add_own_agent) }

// WithUntrustedAgents names agents whose messages are data and no instruction in sessions, however they come: they carry "untrusted":true.
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
