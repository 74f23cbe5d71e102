// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"context"
	"encoding/json"
	"strings"
	"time"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// SharedPane stands for the packet that all panes share.
const SharedPane = -1

// PaneReading says how Panes.Read reads, as bits.
type PaneReading uint32

const (
	PaneAlone      PaneReading = capi.ACCP_PANES_ALONE      // the pane's own packet, without what is shared
	PaneUnverified PaneReading = capi.ACCP_PANES_UNVERIFIED // the same, and its checksum may be any: to edit it
	PaneReceipt    PaneReading = capi.ACCP_PANES_RECEIPT    // by the worker itself: that it has read this packet is recorded
)

// PaneWriting says how a packet is written.
type PaneWriting struct {
	Revision string // the checksum that the packet there has to have; "": of a pane any, of the shared one there must be none
	Edited   bool   // by hand, which is counted
}

// PaneSettings are what a configuration says.
type PaneSettings struct {
	DefaultDepth    PacketDepth
	Budgets         [3]int // tokens, by depth
	AutoGenerate    bool   // whoever starts a worker makes a packet for it
	TrackEfficiency bool   // else no task and no receipt is written
	AutoCleanup     bool   // a task's packet is archived and removed with it
	LockSeconds     int    // how long a writer waits for another; then ErrBusy
	OwnPane         int    // of whoever reads the configuration; -1: not said
}

// PaneFeedback is what a worker says of its packet.
type PaneFeedback struct {
	Gaps   []string // what it missed
	Unused []string // what it had and did not need
}

// PaneTask is a task that is over.
type PaneTask struct {
	Kind          string // of what sort it was, such as auth; may be ""
	Pane          int    // whose; -1: of none
	Success       bool
	Depth         *PacketDepth  // of its packet; nil: not known
	ContextTokens uint64        // of its packet; 0: as that says
	WholeTokens   uint64        // of what the packet was made from; 0: not known
	Explored      *int          // files that the worker looked up again; nil: not known
	Feedback      *PaneFeedback // nil: that of the pane's file
	At            time.Time     // zero: now
}

// Panes are the packets of one project, in files under .agentwire (docs/panes.md), with feedback and what came of tasks. Its calls queue; any number of them, in any
// number of processes, may be open on a project.
type Panes struct {
	*handle
	clock func() time.Time
}

// OpenPanes opens the project in a directory that is there. The store keeps what is removed, receipts and tasks; the panes keep it until they are closed.
func OpenPanes(ctx context.Context, directory string, store *Store, options ...Option) (*Panes, error) {
	if err := begun(ctx); err != nil {
		return nil, err
	}
	if store == nil {
		return nil, errClosed
	}
	p := &Panes{clock: time.Now}
	options = append(options[:len(options):len(options)], func(c *config) error {
		p.clock = c.clock
		return nil
	})
	h, err := open(capi.Accp_panes_close, options, func(config, out, err unsafe.Pointer) int {
		return capi.Accp_panes_open(directory, store.ptr, config, out, err)
	}, store.shared)
	if err != nil {
		return nil, err
	}
	p.handle = h
	return p, nil
}

// Configure takes over the part context of a configuration, as YAML. ErrParseError for no YAML; ErrInvalidType for a name that is not there or a value that cannot be:
// nothing changes then.
func (p *Panes) Configure(yaml []byte) error {
	return p.do(func(panes unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_panes_configure(panes, capi.Text(yaml), s.Err())
	})
}

// Settings are those in force.
func (p *Panes) Settings() (settings PaneSettings, err error) {
	err = p.do(func(panes unsafe.Pointer, _ *capi.Scratch) int {
		of := func(setting int) int { return int(capi.Accp_panes_setting(panes, setting)) }
		settings = PaneSettings{
			DefaultDepth:    PacketDepth(of(capi.ACCP_PANES_DEFAULT_DEPTH)),
			Budgets:         [3]int{of(capi.ACCP_PANES_BUDGET_MINIMAL), of(capi.ACCP_PANES_BUDGET_STANDARD), of(capi.ACCP_PANES_BUDGET_DEEP)},
			AutoGenerate:    of(capi.ACCP_PANES_AUTO_GENERATE) == 1,
			TrackEfficiency: of(capi.ACCP_PANES_TRACK_EFFICIENCY) == 1,
			AutoCleanup:     of(capi.ACCP_PANES_AUTO_CLEANUP) == 1,
			LockSeconds:     of(capi.ACCP_PANES_LOCK_SECONDS),
			OwnPane:         of(capi.ACCP_PANES_OWN_PANE),
		}
		return 0
	})
	return settings, err
}

// with runs a call that has a packet too: panes first, so that two such calls never wait for each other.
func (p *Panes) with(packet *ContextPacket, call func(panes, packet unsafe.Pointer, s *capi.Scratch) int) error {
	if packet == nil {
		return errClosed
	}
	return p.withBoth(context.Background(), packet.handle, call)
}

// Write seals a packet and writes it, durably, for a pane or SharedPane. ErrBusy: there is another revision.
func (p *Panes) Write(pane int, packet *ContextPacket, how PaneWriting) error {
	writing := uint(0)
	if how.Edited {
		writing = capi.ACCP_PANES_EDITED
	}
	return p.with(packet, func(panes, of unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_panes_write(panes, int64(pane), how.Revision, writing, p.clock().UnixMilli(), of, s.Err())
	})
}

// Read reads the packet of a pane into one, with what is shared merged in. ErrRefNotFound: there is none.
func (p *Panes) Read(pane int, packet *ContextPacket, how PaneReading) error {
	return p.with(packet, func(panes, of unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_panes_read(panes, int64(pane), uint(how), p.clock().UnixMilli(), of, s.Err())
	})
}

// Remove removes the packet of a pane and nothing else; packet and feedback are archived before, where AutoCleanup is on. ErrRefNotFound: there is none.
func (p *Panes) Remove(pane int) error {
	return p.do(func(panes unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_panes_remove(panes, int64(pane), p.clock().UnixMilli(), s.Err())
	})
}

// paneLines are items as the C face has them, a line each.
func paneLines(items []string) string {
	var lines strings.Builder
	for _, item := range items {
		lines.WriteString(strings.ReplaceAll(item, "\n", " "))
		lines.WriteByte('\n')
	}
	return lines.String()
}

func paneItems(lines string) []string {
	if lines == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(lines, "\n"), "\n")
}

// WriteFeedback writes what the worker of a pane says. Items that say that there is none are nothing.
func (p *Panes) WriteFeedback(pane int, feedback PaneFeedback) error {
	gaps, unused := paneLines(feedback.Gaps), paneLines(feedback.Unused)
	return p.do(func(panes unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_panes_write_feedback(panes, int64(pane), gaps, unused, s.Err())
	})
}

// Feedback reads it. ErrRefNotFound: there is none.
func (p *Panes) Feedback(pane int) (feedback PaneFeedback, err error) {
	err = p.do(func(panes unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_panes_feedback(panes, int64(pane), unsafe.Pointer(&s.View), unsafe.Pointer(&s.Second), s.Err())
		if status == 0 {
			feedback = PaneFeedback{Gaps: paneItems(s.View.String()), Unused: paneItems(s.Second.String())}
		}
		return status
	})
	return feedback, err
}

// Record records a task, durably, and cleans up after it, both as the settings say.
func (p *Panes) Record(task PaneTask) error {
	depth, explored, at := int32(-1), int64(-1), task.At
	if task.Depth != nil {
		depth = int32(*task.Depth)
	}
	if task.Explored != nil {
		explored = int64(*task.Explored)
	}
	gaps, unused := "", ""
	if task.Feedback != nil { // a blank line says that nothing was missed
		gaps, unused = paneLines(task.Feedback.Gaps)+"\n", paneLines(task.Feedback.Unused)
	}
	return p.do(func(panes unsafe.Pointer, s *capi.Scratch) int {
		if at.IsZero() {
			at = p.clock()
		}
		return capi.PanesRecord(panes, task.Kind, int64(task.Pane), task.Success, depth, task.ContextTokens, task.WholeTokens, explored, gaps, unused, at.UnixMilli(), s)
	})
}

// Stats is what came of all tasks, for people; compared: of the earlier half beside the later.
func (p *Panes) Stats(compared bool) (string, error) {
	text, err := p.print(capi.Accp_panes_print_stats, compared)
	return string(text), err
}

// StatsJSON is the same with every number, compared: with both halves in it.
func (p *Panes) StatsJSON(compared bool) (json.RawMessage, error) {
	return p.print(capi.Accp_panes_print_stats_json, compared)
}

func (p *Panes) print(print func(panes unsafe.Pointer, compared int, out, err unsafe.Pointer) int, compared bool) ([]byte, error) {
	halves := 0
	if compared {
		halves = 1
	}
	return p.appendText(nil, func(panes unsafe.Pointer, s *capi.Scratch) int { return print(panes, halves, s.Out(), s.Err()) })
}

// Advise is the depth that the next packet for such a task ought to have, and why: the default one where tasks are too few.
func (p *Panes) Advise(kind string) (depth PacketDepth, why string, err error) {
	err = p.do(func(panes unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_panes_advise(panes, kind, s.NumberOut(), s.Out(), s.Err())
		if status == 0 {
			depth, why = PacketDepth(*(*int32)(s.NumberOut())), s.View.String()
		}
		return status
	})
	return depth, why, err
}
