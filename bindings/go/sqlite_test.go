// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	accp "github.com/libaccp/libaccp/bindings/go"
)

func TestStoreInFile(t *testing.T) {
	path := "sqlite:" + t.TempDir() + "/s.db"
	store := must(accp.OpenStore(background, path, 0))
	session := must(must(accp.NewEngine(accp.WithStore(store))).Open(background, "s"))
	if err := session.Append(background, []byte(plan)); err != nil {
		t.Fatal(err)
	}
	session.Close()
	if err := store.Close(); err != nil {
		t.Error(err)
	}
	again := must(accp.OpenStore(background, path, accp.StoreReadOnly))
	if counts := must(again.Counts(background)); counts.Records != 1 {
		t.Error(counts)
	}
	if found, err := again.Verify(background); len(found) != 0 || err != nil {
		t.Error(found, err)
	}
}

func TestCodeStaysOnDisk(t *testing.T) {
	path := t.TempDir() + "/code.sqlite"
	code := must(accp.OpenPacketCode(path))
	must(struct{}{}, code.AddStamped("routes/auth.py", []byte("async def login(user): ...\n"), 7))
	must(struct{}{}, code.Add("weather.py", []byte("def rain(): ...\n")))
	must(struct{}{}, code.Sync())
	must(struct{}{}, code.Close())
	code = must(accp.OpenPacketCode(path))
	if paths := must(code.Paths()); len(paths) != 2 || paths[0] != "routes/auth.py" || paths[1] != "weather.py" {
		t.Error(paths)
	}
	if code.Stamp("routes/auth.py") != 7 || code.Stamp("none.py") != 0 {
		t.Error("stamps")
	}
	packet := must(accp.NewContextPacket())
	must(struct{}{}, packet.Generate(accp.PacketRequest{Task: "Mend the login", Depth: accp.PacketStandard, Code: code}))
	if prompt := must(packet.Prompt()); !strings.Contains(prompt, "- routes/auth.py: login\n") {
		t.Error(prompt)
	}
	if !must(code.Remove("weather.py")) || must(code.Remove("weather.py")) || code.Count() != 1 {
		t.Error("removed")
	}
	must(struct{}{}, code.Close())
	must(struct{}{}, os.WriteFile(path, []byte("a letter to somebody"), 0o600))
	if _, err := accp.OpenPacketCode(path); !errors.Is(err, accp.ErrCorrupt) {
		t.Error(err)
	}
	if _, err := accp.OpenPacketCode(t.TempDir() + "/none/code"); !errors.Is(err, accp.ErrIO) {
		t.Error(err)
	}
}

// TestACodecKeepsNoStore: the options of an engine may be a codec's too, and the store closes when the engine does.
func TestACodecKeepsNoStore(t *testing.T) {
	path := t.TempDir() + "/s.db"
	store := must(accp.OpenStore(background, "sqlite:"+path, 0))
	options := []accp.Option{accp.WithStore(store)}
	codec, engine := must(accp.NewCodec(options...)), must(accp.NewEngine(options...))
	must(struct{}{}, store.Close())
	if !isOpen(path) {
		t.Error("the engine has lost its store")
	}
	engine.Close()
	if isOpen(path) {
		t.Error("the store is open")
	}
	must(codec.Encode([]byte(plan)))
}

func isOpen(path string) bool {
	files, _ := os.ReadDir("/proc/self/fd")
	for _, file := range files {
		if to, _ := os.Readlink("/proc/self/fd/" + file.Name()); to == path {
			return true
		}
	}
	return false
}

func TestCallsQueueInAFile(t *testing.T) { callsQueue(t, "sqlite:"+t.TempDir()+"/s.db") }
