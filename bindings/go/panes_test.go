// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	accp "github.com/libaccp/libaccp/bindings/go"
)

const panePacket = "version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\ntarget_task: t\ncontext:\n  goal: g\n"

func TestASessionTellsAProjectOfTasks(t *testing.T) {
	store := must(accp.OpenStore(background, "memory:", 0))
	panes := must(accp.OpenPanes(background, t.TempDir(), store))
	session := must(must(accp.NewEngine()).Open(background, "work"))
	packet := must(accp.NewContextPacket())
	_ = store.Close()
	if err := packet.Read([]byte(panePacket)); err != nil {
		t.Fatal(err)
	}
	if err := session.SetPanes(background, panes); err != nil {
		t.Fatal(err)
	}
	must(session.SendPacket(background, []byte(`{"agent":"lead","intent":"req","operation":"plan","payload":{"to":"dev","pane":2},"meta":{"cid":"c1"}}`), packet))
	for _, said := range []string{
		`{"agent":"dev","intent":"ack","operation":"context","payload":{"gaps":["tests"]},"meta":{"cid":"c1"}}`,
		`{"agent":"dev","intent":"done","operation":"plan","payload":{},"meta":{"cid":"c1"}}`,
	} {
		if err := session.Append(background, []byte(said)); err != nil {
			t.Fatal(err)
		}
	}
	if said := must(panes.Feedback(2)); !reflect.DeepEqual(said.Gaps, []string{"tests"}) {
		t.Error(said)
	}
	if err := session.SetPanes(background, nil); err != nil {
		t.Fatal(err)
	}
	wants(t, session.SetPanes(background, panes), nil)
}

func TestAPacketInAProjectsFiles(t *testing.T) {
	store := must(accp.OpenStore(background, "memory:", 0))
	directory := t.TempDir()
	panes := must(accp.OpenPanes(background, directory, store, accp.WithClock(func() time.Time { return noon })))
	_ = store.Close() // the panes keep it
	packet, read := must(accp.NewContextPacket()), must(accp.NewContextPacket())
	wants(t, panes.Read(1, read, 0), accp.ErrRefNotFound)
	for _, step := range []func() error{
		func() error {
			return panes.Configure([]byte("context: {default_depth: deep, budgets: {minimal: 90}, pane: 4}"))
		},
		func() error { return packet.Read([]byte(panePacket + "  constraints: [all of us]\n")) },
		func() error { return panes.Write(accp.SharedPane, packet, accp.PaneWriting{}) },
		func() error { return packet.Read([]byte(panePacket + "  constraints: [mine]\n")) },
		func() error { return panes.Write(1, packet, accp.PaneWriting{Edited: true}) },
		func() error { return panes.Read(1, read, accp.PaneReceipt) },
		func() error {
			return panes.WriteFeedback(1, accp.PaneFeedback{Gaps: []string{"which\ntests", "ümlaut"}, Unused: []string{"failed_attempts"}})
		},
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	if prompt := must(read.Prompt()); !strings.Contains(prompt, "- mine\n- all of us\n") {
		t.Error(prompt)
	}
	wants(t, panes.Write(accp.SharedPane, packet, accp.PaneWriting{}), accp.ErrBusy)
	wants(t, panes.Write(1, packet, accp.PaneWriting{Revision: "sha256:0"}), accp.ErrBusy)
	wants(t, panes.Write(-2, packet, accp.PaneWriting{}), accp.ErrArgument)
	if said := must(panes.Feedback(1)); !reflect.DeepEqual(said, accp.PaneFeedback{Gaps: []string{"which tests", "ümlaut"}, Unused: []string{"failed_attempts"}}) {
		t.Error(said)
	}
	settings := must(panes.Settings())
	if settings != (accp.PaneSettings{accp.PacketDeep, [3]int{90, 400, 800}, true, true, true, 10, 4}) {
		t.Error(settings)
	}
	err := panes.Configure([]byte("context: {default_dept: deep}"))
	wants(t, err, accp.ErrInvalidType)
	if !strings.Contains(err.Error(), "default_dept: not one of default_depth") {
		t.Error(err)
	}
	if _, err := os.Stat(directory + "/.agentwire/context/pane-1.yaml"); err != nil {
		t.Error(err)
	}
}

func TestWhatPanesLearn(t *testing.T) {
	panes := must(accp.OpenPanes(background, t.TempDir(), must(accp.OpenStore(background, "memory:", 0))))
	packet := must(accp.NewContextPacket())
	if err := packet.Read([]byte(panePacket)); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < 6; i++ {
		if err := panes.Write(1, packet, accp.PaneWriting{}); err != nil {
			t.Fatal(err)
		}
		if err := panes.WriteFeedback(1, accp.PaneFeedback{Gaps: []string{"what was tried before"}}); err != nil {
			t.Fatal(err)
		}
		task := accp.PaneTask{Kind: "auth", Pane: 1, Success: i > 0}
		if i == 5 {
			depth, explored := accp.PacketStandard, 3
			task.Depth, task.Explored, task.Feedback = &depth, &explored, &accp.PaneFeedback{}
		}
		if err := panes.Record(task); err != nil {
			t.Fatal(err)
		}
		wants(t, panes.Remove(1), accp.ErrRefNotFound) // it was cleaned up
	}
	want := "Average context size: 8 tokens\nWorker success rate: 83%\nTop context gaps: failed attempts (83%)\n"
	if text := must(panes.Stats(false)); !strings.HasPrefix(text, want) {
		t.Error(text)
	}
	if text := must(panes.Stats(true)); !strings.HasPrefix(text, "Tasks: 3 -> 3") {
		t.Error(text)
	}
	if json := string(must(panes.StatsJSON(true))); !strings.HasPrefix(json, `{"tasks":6,`) || !strings.Contains(json, `"explored":3`) {
		t.Error(json)
	}
	depth, why, err := panes.Advise("auth")
	if err != nil || depth != accp.PacketDeep || !strings.HasPrefix(why, "deep: a gap that only a deeper packet fills") {
		t.Error(depth, why, err)
	}
	_ = panes.Close()
	wants(t, panes.Remove(1), accp.ErrClosed)
	wants(t, panes.Read(1, nil, 0), accp.ErrClosed)
}

// A packet that is made again keeps edits; a removed one comes back.
func TestPanesRefreshAndRestore(t *testing.T) {
	panes := must(accp.OpenPanes(background, t.TempDir(), must(accp.OpenStore(background, "memory:", 0))))
	defer panes.Close()
	packet := must(accp.NewContextPacket())
	if err := packet.Read([]byte(panePacket)); err != nil {
		t.Fatal(err)
	}
	wants(t, panes.Refresh(1, packet, "", ""), accp.ErrRefNotFound)
	wants(t, panes.Restore(1), accp.ErrRefNotFound)
	if err := panes.Write(1, packet, accp.PaneWriting{Made: true}); err != nil {
		t.Fatal(err)
	}
	wants(t, panes.Refresh(1, packet, "sha256:0", ""), accp.ErrBusy)
	if err := panes.Refresh(1, packet, "", "again"); err != nil {
		t.Fatal(err)
	}
	wants(t, panes.Restore(1), accp.ErrBusy)
	if err := panes.Remove(1); err != nil {
		t.Fatal(err)
	}
	if err := panes.Restore(1); err != nil {
		t.Fatal(err)
	}
	if err := panes.Read(1, packet, 0); err != nil {
		t.Fatal(err)
	}
}
