//go:build !cgo || !linux || !(amd64 || arm64)

// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package capi

// This name is not declared: it appears in the compiler's error if the package cannot be built.
var _ = accp_needs_Linux_on_amd64_or_arm64_and_cgo__set_CGO_ENABLED_1_and_install_gcc_or_clang
