// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

/**
 * Used and maximum tokens (specification 7.1).
 *
 * @param hotUsed in hot state
 * @param hotMax the most of hot state
 * @param warmUsed in warm state
 * @param warmMax the most of warm state
 * @param totalUsed in all
 * @param totalMax the most in total
 */
public record TokenBudget(long hotUsed, long hotMax, long warmUsed, long warmMax, long totalUsed, long totalMax) {}
