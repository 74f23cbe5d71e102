// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Data as texts for people. */
class PresenterTest {
    private record Case(String template, Locale locale, ZoneId zone, String data, String want) {}

    private record Refused(String template, Locale locale, ZoneId zone, long offset, Class<? extends AccpException> type) {}

    private record Wrong(long offset, Class<? extends AccpException> type) {}

    @Test
    void SACP_9D_02_dataAsTheLocaleHasIt() throws AccpException {
        String hotels = "{count, plural, one {One hotel} other {# hotels}}:\n{hotels, each, by price asc {{@}. {name}: {price, currency, EUR}\n}}", when = "{d, datetime, short}";
        String late = "{\"d\":\"2026-05-09T23:30:00+02:00\"}";
        ZoneId utc = ZoneOffset.UTC;
        List<Case> cases = List.of(
                new Case(hotels, Locale.US, utc, "{\"count\":2,\"hotels\":[{\"name\":\"B\",\"price\":1234.5},{\"name\":\"A\\n\\u0007\",\"price\":9}]}",
                        "2 hotels:\n1. A \ufffd: \u20ac9.00\n2. B: \u20ac1,234.50\n"),
                new Case("{n}", Locale.GERMANY, utc, "{\"n\":1234567.891}", "1.234.567,891"),
                new Case(when, Locale.GERMANY, utc, late, "09.05.26, 21:30"),
                new Case(when, Locale.GERMANY, ZoneId.of("Asia/Tokyo"), late, "10.05.26, 06:30"),
                new Case(when, Locale.GERMANY, ZoneId.of("Z"), late, "09.05.26, 21:30"),
                new Case(when, Locale.GERMANY, ZoneId.of("Etc/UCT"), late, "09.05.26, 21:30"),
                new Case("{s}", Locale.US, utc, "{\"s\":\"{n}\"}", "{n}"),
                new Case("", Locale.US, utc, "{}", ""));
        for (Case one : cases) {
            Presenter presenter = new Presenter(one.template(), one.locale(), one.zone());
            for (int i = 0; i < 2; i++) {  // a template serves again
                assertEquals(one.want(), presenter.print(one.data()), one.toString());
            }
            presenter.close();
            assertThrows(IllegalStateException.class, () -> presenter.print(one.data()));
        }
        try (Presenter presenter = new Presenter(when, Locale.GERMANY)) {
            assertEquals("09.05.26, 21:30", presenter.print(late));
        }
    }

    @Test
    void whatIsNoTemplateSaysWhere() {
        ZoneId utc = ZoneOffset.UTC;
        List<Refused> cases = List.of(new Refused("a {n", Locale.US, utc, 2, AccpException.ParseError.class),
                new Refused("a {n, nothing}", Locale.US, utc, 13, AccpException.ParseError.class),
                new Refused("a", Locale.forLanguageTag("zz-ZZ"), utc, 0, AccpException.InvalidType.class),
                new Refused("a", Locale.ROOT, utc, 0, AccpException.InvalidType.class),
                new Refused("a", Locale.US, ZoneOffset.ofHours(1), 0, AccpException.InvalidType.class),
                new Refused("a", Locale.US, ZoneId.of("UTC+09:00"), 0, AccpException.InvalidType.class),
                new Refused("\ud800", Locale.US, utc, 0, AccpException.InvalidType.class));
        for (Refused one : cases) {
            AccpException refused = assertThrows(one.type(), () -> new Presenter(one.template(), one.locale(), one.zone()), one.toString());
            assertEquals(one.offset(), refused.offset(), one.toString());
        }
        assertThrows(AccpException.Nomem.class, () -> new Presenter("a".repeat(200_000), Locale.US, utc, new Options().limit(Limit.MEMORY_BYTES, 65_536)));
    }

    @Test
    void whatIsNoDataSaysWhere() throws AccpException {
        try (Presenter presenter = new Presenter("Total: {n, number}", Locale.US)) {
            Map<String, Wrong> cases = Map.of("{\"n\":", new Wrong(5, AccpException.ParseError.class), "{}", new Wrong(7, AccpException.InvalidType.class),
                    "{\"n\":\"x\"}", new Wrong(7, AccpException.InvalidType.class));
            cases.forEach((data, want) -> assertEquals(want.offset(), assertThrows(want.type(), () -> presenter.print(data), data).offset(), data));
            assertEquals("Total: 1", presenter.print("{\"n\":1}"));
        }
    }
}
