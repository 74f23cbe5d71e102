// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Measures the cost of the layer: every figure beside its reference, measured in turns in one run.
// The fastest of many rounds counts.
using System.Buffers;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using Accp;

const int Frames = 64, Rounds = 300, Repeats = 60;

using var parser = new FrameParser();
using var codec = new FrameCodec();
using var batch = new FrameBatch();
using var value = new AccpValue();
var buffer = new ArrayBufferWriter<byte>(1 << 16);
byte[][] messages = [.. Enumerable.Range(0, Frames).Select(Message)];
byte[][] frames = [.. messages.Select(json => Encoding.UTF8.GetBytes(codec.Encode(json)))];
byte[] lines = [.. frames.SelectMany(frame => frame.Append((byte)'\n'))];
nuint[] starts = [0, .. frames.Select((_, i) => (nuint)frames.Take(i + 1).Sum(frame => frame.Length + 1))];
Console.WriteLine($"{Frames} messages: a frame has {frames.Average(frame => frame.Length):F0} bytes, the same as compact JSON {messages.Average(json => json.Length):F0}");

double nativeParse = 1e9, parse = 1e9, fields = 1e9, decode = 1e9, nativeBatch = 1e9, batched = 1e9, json = 1e9;
for (int repeat = 0; repeat < Repeats; ++repeat)
{
    nativeParse = Math.Min(nativeParse, Time(Rounds, NativeParse));
    parse = Math.Min(parse, Time(1, () => EachFrame(Parse)));
    fields = Math.Min(fields, Time(1, () => EachFrame(Fields)));
    decode = Math.Min(decode, Time(1, () => EachFrame(Decode)));
    nativeBatch = Math.Min(nativeBatch, Time(Rounds, NativeBatch));
    batched = Math.Min(batched, Time(1, Batch));
    json = Math.Min(json, Time(1, () => EachMessage(Json)));
}

Print("native: parse, read the nodes", nativeParse, 0, null);
Print("C#: parse, read the nodes", parse, Allocated(() => Parse(frames[0])), $"{parse / nativeParse:F2} x native (must 3)");
Print("native: batch of 64 decoded", nativeBatch, 0, null);
Print("C#: batch of 64 decoded", batched, Allocated(() => batch.Decode(lines).Length) / Frames, $"{batched / nativeBatch:F2} x native (must 1.15)");
Print("System.Text.Json: parse, read every field", json, Allocated(() => Json(messages[0])), null);
Print("C#: decode to a message", decode, Allocated(() => Decode(frames[0])), $"{decode / json:F2} x System.Text.Json (must 1)");
Print("C#: parse, every field to .NET", fields, Allocated(() => Fields(frames[0])), $"{fields / json:F2} x System.Text.Json (must 1)");
bool met = parse <= 3 * nativeParse && batched <= 1.15 * nativeBatch && decode <= json && fields <= json;
Console.WriteLine(met ? "all met" : "NOT MET");
return met ? 0 : 1;

static byte[] Message(int i) => Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture,
    $$$"""{"agent":"research","intent":"done","operation":"analyze","payload":{"task":"q3_sales_{{{i:00}}}","revenue":1420.5,"growth":-12,"regions":["emea","apac"],"note":"Revenue declines.","final":true},"meta":{"mid":"a000000000{{{i:00}}}","seq":{{{100 + i}}},"ts":1714000000}}"""));

// Nanoseconds a frame.
double Time(int rounds, Func<long> all)
{
    long begin = Stopwatch.GetTimestamp();
    for (int i = 0; i < (rounds == 1 ? Rounds / 10 : 1); ++i)
        if (all() == 0) throw new InvalidOperationException("nothing was read");
    double passes = rounds == 1 ? Rounds / 10 : Rounds;
    return Stopwatch.GetElapsedTime(begin).TotalNanoseconds / passes / Frames;
}

static long Allocated(Func<long> one)
{
    for (int i = 0; i < 1000; ++i) one();
    long before = GC.GetAllocatedBytesForCurrentThread();
    for (int i = 0; i < 1000; ++i) one();
    return (GC.GetAllocatedBytesForCurrentThread() - before) / 1000;
}

static void Print(string what, double time, long allocated, string? ratio) =>
    Console.WriteLine($"{what,-44} {time,7:F0} ns {allocated,6} bytes allocated a frame  {ratio}");

long EachFrame(Func<byte[], long> one)
{
    long sum = 0;
    foreach (byte[] frame in frames) sum += one(frame);
    return sum;
}

long EachMessage(Func<byte[], long> one)
{
    long sum = 0;
    foreach (byte[] message in messages) sum += one(message);
    return sum;
}

unsafe long NativeParse()
{
    fixed (byte* text = lines)
    fixed (nuint* at = starts)
        return (long)Loops.Parse(text, at, Frames, Rounds);
}

unsafe long NativeBatch()
{
    fixed (byte* text = lines)
        return (long)Loops.Batch(text, (nuint)lines.Length, Rounds);
}

long Parse(byte[] frame)
{
    NodeTree tree = parser.Parse(frame);
    long sum = 0;
    foreach (AccpNode node in tree.Nodes) sum += (long)node.Kind + node.Length;
    return sum;
}

// Keys and texts as strings, numbers as numbers: the same results as the JSON reader below.
long Fields(byte[] frame)
{
    NodeTree tree = parser.Parse(frame);
    long sum = 0;
    for (int i = 0; i < tree.Nodes.Length; ++i)
    {
        AccpNode node = tree.Nodes[i];
        if (node.KeyLength > 0) sum += Encoding.UTF8.GetString(tree.Key(i)).Length;
        if (node.Kind == AccpKind.Int) sum += long.Parse(tree.Value(i), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture);
        else if (node.Kind == AccpKind.Dec) sum += (long)decimal.Parse(tree.Value(i), NumberStyles.Number, CultureInfo.InvariantCulture);
        else if (node.Kind is AccpKind.String or AccpKind.Name) sum += Encoding.UTF8.GetString(tree.Value(i)).Length;
    }
    return sum;
}

long Decode(byte[] frame)
{
    buffer.ResetWrittenCount();
    codec.Decode(frame, buffer);
    return buffer.WrittenCount;
}

long Batch()
{
    long sum = 0;
    foreach (BatchRecord record in batch.Decode(lines)) sum += record.Status == AccpStatus.Ok ? record.Length : throw record.Exception!;
    return sum;
}

long Json(byte[] message)
{
    using JsonDocument document = JsonDocument.Parse(message);
    return ReadAll(document.RootElement);
}

static long ReadAll(JsonElement element)
{
    long sum = 0;
    switch (element.ValueKind)
    {
        case JsonValueKind.Object:
            foreach (JsonProperty property in element.EnumerateObject()) sum += property.Name.Length + ReadAll(property.Value);
            return sum;
        case JsonValueKind.Array:
            foreach (JsonElement item in element.EnumerateArray()) sum += ReadAll(item);
            return sum;
        case JsonValueKind.String: return element.GetString()!.Length;
        case JsonValueKind.Number: return element.TryGetInt64(out long number) ? number : (long)element.GetDecimal();
        default: return element.ValueKind == JsonValueKind.True ? 1 : 0;
    }
}

internal static unsafe class Loops
{
    [DllImport("accp_bench", EntryPoint = "bench_parse")]
    internal static extern ulong Parse(byte* text, nuint* starts, nuint count, int rounds);

    [DllImport("accp_bench", EntryPoint = "bench_batch")]
    internal static extern ulong Batch(byte* text, nuint length, int rounds);
}
