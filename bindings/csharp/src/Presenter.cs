// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Globalization;
using Accp.Interop;

namespace Accp;

/// <summary>
/// Writes data as text for people by a template (docs/sacp.md), in a locale and a time zone:
/// <c>{hotels, each, by price asc {{name}: {price, currency, EUR}}}</c>. ICU has the locales; it is
/// loaded for the first presenter, stays loaded, and is not part of the package (Debian: libicu72).
/// A program with <c>InvariantGlobalization</c> also has all locales here.
/// </summary>
public sealed unsafe class Presenter : ExclusiveObject
{
    /// <summary>
    /// Reads a template; config null: all defaults. It reads the limits of a config.
    /// </summary>
    /// <param name="template">At most 256 KiB, without control characters other than line ends and
    /// tabs.</param>
    /// <param name="locale">A BCP 47 tag, such as <c>de-DE</c>, with a language that ICU
    /// supports.</param>
    /// <param name="zone">The zone of the times: <c>Europe/Berlin</c>; empty: UTC.</param>
    /// <param name="config">The limits.</param>
    /// <exception cref="AccpParseErrorException">An invalid template, with its byte.</exception>
    /// <exception cref="AccpInvalidTypeException">ICU does not support the locale or the
    /// zone.</exception>
    /// <exception cref="AccpIOException">ICU is not installed.</exception>
    public Presenter(Utf8Text template, string locale, string zone = "", AccpConfig? config = null)
    {
        template.Check(nameof(template));
        Utf8Text tag = Utf8Text.Of(locale), place = Utf8Text.Of(zone);
        LibraryResolver.CheckAbi();
        using var made = new NativeConfig(config);
        void* presenter;
        ErrorDetail error;
        fixed (byte* bytes = template, t = tag, p = place)
            Check.Ok(Native.accp_presenter_new(bytes, template.Length, t, tag.Length, p, place.Length, made.Pointer, &presenter, &error), error);
        Own(new Handle(presenter, &Free, Weight.Presenter));
    }

    /// <summary>The same for a culture and a time zone of .NET, by their names.</summary>
    /// <param name="template">As for the other constructor.</param>
    /// <param name="culture">With a language, so not the invariant one.</param>
    /// <param name="zone">The zone of the times; null: UTC.</param>
    /// <param name="config">The limits.</param>
    /// <exception cref="AccpException">As for the other constructor.</exception>
    public Presenter(Utf8Text template, CultureInfo culture, TimeZoneInfo? zone = null, AccpConfig? config = null)
        : this(template, Name(culture), zone?.Id ?? "", config) { }

    private static string Name(CultureInfo culture)
    {
        ArgumentNullException.ThrowIfNull(culture);
        return culture.Name;
    }

    private static void Free(void* presenter) => Native.accp_presenter_free(presenter);

    /// <summary>
    /// Prints data by the template. A text of the data is one line without control characters, and
    /// is never read as a template.
    /// </summary>
    /// <param name="data">JSON.</param>
    /// <exception cref="AccpParseErrorException">Invalid JSON, with its byte; or a result over 16
    /// MiB.</exception>
    /// <exception cref="AccpInvalidTypeException">The data lacks a name or has the wrong type for a
    /// slot; with the byte of the template at which the slot begins.</exception>
    public string Print(Utf8Text data)
    {
        data.Check(nameof(data));
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        fixed (byte* bytes = data)
            Check.Ok(Native.accp_presenter_print(call.Pointer, bytes, data.Length, &text, &error), error);
        return text.ToString();
    }
}
