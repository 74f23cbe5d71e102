// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
)

var nights = []string{"monday", "tuesday", "wednesday"}

// logOf returns the result of the tool read_log.
func logOf(arguments []byte) string {
	var asked struct{ Night string }
	check(json.Unmarshal(arguments, &asked))
	var lines strings.Builder
	for day, night := range nights {
		for i := 0; night == asked.Night && i < 2400; i++ {
			fmt.Fprintf(&lines, "worker-%d stopped at %02d:%02d, %d jobs done\n", i, i*7%24, (i*13+day)%60, i*31%97+day)
		}
	}
	return lines.String()
}

// playModel starts a server that plays the model and returns its address. The stub reads three
// logs, requests lines that its context omits, and writes a result.
func playModel() string {
	turn := -1
	ref, stopped := regexp.MustCompile(`\$cold\.m\d+`), regexp.MustCompile(`(worker-\d+) stopped at 11:43`)
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Messages json.RawMessage }
		check(json.NewDecoder(r.Body).Decode(&asked))
		turn++
		if turn < len(nights) {
			call(w, turn, "I read the next log.", "read_log", map[string]string{"night": nights[turn]})
		} else if turn == len(nights) {
			refs := ref.FindAllString(string(asked.Messages), -1)
			call(w, turn, "I need some lines of it.", "resolve", map[string]string{"ref": refs[len(refs)-1], "query": "11:43"})
		} else {
			answer, seen := "On Wednesday:", map[string]bool{}
			for _, found := range stopped.FindAllStringSubmatch(string(asked.Messages), -1) {
				if !seen[found[1]] {
					answer += " " + found[1]
				}
				seen[found[1]] = true
			}
			say(w, map[string]any{"role": "assistant", "content": answer})
		}
	})).URL
}

func call(w io.Writer, turn int, text, name string, arguments map[string]string) {
	function := map[string]string{"name": name, "arguments": string(try(json.Marshal(arguments)))}
	calls := []any{map[string]any{"id": fmt.Sprint("call_", turn), "type": "function", "function": function}}
	say(w, map[string]any{"role": "assistant", "content": text, "tool_calls": calls})
}

func say(w io.Writer, message map[string]any) {
	check(json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": message}}}))
}
