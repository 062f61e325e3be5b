// Results of the kernel, and remarks about muscles at the states of a call.
#pragma once

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "opensim_inertia/path/doubt.hpp"
#include "opensim_inertia/state/state.hpp"

namespace opensim_inertia {

// What becomes of muscles at the states of a call.
struct Remarks {
    std::vector<int> held;    // muscles whose fibres are held at their shortest length, increasing
    std::vector<std::tuple<int, int, Doubt>> doubts;    // number of the state, muscle, and what is in doubt of its path
};

// Collects them, each once.
class RemarkCollection {
  public:
    template <class Laid>
    void note(int muscle, const Laid& laid, std::size_t state = 0) {
        if (laid.held) note_held(muscle);
        each_doubt(laid, [&](Doubt doubt) { remarks_.doubts.emplace_back(static_cast<int>(state), muscle, doubt); });
    }
    void note(int muscle, Doubt doubt, std::size_t state = 0) {
        remarks_.doubts.emplace_back(static_cast<int>(state), muscle, doubt);
    }
    void note_held(int muscle) { remarks_.held.push_back(muscle); }
    // Of a path that is another one than the state's.
    void note_length(int muscle, const State<double>& s, double length, std::size_t state) {
        if (!s.lengths) return;
        const auto reported = s.lengths->find(muscle);
        if (reported != s.lengths->end() && std::abs(length - reported->second) > kFar) note(muscle, Doubt::far, state);
    }
    void add(const RemarkCollection& others) {
        append(remarks_.held, others.remarks_.held);
        append(remarks_.doubts, others.remarks_.doubts);
    }
    Remarks sorted() {
        sort(remarks_.held);
        sort(remarks_.doubts);
        return std::move(remarks_);
    }

  private:
    Remarks remarks_;

    template <class T>
    static void append(std::vector<T>& all, const std::vector<T>& more) {
        all.insert(all.end(), more.begin(), more.end());
    }

    template <class T>
    static void sort(std::vector<T>& all) {
        std::ranges::sort(all);
        const auto doubles = std::ranges::unique(all);
        all.erase(doubles.begin(), doubles.end());
    }
};

struct Terms {
    Matrix mass_matrix;    // (speeds, speeds) dM
    Vector bias;           // (speeds) h = - sum m J^T (Jdot u), corner terms included
    Vector gravity;        // (speeds) g_m = sum m J^T g
    double kinetic = 0, potential = 0;
    Remarks remarks;
};

struct Equations {
    Matrix mass_matrix;    // (speeds, speeds) M + dM
    Vector force;          // (speeds) M udot0 + h + g_m
    Remarks remarks;
};

// Generalized forces, or pseudo-inertias, one under the other.
struct Rows {
    Matrix values;
    Remarks remarks;
};

// Those of each muscle, and what they are made of in all.
struct RowsAndParts : Rows {
    Matrix parts;
};

struct MaterialPoints {
    Matrix position, velocity, bias;    // (n, 3): x, J u, Jdot u
    Matrix jacobian;                    // (3 n, speeds)
    Remarks remarks;
};

}    // namespace opensim_inertia
