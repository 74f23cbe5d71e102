// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"time"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Engine holds what sessions of one kind share. Any number of goroutines may open sessions with it.
type Engine struct {
	*shared
	callsBack bool
	clock     func() time.Time
}

// NewEngine makes an engine. It keeps its store and tokenizer until its last session is closed.
// Without options it has a store in memory, the profiles of the specification, Q1, and o200k_base.
// It returns ErrArgument for RuleParts without Q1.
func NewEngine(options ...Option) (*Engine, error) {
	c, err := create(options, nil, capi.Accp_engine_new)
	if err != nil {
		return nil, err
	}
	hold(engineBytes)
	return &Engine{c.share(func(p unsafe.Pointer) {
		capi.Accp_engine_free(p)
		unhold(engineBytes)
	}), c.callsBack, c.clock}, nil
}

// Open opens a session for writing, and creates it if it does not exist. An earlier writer, in this
// or another process, loses its right to write. It returns ErrCorrupt for a damaged session.
func (e *Engine) Open(ctx context.Context, id string) (*Session, error) { return e.open(ctx, id, 0) }

// OpenReadOnly opens a session for reading its current state; a writer is not disturbed. Calls that
// would change something return ErrArgument. It returns ErrRefNotFound if the session does not exist.
func (e *Engine) OpenReadOnly(ctx context.Context, id string) (*Session, error) {
	return e.open(ctx, id, capi.ACCP_SESSION_READ_ONLY)
}

// OpenLocal opens a session whose other side is a session of this engine that was also opened by
// OpenLocal. Messages over RuleMaxTokens go in parts in both directions without a negotiation. It
// returns ErrArgument if RuleParts or an agreement excludes parts, or if Q1 is not in force.
func (e *Engine) OpenLocal(ctx context.Context, id string) (*Session, error) {
	return e.open(ctx, id, capi.ACCP_SESSION_LOCAL)
}

func (e *Engine) open(ctx context.Context, id string, flags uint) (session *Session, err error) {
	if e == nil {
		return nil, errClosed
	}
	if err := begun(ctx); err != nil {
		return nil, err
	}
	run := func() error {
		h, err := open(capi.Accp_session_close, nil, func(_, out, err unsafe.Pointer) int {
			return capi.Accp_session_open(e.ptr, id, flags, out, err)
		}, e.shared)
		if err == nil {
			h.callsBack = e.callsBack
			session = &Session{handle: h, id: id, clock: e.clock}
		}
		return err
	}
	if e.callsBack {
		err = withCallbacks(ctx, nil, run)
	} else {
		err = run()
	}
	return session, err
}

// RegisterSchema adds a document of schemas to the engine's registry, for all its sessions, also
// open ones (specification 7.1). Both sides must do it, or negotiate again.
func (e *Engine) RegisterSchema(document []byte) error {
	return e.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_engine_register_schema(p, capi.Text(document), s.Err())
	})
}

// Metric is a count of an engine over all its sessions. Its value never falls.
type Metric struct {
	Name, Unit string // such as "accp.frames.received" and, by UCUM, "{frame}"
	Value      uint64
}

// Metrics returns all current counts except for Outcomes; none if the engine is closed.
func (e *Engine) Metrics() (all []Metric) {
	_ = e.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		for i := 0; capi.Accp_metric_name(i) != nil; i++ {
			all = append(all, Metric{capi.Static(capi.Accp_metric_name(i)), capi.Static(capi.Accp_metric_unit_name(i)), capi.Accp_engine_metric(p, i)})
		}
		return 0
	})
	return all
}

// Outcomes returns how many calls ended with this code, or with 0 how many succeeded, of those that
// receive or those that send.
func (e *Engine) Outcomes(received bool, code Code) (count uint64) {
	direction := capi.ACCP_SENT
	if received {
		direction = capi.ACCP_RECEIVED
	}
	_ = e.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		count = capi.Accp_engine_outcome_count(p, direction, int(code))
		return 0
	})
	return count
}

// Registry returns the current registry; nil if the engine is closed.
func (e *Engine) Registry() (registry *Registry) {
	_ = e.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		registry = &Registry{newShared(capi.Accp_engine_share_registry(p), capi.Accp_registry_free, nil)}
		return 0
	})
	return registry
}
