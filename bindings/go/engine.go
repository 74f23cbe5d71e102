// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Rule is a number that governs sessions; those that answer a question are 0 or 1.
type Rule int

const (
	RuleWindow        Rule = capi.ACCP_RULE_WINDOW
	RuleGapMs         Rule = capi.ACCP_RULE_GAP_MS
	RuleSkewMs        Rule = capi.ACCP_RULE_SKEW_MS
	RuleFutureMs      Rule = capi.ACCP_RULE_FUTURE_MS
	RuleBySender      Rule = capi.ACCP_RULE_BY_SENDER
	RuleRequireTs     Rule = capi.ACCP_RULE_REQUIRE_TS
	RuleRequireSid    Rule = capi.ACCP_RULE_REQUIRE_SID
	RuleLooseMid      Rule = capi.ACCP_RULE_LOOSE_MID
	RuleMostTokens    Rule = capi.ACCP_RULE_MOST_TOKENS
	RuleIssuer        Rule = capi.ACCP_RULE_ISSUER
	RuleSharesStore   Rule = capi.ACCP_RULE_SHARES_STORE
	RuleMerges        Rule = capi.ACCP_RULE_MERGES
	RuleNamesSession  Rule = capi.ACCP_RULE_NAMES_SESSION
	RuleDurable       Rule = capi.ACCP_RULE_DURABLE
	RuleHotMax        Rule = capi.ACCP_RULE_HOT_MAX
	RuleHotDue        Rule = capi.ACCP_RULE_HOT_DUE
	RuleCheckpointMax Rule = capi.ACCP_RULE_CHECKPOINT_MAX
	RuleSummaryMax    Rule = capi.ACCP_RULE_SUMMARY_MAX
	RuleRetained      Rule = capi.ACCP_RULE_RETAINED
	RuleSeed          Rule = capi.ACCP_RULE_SEED
)

// String is the rule's name: "window".
func (r Rule) String() string { return capi.Static(capi.Accp_rule_name(int(r))) }

// EngineConfig is what an engine is made of. The zero value is a store in memory, the profiles of the specification, and o200k_base.
type EngineConfig struct {
	Store      *Store         // nil: one in memory, the engine's own
	Registry   *Registry      // nil: the profiles of the specification and nothing else
	Extensions Extensions     // in force with the other side
	Tokenizer  *Tokenizer     // built in; nil: o200k_base
	Cold       ColdStore      // nil: the store keeps the cold tier too
	Rules      map[Rule]int64 // those that are not as they come: docs/session.md
	Options    []Option
}

// Engine is what sessions of one kind share. Any number of goroutines may open sessions with it.
type Engine struct {
	*shared
	cold bool
}

// NewEngine makes one. It keeps what it is made of until the last of its sessions is closed. ErrArgument for an extension that is none, a rule that is
// none, a tokenizer that is not built in.
func NewEngine(config EngineConfig) (*Engine, error) {
	var uses []*shared
	var store, registry, tokenizer unsafe.Pointer
	if config.Store != nil {
		uses, store = append(uses, config.Store.shared), config.Store.ptr
	}
	if config.Registry != nil {
		uses, registry = append(uses, config.Registry.shared), config.Registry.ptr
	}
	if config.Tokenizer != nil {
		uses, tokenizer = append(uses, config.Tokenizer.shared), config.Tokenizer.ptr
	}
	user := coldHooks(config.Cold)
	free := func(p unsafe.Pointer) {
		capi.Accp_engine_free(p)
		capi.DeleteHooks(user)
	}
	h, err := openShared(free, uses, func(s *capi.Scratch) int {
		status := withOptions(config.Options, s, func(o unsafe.Pointer) int {
			return capi.Accp_engine_new(o, store, registry, uint(config.Extensions), tokenizer, s.HandleOut(), s.Err())
		})
		if status != 0 {
			return status
		}
		if status = setUp(s.Handle, config, user, s); status != 0 {
			capi.Accp_engine_free(s.Handle)
		}
		return status
	})
	if err != nil {
		capi.DeleteHooks(user)
		return nil, err
	}
	return &Engine{h, config.Cold != nil}, nil
}

func setUp(engine unsafe.Pointer, config EngineConfig, user uintptr, s *capi.Scratch) int {
	for rule, value := range config.Rules {
		if status := capi.Accp_engine_set_rule(engine, int(rule), value, s.Err()); status != 0 {
			return status
		}
	}
	if config.Cold == nil {
		return 0
	}
	return capi.Accp_engine_set_cold_store(engine, capi.ColdPutFunction(), capi.ColdGetFunction(), user, s.Err())
}

func coldHooks(cold ColdStore) uintptr {
	if cold == nil {
		return 0
	}
	hooks := &capi.Hooks{
		Status: func(err error, otherwise int32) int32 {
			if code := statusOf(err, otherwise); code < 0 || code == int32(CodeRefNotFound) {
				return code
			}
			return otherwise
		},
		ColdPut: func(call *capi.Call, key string, text []byte) error { return cold.Put(contextOf(call), key, text) },
		ColdGet: func(call *capi.Call, key string) ([]byte, error) { return cold.Get(contextOf(call), key) },
	}
	return hooks.New()
}

func contextOf(call *capi.Call) context.Context {
	if ctx, ok := call.Context.(context.Context); ok {
		return ctx
	}
	return context.Background()
}

// Open opens a session for writing; it is made where it is missing, and is else what it was when it was last used, in whatever process. An older writer,
// here or elsewhere, is shut out. ErrCorrupt for a session that is damaged.
func (e *Engine) Open(ctx context.Context, id string) (session *Session, err error) {
	if e == nil {
		return nil, errClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	run := func() error {
		h, err := open(capi.Accp_session_close, []*shared{e.shared}, func(s *capi.Scratch) int {
			return capi.Accp_session_open(e.ptr, id, s.HandleOut(), s.Err())
		})
		if err == nil {
			session = &Session{handle: h, id: id, cold: e.cold}
		}
		return err
	}
	if e.cold {
		err = coldCall(ctx, run)
	} else {
		err = run()
	}
	return session, err
}
