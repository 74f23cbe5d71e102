// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import org.libaccp.internal.accp_kind;

/** The kind of a {@link Json} value. */
public enum Kind {
    /** null. */
    NULL(accp_kind.ACCP_NULL),
    /** true or false. */
    BOOLEAN(accp_kind.ACCP_BOOL),
    /** A whole number, of any length. */
    INTEGER(accp_kind.ACCP_INT),
    /** A number with a point, exact. */
    DECIMAL(accp_kind.ACCP_DEC),
    /** Any other JSON number: {@code -0}, {@code 1e-9}. */
    NUMBER(accp_kind.ACCP_NUMBER),
    /** A text. */
    STRING(accp_kind.ACCP_STRING),
    /** A reference: {@code $warm.key}. */
    REF(accp_kind.ACCP_REF),
    /** An array. */
    ARRAY(accp_kind.ACCP_ARRAY),
    /** An object. */
    OBJECT(accp_kind.ACCP_MAP);

    private static final Kind[] ALL = values();
    final int number;

    Kind(int number) {
        this.number = number;
    }

    static Kind of(int number) {
        return ALL[number - 1];
    }
}
