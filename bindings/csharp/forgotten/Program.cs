// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Forgets objects of each kind, and checks whether the collector comes before they fill the memory.
// It is a separate program, because the collector depends on the size of the managed heap. Exit
// code 1 if it does not come.
using Accp;

const string json = """{"agent":"a","intent":"req","operation":"x","payload":{"k":"v"}}""";
byte[][] values = [.. Enumerable.Range(0, 8).Select(i => System.Text.Encoding.UTF8.GetBytes("\"" + new string((char)('a' + i), 1_000_000) + "\""))];
using AccpTokenizer tokenizer = AccpTokenizer.Open("o200k_base");
using var one = new AccpEngine();
bool sanitized = !string.IsNullOrEmpty(Environment.GetEnvironmentVariable("LD_PRELOAD"));  // a sanitizer keeps freed memory
int next = 0, failed = 0;

Forget("engines with a session", 3_000, () => new AccpEngine().Open("s").Append(json));
Forget("sessions of one engine", 40_000, () => one.Open("s" + next++ % 100));
Forget("codecs", 10_000, () => new FrameCodec().Encode(json));
Forget("counters", 20_000, () => new TokenCounter(tokenizer).Count("one text"));
Forget("parsers", 20_000, () => new FrameParser().Parse("@a>req:x{k:v}"));
Forget("registries", 10_000, () => _ = new SchemaRegistry().Hash);
Forget("stores with 8 MB", 60, () =>
{
    EngineSession session = new AccpEngine().Open("s");
    for (int i = 0; i < values.Length; ++i) session.Put("cold.k" + i, values[i]);
});
return failed;

void Forget(string name, int count, Action make)
{
    for (int i = 0; i < 2; ++i) make();
    GC.Collect();
    GC.WaitForPendingFinalizers();
    int collections = GC.CollectionCount(0);
    long before = Resident();
    for (int i = 0; i < count; ++i) make();
    long grown = (Resident() - before) >> 20;
    collections = GC.CollectionCount(0) - collections;
    bool good = collections > 0 && (grown < 200 || sanitized);
    if (!good) failed = 1;
    Console.WriteLine($"{(good ? "" : "FAILED ")}{count} {name}: {collections} collections, {grown} MiB more");
}

static long Resident() =>
    1024 * long.Parse(File.ReadLines("/proc/self/status").First(line => line.StartsWith("RssAnon", StringComparison.Ordinal)).Split(' ', StringSplitOptions.RemoveEmptyEntries)[1]);
