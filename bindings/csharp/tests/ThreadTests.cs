// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Buffers;
using System.Text;
using System.Text.Json;
using Xunit;

namespace Accp.Tests;

/// <summary>Many threads with their own sessions, and with one.</summary>
public class ThreadTests
{
    // On their own threads, which begin together; the first exception is the test's.
    private static void AtOnce(int count, Action<int> work)
    {
        using var begin = new Barrier(count);
        var thrown = new System.Collections.Concurrent.ConcurrentQueue<Exception>();
        Thread[] threads = [.. Enumerable.Range(0, count).Select(i => new Thread(() =>
        {
            try
            {
                begin.SignalAndWait();
                work(i);
            }
            catch (Exception any)
            {
                thrown.Enqueue(any);
            }
        }))];
        foreach (Thread thread in threads) thread.Start();
        foreach (Thread thread in threads) thread.Join();
        if (thrown.TryDequeue(out Exception? first)) System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(first);
    }

    [Fact]
    public void SixtyFourThreadsOnTheirOwnSessions()
    {
        using var engine = new AccpEngine(new AccpConfig { Rules = { [AccpRule.Durable] = 0 } });
        AtOnce(64, i =>
        {
            using EngineSession session = engine.Open($"s{i}");
            using var parser = new FrameParser();
            using var codec = new FrameCodec();
            for (int n = 0; n < 50; ++n)
            {
                string frame = session.Send(Sample.Text($"{i} {n} 😀"));
                Assert.Equal(9, parser.Parse(frame).Nodes.Length);
                Assert.Contains($"{i} {n} 😀", codec.Decode(frame), StringComparison.Ordinal);
            }
            Assert.Equal(50, session.RecordCount);
        });
    }

    // Two packets in one call, in both orders at once, and one with itself.
    [Fact]
    public void PacketsTogether()
    {
        using ContextPacket a = new(), b = new();
        const string text = """{"version":1,"created":"2024-01-15T10:30:00Z","creator":"a","target_task":"t","context":{"goal":"g","decisions":[{"choice":"Use JWT","reason":"Stateless"}]}}""";
        a.Read(text);
        b.Read(text);
        AtOnce(4, i =>
        {
            for (int n = 0; n < 200; ++n) Assert.Equal("""{"versions":[null,null]}""", i % 2 == 0 ? a.DiffJson(b) : b.DiffJson(a));
        });
        a.Revise(a, "again");
        a.Filter("JWT");
        Assert.InRange(a.Score(PacketKind.Decision, 1), 0.07, 1);
        Assert.Equal(-1, a.Score(PacketKind.Decision, 2));
        using var index = new PacketIndex();
        index.Add(a);
        Assert.Equal("Stateless", index.Query("Why JWT?", a.Checksum).GetProperty("answer").GetString());
        Assert.Throws<AccpRefNotFoundException>(() => index.Query("Why Redis?"));
    }

    // Calls queue: nothing is lost.
    [Fact]
    public async Task OneSessionOfManyThreads()
    {
        using var engine = new AccpEngine(new AccpConfig { Rules = { [AccpRule.Durable] = 0 } });
        EngineSession session = engine.Open("s");
        AtOnce(16, i =>
        {
            for (int n = 0; n < 50; ++n)
            {
                session.Append(Sample.Text($"{i} {n}"));
                session.Context();
            }
        });
        Assert.Equal(800, session.RecordCount);

        // Closed during calls: each of them fails as closed.
        int closed = 0;
        var threads = Enumerable.Range(0, 16).Select(i => Task.Run(() =>
        {
            try
            {
                for (int n = 0; ; ++n) session.Append(Sample.Text($"{i} {n}"));
            }
            catch (ObjectDisposedException)
            {
                Interlocked.Increment(ref closed);
            }
        })).ToArray();
        await Task.Delay(5);
        session.Dispose();
        await Task.WhenAll(threads);
        Assert.Equal(16, closed);
    }

    [Fact]
    public async Task AsynchronousForms()
    {
        string path = Path.Combine(Path.GetTempPath(), "accp-" + Guid.NewGuid().ToString("N"));
        try
        {
            using AccpStore store = await AccpStore.OpenAsync("sqlite:" + path);
            using var engine = new AccpEngine(new AccpConfig { Store = store });
            using EngineSession session = await engine.OpenAsync("s");
            await session.AppendAsync(Sample.Json);
            await session.AppendAsync(Encoding.UTF8.GetBytes(Sample.Json));
            Assert.Equal(Receipt.Applied, await session.ReceiveAsync("@a>req:x{}[mid:b00000000001,seq:1]"));
            Assert.Contains("seq:2", await session.SendAsync(Sample.Json), StringComparison.Ordinal);
            const string asked = """{"agent":"a","intent":"qry","operation":"plan","payload":{},"meta":{"mid":"b00000000001"}}""";
            const string answer = """{"agent":"b","intent":"wait","payload":{}}""";
            var reply = new ArrayBufferWriter<byte>();
            session.Reply(asked, answer, reply);
            foreach (string sent in new[] { Encoding.UTF8.GetString(reply.WrittenSpan), await session.ReplyAsync(asked, answer),
                await session.ReplyAsync(Encoding.UTF8.GetBytes(asked), Encoding.UTF8.GetBytes(answer)) })
                Assert.Matches(@"^@b>wait:plan\{\}\[mid:.*,cid:b00000000001,aid:b00000000001\]$", sent);
            Assert.Equal(1, (await session.OutcomeAsync()).Parts);
            await session.CheckpointAsync();
            Assert.Equal(2, await session.AppendMessagesAsync(AccpInterface.OpenAI, """[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]"""));
            await session.AppendAsync("""{"agent":"web","intent":"done","operation":"x","payload":{}}"""u8.ToArray(), new AccpPeer("*"));
            Assert.Equal(1, await session.AppendMessagesAsync(AccpInterface.OpenAI, """{"role":"user","content":"d"}"""u8.ToArray(), new AccpPeer("user")));
            Assert.Equal(1, await session.AppendMessagesAsync(AccpInterface.Anthropic, """{"role":"user","content":"c"}"""u8.ToArray()));
            SessionMessages messages = await session.ContextMessagesAsync(AccpInterface.OpenAI);
            var written = new ArrayBufferWriter<byte>();
            Assert.Equal(messages.Tokens, session.ContextMessages(AccpInterface.OpenAI, written));
            Assert.Equal(messages.Utf8Json.ToArray(), written.WrittenSpan.ToArray());
            Assert.Equal("user", messages.ToElement()[0].GetProperty("role").GetString());
            Assert.Equal((await session.ContextAsync()).Text, string.Concat((await session.ContextBlocksAsync()).Select(one => one.Text)));
            Assert.StartsWith("{\"pages\":[", await session.ContextPagesAsync(), StringComparison.Ordinal);
            Assert.StartsWith("error: ", await session.AnswerAsync("{}"), StringComparison.Ordinal);
            JsonElement arguments = JsonSerializer.SerializeToElement(new { @ref = $"$cold.m{await session.GetRecordCountAsync()}" });
            Assert.Equal("c", session.Answer(arguments)); // a text, byte for byte
            Assert.Equal("resolve", AccpInterface.Anthropic.ToolElement()!.Value.GetProperty("name").GetString());
            await session.SyncAsync();
            Assert.Equal(1, (await store.CountsAsync()).Sessions);
            Assert.Empty(await store.VerifyAsync());
            byte[] lines = await store.ExportAsync("s");
            using AccpStore other = AccpStore.Open("memory:");
            await other.ImportAsync(lines);
            Assert.Equal(lines, other.Export("s"));
            using var cancelled = new CancellationTokenSource();
            await cancelled.CancelAsync();
            await Assert.ThrowsAsync<TaskCanceledException>(() => session.AppendAsync(Sample.Json, cancelled.Token));
        }
        finally
        {
            foreach (string file in Directory.GetFiles(Path.GetTempPath(), Path.GetFileName(path) + "*")) File.Delete(file);
        }
    }
}
