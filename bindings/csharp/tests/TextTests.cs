// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using Xunit;

namespace Accp.Tests;

/// <summary>
/// A lone surrogate has no UTF-8: every string that crosses into the library is refused, and
/// nothing becomes U+FFFD.
/// </summary>
public class TextTests
{
    private const string Bad = "a\ud800b";

    private static AccpSchema Schema => new("TK", ["id"]);

    public static TheoryData<string, Action<string>> Crossings()
    {
        var all = new TheoryData<string, Action<string>>();
        void Add(string name, Action<string> cross) => all.Add(name, cross);
        void Registry(string name, Action<SchemaRegistry, string> use) => Add(name, text =>
        {
            using var registry = new SchemaRegistry();
            string hash = registry.Hash;
            try
            {
                use(registry, text);
            }
            finally
            {
                if (text == Bad) Assert.Equal(hash, registry.Hash);
            }
        });
        void Session(string name, Action<EngineSession, string> use) => Add(name, text =>
        {
            using var engine = new AccpEngine();
            using EngineSession session = engine.Open("s");
            use(session, text);
        });
        Registry("Register name", (one, text) => one.Register(text, Schema));
        Registry("Register code", (one, text) => one.Register("n", Schema with { Code = text }));
        Registry("Register field", (one, text) => one.Register("n", Schema with { Fields = [text] }));
        Registry("Register default", (one, text) => one.Register("n", Schema with { Defaults = new Dictionary<string, object?> { ["id"] = text } }));
        Registry("Register default's field", (one, text) => one.Register("n", Schema with { Defaults = new Dictionary<string, object?> { [text] = 1 } }));
        Registry("Register type's field", (one, text) => one.Register("n", Schema with { Types = new Dictionary<string, SchemaFieldType> { [text] = 0 } }));
        Registry("Register alias", (one, text) => one.Register("n", Schema with { Aliases = new Dictionary<string, string> { [text] = "id" } }));
        Registry("Register aliased", (one, text) => one.Register("n", Schema with { Aliases = new Dictionary<string, string> { ["i"] = text } }));
        Registry("Register required", (one, text) => one.Register("n", Schema with { Required = [text] }));
        Registry("Register bind", (one, text) => one.Register("n", Schema with { Bind = [text] }));
        Registry("Add", (one, text) => one.Add("{\"" + text + "\":1}"));
        Registry("Find", (one, text) => one.Find(text));
        Registry("Bound", (one, text) => one.Bound(AccpIntent.Req, text));
        Registry("KnowsOperation", (one, text) => one.KnowsOperation(text));
        Session("Send", (one, text) => one.Send(Sample.Json.Replace("v", text)));
        Session("Receive", (one, text) => one.Receive("@a>req:x{k:" + text + "}"));
        Session("Append", (one, text) => one.Append(Sample.Json.Replace("v", text)));
        Session("Put name", (one, text) => one.Put("hot." + text, "1"));
        Session("Put value", (one, text) => one.Put("hot.k", "\"" + text + "\""));
        Session("Resolve", (one, text) => one.Resolve("hot." + text));
        Session("Resolve owner", (one, text) => one.Resolve("hot.k", text));
        Session("Receive peer", (one, text) => one.Receive("@a>req:x{}", new AccpPeer(text)));
        Session("Append peer", (one, text) => one.Append(Sample.Json, new AccpPeer(text)));
        Session("AppendMessages peer", (one, text) => one.AppendMessages(AccpInterface.OpenAI, """{"role":"user","content":"a"}""", new AccpPeer(text)));
        Session("AppendHistory peer", (one, text) => one.AppendHistory(null, Sample.Json, peer: new AccpPeer(text)));
        Session("AppendHistory branch", (one, text) => one.AppendHistory(null, Sample.Json, text));
        Session("Remove", (one, text) => one.Remove("hot." + text));
        Session("AddGrant", (one, text) => one.AddGrant(text, "hot."));
        Session("AddGrant prefix", (one, text) => one.AddGrant("b", "hot." + text));
        Session("RemoveGrant", (one, text) => one.RemoveGrant(text, "hot."));
        Session("SendState", (one, text) => one.SendState(text, "{}"));
        Session("IsCancelled", (one, text) => one.IsCancelled(text));
        Session("RemoveParts", (one, text) => one.RemoveParts(text));
        Add("Open", text => new AccpEngine().Open(text));
        Add("Open to read", text => new AccpEngine().Open(text, SessionModes.ReadOnly));
        Add("Redacted", text => _ = new AccpEngine(new AccpConfig { Redacted = { text } }));
        Add("Ignored", text => _ = new FrameParser(new AccpConfig { Ignored = { text } }));
        Add("OwnAgents", text => _ = new AccpEngine(new AccpConfig { OwnAgents = { text } }));
        Add("Origins", text => _ = new AccpEngine(new AccpConfig { Origins = { [text] = AccpOrigin.Untrusted } }));
        Add("Schema", text => _ = new FrameCodec(new AccpConfig { Schema = text }));
        Add("Store", text => AccpStore.Open("memory:").Export(text));
        Add("Tokenizer", text => AccpTokenizer.Open(text));
        Add("AccpRef", text => new AgentMessage("a", AccpIntent.Req, "x", new() { ["k"] = new AccpRef("hot." + text) }).ToJsonUtf8());
        Add("metadata", text => new AccpFrame("a", AccpIntent.Req, "x", [], new() { ["note"] = text }).ToCanonical());
        Add("metadata's key", text => new AccpFrame("a", AccpIntent.Req, "x", [], new() { [text] = "1" }).ToCanonical());
        Add("envelope", text => new FrameCodec().SetEnvelope(new AccpEnvelope { Mid = text }));
        Add("failure", text => new FrameCodec().EncodeFailure(new AccpFailure(AccpStatus.Timeout, "a") { Message = text }));
        Add("chunk", text => new FrameCodec().EncodeChunk("a", "x", new StreamChunk("c", text, 0, true)));
        Add("StateStore", text =>
        {
            using var codec = new AccpCodec();
            codec.OpenSession("s").HotState.Set(text, "1");
        });
        Add("StateStore ahead of opening", text => new StateStore().Set(text, "1"));
        Add("StateStore value ahead of opening", text => new StateStore().Set("k", "\"" + text + "\""));
        return all;
    }

    [Theory]
    [MemberData(nameof(Crossings))]
    public void ALoneSurrogateIsRefused(string name, Action<string> cross)
    {
        Assert.NotEmpty(name);
        Assert.Equal("E1004", Assert.Throws<AccpInvalidTypeException>(() => cross(Bad)).Code);
        // A pair is ordinary text: any other fault is not a surrogate.
        try
        {
            cross("a\ud83d\ude00b");
        }
        catch (AccpException other)
        {
            Assert.DoesNotContain("surrogate", other.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData(null)]
    [InlineData(Bad)]
    [InlineData("@a>req:x{k:\ud800}")]
    [InlineData("")]
    [InlineData("@")]
    [InlineData("@a>please:x{}")]
    [InlineData("@a>req:x{k:1.23456789}[mid:\u0000]")]
    public void TryParseNeverThrows(string? text)
    {
        Assert.False(AccpFrame.TryParse(text!, out AccpFrame? frame));
        Assert.Null(frame);
        using var parser = new FrameParser();
        Assert.NotEqual(text == "@a>please:x{}" ? AccpStatus.Timeout : AccpStatus.Ok, parser.TryParse(text!, out NodeTree tree));
    }

    [Fact]
    public void TryParseOfBytesNeverThrows()
    {
        var random = new Random(5);
        byte[] frame = System.Text.Encoding.UTF8.GetBytes("@a>req:x{k:\"a_b\"|n:[1,2.5,{a:$warm.k}]|t:~}[mid:b00000000001,seq:1,note:\"x\"]");
        int taken = 0;
        for (int i = 0; i < 20_000; ++i)
        {
            byte[] mutant = (byte[])frame.Clone();
            for (int n = random.Next(3); n >= 0; --n) mutant[random.Next(mutant.Length)] = (byte)random.Next(256);
            if (AccpFrame.TryParse(mutant.AsSpan(0, random.Next(2) == 0 ? mutant.Length : random.Next(mutant.Length)), out _)) ++taken;
        }
        Assert.InRange(taken, 100, 19_000);
        Assert.False(AccpFrame.TryParse((byte[])null!, out _));
    }
}
