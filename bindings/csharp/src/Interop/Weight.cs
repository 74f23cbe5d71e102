// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
namespace Accp.Interop;

// The measured native bytes of an object after some use, for the garbage collector, so that it runs
// before forgotten objects fill the memory. Written data of sessions is counted in addition if it
// stays in memory: Handle.Grow.
internal static class Weight
{
    internal const long Engine = 96 << 10;
    internal const long Session = 4 << 10;
    internal const long Store = 1 << 10;
    internal const long Codec = 32 << 10;
    internal const long Batch = 4 << 10;
    internal const long Parser = 8 << 10;
    internal const long Value = 1 << 10;
    internal const long Registry = 8 << 10;
    internal const long Renderer = 4 << 10;
    internal const long Presenter = 80 << 10;  // with a currency and a date; without ICU's shared memory
    internal const long Packet = 32 << 10;
    internal const long Tokenizer = 1 << 10;
    internal const long Counter = 8 << 10;
    internal const long Library = 48 << 10;  // of two dozen verbs and tools
    internal const long Sacp = 64 << 10;
    internal const long Agents = 64 << 10;
    internal const long Run = 96 << 10;
    internal const long Phrases = 48 << 10;
    internal const long Small = 1 << 10;
}
