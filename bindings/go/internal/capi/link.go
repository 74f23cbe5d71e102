//go:build linux && (amd64 || arm64)

// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package capi

// The installed library, as pkg-config finds it. The .pc file beside this one requires it, at the
// version whose headers generate read; go build prints the name of that file where this fails.
//
// With the tag accp_static, libaccp.a is linked first and leaves nothing undefined; --as-needed
// then drops the -laccp of pkg-config, which the linker would take for the shared library.
//
// -Werror: a library without a function that this package calls is refused where C is compiled.

// #cgo !accp_static pkg-config: ./install-libaccp-first-see-README.md.pc
// #cgo accp_static pkg-config: --static ./install-libaccp-first-see-README.md.pc
// #cgo accp_static LDFLAGS: -Wl,--as-needed -l:libaccp.a
// #cgo CFLAGS: -Werror=implicit-function-declaration
import "C"
