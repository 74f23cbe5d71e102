// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"strings"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// PacketCode is an index of code files from which packets select those of a task (docs/packets.md,
// From code). It does not keep their texts. Its calls and the generation from it queue.
type PacketCode struct{ *handle }

// NewPacketCode makes an empty index in memory. It reads the limits of the options.
func NewPacketCode(options ...Option) (*PacketCode, error) {
	h, err := open(capi.Accp_packet_code_free, options, capi.Accp_packet_code_new)
	if err != nil {
		return nil, err
	}
	return &PacketCode{h}, nil
}

// OpenPacketCode opens or creates an index on disk (docs/packets.md, An index that stays): a cache,
// which is rebuilt if it is damaged. Call Sync before Close, or the last additions may be lost. It
// returns ErrArgument if the file is something else or the library has no SQLite.
func OpenPacketCode(path string, options ...Option) (*PacketCode, error) {
	h, err := open(capi.Accp_packet_code_free, options, func(config, out, err unsafe.Pointer) int {
		return capi.Accp_packet_code_new_on_disk(path, config, out, err)
	})
	if err != nil {
		return nil, err
	}
	return &PacketCode{h}, nil
}

// Add adds a file or replaces the one with this path; the same text costs only its hash. The path
// is relative to the tree's root, with forward slashes. The first 262,144 bytes of the text are
// read; if they contain a NUL, only the path counts.
func (c *PacketCode) Add(path string, text []byte) error {
	return c.do(func(code unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_code_add(code, path, capi.Text(text), s.Err())
	})
}

// AddStamped is Add with a stamp of the caller, such as a hash of the file's size and times. Stamp
// returns it.
func (c *PacketCode) AddStamped(path string, text []byte, stamp uint64) error {
	return c.do(func(code unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_code_add_stamped(code, path, capi.Text(text), stamp, s.Err())
	})
}

// Stamp returns the last stamp of a path; 0 if the file does not exist or no stamp.
func (c *PacketCode) Stamp(path string) (stamp uint64) {
	_ = c.do(func(code unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_packet_code_stamp(code, path, s.NumberOut(), s.Err())
		if status == 0 {
			stamp = s.Number
		}
		return status
	})
	return stamp
}

// Paths returns all paths in the order of their bytes.
func (c *PacketCode) Paths() (paths []string, err error) {
	all, err := c.string(func(code unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_code_paths(code, s.Out(), s.Err())
	})
	if all != "" {
		paths = strings.Split(strings.TrimSuffix(all, "\x00"), "\x00")
	}
	return paths, err
}

// Sync writes additions to the disk. After ErrIO, also for a full disk, and ErrBusy nothing is
// lost: call it again. ErrCorrupt means that the file was damaged and is removed.
func (c *PacketCode) Sync() error {
	return c.do(func(code unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_packet_code_sync(code, s.Err()) })
}

// Remove removes the file with a path, and reports whether there was one. In memory it does not
// fail.
func (c *PacketCode) Remove(path string) (was bool, err error) {
	err = c.do(func(code unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_packet_code_remove(code, path, s.Err())
		if was = status == 0; status == int(CodeRefNotFound) {
			return 0
		}
		return status
	})
	return was, err
}

// Count returns the number of files; 0 if it is closed.
func (c *PacketCode) Count() (count int) {
	_ = c.do(func(code unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_packet_code_count(code, s.NumberOut(), s.Err())
		if status == 0 {
			count = int(s.Number)
		}
		return status
	})
	return count
}

// lend runs a call that reads the index while nothing changes it; nil is passed as nil.
func (c *PacketCode) lend(call func(code unsafe.Pointer) error) error {
	if c == nil {
		return call(nil)
	}
	if err := c.enter(context.Background()); err != nil {
		return err
	}
	defer c.leave()
	return call(c.ptr)
}

// StaleFiles returns the packet's files that have changed or are missing in the code since the
// packet was made from code.
func (p *ContextPacket) StaleFiles(code *PacketCode) (paths []string, err error) {
	var lines string
	err = code.lend(func(from unsafe.Pointer) error {
		lines, err = p.string(func(packet unsafe.Pointer, s *capi.Scratch) int {
			return capi.Accp_packet_stale_files(packet, from, s.Out(), s.Err())
		})
		return err
	})
	if lines != "" {
		paths = strings.Split(strings.TrimSuffix(lines, "\n"), "\n")
	}
	return paths, err
}
