// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Globalization;
using System.Text;
using System.Text.Json;
using Xunit;

namespace Accp.Tests;

public class VectorTests
{
    [Fact]
    public void Frames()
    {
        using var parser = new FrameParser();
        int taken = 0, refused = 0, printed = 0;
        foreach (JsonElement vector in Vectors.Lines("frames.jsonl"))
        {
            string frame = vector.Text("frame");
            AccpStatus status = parser.TryParse(frame, out NodeTree tree);
            if (!vector.GetProperty("ok").GetBoolean())
            {
                ++refused;
                Assert.Equal(vector.Text("code"), AccpCodes.Code(status));
                Assert.Equal(0, tree.Nodes.Length);
                Assert.False(AccpFrame.TryParse(frame, out _));
                continue;
            }
            ++taken;
            Assert.True(status == AccpStatus.Ok, frame);
            string typed = Typed(parser, tree);
            Assert.True(JsonElement.DeepEquals(vector.GetProperty("ast"), JsonElement.Parse(typed)), frame + "\n" + typed);
            string? canonical = vector.GetProperty("canon").GetString();
            if (canonical == null) Assert.Throws<AccpInvalidTypeException>(() => parser.Print());
            else Assert.Equal(canonical, parser.Print());
            if (SpecificationPrints(frame, canonical, Encoding.UTF8.GetString(tree.Value(1)))) ++printed;
        }
        Assert.Equal(700, taken + refused);
        Assert.True(taken > 300 && refused > 150);
        Assert.Equal(4, taken - printed);
    }

    // The specification's own type prints the same as the library. False if the intent is not one
    // of the twelve.
    private static bool SpecificationPrints(string frame, string? canonical, string intent)
    {
        try
        {
            AccpFrame read = AccpFrame.Parse(frame);
            Assert.Equal(canonical ?? frame, read.ToString());
            Assert.Equal(intent, read.Intent.ToCode());
            return true;
        }
        catch (AccpInvalidIntentException)
        {
            Assert.DoesNotContain(intent, Enum.GetValues<AccpIntent>().Select(one => one.ToCode()));
            return false;
        }
    }

    private static string Typed(FrameParser parser, NodeTree tree)
    {
        var names = new[] { Encoding.UTF8.GetString(tree.Value(0)), Encoding.UTF8.GetString(tree.Value(1)), Encoding.UTF8.GetString(tree.Value(2)) };
        string meta = tree.Metadata == 0 ? "null" : Typed(parser, tree, tree.Metadata);
        return $"{{\"agent\":\"{names[0]}\",\"intent\":\"{names[1]}\",\"operation\":\"{names[2]}\",\"payload\":{Typed(parser, tree, 3)},\"meta\":{meta}}}";
    }

    private static string Typed(FrameParser parser, NodeTree tree, int index)
    {
        AccpNode node = tree.Nodes[index];
        if (node.Kind is AccpKind.Array or AccpKind.Map)
        {
            var parts = new List<string>();
            for (int child = index + 1; child < node.Next; child = (int)tree.Nodes[child].Next)
                parts.Add(node.Kind == AccpKind.Map ? $"[\"{Encoding.UTF8.GetString(tree.Key(child))}\",{Typed(parser, tree, child)}]" : Typed(parser, tree, child));
            return $"{{\"{(node.Kind == AccpKind.Map ? "map" : "array")}\":[{string.Join(',', parts)}]}}";
        }
        string text = parser.GetString(index);
        return node.Kind switch
        {
            AccpKind.Null => "{\"null\":null}",
            AccpKind.Bool => $"{{\"bool\":{text}}}",
            AccpKind.Int => $"{{\"int\":\"{text}\"}}",
            AccpKind.Dec => $"{{\"dec\":\"{text}\"}}",
            AccpKind.Ref => $"{{\"ref\":\"{text}\"}}",
            _ => $"{{\"str\":{Quoted(text)}}}",
        };
    }

    private static string Quoted(string text) => "\"" + text.Replace("\\", "\\\\").Replace("\"", "\\\"") + "\"";

    [Fact]
    public void Q1BothWays()
    {
        using var codec = new FrameCodec();
        using var value = new AccpValue();
        int count = 0;
        foreach (JsonElement vector in Vectors.Lines("q1.jsonl"))
        {
            ++count;
            string json = "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{\"k\":" + vector.Text("json") + "}}";
            string wire = "@a>req:x{k:" + vector.Text("wire") + "}";
            Assert.Equal(wire, codec.Encode(json));
            string back = codec.Decode(wire);
            value.Parse(json);
            string form = value.HashForm();
            value.Parse(back);
            Assert.Equal(form, value.HashForm());
            Assert.Equal(wire, codec.Encode(back));
            // The same through JsonElement, .NET objects, and the specification's types.
            Assert.Equal(wire, codec.Encode(codec.DecodeElement(wire)));
            AgentMessage message = AgentMessage.FromJson(back);
            Assert.Equal(wire, codec.Encode(message.ToJsonUtf8()));
            Assert.Equal(wire, AccpFrame.Parse(wire).ToString());
            Assert.Equal(AccpFrame.Parse(wire), new AccpFrame("a", AccpIntent.Req, "x", message.Payload));
        }
        Assert.Equal(600, count);
    }

    // tests/token/vectors.txt.xz, unpacked by ../test: one line each with count and hash of the ids
    // by o200k_base and by cl100k_base, and the bytes in hex.
    [Fact]
    public void Tokens()
    {
        using AccpTokenizer o200k = AccpTokenizer.Open("o200k_base"), cl100k = AccpTokenizer.Open("cl100k_base");
        using TokenCounter first = new(o200k), second = new(cl100k);
        int count = 0;
        foreach (string line in File.ReadLines(Environment.GetEnvironmentVariable("ACCP_TOKEN_VECTORS")!))
        {
            string[] parts = line.Split(' ');
            byte[] text = Convert.FromHexString(parts[4]);
            Assert.Equal(parts[0] + " " + parts[1] + " " + parts[2] + " " + parts[3], Hash(first, text) + " " + Hash(second, text));
            ++count;
        }
        Assert.Equal(22828, count);
    }

    private static string Hash(TokenCounter counter, byte[] text)
    {
        int[] ids = counter.Encode(text);
        Assert.Equal(ids.Length, counter.Count(text));
        ulong hash = 14695981039346656037;
        foreach (int id in ids)
            for (int shift = 0; shift < 32; shift += 8) hash = (hash ^ (byte)(id >> shift)) * 1099511628211;
        return ids.Length.ToString(CultureInfo.InvariantCulture) + " " + hash.ToString("x", CultureInfo.InvariantCulture);
    }

    // tokens.jsonl, if the vectors of ACCP_VECTORS have one.
    [Fact]
    public void TokensByText()
    {
        if (!File.Exists(Vectors.Path("tokens.jsonl"))) return;
        foreach (string name in new[] { "o200k_base", "cl100k_base" })
        {
            using var tokenizer = AccpTokenizer.Open(name);
            using var counter = new TokenCounter(tokenizer);
            foreach (JsonElement vector in Vectors.Lines("tokens.jsonl"))
            {
                int[] ids = counter.Encode(vector.Text("text"));
                Assert.Equal(vector.GetProperty(name).EnumerateArray().Select(id => id.GetInt32()), ids);
                Assert.Equal(vector.Text("text"), Encoding.UTF8.GetString(counter.Decode(ids)));
            }
        }
    }

    [Fact]
    public void Bindings()
    {
        int steps = 0;
        foreach (JsonElement test in File.ReadLines(Path.Combine(Vectors.Source, "tests", "system", "vectors", "bindings.jsonl")).Select(line => JsonElement.Parse(line)))
        {
            using var runner = new StepRunner();
            foreach (JsonElement step in test.GetProperty("steps").EnumerateArray())
            {
                ++steps;
                string gives = runner.Run(step);
                string wanted = Accp.Interop.Wording.Of(step.GetProperty("gives").GetRawText());  // the vectors use the library's names of rules
                if (!JsonElement.DeepEquals(JsonElement.Parse(gives), JsonElement.Parse(wanted))) Assert.Fail($"{test.Text("name")}: {step}\ngives {gives}");
            }
        }
        Assert.True(steps > 200);
    }
}
