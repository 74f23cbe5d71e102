// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.EnumSet;
import java.util.Set;
import org.libaccp.internal.accp_feature;

/** What a session can do beyond frames, where both sides can; each is a rule, of a negotiation and of the sessions after it ({@link Options#agreement}). */
public enum Feature {
    /** m1, {@link Rule#MERGES}: of rows of the shared state the cells that changed. */
    MERGES(accp_feature.ACCP_FEATURE_MERGES),
    /** f1, {@link Rule#PARTS}: messages in parts; named unless it was set to 0; in force only with q1. */
    PARTS(accp_feature.ACCP_FEATURE_PARTS),
    /** s1, {@link Rule#SHARES_STORE}: references to one store. To be named only where it is known that both sides read the same one. */
    STORE(accp_feature.ACCP_FEATURE_STORE),
    /** n1, {@link Rule#BY_SENDER}: each agent counts its own frames, so both may speak at once. Named unless the rule was set to 0. */
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
