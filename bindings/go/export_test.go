// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

// Spell is what texts of the library go through.
var Spell = spell

// NamedThings are what texts of the library may name: "rule max_tokens".
func NamedThings() map[string]string {
	all := map[string]string{}
	for _, names := range []map[string]string{ruleNames, otherNames} {
		for key, name := range names {
			all[key] = name
		}
	}
	return all
}
