// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"bufio"
	"context"
	"errors"
	"io"
	"time"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// StoreFlags say how a store is opened.
type StoreFlags uint32

const (
	StoreReadOnly StoreFlags = capi.ACCP_STORE_READ_ONLY // nothing is changed; the file must be there
	StoreExisting StoreFlags = capi.ACCP_STORE_EXISTING  // a file that is missing is not made
	StoreNoWait   StoreFlags = capi.ACCP_STORE_NO_WAIT   // a write is done when the operating system has it
	StoreVacuum   StoreFlags = capi.ACCP_STORE_VACUUM    // Prune gives space that a SQLite file does not use back to the file system
)

// Store is where sessions are kept. Any number of goroutines may use one. Where a function takes a context, a context that has ended keeps it from beginning, and
// stops it between two things that it hands out; a write that has begun is finished.
type Store struct{ *shared }

// OpenStore opens one by its URL: "memory:", gone when it is closed; "sqlite:PATH", a file, where
// libaccp was built with SQLite, as it is by default; or "nats://HOST:PORT/PREFIX", a NATS cluster,
// where libaccp-nats.so.1 and libnats are installed. What was acknowledged as durable is there
// again, whatever happened since. ErrArgument for another kind, and where a library is missing.
func OpenStore(ctx context.Context, name string, flags StoreFlags, options ...Option) (*Store, error) {
	if err := begun(ctx); err != nil {
		return nil, err
	}
	h, err := openShared(func(p unsafe.Pointer) { capi.Accp_store_close(p, nil) }, options, func(config, out, err unsafe.Pointer) int {
		return capi.Accp_store_open(name, uint(flags), config, out, err)
	})
	if err != nil {
		return nil, err
	}
	return &Store{h}, nil
}

func (st *Store) within(ctx context.Context, call func(p unsafe.Pointer, s *capi.Scratch) int) error {
	if err := st.begun(ctx); err != nil {
		return err
	}
	return st.do(call)
}

// begun says why a call may not begin. A nil *Store is what a failed OpenStore left.
func (st *Store) begun(ctx context.Context) error {
	if st == nil || st.shared == nil {
		return errClosed
	}
	return begun(ctx)
}

// Close makes durable what is not yet, and gives the store up: its memory goes when the last session that uses it is closed. An error says that something could
// not be made durable.
func (st *Store) Close() error {
	if st == nil || st.shared == nil || st.closed.Load() {
		return nil
	}
	err := st.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_store_sync(p, s.Err()) })
	_ = st.shared.Close()
	if errors.Is(err, ErrClosed) {
		return nil
	}
	return err
}

// Sync makes everything durable that any session of the store has written. ErrBusy, ErrNoMemory, ErrIO: nothing is lost, call again.
func (st *Store) Sync(ctx context.Context) error {
	return st.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_store_sync(p, s.Err()) })
}

// StoreCounts is how much a store holds.
type StoreCounts struct{ Sessions, Records, RecordBytes, Blobs, BlobBytes, Mids, Grants uint64 }

// Counts is how much it holds.
func (st *Store) Counts(ctx context.Context) (counts StoreCounts, err error) {
	err = st.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_store_counts(p, s.RoomOut(), s.Err())
		if status == 0 {
			counts = StoreCounts(*(*capi.Counts)(s.RoomOut()))
		}
		return status
	})
	return counts, err
}

// hooked runs a call that calls back; what the callback fails with is the answer.
func (st *Store) hooked(ctx context.Context, hooks *capi.Hooks, call func(p unsafe.Pointer, user uintptr, s *capi.Scratch) int) error {
	hooks.Status = statusOf
	user := hooks.New()
	defer capi.DeleteHooks(user)
	err, cause := calledBack(ctx, nil, func() error {
		return st.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int { return call(p, user, s) })
	})
	if cause != nil {
		return cause
	}
	return err
}

// EachSession gives the id of every session to each, in the order in which they were made, until it answers false. It is asked after all ids are read, and may use the store.
func (st *Store) EachSession(ctx context.Context, each func(id string) bool) error {
	var ids []string
	if each == nil {
		return newError(CodeArgument, "each is nil")
	}
	err := st.hooked(ctx, &capi.Hooks{Text: func(text []byte) error {
		ids = append(ids, string(text))
		return ctx.Err()
	}}, func(p unsafe.Pointer, user uintptr, s *capi.Scratch) int {
		return capi.Accp_store_each_session(p, capi.TextFunction(), user, s.Err())
	})
	for _, id := range ids {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || !each(id) {
			break
		}
	}
	return err
}

// Export writes a session as lines of JSON. ErrRefNotFound: there is none; ErrCorrupt: something of it is damaged, and nothing was written.
func (st *Store) Export(ctx context.Context, id string, to io.Writer) error {
	if err := st.begun(ctx); err != nil {
		return err
	}
	// What the writer does is no concern of C's: it may end its goroutine, or use the store.
	lines, into := io.Pipe()
	ended := make(chan struct{})
	defer func() { <-ended }()
	defer lines.Close() // before it waits, so that what is still written fails
	go func() {
		defer close(ended)
		all := bufio.NewWriterSize(into, 1<<16)
		err := st.export(ctx, id, all)
		if err == nil {
			err = all.Flush()
		}
		into.CloseWithError(err)
	}()
	_, err := io.Copy(to, lines)
	return err
}

func (st *Store) export(ctx context.Context, id string, to io.Writer) error {
	return st.hooked(ctx, &capi.Hooks{Text: func(text []byte) error {
		if _, err := to.Write(text); err != nil {
			return err
		}
		return ctx.Err()
	}}, func(p unsafe.Pointer, user uintptr, s *capi.Scratch) int {
		return capi.Accp_store_export(p, id, capi.TextFunction(), user, s.Err())
	})
}

// Import takes in what Export wrote, of one session or several: all of it, durable on return, or nothing. ErrBusy when such a session is there already.
func (st *Store) Import(ctx context.Context, text []byte) error {
	return st.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_store_import(p, capi.Text(text), s.Err())
	})
}

// RemoveSession takes a session and all that is its own out of the store, durably. ErrRefNotFound.
func (st *Store) RemoveSession(ctx context.Context, id string) error {
	return st.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_store_remove_session(p, id, s.Err())
	})
}

// Prune takes out what is no longer needed: what has expired, and of each session what belongs to checkpoints other than its newest so many (0: all are
// kept). The answer is how many went.
func (st *Store) Prune(ctx context.Context, now time.Time, keepCheckpoints uint64) (gone uint64, err error) {
	err = st.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		s.Number = 0
		status := capi.Accp_store_prune(p, now.UnixMilli(), keepCheckpoints, s.NumberOut(), s.Err())
		gone = s.Number
		return status
	})
	return gone, err
}

// Damage is one thing that is wrong with a store.
type Damage struct {
	Session string // its id; "": the file as a whole
	What    string
	Record  uint64 // the sequence of a record, from 1; 0: it is none
	Name    string // the key of a text, or what SQLite says
}

// Verify reads everything and compares it with its checksums: ErrCorrupt where something is not as it was written, and what.
func (st *Store) Verify(ctx context.Context) ([]Damage, error) {
	var found []Damage
	err := st.hooked(ctx, &capi.Hooks{Damage: func(d *capi.Damage) {
		found = append(found, Damage{d.Session.String(), string([]byte(capi.Static(d.What))), d.Record, d.Name.String()})
	}}, func(p unsafe.Pointer, user uintptr, s *capi.Scratch) int {
		return capi.Accp_store_verify(p, capi.DamageFunction(), user, s.Err())
	})
	return found, err
}
