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

// SharedPane is the number of the packet that all panes share.
const SharedPane = -1

// PaneReading has options of Panes.Read, as bits.
type PaneReading uint32

const (
	PaneAlone      PaneReading = capi.ACCP_PANES_ALONE      // only the pane's own packet, without shared content
	PaneUnverified PaneReading = capi.ACCP_PANES_UNVERIFIED // the same, with any checksum: for editing
	PaneReceipt    PaneReading = capi.ACCP_PANES_RECEIPT    // read by the worker itself: a receipt is recorded
)

// PaneWriting has options of Panes.Write.
type PaneWriting struct {
	Revision string // the required checksum of the current packet; "": any for a pane; for the shared packet there must be none
	Edited   bool   // edited by hand, which is counted
	Made     bool   // made by a program: Refresh finds later edits by it
}

// PaneSettings are the settings of a configuration.
type PaneSettings struct {
	DefaultDepth    PacketDepth
	Budgets         [3]int // tokens, by depth
	AutoGenerate    bool   // programs that start a worker make a packet for it
	TrackEfficiency bool   // otherwise tasks and receipts are not recorded
	AutoCleanup     bool   // a task's packet is archived and removed after the task
	LockSeconds     int    // how long a writer waits for another before ErrBusy
	OwnPane         int    // pane of the reader of the configuration; -1: not set
}

// PaneFeedback is a worker's feedback on its packet.
type PaneFeedback struct {
	Gaps   []string // missing information
	Unused []string // unneeded information
}

// PaneTask is a finished task.
type PaneTask struct {
	Kind          string // kind of the task, such as auth; may be ""
	Pane          int    // its pane; -1: none
	Success       bool
	Depth         *PacketDepth  // depth of its packet; nil: unknown
	ContextTokens uint64        // tokens of its packet; 0: as in the packet
	WholeTokens   uint64        // tokens of the packet's sources; 0: unknown
	Explored      *int          // files that the worker looked up again; nil: unknown
	Feedback      *PaneFeedback // nil: the feedback in the pane's file
	At            time.Time     // zero: now
}

// Panes are the packets of one project, in files under .agentwire (docs/panes.md), with feedback
// and results of tasks. Its calls queue. Any number of Panes, in any number of processes, may be
// open on a project.
type Panes struct {
	*handle
	clock func() time.Time
}

// OpenPanes opens the project in an existing directory. The store keeps removed packets, receipts
// and tasks; the panes keep it alive until they are closed.
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

// Configure applies the part context of a configuration in YAML. It returns ErrParseError for
// invalid YAML, and ErrInvalidType for an unknown name or an invalid value; then nothing changes.
func (p *Panes) Configure(yaml []byte) error {
	return p.do(func(panes unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_panes_configure(panes, capi.Text(yaml), s.Err())
	})
}

// Settings returns the current settings.
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

// with runs a call with a packet. The turn of the panes comes first, so two such calls never wait
// for each other.
func (p *Panes) with(packet *ContextPacket, call func(panes, packet unsafe.Pointer, s *capi.Scratch) int) error {
	if packet == nil {
		return errClosed
	}
	return p.withBoth(context.Background(), packet.handle, call)
}

// Write seals a packet and writes it durably for a pane or SharedPane. It returns ErrBusy if there
// is another revision.
func (p *Panes) Write(pane int, packet *ContextPacket, how PaneWriting) error {
	writing := uint(0)
	if how.Edited {
		writing = capi.ACCP_PANES_EDITED
	} else if how.Made {
		writing = capi.ACCP_PANES_MADE
	}
	return p.with(packet, func(panes, of unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_panes_write(panes, int64(pane), of, how.Revision, p.clock().UnixMilli(), writing, s.Err())
	})
}

// Read reads the packet of a pane, merged with the shared packet. It returns ErrRefNotFound if the
// pane has no packet.
func (p *Panes) Read(pane int, packet *ContextPacket, how PaneReading) error {
	return p.with(packet, func(panes, of unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_panes_read(panes, int64(pane), p.clock().UnixMilli(), uint(how), of, s.Err())
	})
}

// Remove removes only the packet of a pane. With AutoCleanup, packet and feedback are archived
// first. It returns ErrRefNotFound if it does not exist.
func (p *Panes) Remove(pane int) error {
	return p.do(func(panes unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_panes_remove(panes, int64(pane), p.clock().UnixMilli(), s.Err())
	})
}

// Refresh replaces the packet of a pane by one that was made again, and keeps what people changed
// by hand; packet becomes the result, its next version. An empty note lists the changes; an empty
// revision accepts any. It returns ErrRefNotFound if the pane has no packet, and ErrBusy if there is
// another revision.
func (p *Panes) Refresh(pane int, packet *ContextPacket, revision, note string) error {
	return p.with(packet, func(panes, of unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_panes_refresh(panes, int64(pane), of, revision, note, s.Err())
	})
}

// Restore writes the packet of a pane that was archived last, and its feedback. It returns
// ErrRefNotFound if there is none, and ErrBusy if the pane has a packet.
func (p *Panes) Restore(pane int) error {
	return p.do(func(panes unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_panes_restore(panes, int64(pane), s.Err())
	})
}

// paneLines writes items for C, one per line.
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

// WriteFeedback writes the feedback of a pane's worker. Items that mean "none" are ignored.
func (p *Panes) WriteFeedback(pane int, feedback PaneFeedback) error {
	gaps, unused := paneLines(feedback.Gaps), paneLines(feedback.Unused)
	return p.do(func(panes unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_panes_write_feedback(panes, int64(pane), gaps, unused, s.Err())
	})
}

// Feedback reads the feedback of a pane. It returns ErrRefNotFound if it does not exist.
func (p *Panes) Feedback(pane int) (feedback PaneFeedback, err error) {
	err = p.do(func(panes unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_panes_read_feedback(panes, int64(pane), unsafe.Pointer(&s.View), unsafe.Pointer(&s.Second), s.Err())
		if status == 0 {
			feedback = PaneFeedback{Gaps: paneItems(s.View.String()), Unused: paneItems(s.Second.String())}
		}
		return status
	})
	return feedback, err
}

// Record records a task durably and cleans up after it, as the settings define.
func (p *Panes) Record(task PaneTask) error {
	depth, explored, at := int32(-1), int64(-1), task.At
	if task.Depth != nil {
		depth = int32(*task.Depth)
	}
	if task.Explored != nil {
		explored = int64(*task.Explored)
	}
	gaps, unused := "", ""
	if task.Feedback != nil { // a blank line means that nothing was missing
		gaps, unused = paneLines(task.Feedback.Gaps)+"\n", paneLines(task.Feedback.Unused)
	}
	return p.do(func(panes unsafe.Pointer, s *capi.Scratch) int {
		if at.IsZero() {
			at = p.clock()
		}
		return capi.PanesRecord(panes, task.Kind, int64(task.Pane), task.Success, depth, task.ContextTokens, task.WholeTokens, explored, gaps, unused, at.UnixMilli(), s)
	})
}

// Stats returns the results of all tasks as text; compared shows the earlier half beside the later.
func (p *Panes) Stats(compared bool) (string, error) {
	text, err := p.print(capi.Accp_panes_print_stats, compared)
	return string(text), err
}

// StatsJSON returns the same with every number; compared includes both halves.
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

// Advise returns the recommended depth for the next packet of a kind of task, and the reason; the
// default depth if there are too few tasks.
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
