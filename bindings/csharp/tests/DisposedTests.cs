// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using Xunit;

namespace Accp.Tests;

/// <summary>
/// Dispose is final, even if other users remain; and the exception names the disposed object.
/// </summary>
public class DisposedTests
{
    // Something else keeps the native object alive, so only the layer can refuse.
    public static TheoryData<string, Type, Action> Uses()
    {
        var all = new TheoryData<string, Type, Action>();
        void Add<T>(string name, Func<T> make, Func<T, IDisposable?> keep, Action<T> use) where T : IDisposable => all.Add(name, typeof(T), () =>
        {
            T made = make();
            IDisposable? kept = keep(made);
            made.Dispose();
            try
            {
                use(made);
            }
            finally
            {
                kept?.Dispose();
            }
        });
        Func<AccpEngine> engine = () => new AccpEngine();
        Add("engine.Open", engine, one => one.Open("kept"), one => one.Open("s"));
        Add("engine.OpenAsync", engine, one => one.Open("kept"), one => one.OpenAsync("s").GetAwaiter().GetResult());
        Add("engine.Open to read", engine, one => one.Open("kept"), one => one.Open("kept", SessionModes.ReadOnly));
        Add("engine.RegisterSchema", engine, one => one.Open("kept"), one => one.RegisterSchema("{}"));
        Add("engine.Registry", engine, one => one.Open("kept"), one => one.Registry());
        Func<AccpStore> store = () => AccpStore.Open("memory:");
        Add("store.Counts", store, one => new AccpEngine(new AccpConfig { Store = one }).Open("s"), one => one.Counts());
        Add("new engine of a store", store, one => new AccpEngine(new AccpConfig { Store = one }).Open("s"), one => _ = new AccpEngine(new AccpConfig { Store = one }));
        Func<AccpTokenizer> tokenizer = () => AccpTokenizer.Open("o200k_base");
        Add("tokenizer.Name", tokenizer, one => new TokenCounter(one), one => _ = one.Name);
        Add("new counter of a tokenizer", tokenizer, one => new TokenCounter(one), one => _ = new TokenCounter(one));
        Add("new engine of a tokenizer", tokenizer, one => new TokenCounter(one), one => _ = new AccpEngine(new AccpConfig { Tokenizer = one }));
        Func<SchemaRegistry> registry = () => new SchemaRegistry();
        Add("registry.Find", registry, one => new FrameCodec(new AccpConfig { Registry = one }), one => one.Find("TX"));
        Add("registry.Register", registry, one => new FrameCodec(new AccpConfig { Registry = one }), one => one.Register("n", new AccpSchema("N", ["x"])));
        Add("registry.Hash", registry, one => new FrameCodec(new AccpConfig { Registry = one }), one => _ = one.Hash);
        Add("new codec of a registry", registry, one => null, one => _ = new FrameCodec(new AccpConfig { Registry = one }));
        Add("new engine of a registry", registry, one => null, one => _ = new AccpEngine(new AccpConfig { Registry = one }));
        Add("negotiation of a registry", registry, one => null, one => _ = new Negotiation("a", new AccpConfig { Registry = one }));
        Add("merge of a registry", registry, one => null, one => SchemaRegistry.Merge(new SchemaRegistry(), one));
        Add("difference of a registry", registry, one => null, one => new SchemaRegistry().Difference(one));
        Func<SacpLibrary> library = () => new SacpLibrary();
        Add("new checker of a library", library, one => new Sacp(one), one => _ = new Sacp(one));
        Add("sacp.Validate", () => new Sacp(), one => null, one => one.Validate("{}"));
        Add("new phrases of a library", library, one => new Sacp(one), one => _ = new Phrases("{\"phrases\":[]}", one));
        Add("phrases.Ask", () => new Phrases("{\"phrases\":[]}", new SacpLibrary()), one => null, one => one.Ask("x"));
        Add("presenter.Print", () => new Presenter("a", "en-US"), one => null, one => one.Print("{}"));
        Add("new run with a store", store, one => new PlanRun("{}", options: new PlanOptions { Store = one, Session = "r" }), one => _ = new PlanRun("{}", options: new PlanOptions { Store = one, Session = "r" }));
        Add("new registry of agents on a store", store, one => new AgentRegistry(one), one => _ = new AgentRegistry(one));
        Add("agents.Query", () => new AgentRegistry(), one => null, one => one.Query(new AgentQuery()));
        Add("run.Next", () => new PlanRun("{}"), one => null, one => one.Next());
        Func<EngineSession> session = () => new AccpEngine().Open("s");
        Add("session.Append", session, one => null, one => one.Append(Sample.Json));
        Add("session.AppendAsync", session, one => null, one => one.AppendAsync(Sample.Json).GetAwaiter().GetResult());
        Add("session.RecordCount", session, one => null, one => _ = one.RecordCount);
        Func<AccpCodec> codec = () => new AccpCodec(new AccpConfig { Registry = new SchemaRegistry() });
        Add("codec.OpenSession", codec, one => null, one => one.OpenSession("s"));
        Add("codec.RegisterSchema", codec, one => null, one => one.RegisterSchema("n", new AccpSchema("N", ["x"])));
        Add("new codec of a tokenizer", tokenizer, one => new FrameCodec(new AccpConfig { Tokenizer = one }), one => _ = new FrameCodec(new AccpConfig { Tokenizer = one }));
        return all;
    }

    [Theory]
    [MemberData(nameof(Uses))]
    public void WhatIsDisposedServesNoMore(string name, Type type, Action use)
    {
        Assert.NotEmpty(name);
        Assert.Equal(type.FullName, Assert.Throws<ObjectDisposedException>(use).ObjectName);
    }

    [Fact]
    public void TheStatesOfACodecThatIsDisposed()
    {
        var codec = new AccpCodec();
        AccpSession session = codec.OpenSession("s");
        codec.Dispose();
        Assert.Equal(typeof(StateStore).FullName, Assert.Throws<ObjectDisposedException>(() => session.HotState.Set("k", "1")).ObjectName);
        Assert.Equal(typeof(AccpCodec).FullName, Assert.Throws<ObjectDisposedException>(() => codec.GetBudget(session)).ObjectName);
    }

    // A registry that is disposed while another thread registers stays disposed.
    [Fact]
    public void ARegistryDisposedWhileItChanges()
    {
        for (int i = 0; i < 200; ++i)
        {
            var registry = new SchemaRegistry();
            using var begin = new Barrier(2);
            var registers = new Thread(() =>
            {
                begin.SignalAndWait();
                try
                {
                    registry.Register("n", new AccpSchema("N", ["x"]));
                }
                catch (ObjectDisposedException)
                {
                }
            });
            registers.Start();
            begin.SignalAndWait();
            registry.Dispose();
            registers.Join();
            Assert.Throws<ObjectDisposedException>(() => registry.Find("TX"));
        }
    }
}
