// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Objects;
import org.libaccp.internal.Raw;

/**
 * Writes data as text for people by a template (docs/sacp.md), in a locale and a time zone:
 * {@code {hotels, each, by price asc {{name}: {price, currency, EUR}}}}. One thread at a time.
 *
 * <p>ICU has the locales. It is loaded for the first presenter, stays loaded, and is not part of
 * the package (Debian: libicu72).
 */
public final class Presenter extends Handle {
    /**
     * Reads a template, for times in UTC.
     *
     * @param template as for {@link #Presenter(String, Locale, ZoneId, Options)}
     * @param locale how numbers and dates are written, and texts sorted
     * @throws AccpException as {@link #Presenter(String, Locale, ZoneId, Options)}
     */
    public Presenter(String template, Locale locale) throws AccpException {
        this(template, locale, ZoneOffset.UTC, null);
    }

    /**
     * Reads a template.
     *
     * @param template as for {@link #Presenter(String, Locale, ZoneId, Options)}
     * @param locale how numbers and dates are written, and texts sorted
     * @param zone of the times: a place, or UTC
     * @throws AccpException as {@link #Presenter(String, Locale, ZoneId, Options)}
     */
    public Presenter(String template, Locale locale, ZoneId zone) throws AccpException {
        this(template, locale, zone, null);
    }

    /**
     * Reads a template.
     *
     * @param template at most 256 KiB in UTF-8, without control characters other than line ends and
     *     tabs
     * @param locale how numbers and dates are written, and texts sorted; ICU must support its
     *     language
     * @param zone of the times: a place ({@code Europe/Berlin}) or UTC; ICU supports no other
     *     offsets
     * @param options may be null: limits
     * @throws AccpException E1001: an invalid template, with its byte; E1004: ICU does not support
     *     the locale or the zone, or a lone surrogate; ERR_IO: ICU is not installed; ERR_NOMEM
     */
    public Presenter(String template, Locale locale, ZoneId zone, Options options) throws AccpException {
        super(new State(make(template, locale, zone, options), false, Raw::accp_presenter_free));
    }

    private static long make(String template, Locale locale, ZoneId zone, Options options) throws AccpException {
        byte[] text = Texts.in(template, "template"), tag = Texts.in(Objects.requireNonNull(locale, "locale").toLanguageTag(), "locale");
        boolean utc = Objects.requireNonNull(zone, "zone").normalized().equals(ZoneOffset.UTC);  // Java has more names for it than ICU
        byte[] place = utc ? Texts.EMPTY : Texts.in(zone.getId(), "zone");
        return Config.make(options, config -> Raw.accp_presenter_new(text, tag, place, config));
    }

    /**
     * Prints data by the template. A text of the data is one line without control characters, and
     * is never read as a template.
     *
     * @param data JSON
     * @return a text
     * @throws AccpException E1001: invalid JSON, with its byte, or a result over 16 MiB; E1004: the
     *     data lacks a name or has the wrong type for a slot, with the byte of the template at
     *     which the slot begins; ERR_NOMEM
     */
    public String print(String data) throws AccpException {
        byte[] text = Texts.in(data, "data");
        return Texts.out(ask(presenter -> Raw.accp_presenter_print(presenter, text)));
    }
}
