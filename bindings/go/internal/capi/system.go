//go:build accp_system

// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package capi

// The core is the system's libaccp.so, as pkg-config knows it.

// #cgo pkg-config: accp
// #cgo CPPFLAGS: -DACCP_GO_SYSTEM=1
import "C"
