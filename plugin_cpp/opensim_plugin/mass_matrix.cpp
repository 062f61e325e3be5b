#include "mass_matrix.hpp"

namespace opensim_inertia::native {

using namespace SimTK;

void MassMatrix::locate(const SimbodyMatterSubsystem& matter, const State& s) {
    nodes_.clear();
    for (MobilizedBodyIndex b(0); b < matter.getNumBodies(); ++b) {
        const MobilizedBody& body = matter.getMobilizedBody(b);
        const int speeds = b == GroundIndex ? 0 : body.getNumU(s);
        const int first = speeds ? static_cast<int>(body.getFirstUIndex(s)) : 0;
        const MobilizedBodyIndex parent = b == GroundIndex ? b : body.getParentMobilizedBody().getMobilizedBodyIndex();
        nodes_.push_back({parent, first, first + speeds});
    }
    columns_.resize(static_cast<std::size_t>(s.getNU()));
}

void MassMatrix::find(const SimbodyMatterSubsystem& matter, const State& s, Matrix& M) {
    matter.calcCompositeBodyInertias(s, composite_);
    M.resize(s.getNU(), s.getNU());
    M = 0;
    for (std::size_t i = 1; i < nodes_.size(); ++i) {    // parents come before their children
        const MobilizedBodyIndex b(static_cast<int>(i));
        const MobilizedBody& body = matter.getMobilizedBody(b);
        for (int u = nodes_[i].first; u < nodes_[i].end; ++u) {
            columns_[static_cast<std::size_t>(u)] = body.getHCol(s, MobilizerUIndex(u - nodes_[i].first));
            // what moves all bodies outboard, about the origin of a body further and further inboard
            SpatialVec load = composite_[b] * columns_[static_cast<std::size_t>(u)];
            for (MobilizedBodyIndex at = b; at != GroundIndex;) {
                const Node& node = nodes_[static_cast<std::size_t>(at)];
                const int end = at == b ? u + 1 : node.end;
                for (int v = node.first; v < end; ++v) {
                    const SpatialVec& column = columns_[static_cast<std::size_t>(v)];
                    M(u, v) = M(v, u) = dot(column[0], load[0]) + dot(column[1], load[1]);
                }
                const Vec3& origin = matter.getMobilizedBody(at).getBodyTransform(s).p();
                at = node.parent;
                load[0] += (origin - matter.getMobilizedBody(at).getBodyTransform(s).p()) % load[1];
            }
        }
    }
}

}    // namespace opensim_inertia::native
