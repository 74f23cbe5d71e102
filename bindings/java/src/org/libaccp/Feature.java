// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.EnumSet;
import java.util.Set;
import org.libaccp.internal.accp_feature;

/**
 * Abilities of sessions beyond frames. Each is a rule of a negotiation and of the later sessions
 * ({@link Options#agreement}).
 */
public enum Feature {
    /** m1, {@link Rule#MERGES}: only the changed cells of rows of the shared state are sent. */
    MERGES(accp_feature.ACCP_FEATURE_MERGES),
    /** f1, {@link Rule#PARTS}: messages in parts; offered unless the rule is 0; needs q1. */
    PARTS(accp_feature.ACCP_FEATURE_PARTS),
    /**
     * s1, {@link Rule#SHARES_STORE}: references to one store. Name it only if both sides are known
     * to read the same one.
     */
    STORE(accp_feature.ACCP_FEATURE_STORE),
    /**
     * n1, {@link Rule#BY_SENDER}: each agent counts its own frames, so both may send at once.
     * Offered unless the rule is 0.
     */
    SENDERS(accp_feature.ACCP_FEATURE_SENDERS);

    final int number;

    Feature(int number) {
        this.number = number;
    }

    static int bits(Set<Feature> set) {
        return set.stream().mapToInt(one -> one.number).sum();
    }

    static Set<Feature> of(long bits) {
        EnumSet<Feature> set = EnumSet.noneOf(Feature.class);
        for (Feature one : values()) {
            if ((bits & one.number) != 0) {
                set.add(one);
            }
        }
        return set;
    }
}
