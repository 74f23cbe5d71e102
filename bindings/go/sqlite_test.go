// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"testing"

	accp "github.com/libaccp/libaccp/bindings/go"
)

func TestStoreInFile(t *testing.T) {
	path := "sqlite:" + t.TempDir() + "/s.db"
	store := must(accp.OpenStore(background, path, 0))
	session := must(must(accp.NewEngine(accp.EngineConfig{Store: store})).Open(background, "s"))
	if err := session.Append(background, []byte(plan)); err != nil {
		t.Fatal(err)
	}
	session.Close()
	if err := store.Close(); err != nil {
		t.Error(err)
	}
	again := must(accp.OpenStore(background, path, accp.StoreReadOnly))
	if stats := must(again.Stats(background)); stats.Records != 1 {
		t.Error(stats)
	}
	if found, err := again.Verify(background); len(found) != 0 || err != nil {
		t.Error(found, err)
	}
}

func TestCallsQueueInAFile(t *testing.T) { callsQueue(t, "sqlite:"+t.TempDir()+"/s.db") }
