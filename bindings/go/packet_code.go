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

// Add adds a file, or replaces the one of this path; the same text again costs no more than its hash. The path goes from the tree's root on, with straight slashes. Of the text
// the first 262,144 bytes are read; of one with a NUL there the path alone counts.
func (c *PacketCode) Add(path string, text []byte) error {
	return c.do(func(code unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_packet_code_add(code, path, capi.Text(text), s.Err())
	})
}

// Remove removes the file of a path, and says whether there was one.
func (c *PacketCode) Remove(path string) (was bool, err error) {
	err = c.do(func(code unsafe.Pointer, _ *capi.Scratch) int {
		was = capi.Accp_packet_code_remove(code, path) != 0
		return 0
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
