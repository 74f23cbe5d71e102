// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Globalization;
using Accp.Interop;

namespace Accp;

/// <summary>
/// Writes data as a text for people, by a template (docs/sacp.md of the repository), in a locale and a time zone:
/// <c>{hotels, each, by price asc {{name}: {price, currency, EUR}}}</c>. ICU knows the locales; it is loaded when the first one is made, stays loaded, and is not part of the package
/// (Debian: libicu72). A program with <c>InvariantGlobalization</c> has all locales here nevertheless.
/// </summary>
public sealed unsafe class Presenter : ExclusiveObject
{
    /// <summary>Reads a template; config null: every default. Of a config it reads the limits.</summary>
    /// <param name="template">At most 256 KiB, without control characters other than ends of lines and tabs.</param>
    /// <param name="locale">A tag of BCP 47, <c>de-DE</c>, whose language ICU knows.</param>
    /// <param name="zone">Of the times: <c>Europe/Berlin</c>; empty: UTC.</param>
    /// <param name="config">The limits.</param>
    /// <exception cref="AccpParseErrorException">It is no template; with the byte of it.</exception>
    /// <exception cref="AccpInvalidTypeException">ICU does not know the locale or the zone.</exception>
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

    /// <summary>The same in a culture and a time zone of .NET, by their names.</summary>
    /// <param name="template">As above.</param>
    /// <param name="culture">One with a language, so not the invariant one.</param>
    /// <param name="zone">Of the times; null: UTC.</param>
    /// <param name="config">The limits.</param>
    /// <exception cref="AccpException">As above.</exception>
    public Presenter(Utf8Text template, CultureInfo culture, TimeZoneInfo? zone = null, AccpConfig? config = null)
        : this(template, Name(culture), zone?.Id ?? "", config) { }

    private static string Name(CultureInfo culture)
    {
        ArgumentNullException.ThrowIfNull(culture);
        return culture.Name;
    }

    private static void Free(void* presenter) => Native.accp_presenter_free(presenter);

    /// <summary>Prints data by the template. A text of the data comes on one line, without control characters, and is never read as a template.</summary>
    /// <param name="data">JSON.</param>
    /// <exception cref="AccpParseErrorException">It is no JSON, with the byte of it; or more than 16 MiB would be printed.</exception>
    /// <exception cref="AccpInvalidTypeException">It has nothing of a name, or not what its slot is for; with the byte of the template where the slot begins.</exception>
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
