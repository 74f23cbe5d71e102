// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
//
// The C API for Go: bindings/go/generate makes internal/capi/capi.go and swig_wrap.c from it. Texts
// are passed as Go strings without a copy. All other pointers are C's own memory and stay
// unsafe.Pointer: handles, the struct for outputs (Scratch), views. So C never sees Go memory with
// a Go pointer in it, and keeps no Go memory.
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

// The argument of callbacks: a runtime/cgo.Handle, a number.
%typemap(gotype) void *user "uintptr"
%typemap(in) void *user %{ $1 = (void *)$input; %}

%typemap(gotype) (const char *text, size_t text_len) "string"
%typemap(in) (const char *text, size_t text_len) %{ $1 = $input.p; $2 = (size_t)$input.n; %}

%typemap(gotype) accp_text "string"
%typemap(in) accp_text %{ $1.text = $input.p; $1.len = (size_t)$input.n; %}
%typemap(out) accp_text %{ $result.p = (char *)$1.text; $result.n = (intgo)$1.len; %}
%typemap(goout) accp_text ""

// Go keywords cannot be names.
%rename(kind) type;

%include "../common/accp.i"
