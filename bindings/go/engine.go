// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"time"
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
	RuleMaxTokens     Rule = capi.ACCP_RULE_MAX_TOKENS
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
	RuleDeadlineMs    Rule = capi.ACCP_RULE_DEADLINE_MS
	RuleParts         Rule = capi.ACCP_RULE_PARTS
	RuleJump          Rule = 22 // ACCP_RULE_JUMP: sequence numbers, and versions of the shared state, that a sync:state may pass
)

// String is the rule's name: "window".
func (r Rule) String() string { return capi.Static(capi.Accp_rule_name(int(r))) }

// EngineConfig is what an engine is made of. The zero value is a store in memory, the profiles of the specification, Q1, and o200k_base.
type EngineConfig struct {
	Store      StoreSource      // a *Store; where it is not set, one in memory, the engine's own
	Clock      func() time.Time // what time it is for its sessions; nil: time.Now. It must not use them
	Registry   *Registry        // nil: the profiles of the specification and nothing else
	Extensions Extensions       // in force with the other side, besides Q1
	Bare       bool             // without Q1, if there are no Extensions: the bare specification, in which most JSON strings have no spelling
	Tokenizer  *Tokenizer       // built in; nil: o200k_base
	Rules      map[Rule]int64   // those that are not as they come: docs/session.md
	Options    []Option

	Cold ColdStore // nil: the store keeps the cold tier too

	// Resolve says what a ref stands for that a session itself has not, out of the peer's session; nil: nobody. An error of this package, here and of Cold, is the
	// call's: one of the model refuses the frame for good, any other (and every other error, which is ErrIO) leaves it to be received again.
	Resolve func(ctx context.Context, ref string) (json.RawMessage, error)
	// Summarise writes the summary of a checkpoint of what it closes; "" or an error: the library does. nil: the library.
	Summarise func(ctx context.Context, hot string, maxTokens int) (string, error)
	// Log is told of every message and every refusal (specification 9.1), as Codec.SetLog, on the goroutine of the call. Values of Redacted keys do not show.
	Log      func(received bool, code Code, text string)
	Redacted []string

	// Own are the agents of the host: no session takes a frame under one of these names from outside (ErrPolicyDenied). An agent that a session has sent as is
	// the host's own in that session anyway.
	Own []string
	// Untrusted are agents whose messages are data and no instruction, however they come: they carry "untrusted":true.
	Untrusted []string
}

// StoreSource is a *Store. One that is nil is refused: it is what a failed OpenStore left, and sessions in memory would be lost without a word.
type StoreSource interface{ source() *shared }

func (st *Store) source() *shared {
	if st == nil {
		return nil
	}
	return st.shared
}

// refuseNil says which of the stores is a nil pointer, or was never opened.
func (c *EngineConfig) refuseNil() error {
	if c.Store != nil && c.Store.source() == nil {
		return newError(CodeArgument, "EngineConfig.Store is a nil *Store: OpenStore failed; leave the field out for a store in memory")
	}
	if cold := reflect.ValueOf(c.Cold); cold.Kind() == reflect.Pointer && cold.IsNil() {
		return newError(CodeArgument, "EngineConfig.Cold is a nil pointer: leave the field out where the store keeps the cold tier too")
	}
	return nil
}

func (c *EngineConfig) hooked() bool {
	return c.Cold != nil || c.Resolve != nil || c.Summarise != nil || c.Log != nil
}

// Engine is what sessions of one kind share. Any number of goroutines may open sessions with it.
type Engine struct {
	*shared
	hooked bool
	clock  func() time.Time
}

// NewEngine makes one. It keeps what it is made of until the last of its sessions is closed. ErrArgument for a store that is a nil pointer, an extension that is
// unknown, a rule that is unknown, a tokenizer that is not built in.
func NewEngine(config EngineConfig) (*Engine, error) {
	if err := config.refuseNil(); err != nil {
		return nil, err
	}
	if config.Clock == nil {
		config.Clock = time.Now
	}
	var uses []*shared
	var store, registry, tokenizer unsafe.Pointer
	if config.Store != nil {
		from := config.Store.source()
		uses, store = append(uses, from), from.ptr
	}
	if config.Registry != nil {
		uses, registry = append(uses, config.Registry.shared), config.Registry.ptr
	}
	if config.Tokenizer != nil {
		uses, tokenizer = append(uses, config.Tokenizer.shared), config.Tokenizer.ptr
	}
	extensions := config.Extensions
	if !config.Bare {
		extensions |= Q1
	}
	user := uintptr(0)
	if config.hooked() {
		user = engineHooks(&config).New()
	}
	free := func(p unsafe.Pointer) {
		capi.Accp_engine_free(p)
		capi.DeleteHooks(user)
		unhold(engineBytes)
	}
	h, err := openShared(free, uses, func(s *capi.Scratch) int {
		status := withOptions(config.Options, s, func(o unsafe.Pointer) int {
			return capi.Accp_engine_new(o, store, registry, uint(extensions), tokenizer, s.HandleOut(), s.Err())
		})
		if status != 0 {
			return status
		}
		if status = setUp(s.Handle, &config, user, s); status != 0 {
			capi.Accp_engine_free(s.Handle)
		}
		return status
	})
	if err != nil {
		capi.DeleteHooks(user)
		return nil, err
	}
	hold(engineBytes)
	return &Engine{h, config.hooked(), config.Clock}, nil
}

func setUp(engine unsafe.Pointer, config *EngineConfig, user uintptr, s *capi.Scratch) int {
	for rule, value := range config.Rules {
		if status := capi.Accp_engine_set_rule(engine, int(rule), value, s.Err()); status != 0 {
			return status
		}
	}
	for _, key := range config.Redacted {
		if status := capi.Accp_engine_set_redacted(engine, key, s.Err()); status != 0 {
			return status
		}
	}
	status := 0
	if len(config.Own) > 0 {
		status = capi.Accp_engine_set_own_agents(engine, strings.Join(config.Own, ","), s.Err())
	}
	for _, agent := range config.Untrusted {
		if status == 0 {
			status = capi.Accp_engine_set_origin(engine, agent, capi.ACCP_ORIGIN_UNTRUSTED, s.Err())
		}
	}
	if status != 0 {
		return status
	}
	if config.Cold != nil {
		status = capi.Accp_engine_set_cold_store(engine, capi.ColdPutFunction(), capi.ColdGetFunction(), user, s.Err())
	}
	if config.Resolve != nil && status == 0 {
		status = capi.Accp_engine_set_resolver(engine, capi.ResolveFunction(), user, s.Err())
	}
	if config.Summarise != nil && status == 0 {
		status = capi.Accp_engine_set_summariser(engine, capi.SummariseFunction(), user, s.Err())
	}
	if config.Log != nil && status == 0 {
		status = capi.Accp_engine_set_log(engine, capi.LogFunction(), user, s.Err())
	}
	return status
}

func engineHooks(config *EngineConfig) *capi.Hooks {
	cold, resolve, summarise, log := config.Cold, config.Resolve, config.Summarise, config.Log
	return &capi.Hooks{
		Shared: true,
		Status: statusOf,
		ColdPut: func(call *capi.Call, key string, text []byte) error {
			return cold.Put(contextOf(call), key, text)
		},
		ColdGet: func(call *capi.Call, key string) ([]byte, error) {
			return cold.Get(contextOf(call), key)
		},
		Resolve: func(call *capi.Call, ref string) (string, error) {
			value, err := resolve(contextOf(call), ref)
			return capi.Text(value), err
		},
		Summarise: func(call *capi.Call, hot string, max int) (string, error) {
			return summarise(contextOf(call), hot, max)
		},
		Log: func(direction, status int32, text string) { log(direction == capi.ACCP_RECEIVED, Code(status), text) },
	}
}

// Open opens a session for writing; it is made where it is missing, and is else what it was when it was last used, in whatever process. An older writer,
// here or elsewhere, is shut out. ErrCorrupt for a session that is damaged.
func (e *Engine) Open(ctx context.Context, id string) (*Session, error) {
	return e.open(ctx, id, capi.Accp_session_open)
}

// OpenRead opens a session to read it as it stands; who has it open to write goes on. Calls that would change something are ErrArgument. ErrRefNotFound:
// there is no such session.
func (e *Engine) OpenRead(ctx context.Context, id string) (*Session, error) {
	return e.open(ctx, id, capi.Accp_session_open_read)
}

func (e *Engine) open(ctx context.Context, id string, call func(engine unsafe.Pointer, id string, out, err unsafe.Pointer) int) (session *Session, err error) {
	if e == nil {
		return nil, errClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	run := func() error {
		h, err := open(capi.Accp_session_close, []*shared{e.shared}, func(s *capi.Scratch) int {
			return call(e.ptr, id, s.HandleOut(), s.Err())
		})
		if err == nil {
			h.callsBack = e.hooked
			session = &Session{handle: h, id: id, clock: e.clock}
		}
		return err
	}
	if e.hooked {
		err = withCallbacks(ctx, nil, run)
	} else {
		err = run()
	}
	return session, err
}

// RegisterSchema adds a document of schemas to the engine's registry, for every session of it from now on, open ones too (specification 7.1). Both sides must do it,
// or negotiate anew.
func (e *Engine) RegisterSchema(document []byte) error {
	return e.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_engine_register_schema(p, capi.Text(document), s.Err())
	})
}

// Registry is the registry in force; nil of an engine that is closed.
func (e *Engine) Registry() (registry *Registry) {
	_ = e.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		registry = &Registry{newShared(capi.Accp_engine_registry(p), capi.Accp_registry_free, nil)}
		return 0
	})
	return registry
}
