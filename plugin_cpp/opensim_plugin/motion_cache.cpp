#include "motion_cache.hpp"

#include <algorithm>

namespace opensim_inertia::native {

using namespace SimTK;

namespace {

const double* begin(const SimTK::Vector& x) { return x.size() ? &x[0] : nullptr; }

bool equal(const std::vector<double>& kept, const SimTK::Vector& x) {
    return static_cast<int>(kept.size()) == x.size() && std::equal(kept.begin(), kept.end(), begin(x));
}

}    // namespace

bool MotionCache::is(const State& s, const MultibodySystem& system) const {
    if (!is_kept_ || s.getTime() != time_ || !equal(q_, s.getQ()) || !equal(u_, s.getU())) return false;
    const SimbodyMatterSubsystem& matter = system.getMatterSubsystem();
    const Array_<UIndex>& known = matter.getKnownUDotIndex(s);
    if (known.size() != known_.size() || !std::equal(known_.begin(), known_.end(), known.begin())) return false;
    for (std::size_t i = 0; i < disabled_.size(); ++i)
        if (matter.isConstraintDisabled(s, ConstraintIndex(static_cast<int>(i))) != static_cast<bool>(disabled_[i]))
            return false;
    return true;
}

void MotionCache::keep(const State& s, const MultibodySystem& system) {
    const SimbodyMatterSubsystem& matter = system.getMatterSubsystem();
    time_ = s.getTime();
    q_.assign(begin(s.getQ()), begin(s.getQ()) + s.getNQ());
    u_.assign(begin(s.getU()), begin(s.getU()) + s.getNU());
    const Array_<UIndex>& known = matter.getKnownUDotIndex(s);
    known_.assign(known.begin(), known.end());
    disabled_.clear();
    for (ConstraintIndex i(0); i < matter.getNumConstraints(); ++i)
        disabled_.push_back(matter.isConstraintDisabled(s, i));
    is_kept_ = true;
    is_factored_ = false;
}

void MotionCache::factor(const State& s, const SimbodyMatterSubsystem& matter, Evaluator& evaluator) {
    if (is_factored_) return;
    mass_.find(matter, s, M_);
    matter.calcBiasForAccelerationConstraints(s, bound_);
    bound_ *= -1;
    const int constraints = bound_.size();
    if (constraints) matter.calcG(s, G_);
    evaluator.factor(&M_(0, 0), constraints, constraints ? &G_(0, 0) : nullptr, known_);
    is_factored_ = true;
}

void MotionCache::solve(const State& s, const SimbodyMatterSubsystem& matter, const SimTK::Vector& on_mobilities,
                        const Vector_<SpatialVec>& on_bodies, const Evaluator& evaluator, SimTK::Vector& udot) {
    zero_.resize(s.getNU());
    zero_ = 0;
    matter.calcResidualForceIgnoringConstraints(s, on_mobilities, on_bodies, zero_, force_);
    force_ *= -1;
    evaluator.solve(&force_[0], begin(bound_), &udot[0]);
}

}    // namespace opensim_inertia::native
