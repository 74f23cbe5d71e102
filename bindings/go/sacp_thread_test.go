// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"errors"
	"reflect"
	"testing"

	accp "github.com/libaccp/libaccp/bindings/go"
)

func TestSACP_4_05_WhoIsInBetweenIsNotAskedForProse(t *testing.T) {
	sacp := planners(t)
	defer sacp.Close()
	const inside = `"subtask":{"g":"H","plan":[],"out_fmt":"human"}`
	for _, one := range []struct {
		to            accp.SACPReceiver
		message, want string
	}{
		{accp.SACPReceiver{Role: "executor"}, `{"plan":[],"g":"G","out_fmt":"human"}`, `{"g":"G","plan":[]}`},
		{accp.SACPReceiver{}, `{"g":"G","plan":[],"out_fmt":"human"}`, `{"g":"G","plan":[]}`},
		{accp.SACPReceiver{Role: "executor"}, `{"g":"G","plan":[],"out_fmt":"summary"}`, `{"g":"G","plan":[],"out_fmt":"summary"}`},
		{accp.SACPReceiver{Role: "formatter"}, `{"g":"G","plan":[],"out_fmt":"human"}`, `{"g":"G","plan":[],"out_fmt":"human"}`},
		{accp.SACPReceiver{Role: "executor", MsgID: "m1"}, `{"g":"G","plan":[]}`, `{"g":"G","plan":[],"msg_id":"m1"}`},
		{accp.SACPReceiver{Role: "executor", MsgID: "m1"}, `{"g":"G","plan":[],"msg_id":"m0"}`, `{"g":"G","plan":[],"msg_id":"m0"}`},
		{accp.SACPReceiver{Formatters: []string{"SAY", "TELL"}}, `{"g":"G","plan":[["a","TELL",{` + inside + `}],["a","TEL",{` + inside + `}]]}`,
			`{"g":"G","plan":[["a","TELL",{` + inside + `}],["a","TEL",{"subtask":{"g":"H","plan":[]}}]]}`},
	} {
		if got := string(must(sacp.Compose([]byte(one.message), one.to))); got != one.want {
			t.Errorf("%+v: %s", one.to, got)
		}
	}
	for what, to := range map[string]accp.SACPReceiver{"no id": {MsgID: "a b"}, "two lines": {Formatters: []string{"SAY\nTELL"}}, "no name": {Formatters: []string{"SAY", ""}}} {
		if text, err := sacp.Compose([]byte(`{"g":"G","plan":[]}`), to); !errors.Is(err, accp.ErrArgument) || text != nil {
			t.Error(what, err)
		}
	}
	var refusal *accp.VerdictError
	if _, err := sacp.Compose([]byte(`{"g":"G"}`), accp.SACPReceiver{}); !errors.As(err, &refusal) || refusal.Verdict.Code != accp.SACPMissingField {
		t.Error(err)
	}
}

func TestSACP_2_02_ThreadsAreBuiltFromMessagesInAnyOrder(t *testing.T) {
	sacp := planners(t)
	defer sacp.Close()
	for _, one := range []struct {
		text string
		want []accp.SACPThreadLine
	}{
		{"", []accp.SACPThreadLine{}},
		{"{}\n\n{\"msg_id\":\"a\"}\n", []accp.SACPThreadLine{{1, 0, accp.ThreadRoot, "", "", 0}, {3, 0, accp.ThreadRoot, "a", "", 0}}},
		{`{"msg_id":"c","reply_to":"b"}` + "\n" + `{"msg_id":"b","reply_to":"a"}` + "\n" + `{"msg_id":"a"}`, []accp.SACPThreadLine{{3, 0, accp.ThreadRoot, "a", "", 0},
			{2, 1, accp.ThreadReply, "b", "a", 0}, {1, 2, accp.ThreadReply, "c", "b", 0}}},
		{`{"msg_id":"a","reply_to":"z"}` + "\n" + `{"msg_id":"a"}`, []accp.SACPThreadLine{{1, 0, accp.ThreadOrphan, "a", "z", 0}, {2, 0, accp.ThreadDuplicate, "a", "", 1}}},
		{`{"msg_id":"a","reply_to":"b"}` + "\n" + `{"msg_id":"b","reply_to":"a"}`, []accp.SACPThreadLine{{1, 0, accp.ThreadCycle, "a", "b", 0},
			{2, 1, accp.ThreadReply, "b", "a", 0}}},
	} {
		if got := must(sacp.Threads([]byte(one.text))); !reflect.DeepEqual(got, one.want) {
			t.Errorf("%s: %+v", one.text, got)
		}
	}
	talk := []byte(`{"msg_id":"b","reply_to":"a"}` + "\n" + `{"msg_id":"a"}`)
	if text := string(must(sacp.ThreadsJSON(talk))); text !=
		`[{"line":2,"depth":0,"kind":"root","msg_id":"a"},{"line":1,"depth":1,"kind":"reply","msg_id":"b","reply_to":"a"}]` {
		t.Error(text)
	}
	if text := must(sacp.ThreadsText(talk)); text != "a (line 2)\n  b (line 1)\n" {
		t.Errorf("%q", text)
	}
	for text, want := range map[string]struct {
		code accp.SACPCode
		byte uint64
	}{"{}\n[]": {accp.SACPMalformedMessage, 3}, "{}\n{\"msg_id\":1}": {accp.SACPInvalidType, 13}, "{": {accp.SACPMalformedMessage, 1}} {
		var refusal *accp.VerdictError
		if lines, err := sacp.Threads([]byte(text)); !errors.As(err, &refusal) || refusal.Verdict.Code != want.code || refusal.Verdict.Byte != want.byte || lines != nil {
			t.Errorf("%q: %v %+v", text, err, refusal)
		}
	}
}
