// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"strings"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// PacketCode is files of code, of which packets tell those of a task (docs/packets.md, From code): their texts are not kept. Its calls queue, and so does what is generated
// from it.
type PacketCode struct{ *handle }

// NewPacketCode makes one without files. Of its options it reads the limits.
func NewPacketCode(options ...Option) (*PacketCode, error) {
	h, err := open(capi.Accp_packet_code_free, options, capi.Accp_packet_code_new)
	if err != nil {
		return nil, err
	}
	return &PacketCode{h}, nil
}

// OpenPacketCode makes one that stays on disk, of the file that is there or of a new one (docs/packets.md, An index that stays): a cache, which is made anew where it is
// damaged. Sync before Close, or what was added last may be lost. ErrArgument: the file is something else, or the library has no SQLite.
func OpenPacketCode(path string, options ...Option) (*PacketCode, error) {
	h, err := open(capi.Accp_packet_code_free, options, func(config, out, err unsafe.Pointer) int {
		return capi.Accp_packet_code_new_on_disk(path, config, out, err)
	})
	if err != nil {
		return nil, err
	}
	return &PacketCode{h}, nil
}

// Add adds a file, or replaces the one of this path; the same text again costs no more than its hash. The path goes from the tree's root on, with straight slashes. Of the text
// the first 262,144 bytes are read; of one with a NUL there the path alone counts.
func (c *PacketCode) Add(path string, text []byte) error {
	return c.do(func(code unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_code_add(code, path, capi.Text(text), s.Err())
	})
}

// AddStamped is Add with a stamp, of which only the caller knows what it says: a hash of the file's size and times, say. Stamp tells it.
func (c *PacketCode) AddStamped(path string, text []byte, stamp uint64) error {
	return c.do(func(code unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_code_add_stamped(code, path, capi.Text(text), stamp, s.Err())
	})
}

// Stamp is the stamp that the file of a path was added with last; 0: there is no such file, or no stamp.
func (c *PacketCode) Stamp(path string) (stamp uint64) {
	_ = c.do(func(code unsafe.Pointer, _ *capi.Scratch) int {
		stamp = capi.Accp_packet_code_stamp(code, path)
		return 0
	})
	return stamp
}

// Paths are all paths, in the order of their bytes.
func (c *PacketCode) Paths() (paths []string, err error) {
	all, err := c.string(func(code unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_code_paths(code, s.Out(), s.Err())
	})
	if all != "" {
		paths = strings.Split(strings.TrimSuffix(all, "\x00"), "\x00")
	}
	return paths, err
}

// Sync writes what was added to the disk. ErrIO, also where the disk is full, and ErrBusy: nothing is lost, call again. ErrCorrupt: the file was damaged, and is gone.
func (c *PacketCode) Sync() error {
	return c.do(func(code unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_packet_code_sync(code, s.Err()) })
}

// Remove removes the file of a path, and says whether there was one. In memory it does not fail.
func (c *PacketCode) Remove(path string) (was bool, err error) {
	err = c.do(func(code unsafe.Pointer, s *capi.Scratch) int {
		s.Error.Code = 0 // it says no more than the code
		removed := int(capi.Accp_packet_code_remove(code, path))
		if was = removed > 0; was {
			return 0
		}
		return removed
	})
	return was, err
}

// Count is the number of files; 0 for one that is closed.
func (c *PacketCode) Count() (count int) {
	_ = c.do(func(code unsafe.Pointer, _ *capi.Scratch) int {
		count = int(capi.Accp_packet_code_count(code))
		return 0
	})
	return count
}

// lend runs a call that reads it while nothing changes it; nil is lent as nothing.
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

// StaleFiles are the packet's files that are others in the code than when it was made of code, or are not there.
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
