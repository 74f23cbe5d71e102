// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Two honest peers over a bad network, and a hostile third one: accp_two_peers [FRAMES] [SEED]. The
// property: everything that an honest side sends arrives, in order and equal, whatever the third
// one does; no call reports damage; and a reopened session is the same as before. The seed
// determines the whole run.
#include "peers/hostile.h"

using namespace accp_peers;

namespace {

struct World {
    explicit World(uint64_t seed)
        : dice(seed),
          setup(seed < 256 ? seed : dice.bits()),
          planner("planner", setup, dice),
          dev("dev", setup, dice),
          mallory(setup, dice),
          to_planner(dice),
          to_dev(dice) {
        stores.push_back(accp_sessions::open_store());
        if (!setup.shared_store) stores.push_back(accp_sessions::open_store());
        planner.open(stores.front().get(), dev);
        dev.open(stores.back().get(), planner);
    }

    Dice dice;
    Setup setup;
    std::vector<Handle<accp_store>> stores;
    Peer planner, dev;
    Hostile mallory;
    Network to_planner, to_dev;
    uint64_t frames = 0;

    void send_unheard(Peer &from, Network &over) {
        for (const std::string &frame : from.unheard()) {
            over.send(frame);
            if (dice.one_in(4)) mallory.sees(frame);
        }
    }
    void carry(Network &over, Peer &to, size_t max) {
        for (; max && !over.empty(); --max, ++frames) to.hear(over.take());
    }
    void say(Peer &from) {
        if (!from.may_say()) return;
        if (setup.states && &from == &planner && dice.one_in(5)) from.say_state();
        else from.say();
    }

    void step() {
        Peer &one = dice.one_in(2) ? planner : dev;
        Network &over = &one == &planner ? to_dev : to_planner;
        switch (dice.below(20)) {
            case 0:
            case 1:
            case 2:
            case 3: return say(one);
            case 4:
            case 5:
            case 6: return send_unheard(one, over);
            case 7: return one.reopen();
            case 8:
                if (dice.one_in(8)) one.look();
                return;
            case 9: accp_session_checkpoint(one.session(), one.now, nullptr); return;
            case 10:
                planner.now = dev.now = planner.now + static_cast<int64_t>(dice.below(3000));
                return;
            case 11:
            case 12:
            case 13:
            case 14:
            case 15: ++frames; return mallory.act(one);
            default: return carry(over, &one == &planner ? dev : planner, 1 + dice.below(12));
        }
    }

    // The network loses nothing from here on. Everything must arrive, although the third one
    // continues.
    void settle() {
        for (int round = 0; round < 60 && !(planner.has_heard_all() && dev.has_heard_all());
             ++round) {
            send_unheard(planner, to_dev);
            send_unheard(dev, to_planner);
            carry(to_dev, dev, SIZE_MAX);
            carry(to_planner, planner, SIZE_MAX);
            mallory.act(round % 2 ? planner : dev);
        }
        planner.check_at_rest();
        dev.check_at_rest();
    }
};

}  // namespace

int main(int argc, char **argv) {
    const uint64_t wanted = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
    uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1, done = 0, worlds = 0;
    for (; done < wanted; ++seed, ++worlds) {
        World world(seed);
        std::printf("seed %llu:%s\n", static_cast<unsigned long long>(seed),
                    world.setup.text().c_str());
        for (int i = 0; i < 1500; ++i) world.step();
        world.settle();
        done += world.frames;
    }
    std::printf("%llu frames, %llu worlds\n", static_cast<unsigned long long>(done),
                static_cast<unsigned long long>(worlds));
    return 0;
}
