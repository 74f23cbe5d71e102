// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;
using Accp.Interop;
using Xunit;

namespace Accp.Tests;

/// <summary>
/// Compares the layer with the headers: functions, numbers of enumerators, sizes of structs.
/// </summary>
public partial class FaceTests
{
    private static readonly string Headers = string.Concat(Directory.GetFiles(Path.Combine(Vectors.Source, "include", "accp"), "*.h").Order().Select(File.ReadAllText));

    // Functions that C# does not need: memory belongs to the collector and the library; values are
    // built as JSON; limits and rules are enumerators; frames are read from their nodes and built
    // from JSON; references are counted by .NET.
    private static readonly string[] LeftOut =
    [
        "accp_config_set_allocator", "accp_limit_find", "accp_rule_find", "accp_value_reset", "accp_value_find", "accp_value_add", "accp_value_begin", "accp_value_end",
        "accp_frame_text", "accp_frame_find", "accp_frame_build", "accp_frame_set_envelope", "accp_operation_name",
        "accp_session_append", "accp_session_append_messages", // the calls with a peer, which may be null, do the same
        "accp_store_each_property", // for operators of a store: `accp store status`
    ];

    // Back ends of stores are tables of C functions, which are not wrapped.
    private static readonly string[] OfC = ["accp_store_open_backend"];

    [Fact]
    public void EveryFunctionIsReached()
    {
        string layer = string.Concat(Directory.GetFiles(Path.Combine(Vectors.Source, "bindings", "csharp", "src"), "*.cs", SearchOption.AllDirectories)
            .Where(file => Path.GetFileName(file) != "Native.cs").Select(File.ReadAllText));
        string[] names = [.. Declared().Matches(Headers).Select(match => match.Groups[1].Value).Distinct().Where(name => !OfC.Contains(name)).Order()];
        Assert.True(names.Length > 150);
        Assert.Equal([], names.Where(name => !Regex.IsMatch(layer, $@"Native\.{name}\b") && !LeftOut.Contains(name)));
        Assert.Equal(names, typeof(Native).GetMethods(BindingFlags.Static | BindingFlags.Public | BindingFlags.DeclaredOnly).Select(one => one.Name).Order());
    }

    [GeneratedRegex(@"ACCP_API\s[^;(]*?(accp_[a-z0-9_]+)\(")]
    private static partial Regex Declared();

    [Theory]
    [InlineData("accp_kind", typeof(AccpKind), "ACCP_")]
    [InlineData("accp_node_flag", typeof(AccpNodeTraits), "ACCP_NODE_")]
    [InlineData("accp_dialect", typeof(AccpDialect), "ACCP_")]
    [InlineData("accp_extension", typeof(AccpExtensions), "ACCP_EXT_")]
    [InlineData("accp_limit", typeof(AccpLimit), "ACCP_LIMIT_")]
    [InlineData("accp_intent", typeof(AccpIntent), "ACCP_INTENT_")]
    [InlineData("accp_profile", typeof(AccpProfiles), "ACCP_PROFILE_")]
    [InlineData("accp_field_type", typeof(SchemaFieldType), "ACCP_FIELD_")]
    [InlineData("accp_negotiation_state", typeof(NegotiationState), "ACCP_NEGOTIATION_")]
    [InlineData("accp_feature", typeof(AccpFeatures), "ACCP_FEATURE_")]
    [InlineData("accp_warning", typeof(AccpWarnings), "ACCP_WARN_")]
    [InlineData("accp_strictness", typeof(AccpStrictness), "ACCP_STRICT_")]
    [InlineData("accp_render_flag", typeof(RenderStyle), "ACCP_RENDER_")]
    [InlineData("accp_category", typeof(AccpCategory), "ACCP_CATEGORY_")]
    [InlineData("accp_stream_state", typeof(StreamState), "ACCP_STREAM_")]
    [InlineData("accp_store_flag", typeof(StoreModes), "ACCP_STORE_")]
    [InlineData("accp_session_flag", typeof(SessionModes), "ACCP_SESSION_")]
    [InlineData("accp_origin", typeof(AccpOrigin), "ACCP_ORIGIN_")]
    [InlineData("accp_rule", typeof(AccpRule), "ACCP_RULE_")]
    [InlineData("accp_interface", typeof(AccpInterface), "ACCP_INTERFACE_")]
    [InlineData("accp_block_kind", typeof(ContextBlockKind), "ACCP_BLOCK_")]
    [InlineData("accp_packet_depth", typeof(PacketDepth), "ACCP_PACKET_")]
    [InlineData("accp_packet_layer", typeof(PacketLayers), "ACCP_PACKET_")]
    [InlineData("accp_packet_kind", typeof(PacketKind), "ACCP_PACKET_")]
    [InlineData("accp_packet_warning", typeof(PacketWarnings), "ACCP_PACKET_")]
    [InlineData("accp_sacp_answer", typeof(SacpAnswer), "ACCP_SACP_")]
    [InlineData("accp_sacp_code", typeof(SacpCode), "ACCP_SACP_")]
    [InlineData("accp_sacp_out_fmt", typeof(SacpOutFmt), "ACCP_SACP_")]
    [InlineData("accp_sacp_reading", typeof(SacpReading), "ACCP_SACP_")]
    [InlineData("accp_match", typeof(AgentMatch), "ACCP_MATCH_")]
    [InlineData("accp_capability_ranking", typeof(AgentRanking), "ACCP_RANK_")]
    [InlineData("accp_feasibility", typeof(Feasibility), "ACCP_PLAN_")]
    [InlineData("accp_spawn_answer", typeof(AgentRequestAnswer), "ACCP_SPAWN_")]
    [InlineData("accp_event_kind", typeof(SessionEventKind), "ACCP_EVENT_")]
    [InlineData("accp_run_state", typeof(PlanState), "ACCP_RUN_")]
    [InlineData("accp_run_effect_kind", typeof(PlanEffectKind), "ACCP_RUN_")]
    [InlineData("accp_run_cause", typeof(PlanCause), "ACCP_RUN_")]
    [InlineData("accp_run_step_state", typeof(PlanStepState), "ACCP_RUN_STEP_")]
    [InlineData("accp_run_step_kind", typeof(PlanStepKind), "ACCP_RUN_")]
    [InlineData("accp_pane_setting", typeof(PaneSetting), "ACCP_PANES_")]
    [InlineData("accp_panes_reading", typeof(PaneReading), "ACCP_PANES_")]
    public void EnumeratorsHaveTheirNumbers(string name, Type type, string prefix)
    {
        string body = Regex.Match(Headers, @"enum " + name + @" \{(.*?)\};", RegexOptions.Singleline).Groups[1].Value;
        body = Regex.Replace(body, @"/\*.*?\*/", "", RegexOptions.Singleline);
        var declared = Regex.Matches(body, @"(ACCP_[A-Z0-9_]+)\s*=\s*(-?\d+)").ToDictionary(match => match.Groups[1].Value[prefix.Length..].Replace("_", ""), match => long.Parse(match.Groups[2].Value));
        Assert.NotEmpty(declared);
        var ours = Enum.GetValuesAsUnderlyingType(type).Cast<object>().Zip(Enum.GetNames(type), (value, one) => (one.ToUpperInvariant(), Convert.ToInt64(value)))
            .Where(one => one.Item1 != "NONE" || declared.ContainsKey("NONE")).ToDictionary(one => one.Item1, one => one.Item2);
        Assert.Equal(declared.OrderBy(one => one.Key), ours.OrderBy(one => one.Key));
    }

    [Fact]
    public void StructsHaveTheirSizes()
    {
        Assert.Equal(16, Unsafe.SizeOf<AccpNode>());
        Assert.Equal(16, Unsafe.SizeOf<AccpText>());
        Assert.Equal(40, Unsafe.SizeOf<ErrorDetail>());
        Assert.Equal(48, Unsafe.SizeOf<RecordData>());
        Assert.Equal(96, Unsafe.SizeOf<EnvelopeData>());
        Assert.Equal(88, Unsafe.SizeOf<PolicyCaseData>());
        Assert.Equal(48, Unsafe.SizeOf<SchemaData>());
        Assert.Equal(56, Unsafe.SizeOf<FieldData>());
        Assert.Equal(88, Unsafe.SizeOf<FailureData>());
        Assert.Equal(56, Unsafe.SizeOf<ChunkData>());
        Assert.Equal(48, Unsafe.SizeOf<StreamPartData>());
        Assert.Equal(48, Unsafe.SizeOf<DamageData>());
        Assert.Equal(24, Unsafe.SizeOf<PeerData>());
        Assert.Equal(72, Unsafe.SizeOf<DeliveryData>());
        Assert.Equal(32, Unsafe.SizeOf<LogRecordData>());
        Assert.Equal(112, Unsafe.SizeOf<HooksData>());
        Assert.Equal(64, Unsafe.SizeOf<VectorsData>());
        Assert.Equal(152, Unsafe.SizeOf<EventData>());
        Assert.Equal(24, Unsafe.SizeOf<OutcomeData>());
        Assert.Equal(64, Unsafe.SizeOf<RegistryInfoData>());
        Assert.Equal(48, Unsafe.SizeOf<AgreementData>());
        Assert.Equal(48, Unsafe.SizeOf<BudgetData>());
        Assert.Equal(48, Unsafe.SizeOf<ContextBlockData>());
        Assert.Equal(112, Unsafe.SizeOf<PacketRequestData>());
        Assert.Equal(104, Unsafe.SizeOf<PaneTaskData>());
        Assert.Equal(56, Unsafe.SizeOf<VerdictData>());
        Assert.Equal(56, Unsafe.SizeOf<SacpSenderData>());
        Assert.Equal(48, Unsafe.SizeOf<SacpReceiverData>());
        Assert.Equal(24, Unsafe.SizeOf<SpawnRoundData>());
        Assert.Equal(32, Unsafe.SizeOf<SpawnRulesData>());
        Assert.Equal(64, Unsafe.SizeOf<FoundAgentData>());
        Assert.Equal(96, Unsafe.SizeOf<RunRequestData>());
        Assert.Equal(104, Unsafe.SizeOf<RunEffectData>());
        Assert.Equal(64, Unsafe.SizeOf<RunStepData>());
    }

    [Fact]
    public void EveryCodeHasItsException()
    {
        foreach (AccpStatus status in Enum.GetValues<AccpStatus>().Where(one => one != AccpStatus.Ok))
        {
            AccpException made = AccpExceptions.Make((int)status, 7, "why");
            Assert.Equal("Accp" + status + "Exception", made.GetType().Name);
            Assert.Equal((status, 7, "why"), (made.Status, made.Offset, made.Reason));
            Assert.StartsWith(made.Code + " at byte 7: why", made.Message, StringComparison.Ordinal);
        }
        Assert.Equal(typeof(AccpException), AccpExceptions.Make(1234, 0, "").GetType());
        Assert.True(AccpExceptions.Make(3001, 0, "").Retryable);
        Assert.Equal("1.0.0", AccpLibrary.Version);
    }
}
