// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"errors"
	"strings"
	"testing"

	accp "github.com/libaccp/libaccp/bindings/go"
)

func TestSACP_9D_02_DataAsTheLocaleHasIt(t *testing.T) {
	const hotels = "{count, plural, one {One hotel} other {# hotels}}:\n{hotels, each, by price asc {{@}. {name}: {price, currency, EUR}\n}}"
	const when = "{d, datetime, short}"
	for _, one := range []struct {
		template   string
		locale     accp.Locale
		data, want string
	}{
		{hotels, accp.Locale{Tag: "en-US"}, `{"count":2,"hotels":[{"name":"B","price":1234.5},{"name":"A\n\u0007","price":9}]}`, "2 hotels:\n1. A \ufffd: €9.00\n2. B: €1,234.50\n"},
		{"{n}", accp.Locale{Tag: "de-DE"}, `{"n":1234567.891}`, "1.234.567,891"},
		{when, accp.Locale{Tag: "de-DE"}, `{"d":"2026-05-09T23:30:00+02:00"}`, "09.05.26, 21:30"},
		{when, accp.Locale{Tag: "de-DE", Zone: "Asia/Tokyo"}, `{"d":"2026-05-09T23:30:00+02:00"}`, "10.05.26, 06:30"},
		{"{s}", accp.Locale{Tag: "en-US"}, `{"s":"{n}"}`, "{n}"},
		{"", accp.Locale{Tag: "en-US"}, `{}`, ""},
	} {
		presenter := must(accp.NewPresenter(one.template, one.locale))
		for i := 0; i < 2; i++ { // a template serves again
			if got := must(presenter.Print([]byte(one.data))); got != one.want {
				t.Errorf("%+v: %q", one.locale, got)
			}
		}
		_ = presenter.Close()
		if _, err := presenter.Print([]byte(one.data)); !errors.Is(err, accp.ErrClosed) {
			t.Error(err)
		}
	}
}

func TestWhatIsWrongSaysWhere(t *testing.T) {
	english := accp.Locale{Tag: "en-US"}
	for _, one := range []struct {
		template string
		locale   accp.Locale
		offset   uint64
		want     error
	}{
		{"a {n", english, 2, accp.ErrParseError},
		{"a {n, nothing}", english, 13, accp.ErrParseError},
		{"a", accp.Locale{Tag: "zz-ZZ"}, 0, accp.ErrInvalidType},
		{"a", accp.Locale{Tag: "en-US", Zone: "Europe/Nowhere"}, 0, accp.ErrInvalidType},
	} {
		var detail *accp.Error
		if made, err := accp.NewPresenter(one.template, one.locale); !errors.Is(err, one.want) || !errors.As(err, &detail) || detail.Offset != one.offset || made != nil {
			t.Errorf("%+v: %v", one, err)
		}
	}
	presenter := must(accp.NewPresenter("Total: {n, number}", english))
	defer presenter.Close()
	for data, want := range map[string]struct {
		offset uint64
		err    error
	}{`{"n":`: {5, accp.ErrParseError}, `{}`: {7, accp.ErrInvalidType}, `{"n":"x"}`: {7, accp.ErrInvalidType}} {
		var detail *accp.Error
		if text, err := presenter.Print([]byte(data)); !errors.Is(err, want.err) || !errors.As(err, &detail) || detail.Offset != want.offset || text != "" {
			t.Error(data, err)
		}
	}
	if text := must(presenter.Print([]byte(`{"n":1}`))); text != "Total: 1" {
		t.Error(text)
	}
	if _, err := accp.NewPresenter(strings.Repeat("a", 200_000), english, accp.WithLimit(accp.LimitMemoryBytes, 65536)); !errors.Is(err, accp.ErrNoMemory) {
		t.Error(err)
	}
}
