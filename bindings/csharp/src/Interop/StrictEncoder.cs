// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Buffers;
using System.Text.Encodings.Web;

namespace Accp.Interop;

// The encoder of every JSON text of this layer: it escapes what is necessary, and refuses lone
// surrogates, which .NET's own encoders write as U+FFFD. A writer calls it for each string and each
// key.
internal sealed unsafe class StrictEncoder : JavaScriptEncoder
{
    internal static readonly StrictEncoder Instance = new();

    private readonly JavaScriptEncoder relaxed = UnsafeRelaxedJsonEscaping;

    public override int MaxOutputCharactersPerInputCharacter => relaxed.MaxOutputCharactersPerInputCharacter;

    public override int FindFirstCharacterToEncode(char* text, int textLength)
    {
        if (Utf8.FindLoneSurrogate(new ReadOnlySpan<char>(text, textLength)) >= 0) throw Utf8.LoneSurrogate(0);
        return relaxed.FindFirstCharacterToEncode(text, textLength);
    }

    public override int FindFirstCharacterToEncodeUtf8(ReadOnlySpan<byte> utf8Text) => relaxed.FindFirstCharacterToEncodeUtf8(utf8Text);

    public override OperationStatus Encode(ReadOnlySpan<char> source, Span<char> destination, out int charsConsumed, out int charsWritten, bool isFinalBlock = true) =>
        relaxed.Encode(source, destination, out charsConsumed, out charsWritten, isFinalBlock);

    public override OperationStatus EncodeUtf8(ReadOnlySpan<byte> utf8Source, Span<byte> utf8Destination, out int bytesConsumed, out int bytesWritten,
        bool isFinalBlock = true) =>
        relaxed.EncodeUtf8(utf8Source, utf8Destination, out bytesConsumed, out bytesWritten, isFinalBlock);

    public override bool TryEncodeUnicodeScalar(int unicodeScalar, char* buffer, int bufferLength, out int numberOfCharactersWritten) =>
        relaxed.TryEncodeUnicodeScalar(unicodeScalar, buffer, bufferLength, out numberOfCharactersWritten);

    public override bool WillEncode(int unicodeScalar) => relaxed.WillEncode(unicodeScalar);
}
