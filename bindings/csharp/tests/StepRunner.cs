// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Text;
using System.Text.Json;

namespace Accp.Tests;

/// <summary>
/// Runs the steps of tests/system/vectors/bindings.jsonl (see its README) with this layer.
/// </summary>
internal sealed class StepRunner : IDisposable
{
    private readonly Dictionary<string, object> handles = [];
    private readonly Dictionary<string, List<string>> logs = [];
    private readonly Dictionary<string, Agreement> agreements = [];  // by the names of their sides
    private readonly List<IDisposable> owned = [];
    private readonly Dictionary<string, TokenCounter> counters = [];

    private delegate Dictionary<string, object?> Verb(JsonElement step);

    public void Dispose()
    {
        for (int i = owned.Count; i-- > 0;) owned[i].Dispose();
    }

    internal string Run(JsonElement step)
    {
        Dictionary<string, object?> gives;
        try
        {
            gives = Answer(step);
        }
        catch (AccpException wrong)
        {
            gives = Refused(wrong.Status, wrong.Offset, wrong.Reason);
        }
        catch (ArgumentOutOfRangeException)
        {
            gives = Refused(AccpStatus.Argument, 0, "");
        }
        return Encoding.UTF8.GetString(JsonValues.Json(gives));
    }

    private static Dictionary<string, object?> Refused(AccpStatus status, long offset, string message) =>
        status is AccpStatus.Held or AccpStatus.Dropped
            ? new() { ["status"] = AccpCodes.Code(status) }
            : new() { ["status"] = AccpCodes.Code(status), ["offset"] = offset, ["message"] = message };

    private T Of<T>(JsonElement step, string member = "of") => (T)handles[step.Text(member)];

    private Dictionary<string, object?> Made(JsonElement step, IDisposable made)
    {
        owned.Add(made);
        handles[step.Text("name")] = made;
        return [];
    }

    private static Dictionary<string, object?> Out(string? text) => new() { ["out"] = text ?? "" };

    private static Dictionary<string, object?> Done(Action call)
    {
        call();
        return [];
    }

    private static DateTimeOffset At(JsonElement step, string member = "now_ms") => DateTimeOffset.FromUnixTimeMilliseconds(step.Number(member));

    private static DateTimeOffset? Expires(JsonElement step) => step.Number("expires_ms") == 0 ? null : At(step, "expires_ms");

    private static AccpExtensions Extensions(JsonElement step) =>
        step.List("extensions").Aggregate(AccpExtensions.None, (all, one) => all | Enum.Parse<AccpExtensions>(one, ignoreCase: true));

    private static AccpConfig Config(JsonElement step)
    {
        var config = new AccpConfig();
        if (!step.TryGetProperty("options", out JsonElement given)) return config;
        if (given.Text("dialect") != "") config.Dialect = Enum.Parse<AccpDialect>(given.Text("dialect"), ignoreCase: true);
        config.Abbreviate = given.Flag("abbreviate");
        config.KeepRefs = given.Flag("keep_refs");
        if (given.TryGetProperty("extensions", out _)) config.Extensions = Extensions(given);
        foreach (string name in given.List("ignore")) config.Ignored.Add(name);
        if (given.TryGetProperty("limits", out JsonElement limits))
            foreach (JsonProperty limit in limits.EnumerateObject())
                config.Limits[Enum.GetValues<AccpLimit>().Single(one => AccpConfig.Name(one) == limit.Name)] = limit.Value.GetInt64();
        return config;
    }

    // With the settings that steps of codecs, engines and negotiations name beside `options`.
    private AccpConfig WholeConfig(JsonElement step)
    {
        AccpConfig config = Config(step);
        config.Registry = step.TryGetProperty("registry", out _) ? Of<SchemaRegistry>(step, "registry") : null;
        config.Extensions = Extensions(step);
        return config;
    }

    // Objects for the steps of frames.
    private sealed record Frames(FrameParser Parser, FrameCodec Codec) : IDisposable
    {
        public void Dispose()
        {
            Parser.Dispose();
            Codec.Dispose();
        }
    }

    private TokenCounter Counter(string name)
    {
        if (counters.TryGetValue(name, out TokenCounter? counter)) return counter;
        using var tokenizer = AccpTokenizer.Open(name);
        owned.Add(counter = new TokenCounter(tokenizer));
        return counters[name] = counter;
    }

    private Dictionary<string, object?> Answer(JsonElement step) => step.Text("do") switch
    {
        "status" => Status((AccpStatus)step.Number("number")),
        "tool" => Tool(AccpInterfaces.Find(step.Text("interface"))),
        "json" => Json(step),
        "frame" => Made(step, new Frames(new FrameParser(Config(step)), new FrameCodec(Config(step)))),
        "parse" => Parse(Of<Frames>(step).Parser, step.Text("text")),
        "envelope" => Envelope(Of<Frames>(step).Parser, step.Text("text")),
        "frame_encode" => Out(Of<Frames>(step).Codec.Encode(step.Text("text"))),
        "frame_decode" => Out(Of<Frames>(step).Codec.Decode(step.Text("text"))),
        "traceparent" => Out(FrameParser.Traceparent(step.Text("cid"), step.Text("mid"))),
        "mid_format" => Out(FrameParser.FormatMid((int)step.Number("letter"), (int)step.Number("issuer"), step.Number("counter"))),
        "batch_parse" or "batch_encode" or "batch_decode" => Batch(step),
        "render" or "render_frame" or "render_parse" => Render(step),
        "packet" => Made(step, new ContextPacket(Config(step))),
        "packet_index" => Made(step, new PacketIndex(Config(step))),
        "packet_add" or "packet_query" => Index(step, Of<PacketIndex>(step)),
        "packet_layers" => Layers(Of<ContextPacket>(step).ToPrompt((PacketLayers)step.Number("layers"))),
        "packet_read" or "packet_generate" or "packet_seal" or "packet_print" or "packet_less" or "packet_revise" or "packet_diff" => Packet(step, Of<ContextPacket>(step)),
        "count" => new() { ["tokens"] = Counter(step.Text("tokenizer")).Count(step.Text("text")), ["ids"] = Counter(step.Text("tokenizer")).Encode(step.Text("text")) },
        "registry" => Registry(step),
        "schema" => Schema(Of<SchemaRegistry>(step).Find(step.Text("code"))),
        "merge" => Merge(step),
        "negotiate" => Negotiate(step),
        "codec" => Codec(step),
        "encode" => Encode(Of<FrameCodec>(step), step.Text("text")),
        "codec_reply" => Reply(Of<FrameCodec>(step), step.Text("request"), step.Text("text")),
        "decode" => Decode(Of<FrameCodec>(step), step.Text("text")),
        "register_schema" => Register(Of<FrameCodec>(step), step.Text("text")),
        "retry" => Out(Of<FrameCodec>(step).Retry(step.Text("text"), new AccpEnvelope { Mid = step.Text("mid"), Seq = step.Number("seq"), Ts = step.Number("ts") })),
        "log" => Log(step.Text("of")),
        "failure_encode" => FailureEncode(step),
        "failure_decode" => FailureDecode(Of<FrameCodec>(step), step.Text("text")),
        "chunks" => new()
        {
            ["frames"] = StreamChunks.Cut(step.Text("text"), step.Text("cid"), (int)step.Number("max_bytes"))
                .Select(chunk => Of<FrameCodec>(step).EncodeChunk(step.Text("agent"), step.Text("operation"), chunk)).ToList(),
        },
        "stream" => Made(step, new StreamReceiver(Config(step))),
        "stream_add" => Part(Of<StreamReceiver>(step).Add(new StreamChunk(step.Text("cid"), step.Text("data"), step.Number("index"), step.Flag("is_final"), step.Number("total")))),
        "stream_receive" => Part(Of<StreamReceiver>(step).Receive(step.Text("text"))),
        "stream_end" => Part(Of<StreamReceiver>(step).End(step.Text("cid"))),
        "deadline" => Made(step, new Deadlines(Config(step))),
        "deadline_start" => Done(() => Of<Deadlines>(step).Start(step.Text("cid"), step.Number("when"))),
        "deadline_extend" => Done(() => Of<Deadlines>(step).Extend(step.Text("cid"), step.Number("when"))),
        "deadline_answer" => Done(() => Of<Deadlines>(step).Answer(step.Text("cid"))),
        "deadline_expire" => new() { ["expired"] = Of<Deadlines>(step).Expire(step.Number("now")), ["next"] = Of<Deadlines>(step).Next },
        _ => Stored(step),
    };

    private Dictionary<string, object?> Stored(JsonElement step) => step.Text("do") switch
    {
        "store" => Made(step, AccpStore.Open(step.Text("path"), StoreModes.None, Config(step))),
        "store_sessions" => new() { ["ids"] = Of<AccpStore>(step).Sessions() },
        "store_stats" => Counts(Of<AccpStore>(step).Counts()),
        "store_export" => new() { ["lines"] = Of<AccpStore>(step).Export(step.Text("id")).Count(one => one == '\n') },
        "store_import" => Done(() => Of<AccpStore>(step).Import(step.TryGetProperty("from", out _)
            ? Of<AccpStore>(step, "from").Export(step.Text("id"))
            : Encoding.UTF8.GetBytes(step.Text("text")))),
        "store_erase" => Done(() => Of<AccpStore>(step).RemoveSession(step.Text("id"))),
        "store_prune" => new() { ["pruned"] = Of<AccpStore>(step).Prune(At(step), step.Number("keep")) },
        "store_verify" => Done(() => { if (Of<AccpStore>(step).Verify().Count > 0) throw new InvalidOperationException("damaged"); }),
        "engine" => Engine(step),
        "events" => Log(step.Text("of")),
        "open" => Made(step, Of<AccpEngine>(step, "engine").Open(step.Text("id"), step.Flag("local") ? SessionModes.Local : SessionModes.None)),
        "close" => Done(Of<EngineSession>(step).Dispose),
        _ => InSession(step, Of<EngineSession>(step)),
    };

    private static Dictionary<string, object?> InSession(JsonElement step, EngineSession session) => step.Text("do") switch
    {
        "send" => Out(session.Send(step.Text("text"), At(step))),
        "reply" => Out(session.Reply(step.Text("request"), step.Text("text"), At(step))),
        "outcome" => session.Outcome() is var sent ? new() { ["parts"] = sent.Parts, ["kept"] = sent.Kept, ["warnings"] = (int)sent.Warnings } : [],
        "receive" => session.Receive(step.Text("text"), Peer(step), At(step)) is var receipt && receipt == Receipt.Applied ? [] : Refused((AccpStatus)receipt, 0, ""),
        "next" => new()
        {
            ["deliveries"] = session.Deliveries().Select(one => new Dictionary<string, object?>
            {
                ["status"] = AccpCodes.Code(one.Status), ["seq"] = one.Seq, ["message"] = one.Json, ["mid"] = one.Mid, ["cid"] = one.Cid, ["reason"] = one.Reason,
                ["warnings"] = (int)one.Warnings,
            }).ToList(),
        },
        "append" => Done(() => session.Append(step.Text("text"), Peer(step), At(step))),
        "checkpoint" => Checkpoint(session, At(step)),
        "context" => session.Context(step.Number("budget_tokens")) is var context ? new() { ["out"] = context.Text, ["tokens"] = context.Tokens } : [],
        "append_messages" => new() { ["count"] = session.AppendMessages(Interface(step), step.Text("text"), Peer(step), At(step)) },
        "append_history" => History(session, step),
        "blocks" => new()
        {
            ["blocks"] = session.ContextBlocks(step.Number("budget_tokens")).Select(one => new Dictionary<string, object?>
            {
                ["kind"] = (int)one.Kind, ["is_stable"] = one.IsStable ? 1 : 0, ["checkpoint"] = one.Checkpoint, ["tokens"] = one.Tokens, ["since"] = one.Since,
                ["out"] = one.Text,
            }).ToList(),
        },
        "pages" => Out(session.ContextPages()),
        "messages" => session.ContextMessages(Interface(step), step.Number("budget_tokens")) is var messages
            ? new() { ["out"] = messages.Json, ["tokens"] = messages.Tokens }
            : [],
        "answer" => Out(session.Answer(step.Text("text"), At(step))),
        "budget" => Budget(session.Budget()),
        "record" => session.Record(step.Number("number")) is var record
            ? new() { ["kind"] = record.Kind.ToString(), ["time_ms"] = record.Time.ToUnixTimeMilliseconds(), ["out"] = record.Text }
            : [],
        "record_registry" => Under(session.RegistryOf(step.Number("number"))),
        "resolve" => Out(session.Resolve(step.Text("ref"), null, At(step))),
        "resolve_of" => Out(session.Resolve(step.Text("ref"), step.Text("who"), At(step))),
        "put" => Done(() => session.Put(step.Text("ref"), step.Text("text"), Expires(step))),
        "erase" => Done(() => session.Remove(step.Text("ref"))),
        "grant" => Done(() => session.AddGrant(step.Text("who"), step.Text("prefix"), Expires(step))),
        "revoke" => Done(() => session.RemoveGrant(step.Text("who"), step.Text("prefix"))),
        "send_state" => Out(session.SendState(step.Text("agent"), step.Text("text"), At(step))),
        "state" => new() { ["out"] = new Utf8Text(Encoding.UTF8.GetBytes(session.State().GetRawText())).ToString(), ["version"] = session.StateVersion },
        "is_cancelled" => new() { ["cancelled"] = session.IsCancelled(step.Text("cid")) ? 1 : 0 },
        "end" => Done(() => session.End(At(step))),
        var other => throw new InvalidOperationException("no such step: " + other),
    };

    private static Dictionary<string, object?> History(EngineSession session, JsonElement step)
    {
        var branch = step.Text("branch");
        var report = session.AppendHistory(step.Text("interface") == "" ? null : Interface(step), step.Text("text"), branch == "" ? null : branch, Peer(step), At(step));
        return new()
        {
            ["count"] = report.Count, ["same"] = report.Same, ["added"] = report.Added, ["item"] = report.Item, ["record"] = report.Record,
            ["branched"] = report.IsBranched ? 1 : 0,
        };
    }

    private static AccpPeer? Peer(JsonElement step) => !step.TryGetProperty("peer", out JsonElement peer) ? null
        : new AccpPeer(string.Join(',', peer.List("agents")), peer.Flag("untrusted") ? AccpOrigin.Untrusted : AccpOrigin.Trusted);

    private static AccpInterface Interface(JsonElement step) => AccpInterfaces.Find(step.Text("interface"))!.Value;

    private static Dictionary<string, object?> Tool(AccpInterface? form) =>
        new() { ["number"] = (int?)form ?? -1, ["name"] = form?.ToName(), ["out"] = form?.Tool() };

    private static Dictionary<string, object?> Status(AccpStatus status) => new()
    {
        ["code"] = AccpCodes.Code(status), ["name"] = AccpCodes.Name(status), ["meaning"] = AccpCodes.Meaning(status),
        ["retryable"] = AccpCodes.Retryable(status) ? 1 : 0, ["category"] = (int)AccpCodes.Category(status),
    };

    private static Dictionary<string, object?> Json(JsonElement step)
    {
        using var value = new AccpValue(Config(step));
        value.Parse(step.Text("text"));
        return new() { ["out"] = value.ToString(), ["hash_form"] = value.HashForm() };
    }

    private static Dictionary<string, object?> Parse(FrameParser parser, string frame)
    {
        NodeTree tree = parser.Parse(frame);
        var gives = new Dictionary<string, object?>
        {
            ["agent"] = Encoding.UTF8.GetString(tree.Value(0)), ["intent"] = Encoding.UTF8.GetString(tree.Value(1)),
            ["operation"] = Encoding.UTF8.GetString(tree.Value(2)), ["nodes"] = tree.Nodes.Length, ["canonical"] = null,
        };
        try
        {
            gives["canonical"] = parser.Print();
        }
        catch (AccpInvalidTypeException)
        {
        }
        return gives;
    }

    private static Dictionary<string, object?> Envelope(FrameParser parser, string frame)
    {
        parser.Parse(frame);
        AccpEnvelope read = parser.Envelope();
        object?[] all = [read.Mid, read.Seq, read.Ts, read.Cid, read.Aid, read.Sid, read.Ttl];
        return new()
        {
            ["fields"] = all.Select((field, i) => field == null ? 0 : 1 << i).Sum(), ["mid"] = read.Mid ?? "", ["seq"] = read.Seq ?? 0, ["ts"] = read.Ts ?? 0,
            ["cid"] = read.Cid ?? "", ["aid"] = read.Aid ?? "", ["sid"] = read.Sid ?? "", ["ttl"] = read.Ttl ?? 0,
        };
    }

    private static Dictionary<string, object?> Batch(JsonElement step)
    {
        using var batch = new FrameBatch(Config(step));
        string verb = step.Text("do");
        if (verb == "batch_parse") batch.Parse(step.Text("text"));
        else if (verb == "batch_encode") batch.Encode(step.Text("text"));
        else batch.Decode(step.Text("text"));
        var list = new List<object>();
        for (int i = 0; i < batch.Records.Length; ++i)
        {
            BatchRecord record = batch.Records[i];
            if (record.Status != AccpStatus.Ok) list.Add(Refused(record.Status, record.ErrorOffset, record.Reason));
            else if (verb == "batch_parse") list.Add(new Dictionary<string, object?> { ["nodes"] = record.NodeCount, ["at"] = record.Offset });
            else list.Add(Out(Encoding.UTF8.GetString(batch.Result(i))));
        }
        return new() { ["records"] = list };
    }

    private static Dictionary<string, object?> Render(JsonElement step)
    {
        using var renderer = new Renderer(Config(step));
        string text = step.Text("text");
        var style = (RenderStyle)step.Number("flags");
        return Out(step.Text("do") switch
        {
            "render" => renderer.Render(text, style),
            "render_frame" => renderer.RenderFrame(text, style),
            _ => renderer.Parse(text),
        });
    }

    private static void Shorten(JsonElement step, ContextPacket packet)
    {
        switch (step.Text("how"))
        {
            case "filter":
                packet.Filter(step.Text("task"), step.Number("threshold_percent") / 100.0);
                break;
            case "fade":
                packet.Fade((int)step.Number("recent"), (int)step.Number("older"));
                break;
            case "patterns":
                packet.ExtractPatterns((int)step.Number("min_files"));
                break;
            default:
                packet.MergeDecisions();
                break;
        }
    }

    private static Dictionary<string, object?> Layers((string Prompt, long Tokens) read) => new() { ["out"] = read.Prompt, ["tokens"] = read.Tokens };

    private Dictionary<string, object?> Index(JsonElement step, PacketIndex index)
    {
        if (step.Text("do") == "packet_query") return Out(index.QueryJson(step.Text("question"), step.Text("from")));
        index.Add(Of<ContextPacket>(step, "packet"));
        return new() { ["size"] = index.Count };
    }

    private Dictionary<string, object?> Packet(JsonElement step, ContextPacket packet)
    {
        switch (step.Text("do"))
        {
            case "packet_read":
                packet.Read(step.Text("text"), !step.Flag("unverified"));
                break;
            case "packet_generate":
                packet.Generate(step.Text("task"), step.Text("text"), step.Text("interface") == "" ? null : Interface(step), (PacketDepth)step.Number("depth"),
                    step.Number("budget_tokens"), step.Text("creator"), At(step));
                break;
            case "packet_seal":
                packet.Seal();
                break;
            case "packet_less":
                Shorten(step, packet);
                break;
            case "packet_revise":
                packet.Revise(Of<ContextPacket>(step, "old"), step.Text("note"));
                break;
            case "packet_diff":
                return Out(packet.DiffJson(Of<ContextPacket>(step, "old")));
            default:
                return Out(step.Text("form") switch
                {
                    "json" => packet.ToJson(),
                    "yaml" => packet.ToYaml(),
                    _ => packet.ToPrompt(),
                });
        }
        return new() { ["checksum"] = packet.Checksum, ["tokens"] = packet.TokenCount, ["warnings"] = (int)packet.Warnings };
    }

    private Dictionary<string, object?> Registry(JsonElement step)
    {
        var made = new SchemaRegistry(step.Text("text"), (AccpProfiles)step.Number("profiles", 31), Config(step));
        Made(step, made);
        return new() { ["hash"] = made.Hash, ["version"] = made.Version, ["schemas"] = made.Schemas().Select(schema => schema.Code).ToList() };
    }

    private static Dictionary<string, object?> Schema(SchemaInfo schema) => new()
    {
        ["name"] = schema.Name, ["version"] = schema.Version, ["built_in"] = schema.IsBuiltIn ? 1 : 0,
        ["fields"] = schema.Fields.Select(field => new Dictionary<string, object?>
        {
            ["name"] = field.Name, ["wire"] = field.Wire, ["default"] = field.DefaultJson, ["type"] = (int)field.Type, ["required"] = field.IsRequired ? 1 : 0,
        }).ToList(),
    };

    private static Dictionary<string, object?> Under(SchemaRegistry registry)
    {
        using (registry) return new() { ["hash"] = registry.Hash };
    }

    private Dictionary<string, object?> Merge(JsonElement step)
    {
        using SchemaRegistry merged = SchemaRegistry.Merge(Of<SchemaRegistry>(step), Of<SchemaRegistry>(step, "with"));
        return new() { ["hash"] = merged.Hash };
    }

    private Dictionary<string, object?> Negotiate(JsonElement step)
    {
        var sides = new List<Negotiation>();
        foreach (string name in new[] { "left", "right" })
        {
            JsonElement side = step.GetProperty(name);
            var made = new Negotiation(side.Text("agent"), WholeConfig(side));
            owned.Add(made);
            sides.Add(made);
        }
        var frames = new List<string>();
        for (int quiet = 0, turn = 0; quiet < 2; turn = 1 - turn)
        {
            string? frame = sides[turn].NextFrame();
            quiet = frame == null ? quiet + 1 : 0;
            if (frame == null) continue;
            frames.Add(frame);
            sides[1 - turn].Receive(frame);
        }
        return new() { ["frames"] = frames, ["left"] = Side(step.GetProperty("left"), sides[0]), ["right"] = Side(step.GetProperty("right"), sides[1]) };
    }

    private Dictionary<string, object?> Side(JsonElement step, Negotiation side)
    {
        Agreement agreed = agreements[step.Text("name")] = side.Agreement();
        foreach (SchemaRegistry? one in new[] { agreed.Registry, agreed.Peer })
            if (one != null) owned.Add(one);
        return new()
        {
            ["state"] = (int)agreed.State, ["extensions"] = (int)agreed.Extensions, ["features"] = (int)agreed.Features, ["hash"] = agreed.Registry?.Hash ?? "",
        };
    }

    private static AccpStatus Code(string code) =>
        Enum.GetValues<AccpStatus>().Single(status => AccpCodes.Code(status) == code);

    private Dictionary<string, object?> Codec(JsonElement step)
    {
        AccpConfig config = WholeConfig(step);
        var refs = new Dictionary<string, byte[]>();
        var kept = new Dictionary<string, string>();
        List<string> log = logs[step.Text("name")] = [];
        if (step.TryGetProperty("refs", out JsonElement known))
            foreach (JsonProperty one in known.EnumerateObject()) refs[one.Name] = Encoding.UTF8.GetBytes(one.Value.GetString()!);
        if (step.TryGetProperty("refs", out _) || step.Flag("keep")) config.Resolver = name => refs.GetValueOrDefault(name);
        if (step.Flag("keep"))
            config.Keeper = json =>
            {
                string text = Encoding.UTF8.GetString(json);
                if (!kept.TryGetValue(text, out string? name)) kept[text] = name = $"cold.k{kept.Count + 1}";
                refs[name] = json.ToArray();
                return name;
            };
        SetChecks(step, config);
        if (step.Flag("log")) config.Log = (isReceived, status, text) => log.Add($"{(isReceived ? "received" : "sent")} {AccpCodes.Code(status)} {text}");
        foreach (string key in step.List("redact")) config.Redacted.Add(key);
        using AccpTokenizer? tokenizer = step.Flag("counts") ? AccpTokenizer.Open("o200k_base") : null;
        config.Tokenizer = tokenizer;
        config.Rules[AccpRule.MaxTokens] = step.Number("max_tokens");
        config.Rules[AccpRule.MarkDefaults] = step.Flag("mark_defaults") ? 1 : 0;
        config.Strictness = (AccpStrictness)step.Number("strict");
        config.Schema = step.Text("schema");
        var codec = new FrameCodec(config);
        codec.SetUntrusted(step.Flag("untrusted"));
        return Made(step, codec);
    }

    private static void SetChecks(JsonElement step, AccpConfig config)
    {
        if (step.TryGetProperty("tools", out JsonElement tools))
            config.Tools = (name, _) => tools.TryGetProperty(name, out JsonElement code) ? Code(code.GetString()!) : AccpStatus.ToolNotFound;
        if (step.TryGetProperty("deny", out _)) config.Policy = asked => step.List("deny").Contains(asked.Operation) ? AccpStatus.PolicyDenied : AccpStatus.Ok;
    }

    private static Dictionary<string, object?> Reply(FrameCodec codec, string request, string answer)
    {
        string frame = codec.Reply(request, answer);
        return new() { ["out"] = frame, ["warnings"] = (int)codec.Outcome().Warnings };
    }

    private static Dictionary<string, object?> Encode(FrameCodec codec, string json)
    {
        string frame = codec.Encode(json);
        return new() { ["out"] = frame, ["warnings"] = (int)codec.Outcome().Warnings, ["tokens"] = codec.Budget().Total.Tokens, ["kept"] = codec.Outcome().Kept };
    }

    private static Dictionary<string, object?> Decode(FrameCodec codec, string frame)
    {
        string json = codec.Decode(frame);
        return new() { ["out"] = json, ["warnings"] = (int)codec.Outcome().Warnings };
    }

    private static Dictionary<string, object?> Register(FrameCodec codec, string document)
    {
        codec.RegisterSchema(document);
        using SchemaRegistry? registry = codec.Registry();
        return new() { ["hash"] = registry!.Hash };
    }

    private Dictionary<string, object?> Log(string codec)
    {
        List<string> lines = [.. logs[codec]];
        logs[codec].Clear();
        return new() { ["lines"] = lines };
    }

    private Dictionary<string, object?> FailureEncode(JsonElement step) => Out(Of<FrameCodec>(step).EncodeFailure(new AccpFailure(Code(step.Text("code")), step.Text("agent"))
    {
        Message = step.Text("message"), Detail = step.Text("detail"), Source = step.Text("source"), Cid = step.Text("cid"),
    }));

    private static Dictionary<string, object?> FailureDecode(FrameCodec codec, string frame)
    {
        codec.Decode(frame);
        AccpFailure? read = codec.Failure();
        return new()
        {
            ["code"] = (int)(read?.Status ?? 0), ["retry"] = read?.Retry == true ? 1 : 0, ["agent"] = read?.Agent ?? "", ["message"] = read?.Message ?? "",
            ["detail"] = read?.Detail ?? "", ["source"] = read?.Source ?? "", ["cid"] = read?.Cid ?? "",
        };
    }

    private static Dictionary<string, object?> Part(StreamPart part) =>
        new() { ["data"] = part.Data, ["whole"] = part.Whole, ["chunks"] = part.Chunks, ["state"] = (int)part.State };

    private static Dictionary<string, object?> Counts(StoreCounts counts) =>
        new() { ["sessions"] = counts.Sessions, ["records"] = counts.Records, ["mids"] = counts.Mids, ["grants"] = counts.Grants };

    private Dictionary<string, object?> Engine(JsonElement step)
    {
        AccpConfig config = WholeConfig(step);
        config.Store = step.TryGetProperty("store", out _) ? Of<AccpStore>(step, "store") : null;
        if (step.TryGetProperty("rules", out JsonElement rules))
            foreach (JsonProperty rule in rules.EnumerateObject())
                config.Rules[Enum.GetValues<AccpRule>().Single(one => AccpConfig.Name(one) == rule.Name)] = rule.Value.GetInt64();
        foreach (string name in step.List("own")) config.OwnAgents.Add(name);
        SetChecks(step, config);
        List<string> told = logs[step.Text("name")] = [];
        if (step.Flag("events"))
            config.Events = e => told.Add($"{(int)e.Kind} {AccpCodes.Code(e.Status)} {(e.IsReceived ? 1 : 0)} {e.Seq} {e.Bytes} {e.Tokens} {e.SessionId}|{e.Agent}|{e.Mid}|{e.Cid}|{e.Aid}");
        config.Agreement = step.Text("agreement") is { Length: > 0 } side ? agreements[side] : null;
        return Made(step, new AccpEngine(config));
    }

    private static Dictionary<string, object?> Checkpoint(EngineSession session, DateTimeOffset at)
    {
        session.Checkpoint(at);
        return new() { ["checkpoints"] = session.NewestCheckpoint, ["records"] = session.RecordCount };
    }

    private static Dictionary<string, object?> Budget(TokenBudget budget) => new()
    {
        ["hot_used"] = budget.HotUsed, ["hot_max"] = budget.HotMax, ["warm_used"] = budget.WarmUsed, ["warm_max"] = budget.WarmMax,
        ["total_used"] = budget.TotalUsed, ["total_max"] = budget.TotalMax,
    };
}
