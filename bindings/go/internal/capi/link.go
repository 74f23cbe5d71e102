//go:build linux && (amd64 || arm64)

// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package capi

// Links the installed library, as pkg-config finds it. The .pc file beside this one requires it, in
// the version whose headers generate reads; go build prints that file's name if this fails.
//
// With the tag accp_static, libaccp.a is linked first and leaves nothing undefined; --as-needed
// then drops the -laccp of pkg-config, which the linker would resolve to the shared library.
//
// -Werror: compiling C fails if the library lacks a function that this package calls.

// #cgo !accp_static pkg-config: ./install-libaccp-first-see-README.md.pc
// #cgo accp_static pkg-config: --static ./install-libaccp-first-see-README.md.pc
// #cgo accp_static LDFLAGS: -Wl,--as-needed -l:libaccp.a
// #cgo CFLAGS: -Werror=implicit-function-declaration
import "C"
