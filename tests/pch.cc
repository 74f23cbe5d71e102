// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Carries tests/pch.h for the test programs; as a program of its own it has no test.
