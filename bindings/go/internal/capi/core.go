//go:build !accp_system

// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package capi

// The core is compiled with the package: the .cc files beside this one, made by bindings/go/amalgamate. Nothing of it is visible outside the program,
// and simdjson gets a namespace of its own, so that another copy in the same program is another library.

// #cgo CPPFLAGS: -DACCP_BUILDING=1
// #cgo CFLAGS: -fvisibility=hidden
// #cgo CXXFLAGS: -std=c++20 -g0 -fvisibility=hidden -fvisibility-inlines-hidden -Dsimdjson=accp_simdjson
// #cgo accp_sqlite CPPFLAGS: -DACCP_SQLITE=1 -DACCP_SYSTEM_SQLITE=1
// #cgo accp_sqlite LDFLAGS: -lsqlite3
import "C"

import "embed"

// The vocabularies are put in by the assembler (.incbin). This names them to Go's tools, which would not know otherwise that the package is made of them;
// as nobody reads the variable, the linker leaves it out.
//
//go:embed *.image
var _images embed.FS
