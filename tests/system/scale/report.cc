// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See world.h: settings by their names, and what is printed of a run.
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
        number("walks", +ACCP_SCALE_FIELD(cluster.walks)),
        number("gateways", +ACCP_SCALE_FIELD(site.gateways)),
        time("noticed_ms", kMillisecond, ACCP_SCALE_FIELD(site.noticed)),
        time("replaced_ms", kMillisecond, ACCP_SCALE_FIELD(site.replaced)),
        time("rejoin_spread_ms", kMillisecond, ACCP_SCALE_FIELD(site.rejoin_spread)),
        time("skew_ms", kMillisecond, ACCP_SCALE_FIELD(site.skew)),
        number("connected", +ACCP_SCALE_FIELD(site.connected)),
        number("lanes", +ACCP_SCALE_FIELD(site.gateway.lanes)),
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

// Lines "name value".
class Lines {
public:
    void add(const char *name, double value) {
        char line[96];
        std::snprintf(line, sizeof line, "%-28s %.6g\n", name, value);
        text_ += line;
    }
    void add(const char *name, uint64_t value) { add(name, static_cast<double>(value)); }
    void ms(const char *name, int64_t nanos) { add(name, static_cast<double>(nanos) / 1e6); }
    std::string end() { return std::move(text_); }
    std::string &text() { return text_; }

private:
    std::string text_;
};

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
    Lines out;
    const double time = seconds(scenario_.duration), frames = static_cast<double>(counts_.frames);
    const double lanes = time * static_cast<double>(site_.size() * scenario_.site.gateway.lanes);
    out.add("frames_wanted_a_second", scenario_.talk.rate);
    out.add("frames_safe_a_second", share(static_cast<double>(acknowledged_in_time_), time));
    out.add("hot_session_a_second", share(static_cast<double>(talk_.hot_acknowledged()), time));
    out.add("queued_at_the_end", queued_);
    out.ms("p50_ms", talk_.took().quantile(0.5));
    out.ms("p99_ms", talk_.took().quantile(0.99));
    out.ms("p999_ms", talk_.took().quantile(0.999));
    out.ms("longest_ms", talk_.took().max());
    out.ms("longest_silence_ms", talk_.longest_silence());
    out.add("frames_a_turn", share(frames, static_cast<double>(counts_.turns)));
    out.add("opens_a_second", share(static_cast<double>(counts_.opens), time));
    out.ms("open_p50_ms", counts_.open_took.quantile(0.5));
    out.ms("open_p99_ms", counts_.open_took.quantile(0.99));
    out.add("busy_leader", busiest_);
    out.add("busy_processor",
            share(seconds(counts_.processor),
                  time * static_cast<double>(site_.size() * scenario_.site.gateway.cores)));
    out.add("lane_idle", share(seconds(counts_.idle), lanes));
    out.add("lane_opening", share(seconds(counts_.opening), lanes));
    out.add("lane_committing", share(seconds(counts_.committing), lanes));
    out.add("lane_reading_back", share(seconds(counts_.reading_back), lanes));
    out.add("store_requests_a_frame", share(static_cast<double>(traffic_.requests), frames));
    out.add("store_writes_a_frame", share(static_cast<double>(traffic_.writes), frames));
    out.add("bytes_asked_a_frame", share(static_cast<double>(traffic_.request_bytes), frames));
    out.add("bytes_answered_a_frame", share(static_cast<double>(traffic_.answer_bytes), frames));
    out.add("bytes_replicated_a_frame", share(static_cast<double>(traffic_.replica_bytes), frames));
    out.add("unanswered_calls", traffic_.unanswered);
    out.add("refused_503", counts_.refused);
    out.add("said_again", talk_.repeated());
    out.add("refused_for_the_clock", talk_.clock_refusals());
    out.add("gateways_killed", site_.kills());
    out.ms("longest_rejoin_ms", site_.longest_rejoin());
    out.add("sessions_in_store", uint64_t{cluster_.place().size()});
    out.add("bytes_a_session", share(static_cast<double>(cluster_.place().bytes()),
                                     static_cast<double>(cluster_.place().size())));
    out.add("events", simulation_.events());
    out.add("readings", readings_);
    out.add("checked_frames", model_.found().acknowledged);
    out.add("faults_found", model_.fault_count());
    char digest[64];
    std::snprintf(digest, sizeof digest, "%-28s %016llx\n", "digest",
                  static_cast<unsigned long long>(simulation_.digest()));
    return out.end() + digest;
}

}  // namespace scale
