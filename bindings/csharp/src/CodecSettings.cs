// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using Accp.Interop;

namespace Accp;

public sealed unsafe partial class FrameCodec
{
    private delegate int Setter(void* codec, ErrorDetail* error);

    private void Set(Setter set)
    {
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(set(call.Pointer, &error), error);
    }

    /// <summary>The schema, by its code, of messages that name none; empty: none.</summary>
    public void SetSchema(string code)
    {
        byte[] text = Utf8.Encode(code);
        Set((codec, error) =>
        {
            fixed (byte* bytes = new Utf8Text(text)) return Native.accp_codec_set_schema(codec, bytes, (nuint)text.Length, error);
        });
    }

    /// <summary>The envelope that encoding writes ahead of a message's own metadata; null: none.</summary>
    public void SetEnvelope(AccpEnvelope? envelope) => Set((codec, error) =>
    {
        using var data = new AccpEnvelope.Data(envelope);
        return Native.accp_codec_set_envelope(codec, data.Pointer(), error);
    });

    /// <summary>Who counts the tokens of what is encoded; null: nobody. Where it is disposed, encoding is too, until another one is set.</summary>
    public void SetCounter(TokenCounter? tokens)
    {
        using var call = Enter();
        ErrorDetail error;
        if (tokens == null)
        {
            Check.Ok(Native.accp_codec_set_counter(call.Pointer, null, &error), error);
        }
        else
        {
            using var use = tokens.Borrow();
            Check.Ok(Native.accp_codec_set_counter(call.Pointer, use.Pointer, &error), error);
        }
        counter = tokens;
    }

    /// <summary>How many tokens a frame may have, of those that a counter counts; 0: any number.</summary>
    public void SetMaxTokens(long max) => Set((codec, error) => Native.accp_codec_set_max_tokens(codec, Arg.Unsigned(max), error));

    /// <summary>How many code points a string may have and stay inline, where there is a keeper.</summary>
    public void SetInlineCharacters(long characters) =>
        Set((codec, error) => Native.accp_codec_set_inline_characters(codec, Arg.Unsigned(characters), error));

    /// <summary>Whether decoding takes messages in parts, and answers <see cref="AccpHeldException"/> to each part but the one that makes a message whole.</summary>
    public void SetReassembly(bool on) => Set((codec, error) => Native.accp_codec_set_reassembly(codec, on ? 1 : 0, error));

    /// <summary>Whether decoding names the defaults that it filled in, in a member <c>defaults</c>.</summary>
    public void SetMarkDefaults(bool on) => Set((codec, error) => Native.accp_codec_set_mark_defaults(codec, on ? 1 : 0, error));

    /// <summary>What is refused that is taken otherwise.</summary>
    public void SetStrict(AccpStrictness strictness) => Set((codec, error) => Native.accp_codec_set_strict(codec, (uint)strictness, error));

    /// <summary>Whether the frames to be decoded come from outside: what they say is then marked as data.</summary>
    public void SetUntrusted(bool untrusted) => Set((codec, error) => Native.accp_codec_set_origin(codec, untrusted ? 1 : 0, error));

    /// <summary>Names a key whose values the log does not show; empty: none again.</summary>
    public void AddRedacted(string key)
    {
        byte[] text = Utf8.Encode(key);
        Set((codec, error) =>
        {
            fixed (byte* bytes = new Utf8Text(text)) return Native.accp_codec_set_redacted(codec, bytes, (nuint)text.Length, error);
        });
    }

    /// <summary>Drops the parts held of a chain; of all chains where the cid is empty.</summary>
    public void Abandon(string cid)
    {
        byte[] text = Utf8.Encode(cid);
        Set((codec, error) =>
        {
            fixed (byte* bytes = new Utf8Text(text)) return Native.accp_codec_abandon(codec, bytes, (nuint)text.Length, error);
        });
    }

    /// <summary>Adds schemas to the codec's registry; others that share the old one keep it.</summary>
    public void RegisterSchema(Utf8Text document)
    {
        document.Check(nameof(document));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = document)
            Check.Ok(Native.accp_codec_register_schema(call.Pointer, bytes, document.Length, &error), error);
    }

    /// <summary>The codec's registry, with an owner more; null where it has none.</summary>
    public SchemaRegistry? Registry()
    {
        using var call = Enter();
        return SchemaRegistry.Share(Native.accp_codec_registry(call.Pointer));
    }
}
