// States and directions as views of arrays, with these arrays.
#pragma once

#include <optional>
#include <vector>

#include "arrays.hpp"
#include "opensim_inertia/state/directions.hpp"
#include "opensim_inertia/state/system_state.hpp"

class BoundState {
  public:
    BoundState(const In<1>& q, const In<1>& u, const In<3>& rotation, const In<2>& position, const In<2>& jacobian,
               const In<2>& bias, const In<2>& simbody_bias, oi::GivenPaths paths, oi::GivenLengths lengths);
    BoundState(oi::SystemState system, oi::GivenPaths paths, oi::GivenLengths lengths);

    const oi::State<double>& view() const { return view_; }

  private:
    std::vector<nb::ndarray<>> arrays_;        // either these are kept
    std::optional<oi::SystemState> system_;    // or this
    oi::State<double> view_;

    void set_given(oi::GivenPaths paths, oi::GivenLengths lengths);
};

class BoundDirections {
  public:
    BoundDirections(const In<2>& q, const In<2>& u, const In<3>& twist, const In<3>& jacobian, const In<3>& bias,
                    const In<3>& simbody_bias);

    // Checked against the state that they are directions of.
    const oi::Directions& of(const oi::State<double>& state) const;

  private:
    std::vector<nb::ndarray<>> arrays_;
    oi::Directions view_;
    int bodies_, speeds_;
};
