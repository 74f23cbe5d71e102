// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Objects;
import org.libaccp.internal.Raw;

/**
 * Writes data as a text for people, by a template (docs/sacp.md of the project), in a locale and a time zone: {@code {hotels, each, by price asc {{name}: {price, currency, EUR}}}}.
 * One thread at a time.
 *
 * <p>ICU knows the locales. It is loaded when the first presenter is made, stays loaded, and is not part of the package (Debian: libicu72).
 */
public final class Presenter extends Handle {
    /**
     * Reads a template, for times in UTC.
     *
     * @param template as {@link #Presenter(String, Locale, ZoneId, Options)} takes it
     * @param locale how numbers and dates are written, and texts sorted
     * @throws AccpException as {@link #Presenter(String, Locale, ZoneId, Options)}
     */
    public Presenter(String template, Locale locale) throws AccpException {
        this(template, locale, ZoneOffset.UTC, null);
    }

    /**
     * Reads a template.
     *
     * @param template as {@link #Presenter(String, Locale, ZoneId, Options)} takes it
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
     * @param template at most 256 KiB in UTF-8, without control characters other than ends of lines and tabs
     * @param locale how numbers and dates are written, and texts sorted; its language is one that ICU knows
     * @param zone of the times: a place ({@code Europe/Berlin}) or UTC; other offsets ICU does not know
     * @param options may be null: limits
     * @throws AccpException E1001: no template, with the byte of it; E1004: ICU does not know the locale or the zone, or a lone surrogate; ERR_IO: ICU is not installed; ERR_NOMEM
     */
    public Presenter(String template, Locale locale, ZoneId zone, Options options) throws AccpException {
        super(new State(make(template, locale, zone, options), false, Raw::accp_presenter_free));
    }

    private static long make(String template, Locale locale, ZoneId zone, Options options) throws AccpException {
        byte[] text = Texts.in(template, "template"), tag = Texts.in(Objects.requireNonNull(locale, "locale").toLanguageTag(), "locale");
        boolean utc = Objects.requireNonNull(zone, "zone").normalized().equals(ZoneOffset.UTC);  // which has more names in Java than in ICU
        byte[] place = utc ? Texts.EMPTY : Texts.in(zone.getId(), "zone");
        return Config.make(options, config -> Raw.accp_presenter_new(text, tag, place, config));
    }

    /**
     * Prints data by the template. A text of the data comes on one line, without control characters, and is never read as a template.
     *
     * @param data JSON
     * @return a text
     * @throws AccpException E1001: it is no JSON, with the byte of it, or more than 16 MiB would be printed; E1004: the data has nothing of a name, or not what its slot is for, with the
     *     byte of the template where the slot begins; ERR_NOMEM
     */
    public String print(String data) throws AccpException {
        byte[] text = Texts.in(data, "data");
        return Texts.out(ask(presenter -> Raw.accp_presenter_print(presenter, text)));
    }
}
