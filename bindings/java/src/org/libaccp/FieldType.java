// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import org.libaccp.internal.accp_field_type;

/** The type of a schema's field. A reference and null are always allowed. */
public enum FieldType {
    /** Anything. */
    ANY(accp_field_type.ACCP_FIELD_ANY),
    /** A text. */
    STRING(accp_field_type.ACCP_FIELD_STRING),
    /** A whole number. */
    INTEGER(accp_field_type.ACCP_FIELD_INTEGER),
    /** A decimal or a whole number: exact digits, no exponent. */
    DECIMAL(accp_field_type.ACCP_FIELD_DECIMAL),
    /** Any number. */
    NUMBER(accp_field_type.ACCP_FIELD_NUMBER),
    /** True or false. */
    BOOLEAN(accp_field_type.ACCP_FIELD_BOOLEAN),
    /** An array. */
    ARRAY(accp_field_type.ACCP_FIELD_ARRAY),
    /** An object. */
    OBJECT(accp_field_type.ACCP_FIELD_OBJECT);

    final int number;

    FieldType(int number) {
        this.number = number;
    }

    static FieldType of(long number) {
        for (FieldType one : values()) {
            if (one.number == number) {
                return one;
            }
        }
        throw new IllegalArgumentException("no FieldType " + number);
    }
}
