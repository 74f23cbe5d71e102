// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

/** @packageDocumentation */
export * from './index.js';
