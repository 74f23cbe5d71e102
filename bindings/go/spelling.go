// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"regexp"
	"strings"
)

// The library's texts name rules, limits, modes and calls by kind and name ("raise rule
// max_tokens", "call session_sync").
var named = regexp.MustCompile(`\b(?:in |the )?(rule|limit|mode|call) ([a-z][a-z0-9_]*)`)

// Names in texts other than the rules and limits of names_generated.go.
var otherNames = map[string]string{
	"rule dialect":      "WithDialect",
	"rule extensions":   "WithExtensions",
	"rule strictness":   "WithStrictness",
	"mode local":        "by Engine.OpenLocal",
	"mode read_only":    "by Engine.OpenReadOnly",
	"call session_sync": "call Session.Sync",
}

// spell replaces the library's names by Go names; unknown names stay.
func spell(text string) string {
	if !strings.Contains(text, "rule ") && !strings.Contains(text, "limit ") && !strings.Contains(text, "mode ") && !strings.Contains(text, "call ") {
		return text
	}
	return named.ReplaceAllStringFunc(text, func(found string) string {
		at := named.FindStringSubmatch(found)
		key := at[1] + " " + at[2]
		if name, ok := ruleNames[key]; ok {
			return name
		}
		if name, ok := otherNames[key]; ok {
			return name
		}
		return found
	})
}
