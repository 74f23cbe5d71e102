// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
//
// C#: one class of P/Invoke declarations, Accp.Interop.Native, private to the assembly. Everything
// has its layout in memory: pointers as void* or byte*, sizes as nuint, structs by their own
// layout, so no call is marshalled. bindings/csharp/generate runs SWIG and keeps only that class.
%module(imclassname="Native") Raw

%pragma(csharp) imclassclassmodifiers="[System.Runtime.CompilerServices.CompilerGenerated]\ninternal static unsafe class"
%pragma(csharp) imclasscode=%{
  static Native() { LibraryResolver.Register(); }
%}

%define BLITTABLE(CTYPE, CSTYPE)
%typemap(ctype) CTYPE "$1_ltype"
%typemap(imtype) CTYPE "CSTYPE"
%typemap(cstype) CTYPE "CSTYPE"
%typemap(csin) CTYPE "$csinput"
%typemap(in) CTYPE "$1 = ($1_ltype)$input;"
%typemap(out) CTYPE "$result = $1;"
%typemap(csout) CTYPE "{ return $imcall; }"
%typemap(csvarout) CTYPE ""
%typemap(typecheck) CTYPE ""
%enddef

%define POINTER(CTYPE, CSTYPE)
%typemap(ctype) CTYPE "void *"
%typemap(imtype) CTYPE "CSTYPE"
%typemap(cstype) CTYPE "CSTYPE"
%typemap(csin) CTYPE "$csinput"
%typemap(in) CTYPE "$1 = ($1_ltype)$input;"
%typemap(out) CTYPE "$result = (void *)$1;"
%typemap(csout) CTYPE "{ return $imcall; }"
%enddef

POINTER(SWIGTYPE *, void*)
POINTER(SWIGTYPE **, void**)
POINTER(const char *, byte*)
POINTER(char *, byte*)
POINTER(size_t *, nuint*)
POINTER(int32_t *, int*)
POINTER(uint32_t *, uint*)
POINTER(const uint32_t *, uint*)
POINTER(const uint32_t **, uint**)
POINTER(int64_t *, long*)
POINTER(uint64_t *, ulong*)
POINTER(accp_embed_function, void*)

%define NUMBER(CTYPE, CSTYPE)
%typemap(ctype) CTYPE "CTYPE"
%typemap(imtype) CTYPE "CSTYPE"
%typemap(cstype) CTYPE "CSTYPE"
%typemap(csin) CTYPE "$csinput"
%typemap(in) CTYPE "$1 = $input;"
%typemap(out) CTYPE "$result = $1;"
%typemap(csout) CTYPE "{ return $imcall; }"
%enddef

NUMBER(size_t, nuint)
NUMBER(int32_t, int)
NUMBER(uint32_t, uint)
NUMBER(int64_t, long)
NUMBER(uint64_t, ulong)
NUMBER(accp_status, int)
NUMBER(accp_text, AccpText)

// Read through their layout (Interop/Structs.cs), so none needs a class.
%ignore accp_text;
%ignore accp_node;
%ignore accp_record;
%ignore accp_error;
%ignore accp_allocator;
%ignore accp_hooks;
%ignore accp_event;
%ignore accp_vectors;
%warnfilter(314) accp_hooks::event;
%ignore accp_envelope;
%ignore accp_part_budget;
%ignore accp_frame_budget;
%ignore accp_outcome;
%ignore accp_policy_case;
%ignore accp_registry_info;
%ignore accp_schema;
%ignore accp_field;
%ignore accp_agreement;
%ignore accp_failure;
%ignore accp_chunk;
%ignore accp_stream_part;
%ignore accp_counts;
%ignore accp_damage;
%ignore accp_peer;
%ignore accp_delivery;
%ignore accp_budget;
%ignore accp_log_record;
%ignore accp_context_block;
%ignore accp_history_options;
%ignore accp_history_report;
%ignore accp_packet_request;
%ignore accp_sacp_receiver;
%ignore accp_sacp_sender;
%ignore accp_pane_task;
%ignore accp_verdict;
%ignore accp_found_agent;
%ignore accp_spawn_rules;
%ignore accp_spawn_round;
%ignore accp_run_request;
%ignore accp_run_effect;
%ignore accp_run_step;
%ignore accp_spawn_round;
%ignore accp_spawn_rules;
%rename("$ignore", %$isenum) "";
%rename("$ignore", %$isenumitem) "";
%rename("$ignore", %$isconstant) "";

%include "accp.i"
