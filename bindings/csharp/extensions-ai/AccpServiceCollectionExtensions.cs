// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Threading;
using System.Threading.Tasks;
using Accp;
using Accp.Extensions.AI;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Registers libaccp with a host.</summary>
public static class AccpServiceCollectionExtensions
{
    /// <summary>
    /// Registers one <see cref="AccpStore"/>, one <see cref="AccpConfig"/> and one <see cref="AccpEngine"/> for the
    /// program. UseAccpContext without a config uses that config. Refused messages are logged as warnings, and all
    /// others on the level Trace, in the category <c>Accp.Messages</c>. The clock is the registered
    /// <see cref="TimeProvider"/>, if there is one.
    /// </summary>
    /// <param name="services">The services.</param>
    /// <param name="configure">Sets the options; null: the defaults. They are checked when the host starts.</param>
    /// <returns>The services.</returns>
    public static IServiceCollection AddAccp(this IServiceCollection services, Action<AccpOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        OptionsBuilder<AccpOptions> options = services.AddOptions<AccpOptions>().ValidateOnStart();
        if (configure != null) options.Configure(configure);
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IValidateOptions<AccpOptions>, Validator>());
        services.TryAddSingleton(static all => AccpStore.Open(all.GetRequiredService<IOptions<AccpOptions>>().Value.Store));
        services.TryAddSingleton(MakeConfig);
        services.TryAddSingleton(static all => new AccpEngine(all.GetRequiredService<AccpConfig>()));
        services.TryAddSingleton<IAccpEngine>(static all => all.GetRequiredService<AccpEngine>());
        return services;
    }

    private sealed class Validator : IValidateOptions<AccpOptions>
    {
        public ValidateOptionsResult Validate(string? name, AccpOptions options) =>
            options.Fault() is string fault ? ValidateOptionsResult.Fail(fault) : ValidateOptionsResult.Success;
    }

    private static AccpConfig MakeConfig(IServiceProvider services)
    {
        AccpOptions options = services.GetRequiredService<IOptions<AccpOptions>>().Value;
        var config = new AccpConfig { Store = services.GetRequiredService<AccpStore>(), Clock = services.GetService<TimeProvider>() ?? TimeProvider.System };
        foreach ((AccpRule rule, long value) in options.Rules) config.Rules[rule] = value;
        foreach (string key in options.Redacted) config.Redacted.Add(key);
        if (services.GetService<ILoggerFactory>()?.CreateLogger("Accp.Messages") is ILogger logger && logger.IsEnabled(LogLevel.Warning))
            config.Log = (isReceived, status, text) => Log.Message(logger, status == AccpStatus.Ok ? LogLevel.Trace : LogLevel.Warning, isReceived ? "received" : "sent", status, text);
        options.Configure?.Invoke(config);
        return config;
    }

    /// <summary>
    /// Adds a health check that reads the store of <see cref="AddAccp(IServiceCollection, Action{AccpOptions}?)"/>. It is unhealthy if the store cannot be read;
    /// the data have the number of its sessions and records.
    /// </summary>
    /// <param name="builder">The health checks of the host.</param>
    /// <param name="name">The name of the check.</param>
    /// <returns>The health checks.</returns>
    public static IHealthChecksBuilder AddAccp(this IHealthChecksBuilder builder, string name = "accp")
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.Add(new HealthCheckRegistration(name, static all => new StoreCheck(all.GetRequiredService<AccpStore>()), HealthStatus.Unhealthy, ["accp"]));
    }

    private sealed class StoreCheck(AccpStore store) : IHealthCheck
    {
        public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
        {
            try
            {
                StoreCounts counts = await store.CountsAsync(cancellationToken).ConfigureAwait(false);
                return HealthCheckResult.Healthy("The store can be read.", new System.Collections.Generic.Dictionary<string, object> { ["sessions"] = counts.Sessions, ["records"] = counts.Records });
            }
            catch (Exception wrong) when (wrong is AccpException or ObjectDisposedException)
            {
                return new HealthCheckResult(context.Registration.FailureStatus, "The store cannot be read: " + wrong.Message, wrong);
            }
        }
    }
}
