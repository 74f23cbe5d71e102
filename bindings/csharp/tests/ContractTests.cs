// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Reflection;
using System.Text.Json;
using Xunit;

namespace Accp.Tests;

/// <summary>
/// Rules for the whole API: asynchronous forms, names of parameters in exceptions, mocks.
/// </summary>
public class ContractTests
{
    // Methods that wait neither for a store nor for other calls.
    private static readonly string[] NeverWait = ["Dispose", "Deconstruct", "TakeParts", "TakeWaiting", "RegisterSchema", "Registry", "Metrics", "Outcomes", "ToString", "GetHashCode", "Equals", "GetType"];

    [Theory]
    [InlineData(typeof(EngineSession))]
    [InlineData(typeof(AccpStore))]
    [InlineData(typeof(AccpCodec))]
    [InlineData(typeof(StateStore))]
    [InlineData(typeof(AccpEngine))]
    [InlineData(typeof(IEngineSession))]
    [InlineData(typeof(IAccpEngine))]
    public void WhateverMayWaitHasAnAsynchronousForm(Type type)
    {
        MethodInfo[] all = type.GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly);
        string[] asynchronous = [.. all.Where(one => one.Name.EndsWith("Async", StringComparison.Ordinal)).Select(one => one.Name)];
        Assert.All(all.Where(one => one.Name.EndsWith("Async", StringComparison.Ordinal) && one.Name != "DisposeAsync"),
            one => Assert.Equal(typeof(CancellationToken), one.GetParameters()[^1].ParameterType));
        string[] properties = [.. type.GetProperties(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly).Select(one => one.Name).Where(name => name is not ("Id" or "Registry"))];
        string[] methods = [.. all.Where(one => !one.IsSpecialName && !one.Name.EndsWith("Async", StringComparison.Ordinal)).Select(one => one.Name).Distinct().Except(NeverWait)];
        string[] missing = [.. methods.Select(name => name == "TryGet" ? "GetAsync" : name + "Async").Concat(properties.Select(name => "Get" + name + "Async")).Except(asynchronous)];
        Assert.Equal([], missing);
        Assert.True(type.IsAssignableTo(typeof(IAsyncDisposable)) || type == typeof(StateStore));
    }

    // By names, without overloads for the caller's buffer or for UTF-8.
    [Theory]
    [InlineData(typeof(EngineSession), typeof(IEngineSession))]
    [InlineData(typeof(AccpEngine), typeof(IAccpEngine))]
    public void AnInterfaceHasAllThatItsClassCanDo(Type type, Type face)
    {
        static IEnumerable<string> Names(Type of) => of.GetMembers(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly)
            .Where(one => one is PropertyInfo or MethodInfo { IsSpecialName: false }).Select(one => one.Name).Distinct();
        Assert.Equal([], Names(type).Except(Names(face)));
    }

    // Null for each parameter of a reference type: the exception names that parameter.
    [Fact]
    public void NullIsRefusedInTheNameOfItsParameter()
    {
        using var codec = new AccpCodec();
        AccpSession session = codec.OpenSession("s");
        using var engine = new AccpEngine();
        using var store = AccpStore.Open("memory:");
        using var registry = new SchemaRegistry();
        object[] objects = [codec, codec.Open(session), engine, store, registry, new StateStore(), session.HotState, new Deadlines(), new StreamReceiver(),
            new Negotiation("a", new AccpConfig { Registry = registry }), new FrameCodec(new AccpConfig { Registry = registry }), new FrameParser()];
        int calls = 0;
        foreach (object one in objects)
        {
            foreach (MethodInfo method in one.GetType().GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static).Where(method => method.DeclaringType != typeof(object)))
            {
                ParameterInfo[] parameters = method.GetParameters();
                if (method.IsSpecialName || method.IsGenericMethod || parameters.Any(each => each.ParameterType.IsByRefLike || each.IsOut)) continue;
                for (int i = 0; i < parameters.Length; ++i)
                {
                    ParameterInfo parameter = parameters[i];
                    if (parameter.ParameterType.IsValueType || new NullabilityInfoContext().Create(parameter).WriteState == NullabilityState.Nullable) continue;
                    object?[] arguments = [.. parameters.Select((each, n) => n == i ? null : Given(each, session))];
                    ++calls;
                    Exception? thrown = Record.Exception(() => Call(one, method, arguments));
                    Assert.True(thrown is ArgumentNullException named && named.ParamName == parameter.Name, $"{one.GetType().Name}.{method.Name}({parameter.Name}: null) gave {thrown}");
                }
            }
        }
        Assert.True(calls > 60, $"{calls} calls");
    }

    private static object? Given(ParameterInfo parameter, AccpSession session) =>
        parameter.ParameterType == typeof(string) ? "hot.k"
        : parameter.ParameterType == typeof(AccpSession) ? session
        : parameter.ParameterType == typeof(AgentMessage) ? new AgentMessage("a", AccpIntent.Req, "x", [])
        : parameter.ParameterType == typeof(AccpFrame) ? AccpFrame.Parse("@a>req:x{}")
        : parameter.ParameterType == typeof(SchemaRegistry) ? session.Registry
        : parameter.ParameterType == typeof(ContextPacket) ? new ContextPacket()
        : parameter.ParameterType == typeof(AccpSchema) ? new AccpSchema("N", ["x"])
        : parameter.ParameterType == typeof(StreamChunk) ? new StreamChunk("c", "d", 0, true)
        : parameter.ParameterType == typeof(AccpFailure) ? new AccpFailure(AccpStatus.Timeout, "a")
        : parameter.HasDefaultValue || !parameter.ParameterType.IsValueType ? null
        : Activator.CreateInstance(parameter.ParameterType);

    private static void Call(object one, MethodInfo method, object?[] arguments)
    {
        try
        {
            if (method.Invoke(method.IsStatic ? null : one, arguments) is Task task) task.GetAwaiter().GetResult();
        }
        catch (TargetInvocationException wrapped)
        {
            throw wrapped.InnerException!;
        }
    }

    // Utf8Text is a ref struct, which reflection cannot pass.
    [Fact]
    public void NullTextsAreRefusedInTheNameOfTheirParameter()
    {
        const string none = null!;
        using var engine = new AccpEngine();
        using EngineSession session = engine.Open("s");
        using var store = AccpStore.Open("memory:");
        (string Name, Action Call)[] calls =
        [
            ("frame", () => session.Receive(none)), ("json", () => session.Send(none)), ("json", () => session.Append(none)), ("json", () => session.Put("hot.k", none)),
            ("json", () => session.AppendMessages(AccpInterface.OpenAI, none)), ("json", () => session.AppendHistory(null, none)), ("arguments", () => session.Answer(none)), ("name", () => AccpInterfaces.Find(none)),
            ("json", () => session.SendState("a", none)), ("lines", () => store.Import(none)), ("document", () => engine.RegisterSchema(none)),
            ("document", () => _ = new SchemaRegistry(none)), ("frame", () => AccpFrame.Parse(none)), ("frame", () => AccpFrame.Parse(none, AccpDialect.Compat)),
            ("json", () => AgentMessage.FromJson(none)), ("json", () => new AccpValue().Parse(none)), ("frame", () => new FrameParser().Parse(none)),
            ("lines", () => new FrameBatch().Decode(none)), ("json", () => new FrameCodec().Encode(none)), ("frame", () => new FrameCodec().Decode(none)),
            ("text", () => new Renderer().Parse(none)), ("json", () => new Renderer().Render(none)),
            ("text", () => new ContextPacket().Read(none)), ("conversation", () => new ContextPacket().Generate("t", none)),
            ("task", () => new ContextPacket().Generate(none, "c")), ("creator", () => new ContextPacket().Generate("t", "c", creator: none)),
            ("task", () => new ContextPacket().Filter(none)), ("note", () => new ContextPacket().Revise(new ContextPacket(), none)),
            ("old", () => new ContextPacket().Revise(null!, "n")), ("old", () => new ContextPacket().DiffJson(null!)), ("packet", () => new PacketIndex().Add(null!)),
            ("question", () => new PacketIndex().Query(none)), ("from", () => new PacketIndex().QueryJson("q", none)),
            ("path", () => new PacketCode().Add(none, "")), ("text", () => new PacketCode().Add("a", none)), ("path", () => new PacketCode().Remove(none)), ("path", () => PacketCode.Open(none)),
            ("path", () => new PacketCode().Stamp(none)),
            ("code", () => new ContextPacket().StaleFiles(null!)), ("session", () => new ContextPacket().FromSession(null!)),
            ("json", () => session.SendPacket(none, new ContextPacket())), ("packet", () => session.SendPacket("{}", null!)), ("packet", () => session.PutPacket(null!)),
            ("message", () => session.ReadPacket(none, new ContextPacket())), ("packet", () => session.ReadPacket("{}", null!)), ("request", () => session.AnswerPacket(none, "a")),
            ("agent", () => session.AnswerPacket("{}", none)),
            ("code", () => AccpIntents.Parse(none)), ("json", () => new StateStore().Set("k", none)), ("text", () => StreamChunks.Cut(none, "c", 9)),
            ("sessionId", () => new AccpCodec().OpenSession(none)), ("url", () => AccpStore.Open(none)), ("name", () => AccpTokenizer.Open(none)),
        ];
        Assert.All(calls, one => Assert.Equal(one.Name, Assert.Throws<ArgumentNullException>(one.Call).ParamName));
    }

    [Fact]
    public void TheFilesOfCodeStayOnDisk()
    {
        string directory = Directory.CreateTempSubdirectory("accp-code-").FullName, path = Path.Combine(directory, "code.sqlite");
        try
        {
            using (PacketCode code = PacketCode.Open(path))
            {
                code.Add("routes/auth.py", "async def login(user): ...\n", 7);
                code.Add("weather.py", "def rain(): ...\n");
                code.Sync();
            }
            using (PacketCode code = PacketCode.Open(path, new AccpConfig()))
            {
                Assert.Equal(["routes/auth.py", "weather.py"], code.Paths());
                Assert.Equal(7u, code.Stamp("routes/auth.py"));
                Assert.Equal(0u, code.Stamp("none.py"));
                using var packet = new ContextPacket();
                packet.Generate("Mend the login", "", code: code);
                Assert.Contains("## Files\n- routes/auth.py: login\n", packet.ToPrompt());
                Assert.True(code.Remove("routes/auth.py"));
                Assert.False(code.Remove("routes/auth.py"));
                Assert.Equal(["weather.py"], code.Paths());
            }
            File.WriteAllText(path, "a letter to somebody");
            Assert.Throws<AccpCorruptException>(() => PacketCode.Open(path));
            Assert.Throws<AccpIOException>(() => PacketCode.Open(Path.Combine(directory, "none", "code")));
        }
        finally
        {
            Directory.Delete(directory, true);
        }
    }

    [Fact]
    public void APacketTellsTheFilesOfItsTask()
    {
        using var code = new PacketCode();
        code.Add("routes/auth.py", "\"\"\"Routes of accounts.\"\"\"\nasync def login(user): ...\n");
        code.Add("weather.py", "def rain(): ...\n");
        using var packet = new ContextPacket();
        packet.Generate("Mend the login", "", code: code);
        Assert.Contains("## Files\n- routes/auth.py: Routes of accounts (login)\n", packet.ToPrompt());
        Assert.Empty(packet.StaleFiles(code));
        code.Add("routes/auth.py", "another");
        Assert.Equal(["routes/auth.py"], packet.StaleFiles(code));
        Assert.True(code.Remove("weather.py"));
        Assert.False(code.Remove("weather.py"));
        Assert.Equal(1, code.Count);
        Assert.Throws<AccpArgumentException>(() => code.Add("", "x"));
        Assert.Throws<AccpArgumentException>(() => packet.Generate("Mend the login", ""));
    }

    [Fact]
    public void ASessionBecomesAPacket()
    {
        using var engine = new AccpEngine();
        using var session = engine.Open("work");
        using var packet = new ContextPacket();
        Assert.Throws<AccpArgumentException>(() => packet.FromSession(session));
        session.Append("""{"agent":"user","intent":"req","operation":"plan","payload":{"content":"Mend the login. It must not touch the registration."}}""");
        session.Append("""{"agent":"dev","intent":"fail","operation":"install","payload":{"package":"PyJWT","err":"not installed here"}}""");
        packet.FromSession(session, depth: PacketDepth.Deep);
        Assert.Contains("- It must not touch the registration.\n", packet.ToPrompt());
        Assert.Contains("- install PyJWT: err: not installed here\n", packet.ToPrompt());
        Assert.Contains("\"failed_attempts\":[\"$cold.m2\"]", packet.ToJson());
        Assert.Throws<AccpBudgetExceededException>(() => packet.FromSession(session, budgetTokens: 5));
    }

    [Fact]
    public void AMessageCarriesAPacket()
    {
        using var engine = new AccpEngine();
        using var session = engine.Open("work");
        using var packet = new ContextPacket();
        using var read = new ContextPacket();
        const string Announcement = """{"agent":"lead","intent":"sync","operation":"context","payload":{"to":"dev"}}""";
        Assert.Throws<AccpArgumentException>(() => session.SendPacket(Announcement, packet));
        packet.Read("version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\ntarget_task: t\ncontext: {goal: g, decisions: [JWT]}\n");
        Assert.StartsWith("@lead>sync:context{to:dev|packet:", session.SendPacket(Announcement, packet));
        session.ReadPacket(session.Resolve("cold.m1"), read);
        Assert.Equal(packet.Checksum, read.Checksum);
        string name = session.PutPacket(packet).Split(',')[0];
        string asked = "{\"agent\":\"dev\",\"intent\":\"qry\",\"operation\":\"context\",\"payload\":" + name +
            ",\"layers\":[\"decisions\"]},\"meta\":{\"mid\":\"a00000000001\",\"seq\":2,\"ts\":1}}";
        Assert.StartsWith("@lead>done:context{layers:[decisions]|content:", session.AnswerPacket(asked, "lead"));
        Assert.Throws<AccpParseErrorException>(() => session.ReadPacket("""{"agent":"a","intent":"esc","operation":"b","payload":{}}""", read));
        Assert.Equal("", read.Checksum);
        Assert.Throws<AccpArgumentException>(() => session.AnswerPacket(Announcement, "lead"));
    }

    [Fact]
    public void ATranscriptIsKnownByItsBeginning()
    {
        Assert.Equal(AccpInterface.Speakers, AccpInterfaces.Detect("User: a\nAssistant: b"));
        Assert.Null(AccpInterfaces.Detect("only text"));
    }

    [Fact]
    public void NumbersOutOfRangeAreNamed()
    {
        using var engine = new AccpEngine();
        using EngineSession session = engine.Open("s");
        using var counter = new TokenCounter(AccpTokenizer.Open("approx"));
        (string Name, Action Call)[] calls =
        [
            ("budgetTokens", () => session.Context(-1)), ("budgetTokens", () => session.ContextBlocks(-1)),
            ("budgetTokens", () => session.ContextMessages(AccpInterface.OpenAI, -1)), ("number", () => session.Record(-1)), ("record", () => session.Retry(-1)), ("max", () => counter.Count("x", -1)),
            ("keepCheckpoints", () => AccpStore.Open("memory:").Prune(DateTimeOffset.UtcNow, -1)), ("issuer", () => FrameParser.FormatMid(0, -1, 0)),
        ];
        Assert.All(calls, one => Assert.Equal(one.Name, Assert.Throws<ArgumentOutOfRangeException>(one.Call).ParamName));
    }

    [Fact]
    public void ASessionOfAnotherStoreIsNamedAsItWasGiven()
    {
        using var codec = new AccpCodec();
        AccpSession session = codec.OpenSession("s");
        Assert.Equal("coldState", Assert.Throws<ArgumentException>(() => codec.OpenSession("s", new Fake.Cold())).ParamName);
        Assert.Equal("session", Assert.Throws<ArgumentException>(() => codec.GetBudget(session with { SessionId = null! })).ParamName);
        Assert.Equal("session", Assert.Throws<ArgumentException>(() => codec.GetBudget(session with { HotState = null! })).ParamName);
    }

    // The behaviour of a mocking library: a proxy for the interface.
    public class Fake : DispatchProxy
    {
        internal sealed class Cold : IExternalStore
        {
            public void Save(string key, ReadOnlySpan<byte> value) { }

            public byte[]? Load(string key) => null;
        }

        internal Func<MethodInfo, object?[], object?>? Answers;

        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args) => Answers!(targetMethod!, args!);
    }

    [Fact]
    public async Task SessionsAndEnginesAreMocked()
    {
        IEngineSession session = DispatchProxy.Create<IEngineSession, Fake>();
        ((Fake)(object)session).Answers = (method, arguments) => method.Name switch
        {
            "Send" => throw new AccpDuplicateException("seen", 3),
            "ContextAsync" => Task.FromResult(new SessionContext("what was said", 3)),
            "Deliveries" => new[] { new Delivery(AccpStatus.Ok, 1, "{}"u8.ToArray(), "") },
            "AppendAsync" => Task.CompletedTask,
            _ => null,
        };
        IAccpEngine engine = DispatchProxy.Create<IAccpEngine, Fake>();
        ((Fake)(object)engine).Answers = (method, _) => method.Name switch
        {
            "Metrics" => new[] { new EngineMetric("accp.frames.sent", "{frame}", 7) },
            "Outcomes" => 3L,
            "RegisterSchema" => null,
            _ => session,
        };
        Assert.Equal(7, Assert.Single(engine.Metrics()).Value);
        Assert.Equal(3, engine.Outcomes(true, AccpStatus.Duplicate));
        engine.RegisterSchema("{}");
        using IEngineSession open = engine.Open("s");
        Assert.Equal("seen", Assert.Throws<AccpDuplicateException>(() => open.Send("{}")).Reason);
        Assert.Equal(3, (await open.ContextAsync()).Tokens);
        Assert.Equal("{}", Assert.Single(open.Deliveries()).Json);
        await open.AppendAsync("{}");
        using var real = new AccpEngine();
        await using IEngineSession same = await ((IAccpEngine)real).OpenAsync("s");
        Assert.Contains("seq:1", same.Send(Sample.Json), StringComparison.Ordinal);
        await same.PutAsync("hot.k", "1");
        Assert.Equal("1", await same.ResolveAsync("hot.k"));
        using var packet = new ContextPacket();
        same.MakePacket(packet, "Add a login");
        Assert.Contains("$cold.packet_", same.PutPacket(packet), StringComparison.Ordinal);
    }

    [Fact]
    public void ExceptionsAreMadeByAnybody()
    {
        foreach (AccpStatus status in Enum.GetValues<AccpStatus>().Where(one => one != AccpStatus.Ok))
        {
            Type type = typeof(AccpException).Assembly.GetType("Accp.Accp" + status + "Exception", true)!;
            var made = (AccpException)Activator.CreateInstance(type, "why", 7L, new TimeoutException())!;
            Assert.Equal((status, "why", 7, AccpCodes.Code(status), AccpCodes.Retryable(status)), (made.Status, made.Reason, made.Offset, made.Code, made.Retryable));
            Assert.IsType<TimeoutException>(made.InnerException);
            made = (AccpException)type.GetConstructors()[0].Invoke(["", 0L, null]);
            Assert.EndsWith(AccpCodes.Meaning(status), made.Message, StringComparison.Ordinal);
        }
        Assert.Equal("UNKNOWN", new AccpException((AccpStatus)1234).Code);
    }

    [Fact]
    public async Task WhatIsDisposedAsynchronously()
    {
        string directory = Directory.CreateTempSubdirectory("accp-").FullName;
        try
        {
            await using (AccpStore store = await AccpStore.OpenAsync($"sqlite:{directory}/s"))
            await using (var engine = new AccpEngine(new AccpConfig { Store = store }))
            await using (EngineSession session = await engine.OpenAsync("s"))
                await session.AppendAsync(Sample.Json);
            await using AccpStore kept = AccpStore.Open($"sqlite:{directory}/s");  // Windows removes no open file
            await using var codec = new AccpCodec(new AccpConfig { Store = kept });
            AccpSession record = await codec.OpenSessionAsync("s");
            AccpFrame frame = await codec.EncodeAsync(new AgentMessage("a", AccpIntent.Req, "x", new() { ["k"] = DateTime.UnixEpoch }), record);
            Assert.Equal("1970-01-01T00:00:00Z", frame.Payload["k"]);
            await using var other = new AccpCodec();
            Assert.Equal("x", (await other.DecodeAsync(frame, await other.OpenSessionAsync("s"))).Operation);
            Assert.True((await codec.GetBudgetAsync(record)).HotUsed > 0);
            Assert.Contains("k:", (await codec.GetContextAsync(record)).Text, StringComparison.Ordinal);
            await record.HotState.SetAsync("n", "1");
            Assert.Equal("1", (await record.HotState.GetAsync("n"))!.Value.GetRawText());
            await record.HotState.RemoveAsync("n");
            Assert.Null(await record.HotState.GetAsync("n"));
            Assert.Equal(1, (await codec.CheckpointAsync(record)).Version);
            using var cancelled = new CancellationTokenSource();
            await cancelled.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => codec.EncodeAsync(new AgentMessage("a", AccpIntent.Req, "x", []), record, cancelled.Token));
        }
        finally
        {
            Directory.Delete(directory, true);
        }
    }

    private sealed record Ticket(int TicketId);

    [Fact]
    public void HowTypesAreWrittenIsTheHosts()
    {
        using var codec = new AccpCodec(new AccpConfig { Json = new JsonSerializerOptions(JsonSerializerDefaults.Web) });
        AccpFrame frame = codec.Encode(new AgentMessage("a", AccpIntent.Req, "x", new() { ["t"] = new Ticket(7), ["day"] = DayOfWeek.Monday }), codec.OpenSession("s"));
        Assert.StartsWith("@a>req:x{t:{ticketId:7}|day:1}", frame.ToString(), StringComparison.Ordinal);
    }

    // A registry reports its version, whatever made it.
    [Fact]
    public void TheVersionOfARegistryFollows()
    {
        using var registry = new SchemaRegistry("""{"version":4,"schemas":{"build":{"code":"BD","version":1,"fields":["target"]}}}""");
        Assert.Equal(4, registry.Version);
        string before = registry.Hash;
        registry.Add("""{"version":9,"schemas":{"test":{"code":"TE","version":1,"fields":["target"]}}}""");
        Assert.Equal(9, registry.Version);
        registry.Register("ship", new AccpSchema("SH", ["to"]));
        Assert.True(registry.Version > 9);
        Assert.NotEqual(before, registry.Hash);
        using var later = new SchemaRegistry(registry.Canonical);
        Assert.Equal(registry.Hash, later.Hash);
        Assert.Equal(registry.Version, later.Version);
    }
}
