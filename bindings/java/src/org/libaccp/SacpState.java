// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.libaccp.internal.Raw;
import org.libaccp.internal.accp_sacp_version;

/**
 * A state of a task.
 *
 * @param version of SACP; each has its own states
 * @param name such as {@code "PENDING"}
 */
public record SacpState(Version version, String name) {
    /** A version of SACP. */
    public enum Version {
        /** 0.1: four states. */
        V0_1(accp_sacp_version.ACCP_SACP_0_1),
        /** 1.0.0: seven. */
        V1_0(accp_sacp_version.ACCP_SACP_1_0);

        final int number;

        Version(int number) {
            this.number = number;
        }

        /** {@return its states, {@code PENDING} first} */
        public List<SacpState> states() {
            List<SacpState> states = new ArrayList<>();
            byte[] name;
            while ((name = Raw.accp_sacp_state_name(number, states.size())) != null) {
                states.add(new SacpState(this, Texts.out(name)));
            }
            return List.copyOf(states);
        }
    }

    /**
     * Checks that the state exists.
     *
     * @param version of SACP
     * @param name of the state
     * @throws IllegalArgumentException if the version has no such state
     */
    public SacpState {
        if (number(Objects.requireNonNull(version, "version"), Objects.requireNonNull(name, "name")) < 0) {
            throw new IllegalArgumentException("no state of " + version + ": " + name);
        }
    }

    /**
     * Returns whether a task may change to this state from another state of the same version. After
     * an end state no other is possible; any other state may be repeated.
     *
     * @param before the other state
     * @return true if so
     */
    public boolean mayFollow(SacpState before) {
        Objects.requireNonNull(before, "before");
        return before.version == version && Raw.accp_sacp_state_is_next(version.number, number(version, before.name), number(version, name)) != 0;
    }

    /** {@return its name} */
    @Override
    public String toString() {
        return name;
    }

    private static int number(Version version, String name) {
        return Raw.accp_sacp_state_find(version.number, name.getBytes(StandardCharsets.UTF_8));
    }
}
