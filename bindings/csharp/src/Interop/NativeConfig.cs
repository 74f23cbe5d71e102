// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Collections.Generic;

namespace Accp.Interop;

// The library's own config for one object: null for null.
internal readonly unsafe ref struct NativeConfig
{
    internal readonly void* Pointer;
    private readonly Handle? tokenizer;
    private readonly NativeObject.Use use;
    private readonly HookHost? hooks;

    internal NativeConfig(AccpConfig? config)
    {
        if (config == null) return;
        try
        {
            void* made;
            ErrorDetail error;
            Check.Ok(Native.accp_config_new(&made, &error), error);
            Pointer = made;
            SetNumbers(config);
            Add(&Native.accp_config_add_ignored, config.Ignored);
            Add(&Native.accp_config_add_redacted, config.Redacted);
            Add(&Native.accp_config_add_own_agent, config.OwnAgents);
            Add(&Native.accp_config_set_schema, [config.Schema]);
            foreach (KeyValuePair<string, AccpOrigin> origin in config.Origins)
            {
                Utf8Text agent = origin.Key;
                fixed (byte* bytes = agent) Check.Ok(Native.accp_config_set_agent_origin(made, bytes, agent.Length, (int)origin.Value, &error), error);
            }
            Share(config);
            if (config.Tokenizer != null)
            {
                tokenizer = config.Tokenizer.Shared;
                use = new NativeObject.Use(tokenizer, config.Tokenizer);
                Check.Ok(Native.accp_config_set_tokenizer(made, use.Pointer, &error), error);
            }
            hooks = new HookHost(config);
            HooksData data = hooks.Data();
            Check.Ok(Native.accp_config_set_hooks(made, &data, &error), error);
            if (config.Agreement != null) Agree(config.Agreement);
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    private void SetNumbers(AccpConfig config)
    {
        ErrorDetail error;
        foreach (KeyValuePair<AccpLimit, long> limit in config.Limits)
            Check.Ok(Native.accp_config_set_limit(Pointer, (int)limit.Key, Arg.Unsigned(limit.Value), &error), error);
        foreach (KeyValuePair<AccpRule, long> rule in config.Rules)
            Check.Ok(Native.accp_config_set_rule(Pointer, (int)rule.Key, rule.Value, &error), error);
    }

    private void Add(delegate*<void*, byte*, nuint, void*, int> add, IEnumerable<string> names)
    {
        ErrorDetail error;
        foreach (string name in names)
        {
            Utf8Text text = Utf8Text.Of(name);
            fixed (byte* bytes = text) Check.Ok(add(Pointer, bytes, text.Length, &error), error);
        }
    }

    // Objects that the library owns with the config.
    private void Share(AccpConfig config)
    {
        ErrorDetail error;
        if (config.Registry != null)
        {
            using var registry = config.Registry.Borrow();
            Check.Ok(Native.accp_config_set_registry(Pointer, registry.Pointer, &error), error);
        }
        if (config.Store != null)
        {
            using var store = config.Store.Borrow();
            Check.Ok(Native.accp_config_set_store(Pointer, store.Pointer, &error), error);
        }
    }

    // Applied last: it overrides other settings.
    private void Agree(Agreement agreed)
    {
        var data = new AgreementData { State = (int)agreed.State, Extensions = (uint)agreed.Extensions, Features = (uint)agreed.Features };
        using NativeObject.Use registry = agreed.Registry == null ? default : agreed.Registry.Borrow();
        data.Registry = registry.Pointer;
        ErrorDetail error;
        Check.Ok(Native.accp_config_set_agreement(Pointer, &data, &error), error);
    }

    // The handle of the constructed object, which keeps its tokenizer and hooks.
    internal Handle Own(void* made, delegate*<void*, void> free, long weight)
    {
        var handle = new Handle(made, free, weight, tokenizer);
        if (hooks != null) handle.Host(hooks.Release());
        return handle;
    }

    public void Dispose()
    {
        Native.accp_config_free(Pointer);
        use.Dispose();
        hooks?.Dispose();
    }
}
