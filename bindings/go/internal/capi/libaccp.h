/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Includes the installed library's headers, or reports in one line why it cannot be used. All
 * hand-written C of this directory includes it, and cgo reads it before SWIG's code.
 */
#ifndef ACCP_GO_LIBACCP_H
#define ACCP_GO_LIBACCP_H

#if !defined(__linux__) || !(defined(__x86_64__) || defined(__aarch64__))
#error "the Go package accp needs Linux on amd64 or arm64"
#endif

#include <accp/accp.h>
#include <accp/parts.h>

#if ACCP_ABI_VERSION != 1
#error "the installed libaccp is not of ABI version 1: see README.md, then go build -a"
#endif

#endif
