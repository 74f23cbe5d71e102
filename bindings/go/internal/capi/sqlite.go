//go:build accp_sqlite && !accp_system

// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package capi

// #if !__has_include(<sqlite3.h>)
// #error "the build tag accp_sqlite needs SQLite's header and library (Debian: apt-get install libsqlite3-dev)"
// #endif
import "C"
