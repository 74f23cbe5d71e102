// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Reflection;
using Xunit;

namespace Accp.Tests;

/// <summary>Specification 7.1, signature for signature, by reflection; each test is named after its requirement.</summary>
public class SpecificationTests
{
    private static void Method(string name, Type returns, params (Type Type, string Name)[] parameters)
    {
        MethodInfo method = Assert.Single(typeof(IAccpCodec).GetMethods(), one => one.Name == name);
        Assert.Equal(returns, method.ReturnType);
        Assert.Equal(parameters, method.GetParameters().Select(one => (one.ParameterType, one.Name!)));
        Assert.False(method.IsGenericMethod);
    }

    // A record: its primary constructor, a property with init for each parameter, Deconstruct, and the copying that `with` uses.
    private static void Record(Type type, params (Type Type, string Name)[] members)
    {
        Assert.NotNull(type.GetMethod("<Clone>$"));
        ConstructorInfo constructor = Assert.Single(type.GetConstructors());
        Assert.Equal(members, constructor.GetParameters().Select(one => (one.ParameterType, one.Name!)));
        foreach ((Type memberType, string name) in members)
        {
            PropertyInfo property = type.GetProperty(name)!;
            Assert.Equal(memberType, property.PropertyType);
            Assert.Contains(typeof(System.Runtime.CompilerServices.IsExternalInit), property.SetMethod!.ReturnParameter.GetRequiredCustomModifiers());
        }
        Assert.Equal(members.Length, type.GetMethod("Deconstruct")!.GetParameters().Length);
    }

    [Fact(DisplayName = "ACCP-7.1-01 Encode(message, session)")]
    public void Encode() => Method("Encode", typeof(AccpFrame), (typeof(AgentMessage), "message"), (typeof(AccpSession), "session"));

    [Fact(DisplayName = "ACCP-7.1-02 Decode(frame, session)")]
    public void Decode() => Method("Decode", typeof(AgentMessage), (typeof(AccpFrame), "frame"), (typeof(AccpSession), "session"));

    [Fact(DisplayName = "ACCP-7.1-03 Checkpoint(session)")]
    public void Checkpoint() => Method("Checkpoint", typeof(CheckpointResult), (typeof(AccpSession), "session"));

    [Fact(DisplayName = "ACCP-7.1-04 GetBudget(session)")]
    public void GetBudget() => Method("GetBudget", typeof(TokenBudget), (typeof(AccpSession), "session"));

    [Fact(DisplayName = "ACCP-7.1-05 RegisterSchema(name, schema)")]
    public void RegisterSchema() => Method("RegisterSchema", typeof(void), (typeof(string), "name"), (typeof(AccpSchema), "schema"));

    [Fact(DisplayName = "ACCP-7.1-06 IAccpCodec has these five and nothing else")]
    public void Interface()
    {
        Assert.True(typeof(IAccpCodec).IsInterface && typeof(IAccpCodec).IsPublic);
        Assert.Equal(["Checkpoint", "Decode", "Encode", "GetBudget", "RegisterSchema"], typeof(IAccpCodec).GetMembers().Select(one => one.Name).Order());
        Assert.True(typeof(AccpCodec).IsAssignableTo(typeof(IAccpCodec)) && typeof(AccpCodec).IsAssignableTo(typeof(IDisposable)));
    }

    [Fact(DisplayName = "ACCP-7.1-07 AccpFrame")]
    public void Frame()
    {
        Record(typeof(AccpFrame), (typeof(string), "AgentId"), (typeof(AccpIntent), "Intent"), (typeof(string), "Operation"),
            (typeof(Dictionary<string, object>), "Payload"), (typeof(Dictionary<string, string>), "Metadata"));
        ParameterInfo metadata = typeof(AccpFrame).GetConstructors()[0].GetParameters()[4];
        Assert.True(metadata.HasDefaultValue && metadata.DefaultValue == null);
        Assert.Equal(NullabilityState.Nullable, new NullabilityInfoContext().Create(metadata).WriteState);
        Assert.Equal(NullabilityState.NotNull, new NullabilityInfoContext().Create(typeof(AccpFrame).GetProperty("Payload")!).ReadState);
    }

    [Fact(DisplayName = "ACCP-7.1-08 AccpSession")]
    public void Session() =>
        Record(typeof(AccpSession), (typeof(string), "SessionId"), (typeof(StateStore), "HotState"), (typeof(StateStore), "WarmState"),
            (typeof(IExternalStore), "ColdState"), (typeof(SchemaRegistry), "Registry"), (typeof(int), "CurrentCheckpointVersion"));

    [Fact(DisplayName = "ACCP-7.1-09 TokenBudget")]
    public void Budget() =>
        Record(typeof(TokenBudget), (typeof(int), "HotUsed"), (typeof(int), "HotMax"), (typeof(int), "WarmUsed"), (typeof(int), "WarmMax"),
            (typeof(int), "TotalUsed"), (typeof(int), "TotalMax"));

    [Fact(DisplayName = "ACCP-7.1-10 the types that the specification names and leaves open")]
    public void Named()
    {
        Type[] all = [typeof(AgentMessage), typeof(AccpIntent), typeof(CheckpointResult), typeof(AccpSchema), typeof(StateStore), typeof(IExternalStore), typeof(SchemaRegistry)];
        Assert.All(all, type => Assert.True(type.IsPublic && type.Namespace == "Accp"));
        Assert.True(typeof(IExternalStore).IsInterface);
        Assert.Equal(["Req", "Done", "Fail", "Wait", "Esc", "Comp", "Sync", "Qry", "Ack", "Cancel", "Stream", "End"], Enum.GetNames<AccpIntent>());
        Assert.All(Enum.GetValues<AccpIntent>(), intent => Assert.Equal(intent, AccpIntents.Parse(intent.ToCode())));
    }
}
