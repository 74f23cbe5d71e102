// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See world.h: settings by name, and the report of a run.
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "scale/world.h"

namespace scale {

namespace {

struct Setting {
    const char *name;
    std::function<void(Scenario &, double)> set;
};

template <class T>
Setting number(const char *name, T &(*of)(Scenario &)) {
    return {name, [of](Scenario &to, double value) { of(to) = static_cast<T>(value); }};
}
Setting time(const char *name, Nanos unit, Nanos &(*of)(Scenario &)) {
    return {name, [of, unit](Scenario &to, double value) {
                of(to) = static_cast<Nanos>(value * static_cast<double>(unit));
            }};
}

#define ACCP_SCALE_FIELD(path) [](Scenario &it) -> decltype((it.path)) { return it.path; }

const std::vector<Setting> &settings() {
    static const std::vector<Setting> all = {
        number("seed", +ACCP_SCALE_FIELD(seed)),
        number("fills", +ACCP_SCALE_FIELD(fills)),
        number("opened", +ACCP_SCALE_FIELD(opened)),
        time("seconds", kSecond, ACCP_SCALE_FIELD(duration)),
        time("grace_s", kSecond, ACCP_SCALE_FIELD(grace)),
        time("readings_ms", kMillisecond, ACCP_SCALE_FIELD(readings)),
        number("shards", +ACCP_SCALE_FIELD(cluster.shards)),
        time("one_way_us", kMicrosecond, ACCP_SCALE_FIELD(cluster.one_way)),
        time("jitter_us", kMicrosecond, ACCP_SCALE_FIELD(cluster.jitter)),
        time("write_us", kMicrosecond, ACCP_SCALE_FIELD(cluster.write)),
        time("read_us", kMicrosecond, ACCP_SCALE_FIELD(cluster.read)),
        time("replicate_us", kMicrosecond, ACCP_SCALE_FIELD(cluster.replicate)),
        time("timeout_ms", kMillisecond, ACCP_SCALE_FIELD(cluster.timeout)),
        number("lost_answers", +ACCP_SCALE_FIELD(cluster.lost_answers)),
        number("race_checks", +ACCP_SCALE_FIELD(cluster.race_checks)),
        number("walks", +ACCP_SCALE_FIELD(cluster.walks)),
        number("gateways", +ACCP_SCALE_FIELD(site.gateways)),
        time("noticed_ms", kMillisecond, ACCP_SCALE_FIELD(site.noticed)),
        time("replaced_ms", kMillisecond, ACCP_SCALE_FIELD(site.replaced)),
        time("rejoin_spread_ms", kMillisecond, ACCP_SCALE_FIELD(site.rejoin_spread)),
        time("skew_ms", kMillisecond, ACCP_SCALE_FIELD(site.skew)),
        number("connected", +ACCP_SCALE_FIELD(site.connected)),
        number("lanes", +ACCP_SCALE_FIELD(site.gateway.lanes)),
        number("lanes_by_shard", +ACCP_SCALE_FIELD(site.gateway.lanes_by_shard)),
        number("cores", +ACCP_SCALE_FIELD(site.gateway.cores)),
        number("max_open", +ACCP_SCALE_FIELD(site.gateway.max_open)),
        number("restored", +ACCP_SCALE_FIELD(site.gateway.restored)),
        number("reads_back", +ACCP_SCALE_FIELD(site.gateway.reads_back)),
        number("joins_a_turn", +ACCP_SCALE_FIELD(site.gateway.joins_a_turn)),
        time("frame_cpu_us", kMicrosecond, ACCP_SCALE_FIELD(site.gateway.frame_cpu)),
        time("open_cpu_us", kMicrosecond, ACCP_SCALE_FIELD(site.gateway.open_cpu)),
        time("turn_cpu_us", kMicrosecond, ACCP_SCALE_FIELD(site.gateway.turn_cpu)),
        number("sessions", +ACCP_SCALE_FIELD(talk.sessions)),
        number("agents", +ACCP_SCALE_FIELD(talk.agents)),
        number("rate", +ACCP_SCALE_FIELD(talk.rate)),
        number("exponent", +ACCP_SCALE_FIELD(talk.exponent)),
        number("hot_agents", +ACCP_SCALE_FIELD(talk.hot_agents)),
        time("patience_ms", kMillisecond, ACCP_SCALE_FIELD(talk.patience)),
        time("leader_changes_ms", kMillisecond, ACCP_SCALE_FIELD(faults.leader_changes)),
        time("leader_pause_ms", kMillisecond, ACCP_SCALE_FIELD(faults.leader_pause)),
        time("majority_losses_ms", kMillisecond, ACCP_SCALE_FIELD(faults.majority_losses)),
        time("majority_time_ms", kMillisecond, ACCP_SCALE_FIELD(faults.majority_time)),
        time("cuts_ms", kMillisecond, ACCP_SCALE_FIELD(faults.cuts)),
        time("cut_time_ms", kMillisecond, ACCP_SCALE_FIELD(faults.cut_time)),
        time("kills_ms", kMillisecond, ACCP_SCALE_FIELD(faults.kills)),
        time("kill_at_ms", kMillisecond, ACCP_SCALE_FIELD(faults.kill_at)),
    };
    return all;
}

constexpr std::pair<const char *, Mutant> kMutants[] = {{"none", Mutant::kNone},
                                                        {"minority", Mutant::kMinority},
                                                        {"race", Mutant::kRace},
                                                        {"stale_head", Mutant::kStaleHead},
                                                        {"early_ack", Mutant::kEarlyAck}};

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

}  // namespace

bool set_scenario(Scenario &scenario, const std::string &text) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos) return false;
    const std::string name = text.substr(0, equals), value = text.substr(equals + 1);
    if (name == "mutant")
        for (const auto &[mutant, number] : kMutants)
            if (value == mutant) return scenario.cluster.mutant = number, true;
    char *end = nullptr;
    const double parsed = std::strtod(value.c_str(), &end);
    if (value.empty() || *end) return false;
    for (const Setting &one : settings())
        if (name == one.name) return one.set(scenario, parsed), true;
    return false;
}

std::vector<std::string> scenario_names() {
    std::vector<std::string> all = {"mutant"};
    for (const Setting &one : settings()) all.emplace_back(one.name);
    return all;
}

std::string World::report() {
    std::string all;
    char line[96];
    for (const auto &[name, value] : figures()) {
        std::snprintf(line, sizeof line, "%-28s %.6g\n", name, value);
        all += line;
    }
    std::snprintf(line, sizeof line, "%-28s %016llx\n", "digest",
                  static_cast<unsigned long long>(simulation_.digest()));
    return all + line;
}

Figures World::figures() {
    const double time = seconds(scenario_.duration), frames = static_cast<double>(counts_.frames);
    const double lanes = time * static_cast<double>(site_.size() * scenario_.site.gateway.lanes);
    const double cores = time * static_cast<double>(site_.size() * scenario_.site.gateway.cores);
    const auto a_frame = [&](uint64_t count) { return share(static_cast<double>(count), frames); };
    const auto a_second = [&](uint64_t count) { return share(static_cast<double>(count), time); };
    const auto ms = [](Nanos nanos) { return static_cast<double>(nanos) / 1e6; };
    const auto number = [](uint64_t count) { return static_cast<double>(count); };
    const Histogram &took = talk_.took();
    return {
        {"frames_wanted_a_second", scenario_.talk.rate},
        {"frames_safe_a_second", a_second(acknowledged_in_time_)},
        {"hot_session_a_second", a_second(talk_.hot_acknowledged())},
        {"queued_at_the_end", number(queued_)},
        {"p50_ms", ms(took.quantile(0.5))},
        {"p99_ms", ms(took.quantile(0.99))},
        {"p999_ms", ms(took.quantile(0.999))},
        {"longest_ms", ms(took.max())},
        {"longest_silence_ms", ms(talk_.longest_silence())},
        {"frames_a_turn", share(frames, number(counts_.turns))},
        {"opens_a_second", a_second(counts_.opens)},
        {"open_p50_ms", ms(counts_.open_took.quantile(0.5))},
        {"open_p99_ms", ms(counts_.open_took.quantile(0.99))},
        {"busy_leader", busiest_},
        {"busy_processor", share(seconds(counts_.processor), cores)},
        {"lane_idle", share(seconds(counts_.idle), lanes)},
        {"lane_opening", share(seconds(counts_.opening), lanes)},
        {"lane_committing", share(seconds(counts_.committing), lanes)},
        {"lane_reading_back", share(seconds(counts_.reading_back), lanes)},
        {"store_requests_a_frame", a_frame(traffic_.requests)},
        {"store_writes_a_frame", a_frame(traffic_.writes)},
        {"heads_a_frame", a_frame(traffic_.calls[static_cast<size_t>(Asked::kHead)])},
        {"records_a_frame", a_frame(traffic_.calls[static_cast<size_t>(Asked::kRecords)])},
        {"values_a_frame", a_frame(traffic_.calls[static_cast<size_t>(Asked::kValue)])},
        {"keys_a_frame", a_frame(traffic_.calls[static_cast<size_t>(Asked::kKeys)])},
        {"bytes_asked_a_frame", a_frame(traffic_.request_bytes)},
        {"bytes_answered_a_frame", a_frame(traffic_.answer_bytes)},
        {"bytes_replicated_a_frame", a_frame(traffic_.replica_bytes)},
        {"unanswered_calls", number(traffic_.unanswered)},
        {"refused_503", number(counts_.refused)},
        {"said_again", number(talk_.repeated())},
        {"refused_for_the_clock", number(talk_.clock_refusals())},
        {"gateways_killed", number(site_.kills())},
        {"longest_rejoin_ms", ms(site_.longest_rejoin())},
        {"sessions_in_store", number(cluster_.place().size())},
        {"bytes_a_session",
         share(number(cluster_.place().bytes()), number(cluster_.place().size()))},
        {"events", number(simulation_.events())},
        {"readings", number(readings_)},
        {"checked_frames", number(model_.found().acknowledged)},
        {"faults_found", number(model_.fault_count())},
    };
}

}  // namespace scale
