// Several states of one Python call, and the kernel's remarks about them.
#pragma once

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "kernel.hpp"

using StateSequence = nb::typed<nb::sequence, BoundState>;
using Remarks = std::pair<std::vector<int>, std::vector<std::tuple<int, int, std::string>>>;

inline Remarks remarks_of(const oi::Remarks& remarks) {
    Remarks out{remarks.held, {}};
    for (const auto& [state, muscle, doubt] : remarks.doubts)
        out.second.emplace_back(state, muscle, oi::kDoubts[static_cast<std::size_t>(doubt)]);
    return out;
}

// Several states, which stay while Python may do other things.
class States {
  public:
    // `udot`: to be of these states, (T, speeds).
    States(const StateSequence& states, const In<2>& udot, int speeds) {
        for (nb::handle s : states) {
            kept_.push_back(nb::borrow(s));
            views_.push_back(&nb::cast<const BoundState&>(s).view());
        }
        expect(udot, {static_cast<int>(views_.size()), speeds}, "udot");
    }
    const std::vector<const oi::State<double>*>& views() const { return views_; }
    std::size_t count() const { return views_.size(); }

  private:
    std::vector<nb::object> kept_;
    std::vector<const oi::State<double>*> views_;
};
