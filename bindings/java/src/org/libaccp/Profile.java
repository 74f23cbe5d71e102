// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.libaccp.internal.accp_profile;

/** The profiles (specification 10): each adds its schema. The error schema ER is always present. */
public enum Profile {
    /** CH. */
    CHAT(accp_profile.ACCP_PROFILE_CHAT),
    /** TC. */
    TOOL(accp_profile.ACCP_PROFILE_TOOL),
    /** TX. */
    TRANSACTION(accp_profile.ACCP_PROFILE_TRANSACTION),
    /** ST. */
    STREAM(accp_profile.ACCP_PROFILE_STREAM),
    /** TA. */
    WORKFLOW(accp_profile.ACCP_PROFILE_WORKFLOW);

    final int number;

    Profile(int number) {
        this.number = number;
    }

    static int bits(Profile... set) {
        Objects.requireNonNull(set, "profiles");
        int bits = 0;
        for (Profile one : set) {
            bits |= one.number;
        }
        return bits;
    }

    static Set<Profile> of(long bits) {
        EnumSet<Profile> set = EnumSet.noneOf(Profile.class);
        for (Profile one : values()) {
            if ((bits & one.number) != 0) {
                set.add(one);
            }
        }
        return set;
    }
}
