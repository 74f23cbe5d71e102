// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Globalization;
using System.Text;
using Xunit;

namespace Accp.Tests;

/// <summary>Data as texts for people.</summary>
public class PresenterTests
{
    private const string Hotels = "{count, plural, one {One hotel} other {# hotels}}:\n{hotels, each, by price asc {{@}. {name}: {price, currency, EUR}\n}}";
    private const string When = "{d, datetime, short}", Late = """{"d":"2026-05-09T23:30:00+02:00"}""";

    [Theory]
    [InlineData(Hotels, "en-US", "", """{"count":2,"hotels":[{"name":"B","price":1234.5},{"name":"A\n\u0007","price":9}]}""", "2 hotels:\n1. A \ufffd: €9.00\n2. B: €1,234.50\n")]
    [InlineData("{n}", "de-DE", "", """{"n":1234567.891}""", "1.234.567,891")]
    [InlineData(When, "de-DE", "", Late, "09.05.26, 21:30")]
    [InlineData(When, "de-DE", "Asia/Tokyo", Late, "10.05.26, 06:30")]
    [InlineData("{s}", "en-US", "", """{"s":"{n}"}""", "{n}")]
    [InlineData("", "en-US", "", "{}", "")]
    public void SACP_9D_02_DataAsTheLocaleHasIt(string template, string locale, string zone, string data, string want)
    {
        using (var presenter = new Presenter(template, locale, zone))
        {
            for (int i = 0; i < 2; ++i) Assert.Equal(want, presenter.Print(data));  // a template serves again
        }
        using var other = new Presenter(Encoding.UTF8.GetBytes(template), new Culture(locale), zone.Length == 0 ? null : TimeZoneInfo.FindSystemTimeZoneById(zone));
        Assert.Equal(want, other.Print(Encoding.UTF8.GetBytes(data)));
    }

    // A culture of any name, even if .NET has only the invariant one.
    private sealed class Culture(string name) : CultureInfo("")
    {
        public override string Name => name;
    }

    [Theory]
    [InlineData("a {n", "en-US", "", 2, typeof(AccpParseErrorException))]
    [InlineData("a {n, nothing}", "en-US", "", 13, typeof(AccpParseErrorException))]
    [InlineData("a", "zz-ZZ", "", 0, typeof(AccpInvalidTypeException))]
    [InlineData("a", "", "", 0, typeof(AccpInvalidTypeException))]
    [InlineData("a", "en-US", "Europe/Nowhere", 0, typeof(AccpInvalidTypeException))]
    public void WhatIsNoTemplateSaysWhere(string template, string locale, string zone, long offset, Type type)
    {
        AccpException refused = Assert.IsAssignableFrom<AccpException>(Record.Exception(() => new Presenter(template, locale, zone)));
        Assert.Equal((type, offset), (refused.GetType(), refused.Offset));
    }

    [Theory]
    [InlineData("""{"n":""", 5, typeof(AccpParseErrorException))]
    [InlineData("{}", 7, typeof(AccpInvalidTypeException))]
    [InlineData("""{"n":"x"}""", 7, typeof(AccpInvalidTypeException))]
    public void WhatIsNoDataSaysWhere(string data, long offset, Type type)
    {
        using var presenter = new Presenter("Total: {n, number}", "en-US");
        AccpException refused = Assert.IsAssignableFrom<AccpException>(Record.Exception(() => presenter.Print(data)));
        Assert.Equal((type, offset), (refused.GetType(), refused.Offset));
        Assert.Equal("Total: 1", presenter.Print("""{"n":1}"""));
    }

    [Fact]
    public void WhatIsNotGivenIsRefused()
    {
        Assert.Throws<ArgumentNullException>(() => new Presenter("a", (string)null!));
        Assert.Throws<ArgumentNullException>(() => new Presenter("a", (CultureInfo)null!));
        Assert.Throws<ArgumentNullException>(() => new Presenter("a", "en-US", null!));
        Assert.Throws<ArgumentNullException>(() => new Presenter((string)null!, "en-US"));
        Assert.Throws<AccpInvalidTypeException>(() => new Presenter("\ud800", "en-US"));
        Assert.Throws<AccpInvalidTypeException>(() => new Presenter("a", CultureInfo.InvariantCulture));
        var config = new AccpConfig();
        config.Limits[AccpLimit.MemoryBytes] = 65_536;
        Assert.Throws<AccpOutOfMemoryException>(() => new Presenter(new string('a', 200_000), "en-US", config: config));
    }
}
