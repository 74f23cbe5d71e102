// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

/** A message of SACP that a call refused. Its cause is the exception of the library's own code, with the same reason and byte. */
public final class SacpException extends AccpException {
    private static final long serialVersionUID = 1L;
    /** Not kept where the exception is serialized. */
    private final transient Verdict verdict;

    SacpException(AccpException refused, Verdict verdict) {
        super(refused.code(), refused.offset(), refused.reason());
        initCause(refused);
        this.verdict = verdict;
    }

    /** {@return why it was refused, in SACP's own codes} */
    public Verdict verdict() {
        return verdict;
    }
}
