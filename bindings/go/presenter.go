// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Presenter writes data as text for people by a template (docs/sacp.md), in a locale and a time
// zone. Its calls queue.
type Presenter struct{ *handle }

// Locale defines how a Presenter writes numbers and dates and sorts.
type Locale struct {
	Tag  string // BCP 47: "de-DE"; a language that ICU supports
	Zone string // such as "Europe/Berlin", as time.Location.String returns; "": UTC
}

// NewPresenter reads a template of at most 256 KiB: {hotels, each, by price asc {{name}: {price,
// currency, EUR}}}. It reads the limits of the options.
//
// It returns ErrParseError with the byte for an invalid template, and ErrInvalidType if ICU does
// not support the locale or zone. ICU is loaded for the first Presenter; ErrIO means that it is not
// installed (Debian: libicu72).
func NewPresenter(template string, locale Locale, options ...Option) (*Presenter, error) {
	h, err := open(capi.Accp_presenter_free, options, func(config, out, err unsafe.Pointer) int {
		return capi.Accp_presenter_new(template, locale.Tag, locale.Zone, config, out, err)
	})
	if err != nil {
		return nil, err
	}
	return &Presenter{h}, nil
}

// Print prints JSON data by the template. A text of the data is one line without control
// characters, and is never read as a template.
//
// It returns ErrParseError with the byte for invalid JSON, and for a result over 16 MiB. It returns
// ErrInvalidType if the data lacks a name or has the wrong type for a slot; the offset is the byte
// of the template at which the slot begins.
func (p *Presenter) Print(data []byte) (string, error) {
	text, err := p.appendText(nil, func(presenter unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_presenter_print(presenter, capi.Text(data), s.Out(), s.Err())
	})
	return string(text), err
}
