// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
//
// The C face for Go: bindings/go/generate makes internal/capi/capi.go and swig_wrap.c of it. Texts go in as Go strings, without a copy; everything else
// that is a pointer is C's own memory and stays an unsafe.Pointer: handles, the struct that a call writes to (Scratch), views. So no Go memory holds a
// Go pointer when C sees it, and nothing that C keeps is Go's.
%module capi

%rename("$ignore", %$isclass) "";
%rename("$ignore", %$isenumitem) "";
%rename("$ignore", %$isenum) "";
%rename("$ignore", %$isconstant) "";

%typemap(gotype) SWIGTYPE *, SWIGTYPE **, const SWIGTYPE *, const char *, const char **, void *, int32_t *, int64_t *, uint32_t *, uint64_t *, size_t *, char *
    "unsafe.Pointer"
%typemap(in) SWIGTYPE *, SWIGTYPE **, const SWIGTYPE *, const char *, const char **, void *, int32_t *, int64_t *, uint32_t *, uint64_t *, size_t *, char *
    %{ $1 = ($1_ltype)$input; %}
%typemap(out) SWIGTYPE *, SWIGTYPE **, const SWIGTYPE *, const char *, const char **, void * %{ $result = (void *)$1; %}
%typemap(goout) SWIGTYPE *, SWIGTYPE **, const SWIGTYPE *, const char *, const char **, void * ""
%typemap(freearg) const char *, char * ""
%apply SWIGTYPE * { accp_count_function, accp_text_function, accp_damage_function, accp_model_function };

// What a callback is told: a runtime/cgo.Handle, a number.
%typemap(gotype) void *user "uintptr"
%typemap(in) void *user %{ $1 = (void *)$input; %}

%typemap(gotype) (const char *text, size_t text_len) "string"
%typemap(in) (const char *text, size_t text_len) %{ $1 = $input.p; $2 = (size_t)$input.n; %}

%typemap(gotype) accp_text "string"
%typemap(in) accp_text %{ $1.text = $input.p; $1.len = (size_t)$input.n; %}
%typemap(out) accp_text %{ $result.p = (char *)$1.text; $result.n = (intgo)$1.len; %}
%typemap(goout) accp_text ""

// The keywords of Go are no names.
%rename(kind) type;

%include "../common/accp.i"
