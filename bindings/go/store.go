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

// StoreFlags are options for opening a store.
type StoreFlags uint32

const (
	StoreReadOnly StoreFlags = capi.ACCP_STORE_READ_ONLY // nothing is changed; the file must exist
	StoreExisting StoreFlags = capi.ACCP_STORE_EXISTING  // a missing file is not created
	StoreNoWait   StoreFlags = capi.ACCP_STORE_NO_WAIT   // a write is done when the operating system has it
	StoreVacuum   StoreFlags = capi.ACCP_STORE_VACUUM    // Prune returns unused space of a SQLite file to the file system
)

// Store keeps sessions. Any number of goroutines may use one. A function with a context does not
// start after the context has ended, and stops between two results; a started write is finished.
type Store struct{ *shared }

// OpenStore opens a store by its URL. "memory:" is lost when it is closed. "sqlite:PATH" is a file
// and needs SQLite in libaccp, which is the default. "nats://HOST:PORT/PREFIX" is a NATS cluster
// and needs libaccp-nats.so.1 and libnats. Data that was acknowledged as durable survives. It
// returns ErrArgument for another kind and for a missing library.
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

// begun returns why a call may not begin. A failed OpenStore returns a nil *Store.
func (st *Store) begun(ctx context.Context) error {
	if st == nil || st.shared == nil {
		return errClosed
	}
	return begun(ctx)
}

// Close makes pending changes durable and closes the store; its memory is freed when the last
// session that uses it is closed. An error means that some changes could not be made durable.
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

// Sync makes all changes of all sessions of the store durable. After ErrBusy, ErrNoMemory and ErrIO
// nothing is lost; call it again.
func (st *Store) Sync(ctx context.Context) error {
	return st.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_store_sync(p, s.Err()) })
}

// StoreCounts is the content of a store in numbers.
type StoreCounts struct{ Sessions, Records, RecordBytes, Blobs, BlobBytes, Mids, Grants uint64 }

// Counts returns the content in numbers.
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

// hooked runs a call with a callback and returns the callback's error.
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

// EachSession calls each with the id of every session in the order of creation until it returns
// false. It is called after all ids were read, and may use the store.
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

// Export writes a session as lines of JSON. It returns ErrRefNotFound if it does not exist, and
// ErrCorrupt for damage; then nothing was written.
func (st *Store) Export(ctx context.Context, id string, to io.Writer) error {
	if err := st.begun(ctx); err != nil {
		return err
	}
	// The writer runs outside of C: it may end its goroutine or use the store.
	lines, into := io.Pipe()
	ended := make(chan struct{})
	defer func() { <-ended }()
	defer lines.Close() // closed before the wait, so that further writes fail
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

// Import adds sessions that Export wrote: all, durable on return, or nothing. It returns ErrBusy if
// one of them exists.
func (st *Store) Import(ctx context.Context, text []byte) error {
	return st.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_store_import(p, capi.Text(text), s.Err())
	})
}

// RemoveSession removes a session with all its data durably, or returns ErrRefNotFound.
func (st *Store) RemoveSession(ctx context.Context, id string) error {
	return st.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_store_remove_session(p, id, s.Err())
	})
}

// Prune removes data that is no longer needed: expired data, and checkpoints other than the newest
// keepCheckpoints of each session (0: all are kept). It returns the number of removed items.
func (st *Store) Prune(ctx context.Context, now time.Time, keepCheckpoints uint64) (gone uint64, err error) {
	err = st.within(ctx, func(p unsafe.Pointer, s *capi.Scratch) int {
		s.Number = 0
		status := capi.Accp_store_prune(p, now.UnixMilli(), keepCheckpoints, s.NumberOut(), s.Err())
		gone = s.Number
		return status
	})
	return gone, err
}

// Damage is one fault in a store.
type Damage struct {
	Session string // id of the session; "": the file as a whole
	What    string
	Record  uint64 // the sequence of a record, from 1; 0: not a record
	Name    string // the key of a text, or SQLite's message
}

// Verify reads everything and compares it with its checksums. It returns ErrCorrupt and the damage
// if something has changed.
func (st *Store) Verify(ctx context.Context) ([]Damage, error) {
	var found []Damage
	err := st.hooked(ctx, &capi.Hooks{Damage: func(d *capi.Damage) {
		found = append(found, Damage{d.Session.String(), string([]byte(capi.Static(d.What))), d.Record, d.Name.String()})
	}}, func(p unsafe.Pointer, user uintptr, s *capi.Scratch) int {
		return capi.Accp_store_verify(p, capi.DamageFunction(), user, s.Err())
	})
	return found, err
}
