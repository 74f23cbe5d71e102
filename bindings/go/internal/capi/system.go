//go:build accp_system

// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package capi

// The core is the system's libaccp.so, as pkg-config knows it: "Package accp was not found" says that it is not installed, or that PKG_CONFIG_PATH has to name the
// directory of its accp.pc.

// #cgo pkg-config: accp
// #cgo CPPFLAGS: -DACCP_GO_SYSTEM=1
//
// #include <accp/version.h>
// #if ACCP_ABI_VERSION != 1
// #error "the libaccp that pkg-config knows is of another ABI version than this package, which needs 1"
// #endif
import "C"
