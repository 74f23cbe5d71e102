// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

/**
 * Tokens in use and at most (specification 7.1).
 *
 * @param hotUsed in hot state
 * @param hotMax at most there
 * @param warmUsed in warm state
 * @param warmMax at most there
 * @param totalUsed in all
 * @param totalMax at most in all
 */
public record TokenBudget(long hotUsed, long hotMax, long warmUsed, long warmMax, long totalUsed, long totalMax) {}
