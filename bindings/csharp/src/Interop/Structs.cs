// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The structs of the C API by their layout in memory; tests/system/abi/layout.c fixes it in C, and
// a test of this layer their sizes.
using System;
using System.Runtime.InteropServices;

namespace Accp.Interop;

[StructLayout(LayoutKind.Sequential)]
internal unsafe struct AccpText
{
    public byte* Text;
    public nuint Length;

    public readonly ReadOnlySpan<byte> Span => new(Text, checked((int)Length));
    public readonly override string ToString() => Utf8.Decode(Span);
}

[StructLayout(LayoutKind.Sequential)]
internal unsafe struct ErrorDetail
{
    public int Code;
    public uint Record;
    public ulong Offset;
    public byte* Message;
    public ulong Had;
    public ulong Limit;
}

[StructLayout(LayoutKind.Sequential)]
internal unsafe struct RecordData
{
    public int Status;
    public uint NodeCount;
    public ulong FirstNode, Offset, Length, ErrorOffset;
    public byte* Message;
}

[StructLayout(LayoutKind.Sequential)]
internal struct EnvelopeData
{
    public uint Fields, Reserved;
    public long Seq, Ts, Ttl;
    public AccpText Mid, Cid, Aid, Sid;
}

[StructLayout(LayoutKind.Sequential)]
internal unsafe struct HooksData
{
    public nuint Size;
    public void* User;
    public delegate* unmanaged[Cdecl]<byte*, nuint, AccpText*, void*, int> Resolve, Keep;
    public delegate* unmanaged[Cdecl]<EnvelopeData*, void*, int> NextEnvelope;
    public delegate* unmanaged[Cdecl]<byte*, nuint, byte*, nuint, void*, int> CheckTool;
    public delegate* unmanaged[Cdecl]<PolicyCaseData*, void*, int> CheckPolicy;
    public delegate* unmanaged[Cdecl]<int, int, byte*, nuint, void*, void> Log;
    public delegate* unmanaged[Cdecl]<byte*, nuint, uint, AccpText*, void*, int> Summarise;
    public delegate* unmanaged[Cdecl]<byte*, nuint, byte*, nuint, void*, int> ColdPut;
    public delegate* unmanaged[Cdecl]<byte*, nuint, AccpText*, void*, int> ColdGet;
    public delegate* unmanaged[Cdecl]<EventData*, void*, void> Event;
    public delegate* unmanaged[Cdecl]<byte*, nuint, AccpText*, void*, int> Extract;
    public delegate* unmanaged[Cdecl]<AccpText*, nuint, VectorsData*, void*, int> Embed;
}

[StructLayout(LayoutKind.Sequential)]
internal unsafe struct VectorsData
{
    public nuint Size;
    public float* Numbers;
    public nuint Count, Dimension;
    public AccpText Model, Reason;
}

[StructLayout(LayoutKind.Sequential)]
internal struct EventData
{
    public int Kind, Status, Direction;
    public uint Reserved;
    public long Seq;
    public ulong Bytes, Tokens;
    public AccpText Session, Agent, Mid, Cid, Aid;
    public ulong Count, History, Cached, Written;
}

[StructLayout(LayoutKind.Sequential)]
internal struct PolicyCaseData
{
    public int Direction, Untrusted;
    public AccpText Agent, Intent, Operation, Schema, Text;
}

[StructLayout(LayoutKind.Sequential)]
internal struct OutcomeData
{
    public ulong Parts, Kept;
    public uint Warnings, Reserved;
}

[StructLayout(LayoutKind.Sequential)]
internal struct RegistryInfoData
{
    public AccpText Document, Canonical, Hash;
    public long Version;
    public uint SchemaCount, Reserved;
}

[StructLayout(LayoutKind.Sequential)]
internal unsafe struct AgreementData
{
    public int State;
    public uint Extensions, Features, Reserved;
    public void* Registry, Peer;
    public AccpText PeerTokenizer;
}

[StructLayout(LayoutKind.Sequential)]
internal struct SchemaData
{
    public AccpText Name, Code;
    public long Version;
    public uint FieldCount, BuiltIn;
}

[StructLayout(LayoutKind.Sequential)]
internal struct FieldData
{
    public AccpText Name, Wire, DefaultJson;
    public int Type;
    public uint Required;
}

[StructLayout(LayoutKind.Sequential)]
internal struct FailureData
{
    public int Code, Retry;
    public AccpText Agent, Message, Detail, Source, Cid;
}

[StructLayout(LayoutKind.Sequential)]
internal struct ChunkData
{
    public AccpText Cid, Data;
    public long Index, Total;
    public int IsFinal;
    public uint Reserved;
}

[StructLayout(LayoutKind.Sequential)]
internal struct StreamPartData
{
    public AccpText Data, Whole;
    public long Chunks;
    public int State;
    public uint Reserved;
}

[StructLayout(LayoutKind.Sequential)]
internal unsafe struct DamageData
{
    public AccpText Session;
    public byte* What;
    public ulong Record;
    public AccpText Name;
}

[StructLayout(LayoutKind.Sequential)]
internal struct PeerData
{
    public AccpText Agents;
    public int Origin;
    public uint Reserved;
}

[StructLayout(LayoutKind.Sequential)]
internal unsafe struct DeliveryData
{
    public int Status, Origin;
    public long Seq;
    public AccpText Message, Mid, Cid;
    public byte* Reason;
}

[StructLayout(LayoutKind.Sequential)]
internal struct BudgetData
{
    public ulong HotUsed, HotMax, WarmUsed, WarmMax, TotalUsed, TotalMax;
}

[StructLayout(LayoutKind.Sequential)]
internal struct ContextBlockData
{
    public int Kind, IsStable;
    public uint Checkpoint, Reserved;
    public ulong Tokens, Since;
    public AccpText Text;
}

[StructLayout(LayoutKind.Sequential)]
internal unsafe struct HistoryOptionsData
{
    public nuint Size;
    public AccpText Branch;
    public PeerData* Peer;
}

[StructLayout(LayoutKind.Sequential)]
internal struct HistoryReportData
{
    public ulong Count, Same, Added, Item, Record;
    public int IsBranched;
    public uint Reserved;
}

[StructLayout(LayoutKind.Sequential)]
internal struct PacketRequestData
{
    public nuint Size;
    public AccpText Task, Conversation;
    public int Interface, Depth;
    public ulong BudgetTokens;
    public AccpText Creator;
    public long NowMs;
    public unsafe void* Code;
    public AccpText Items;
    public uint Options;
}

[StructLayout(LayoutKind.Sequential)]
internal struct PaneTaskData
{
    public nuint Size;
    public AccpText Kind;
    public long Pane;
    public int Success, Depth;
    public ulong ContextTokens, WholeTokens;
    public long Explored;
    public AccpText Gaps, Unused;
    public long NowMs;
}

[StructLayout(LayoutKind.Sequential)]
internal struct VerdictData
{
    public int Answer, Code;
    public ulong Byte;
    public AccpText Details, Step;
    public uint NeedCount, Reserved;
}

[StructLayout(LayoutKind.Sequential)]
internal struct LogRecordData
{
    public int Kind;
    public uint Reserved;
    public long TimeMs;
    public AccpText Text;
}

[StructLayout(LayoutKind.Sequential)]
internal struct SacpSenderData
{
    public AccpText MsgId, Sender, Recipient;
    public long NowMs;
}

[StructLayout(LayoutKind.Sequential)]
internal struct SacpReceiverData
{
    public AccpText Role, Formatters, MsgId;
}

[StructLayout(LayoutKind.Sequential)]
internal struct SpawnRoundData
{
    public uint Asked, MaxAsked;
    public AccpText MsgId;
}

[StructLayout(LayoutKind.Sequential)]
internal struct SpawnRulesData
{
    public int Allow, Reserved;
    public long LeaseUntilMs;
    public AccpText MsgId;
}

[StructLayout(LayoutKind.Sequential)]
internal struct FoundAgentData
{
    public AccpText Name, Entry;
    public int Match, Reserved;
    public double Score;
    public ulong Successes, Outcomes;
}

[StructLayout(LayoutKind.Sequential)]
internal unsafe struct RunRequestData
{
    public nuint Size;
    public AccpText Message, Library, Policy;
    public uint Flags;
    public void* Store;
    public AccpText Session;
    public long NowMs;
}

[StructLayout(LayoutKind.Sequential)]
internal struct RunEffectData
{
    public int Kind;
    public uint Step;
    public ulong Call;
    public long DueMs;
    public AccpText Path, Verb, Tool, Text, Key;
}

[StructLayout(LayoutKind.Sequential)]
internal struct RunStepData
{
    public int Kind, State;
    public uint Tries;
    public AccpText Path, Verb, Tool;
}
