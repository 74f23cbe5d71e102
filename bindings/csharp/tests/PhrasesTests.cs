// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using Xunit;

namespace Accp.Tests;

/// <summary>Requests of people as messages.</summary>
public sealed class PhrasesTests : IDisposable
{
    private const string Sayings = """
        {"ignore":["please"],"phrases":[{"say":["[find] hotels[ in {city}]"],"slots":{"city":{"type":"text"}},
        "message":{"g":"FIND_HOTEL","plan":[["search","H_API",{"city":"{city}"}]]}},
        {"say":["stay in {city}"],"slots":{"city":{"type":"text"}},"message":{"g":"FIND_HOTEL","plan":[["search","H_API",{"city":"{city}"}]]}},
        {"say":["stay in {place}"],"slots":{"place":{"type":"text"}},"message":{"g":"GET_RANKING","ctx":{"city":"{place}"},"plan":[]}}]}
        """;
    private const string InRome = """{"g":"X","plan":[["search","H_API",{"city":"Rome"}]]}""", Mismatch = """{"g":"X","plan":[["search","RANK",{"city":"Rome"}]]}""";
    private readonly Phrases phrases = Make();

    // The library is disposed: the phrases keep it.
    private static Phrases Make()
    {
        using var library = new SacpLibrary(SacpTests.Hotels);
        return new Phrases(Sayings, library);
    }

    public void Dispose() => phrases.Dispose();

    [Theory]
    [InlineData("Find hotels in Paris, please!", """{"g":"FIND_HOTEL","plan":[["search","H_API",{"city":"Paris"}]]}""")]
    [InlineData("hotels in \"Stow in the Wold\"", """{"g":"FIND_HOTEL","plan":[["search","H_API",{"city":"Stow in the Wold"}]]}""")]
    [InlineData("hotels", null, "ctx.city")]
    [InlineData("stay in Rome", null, "goal.FIND_HOTEL", "goal.GET_RANKING")]
    [InlineData("sing", null, "goal")]
    [InlineData("", null, "goal")]
    public void SACP_9A_02_APromptIsAMessageOrAQuestion(string prompt, string? want, params string[] needs)
    {
        (string? message, Verdict verdict) = phrases.Ask(prompt);
        Assert.Equal((want, want != null), (message, verdict.IsValid));
        Assert.Equal(needs, verdict.Needs);
    }

    [Fact]
    public void APromptThatIsRefused()
    {
        Assert.Equal(SacpCode.Limit, phrases.Ask(new string('x', 5000)).Verdict.Code);
        Assert.Equal(SacpCode.MalformedMessage, phrases.Ask(new byte[] { 0xff }).Verdict.Code);
        Assert.Throws<AccpInvalidTypeException>(() => phrases.Ask("\ud800"));
        Assert.Throws<AccpInvalidTypeException>(() => { _ = phrases.AskAsync("\ud800", Saying()); });
        Assert.Throws<ArgumentNullException>(() => { _ = phrases.AskAsync("x", null!); });
    }

    [Theory]
    [InlineData("""{"phrases":""", 11, typeof(AccpParseErrorException))]
    [InlineData("""{"phrases":1}""", 11, typeof(AccpInvalidTypeException))]
    [InlineData("""{"phrases":[{"say":["x"]}]}""", 12, typeof(AccpInvalidTypeException))]
    public void PhrasesThatAreRefused(string document, long offset, Type type)
    {
        using var library = new SacpLibrary(SacpTests.Hotels);
        AccpException refused = Assert.IsAssignableFrom<AccpException>(Record.Exception(() => new Phrases(document, library)));
        Assert.Equal((type, offset), (refused.GetType(), refused.Offset));
    }

    [Fact]
    public void PhrasesThatCannotBeMade()
    {
        Assert.Throws<ArgumentNullException>(() => new Phrases(Sayings, null!));
        using var library = new SacpLibrary(SacpTests.Hotels);
        var config = new AccpConfig();
        config.Limits[AccpLimit.MemoryBytes] = 65_536;
        Assert.Throws<AccpOutOfMemoryException>(() => new Phrases(new string(' ', 100_000) + Sayings, library, config));
    }

    private readonly List<ModelRequest> asked = [];

    // A model with fixed, delayed replies that records its requests.
    private PhraseModel Saying(params string?[] says) => async (request, stop) =>
    {
        await Task.Delay(1, stop);
        asked.Add(request);
        return says[asked.Count - 1]!;
    };

    [Theory]
    [InlineData(InRome, SacpCode.None, "", InRome)]
    [InlineData(InRome, SacpCode.None, "", Mismatch, InRome)]
    [InlineData(null, SacpCode.VerbToolMismatch, "", Mismatch, Mismatch)]
    [InlineData(InRome, SacpCode.None, "", "Sure! Here it is.", InRome)]
    [InlineData(InRome, SacpCode.None, "", "", InRome)]
    [InlineData(InRome, SacpCode.None, "", null, InRome)]
    [InlineData(null, SacpCode.None, "ctx.city", """{"status":"REQ_CLARIFY","need":["ctx.city"]}""")]
    public async Task SACP_9A_04_AModelsMessageIsCheckedAndAskedForAgainOnce(string? want, SacpCode code, string needs, params string?[] says)
    {
        (string? message, Verdict verdict) = await phrases.AskAsync("tell me of Rome", Saying(says));
        Assert.Equal((want, code, needs), (message, verdict.Code, string.Join(' ', verdict.Needs)));
        Assert.Equal(says.Length, asked.Count);
        Assert.Equal(("tell me of Rome", ""), (asked[0].Prompt, asked[0].Refused));
        Assert.Contains("search(city!:string", asked[0].Specification);
        if (says.Length > 1) Assert.StartsWith("""{"status":"ERR""", asked[1].Refused);
    }

    [Fact]
    public async Task AModelIsAskedWhereNoPhraseFits()
    {
        foreach (string prompt in new[] { "hotels in Paris", "hotels", "stay in Rome" }) await phrases.AskAsync(prompt, Saying());
        Assert.Empty(asked);
        Assert.Equal(InRome, (await phrases.AskAsync("else", Saying(InRome))).Message);
        Assert.Equal(["goal"], phrases.Ask("else").Verdict.Needs);
        Assert.Single(asked);
    }

    [Fact]
    public async Task AModelThatFails()
    {
        var own = new InvalidDataException("mine");
        Assert.Same(own, await Record.ExceptionAsync(() => phrases.AskAsync("else", (_, _) => throw own)));
        Assert.Same(own, await Record.ExceptionAsync(() => phrases.AskAsync("else", (_, _) => ValueTask.FromException<string>(own))));
        await Assert.ThrowsAsync<AccpInvalidTypeException>(() => phrases.AskAsync("else", Saying("\ud800")));
        Assert.NotNull(phrases.Ask("hotels in Paris").Message);
    }

    [Fact]
    public async Task AModelIsCancelled()
    {
        using var source = new CancellationTokenSource();
        Task<(string?, Verdict)> waits = phrases.AskAsync("else", async (_, stop) =>
        {
            await source.CancelAsync();
            await Task.Delay(Timeout.Infinite, stop);
            return InRome;
        }, source.Token);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waits.WaitAsync(TimeSpan.FromMinutes(2)));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => phrases.AskAsync("hotels in Paris", Saying(), source.Token));
    }

    // It holds no turn.
    [Fact]
    public async Task AModelMayUseThePhrasesThatAskIt()
    {
        (string? message, _) = await phrases.AskAsync("else", async (request, stop) => (await phrases.AskAsync("other", Saying(InRome), stop)).Message ?? phrases.Ask("hotels").Verdict.Json);
        Assert.Equal(InRome, message);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => phrases.AskAsync("else", (_, _) =>
        {
            phrases.Dispose();
            return new(InRome);
        }));
        Assert.Throws<ObjectDisposedException>(() => phrases.Ask("else"));
    }

    [Fact]
    public async Task ManyAskOnePhrases() => await Task.WhenAll(Enumerable.Range(0, 64).Select(async i =>
    {
        string town = "town " + i;
        (string? message, _) = await phrases.AskAsync(town, async (request, stop) =>
        {
            await Task.Delay(i % 5, stop);
            GC.Collect(0);
            return InRome.Replace("Rome", request.Prompt);
        });
        Assert.Equal(InRome.Replace("Rome", town), message);
    }));
}
