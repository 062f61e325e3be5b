// Carriers of a muscle's nodes: the twists of the two to four bodies that its path touches, and the speeds of nodes
// that slide in their bodies. (Wang et al. 2022, eq. 2: J_(alpha r) = J_(alpha m) J_(m r); carriers are the m.)
//
// Carrier ids: 6 b + i for component i of body b's twist (angular, linear of its origin); 6 bodies + s for speed s.
#pragma once

#include <algorithm>
#include <vector>

#include "opensim_inertia/muscle/laid_muscle.hpp"

namespace opensim_inertia {

struct CarrierColumns {
    std::vector<int> bodies, speeds;    // increasing
    std::vector<int> ids;               // of the carrier in each column
    std::size_t width = 0;              // of a row: the columns, padded with zeros to a multiple of four

    // The first of a body's six columns, and the one of a speed.
    std::size_t column(int body) const { return 6 * place(bodies, body); }
    std::size_t column_of_speed(int speed) const { return 6 * bodies.size() + place(speeds, speed); }

    // `beside`: a body that is to be among the carriers whether or not it carries a node; none: -1.
    void find(const State<double>& s, const LaidMuscle<double>& m, int beside = -1) {
        bodies.clear();
        speeds.clear();
        if (beside >= 0) bodies.push_back(beside);
        for (const Node<double>& node : m.nodes) {
            insert(bodies, node.body);
            for (const Slide<double>& slide : node.slides) insert(speeds, slide.speed);
        }
        for (const Span<double>& span : m.spans) insert(bodies, span.frame.body);
        number(s.bodies);
    }

    // From the bodies and speeds, of a state with so many bodies.
    void number(int all_bodies) {
        ids.clear();
        for (int b : bodies)
            for (int i = 0; i < 6; ++i) ids.push_back(6 * b + i);
        for (int c : speeds) ids.push_back(6 * all_bodies + c);
        width = (ids.size() + 3) / 4 * 4;
    }

  private:
    static std::size_t place(const std::vector<int>& sorted, int x) {
        return static_cast<std::size_t>(std::ranges::lower_bound(sorted, x) - sorted.begin());
    }
    static void insert(std::vector<int>& sorted, int x) {
        const auto at = std::ranges::lower_bound(sorted, x);
        if (at == sorted.end() || *at != x) sorted.insert(at, x);
    }
};

}    // namespace opensim_inertia
