#include "state_reader.hpp"

#include <map>

namespace opensim_inertia::native {

using namespace SimTK;

namespace {

template <class T>
const T* find(const std::map<std::string, const T*>& known, const std::string& name, const char* kind) {
    const auto found = known.find(name);
    if (found == known.end())
        throw OpenSim::Exception("the model has no " + std::string(kind) + " '" + name +
                                 "', which its inertial muscles were described with; export it anew");
    return found->second;
}

Vec3 vec3(const double* x) { return Vec3(x[0], x[1], x[2]); }

}    // namespace

StateReader::StateReader(const Evaluator& evaluator, const OpenSim::Component& model) : evaluator_(evaluator) {
    std::map<std::string, const OpenSim::PhysicalFrame*> frames;
    for (const OpenSim::PhysicalFrame& frame : model.getComponentList<OpenSim::PhysicalFrame>())
        if (&frame.findBaseFrame() == &frame) frames[frame.getName()] = &frame;
    std::map<std::string, const OpenSim::Coordinate*> coordinates;
    for (const OpenSim::Coordinate& c : model.getComponentList<OpenSim::Coordinate>()) coordinates[c.getName()] = &c;
    const Outline& outline = evaluator.outline();
    for (const std::string& name : outline.bodies) frames_.push_back(find(frames, name, "body"));
    for (const SharedRotation& r : outline.rotations) rotation_frames_.push_back(find(frames, r.body, "body"));
    for (const std::string& name : outline.coordinates) coordinates_.push_back(find(coordinates, name, "coordinate"));
}

void StateReader::locate(const SimbodyMatterSubsystem& matter, const State& s) {
    matter_ = &matter;
    if (s.getNU() != static_cast<int>(coordinates_.size()))
        throw OpenSim::Exception("the model has " + std::to_string(s.getNU()) + " speeds, its inertial muscles were " +
                                 "described with " + std::to_string(coordinates_.size()) + "; export it anew");
    mobods_.clear();
    rotation_mobods_.clear();
    slots_.clear();
    mobilities_.clear();
    for (const auto* frame : frames_) mobods_.push_back(frame->getMobilizedBodyIndex());
    for (const auto* frame : rotation_frames_) rotation_mobods_.push_back(frame->getMobilizedBodyIndex());
    for (std::size_t i = 0; i < coordinates_.size(); ++i) {
        const OpenSim::Coordinate& c = *coordinates_[i];
        const MobilizedBody& mobod = matter.getMobilizedBody(c.getBodyIndex());
        const int own = c.getMobilizerQIndex();
        if (mobod.getFirstUIndex(s) + own != static_cast<int>(i))
            throw OpenSim::Exception("the speed of coordinate '" + c.getName() +
                                     "' has another place than the one "
                                     "described, as when the order of joints was changed; export the model anew");
        slots_.push_back(QIndex(mobod.getFirstQIndex(s) + own));
        mobilities_.push_back({mobod.getMobilizedBodyIndex(), MobilizerUIndex(own), {}});
    }
    for (std::size_t b = 0; b < mobods_.size(); ++b)
        for (MobilizedBodyIndex m = mobods_[b]; m != GroundIndex;
             m = matter.getMobilizedBody(m).getParentMobilizedBody().getMobilizedBodyIndex())
            for (Mobility& mobility : mobilities_)
                if (mobility.mobod == m) mobility.bodies.push_back(b);
}

void StateReader::read_pose(const State& s, StateArrays& arrays) const {
    const Vector& q = s.getQ();
    for (std::size_t i = 0; i < slots_.size(); ++i) arrays.q[i] = q[slots_[i]];
    for (std::size_t b = 0; b < mobods_.size(); ++b) {
        const Transform& X = matter_->getMobilizedBody(mobods_[b]).getBodyTransform(s);
        for (int i = 0; i < 3; ++i) {
            arrays.position[3 * b + i] = X.p()[i];
            for (int j = 0; j < 3; ++j) arrays.rotation[9 * b + 3 * i + j] = X.R()[i][j];
        }
    }
    const std::size_t n = mobilities_.size();
    for (std::size_t c = 0; c < n; ++c) {
        const Mobility& mobility = mobilities_[c];
        const MobilizedBody& mobod = matter_->getMobilizedBody(mobility.mobod);
        const SpatialVec column = mobod.getHCol(s, mobility.own);
        const Vec3& origin = mobod.getBodyTransform(s).p();
        for (std::size_t b : mobility.bodies) {
            const Vec3 linear = column[1] + column[0] % (vec3(&arrays.position[3 * b]) - origin);
            double* J = &arrays.jacobian[6 * b * n + c];
            for (int i = 0; i < 3; ++i) {
                J[i * n] = column[0][i];
                J[(3 + i) * n] = linear[i];
            }
        }
    }
    std::fill(arrays.u.begin(), arrays.u.end(), 0.0);
    std::fill(arrays.bias.begin(), arrays.bias.end(), 0.0);
    std::fill(arrays.simbody_bias.begin(), arrays.simbody_bias.end(), 0.0);
}

void StateReader::read(const State& s, StateArrays& arrays) const {
    read_pose(s, arrays);
    const Vector& u = s.getU();
    for (std::size_t i = 0; i < mobilities_.size(); ++i) arrays.u[i] = u[static_cast<int>(i)];
    for (std::size_t b = 0; b < mobods_.size(); ++b) {
        const SpatialVec& bias = matter_->getTotalCoriolisAcceleration(s, mobods_[b]);
        for (int i = 0; i < 3; ++i) {
            arrays.bias[6 * b + i] = bias[0][i];
            arrays.bias[6 * b + 3 + i] = bias[1][i];
        }
    }
    arrays.simbody_bias = arrays.bias;
    correct_bias(s, arrays);
}

// Where rotations of a joint share a coordinate Simbody's bias lacks an angular acceleration of the child frame.
void StateReader::correct_bias(const State& s, StateArrays& arrays) const {
    const std::vector<SharedRotation>& rotations = evaluator_.outline().rotations;
    for (std::size_t r = 0; r < rotations.size(); ++r) {
        const Transform& X = matter_->getMobilizedBody(rotation_mobods_[r]).getBodyTransform(s);
        const std::array<double, 9>& R = rotations[r].rotation;
        const Mat33 in_body(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]);
        const Numbers3 lacking = evaluator_.lacking(r, arrays);
        const Vec3 alpha = X.R() * (in_body * vec3(lacking.data())), origin = X * vec3(rotations[r].origin.data());
        for (std::size_t b = 0; b < mobods_.size(); ++b) {
            const double sign = rotations[r].carries[b];
            if (sign == 0) continue;
            const Vec3 linear = alpha % (vec3(&arrays.position[3 * b]) - origin);
            for (int i = 0; i < 3; ++i) {
                arrays.bias[6 * b + i] += sign * alpha[i];
                arrays.bias[6 * b + 3 + i] += sign * linear[i];
            }
        }
    }
}

}    // namespace opensim_inertia::native
