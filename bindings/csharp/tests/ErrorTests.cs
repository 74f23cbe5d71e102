// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Text.RegularExpressions;
using Accp.Interop;
using Xunit;

namespace Accp.Tests;

/// <summary>
/// Texts of exceptions: the amount found, the amount allowed, and advice, with the names of this
/// layer.
/// </summary>
public class ErrorTests
{
    [Fact]
    public void TheFirstLongMessageSaysWhatHelps()
    {
        using var engine = new AccpEngine();
        using EngineSession session = engine.Open("s");
        string words = string.Concat(Enumerable.Range(0, 300).Select(i => $"word{i} "));
        AccpBudgetExceededException wrong = Assert.Throws<AccpBudgetExceededException>(() => session.Send(Sample.Text(words)));
        Assert.Equal(240, wrong.Allowed);
        Assert.InRange(wrong.Found!.Value, 300, 2000);
        Assert.Contains($"({wrong.Found} of {wrong.Allowed})", wrong.Message, StringComparison.Ordinal);
        foreach (string helps in new[] { "SessionModes.Local", "AccpRule.Parts", "AccpRule.SharesStore", "AccpRule.MaxTokens" })
            Assert.Contains(helps, wrong.Reason, StringComparison.Ordinal);
        Assert.StartsWith("E2003: too many tokens in one frame", wrong.Message, StringComparison.Ordinal);

        // Each advice works.
        using EngineSession local = engine.Open("local", SessionModes.Local);
        Assert.Contains('\n', local.Send(Sample.Text(words)));
        foreach (KeyValuePair<AccpRule, long> rule in new Dictionary<AccpRule, long> { [AccpRule.Parts] = 1, [AccpRule.SharesStore] = 1, [AccpRule.MaxTokens] = 4000 })
        {
            using var other = new AccpEngine(new AccpConfig { Rules = { rule } });
            using EngineSession open = other.Open("s");
            Assert.NotEmpty(open.Send(Sample.Text(words)));
        }
    }

    public static TheoryData<string, string> Spelt() => new()
    {
        { "raise rule max_tokens, or open it in mode local", "raise AccpRule.MaxTokens, or open it in SessionModes.Local" },
        { "longer than the limit json_bytes allows", "longer than AccpLimit.JsonBytes allows" },
        { "the rule parts cannot have this value", "AccpRule.Parts cannot have this value" },
        { "call session_sync until it succeeds", "call EngineSession.Sync until it succeeds" },
        { "as a rule nobody calls anything", "as a rule nobody calls anything" },
        { "a limit is followed by a number", "a limit is followed by a number" },
    };

    [Theory]
    [MemberData(nameof(Spelt))]
    public void TextsHaveTheNamesOfThisLayer(string text, string expected) => Assert.Equal(expected, Wording.Of(text));

    // Every name in texts of the library's sources has a C# name here.
    [Fact]
    public void EveryNameInATextOfTheLibraryIsKnown()
    {
        string[] rooms = ["cli", "server", "nats", "conformance"];
        string root = Path.Combine(Vectors.Source, "src");
        int names = 0;
        foreach (string file in Directory.GetFiles(root, "*.*", SearchOption.AllDirectories).Where(file => Path.GetExtension(file) is ".cc" or ".h"))
        {
            if (rooms.Contains(Path.GetRelativePath(root, file).Split('/')[0])) continue;
            string code = Regex.Replace(File.ReadAllText(file), @"^\s*#.*$|//.*$", "", RegexOptions.Multiline);
            foreach (Match literal in Regex.Matches(code, @"(?:""(?:[^""\\\n]|\\.)*""\s*)+"))
            {
                string text = Regex.Replace(literal.Value, @"""\s*""|""", "");
                foreach (Match named in Regex.Matches(text, @"\b(?:rule|limit|mode|call) [a-z]+(?:_[a-z]+)+"))
                {
                    ++names;
                    Assert.True(Wording.Of(named.Value) != named.Value, $"{file}: {named.Value}");
                }
            }
        }
        Assert.True(names > 20, $"{names} names");
    }
}
