// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
namespace Accp.Interop;

// The native bytes that an object holds when it is new and has been used a little, as measured: what the garbage collector is told, so that it collects before
// objects that were forgotten fill the memory.
internal static class Weight
{
    internal const long Engine = 256 << 10;
    internal const long Session = 16 << 10;
    internal const long Store = 16 << 10;
    internal const long Codec = 64 << 10;
    internal const long Batch = 16 << 10;
    internal const long Parser = 16 << 10;
    internal const long Value = 4 << 10;
    internal const long Registry = 16 << 10;
    internal const long Renderer = 16 << 10;
    internal const long Tokenizer = 1 << 10;
    internal const long Counter = 64 << 10;
    internal const long Small = 1 << 10;
}
