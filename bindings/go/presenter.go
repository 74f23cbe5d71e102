// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Presenter writes data as a text for people, by a template (docs/sacp.md of the project), in a locale and a time zone. Its calls queue.
type Presenter struct{ *handle }

// Locale is how a Presenter writes numbers and dates and sorts.
type Locale struct {
	Tag  string // of BCP 47: "de-DE"; its language is one that ICU knows
	Zone string // "Europe/Berlin", as time.Location.String has it; "": UTC
}

// NewPresenter reads a template of at most 256 KiB: {hotels, each, by price asc {{name}: {price, currency, EUR}}}. Of its options it reads the limits.
//
// ErrParseError: it is none, with the byte of it. ErrInvalidType: ICU does not know the locale or the zone. ErrIO: ICU, which is loaded when the first Presenter is made, is not installed
// (Debian: libicu72).
func NewPresenter(template string, locale Locale, options ...Option) (*Presenter, error) {
	h, err := open(capi.Accp_presenter_free, options, func(config, out, err unsafe.Pointer) int {
		return capi.Accp_presenter_new(template, locale.Tag, locale.Zone, config, out, err)
	})
	if err != nil {
		return nil, err
	}
	return &Presenter{h}, nil
}

// Print prints data, JSON, by the template. A text of the data comes on one line, without control characters, and is never read as a template.
//
// ErrParseError: it is no JSON, with the byte of it; or more than 16 MiB would be printed. ErrInvalidType: the data has nothing of a name, or not what its slot is for; the offset is the byte of the
// template where the slot begins.
func (p *Presenter) Print(data []byte) (string, error) {
	text, err := p.appendText(nil, func(presenter unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_presenter_print(presenter, capi.Text(data), s.Out(), s.Err())
	})
	return string(text), err
}
