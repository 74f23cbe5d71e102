// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Category is the category of an error: the first digit of its code.
type Category int

const (
	CategoryNone     Category = capi.ACCP_CATEGORY_NONE
	CategoryParse    Category = capi.ACCP_CATEGORY_PARSE
	CategoryState    Category = capi.ACCP_CATEGORY_STATE
	CategoryDelivery Category = capi.ACCP_CATEGORY_DELIVERY
	CategoryTool     Category = capi.ACCP_CATEGORY_TOOL
	CategoryPolicy   Category = capi.ACCP_CATEGORY_POLICY
	CategoryInternal Category = capi.ACCP_CATEGORY_INTERNAL
)

// Failure is the content of an error frame,
// `@agent>fail:error{code:E3001|msg:connection_timed_out|retry:true|schema:ER}`.
type Failure struct {
	Code    Code   // a peer's code may have no name in this version
	Retry   bool   // reading: sending again may help. Writing: ignored, the table of codes decides
	Agent   string // the sender; required
	Message string // one line for people; writing: "" means the name of the code
	Detail  string
	Source  string // the failed component: "api.crm"
	Cid     string // of the failed frame
}

// EncodeFailure writes an error frame under the codec's extensions and envelope (specification 3.6). It needs a registry.
func (c *Codec) EncodeFailure(failure Failure) ([]byte, error) {
	return c.appendText(nil, func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.EncodeFailure(p, int32(failure.Code), failure.Agent, failure.Message, failure.Detail, failure.Source, failure.Cid, s)
	})
}

// DecodeFailure decodes a frame that may be an error frame, as Decode does; nil if it is not one.
// Without a registry no frame is one.
func (c *Codec) DecodeFailure(frame []byte) (*Failure, error) {
	var out *Failure
	err := c.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		if status := capi.Accp_codec_decode(p, capi.Text(frame), s.Out(), s.Err()); status != 0 {
			return status
		}
		at := (*capi.Failure)(s.RoomOut())
		status := capi.Accp_codec_failure(p, s.RoomOut(), s.Err())
		if status == 0 && at.Code != 0 {
			out = &Failure{Code(at.Code), at.Retry != 0, at.Agent.String(), at.Message.String(), at.Detail.String(), at.Source.String(), at.Cid.String()}
		}
		return status
	})
	return out, err
}
