// Several surfaces on one segment: where the path runs straight from one to the next.
//
// A bridge is the middle of such a straight run. It is the fixed point of  y_j = (exit_j + entry_(j+1)) / 2, where
// surface j is wrapped from y_(j-1) to y_j: then both neighbours see the same line, and each segment is a single wrap.
// Derivatives by the implicit function theorem, through the same formula.
#pragma once

#include <vector>

#include "gradient.hpp"
#include "surface_frame.hpp"
#include "wrapped_segment.hpp"

namespace opensim_inertia {

// A surface that a segment passes, seen in ground.
struct Passage {
    const WrapSurface* surface;
    SurfaceFrame frame;
    bool touches = false;
    Vec3d entry = Vec3d::Zero(), exit = Vec3d::Zero();    // tangent points
    // their derivatives with respect to the ends before and after
    Mat3d entry_p = Mat3d::Zero(), entry_q = Mat3d::Zero(), exit_p = Mat3d::Zero(), exit_q = Mat3d::Zero();

    Passage(const State& s, const WrapSurface& which) : surface(&which), frame(s, which) {}
};

class Bridges {
  public:
    std::vector<Passage> passages;    // those that the path touches, in their order along it
    std::vector<Vec3<TimeJet>> y;     // the bridges between them
    Matrix inverse;                   // (3 bridges)^2, of 1 - d(fixed-point map)/dy

    // Finds which surfaces are touched, and the bridges between them. False if the wraps do not come together.
    bool solve(const Vec3<TimeJet>& p, const Vec3<TimeJet>& q) {
        const Vec3d p0 = value(p), q0 = value(q);
        std::vector<char> on(passages.size(), false), tried;
        std::vector<Vec3d> at;
        for (int round = 0; round < kMostRounds; ++round) {
            if (!settle(p0, q0, on, at)) return false;
            // a surface that comes on and goes off again is grazed: it bends nothing
            const bool grazes = round > 0 && on == tried;
            tried = on;
            if (grazes || !find_touched(p0, q0, on)) {
                std::erase_if(passages, [](const Passage& passage) { return !passage.touches; });
                differentiate(p, q, at);
                return true;
            }
        }
        return false;
    }

  private:
    static constexpr double kSettled = 1e-13;    // [m]
    static constexpr int kMostRounds = 8;

    // Tangent points in the surface's frame; false where the segment is straight.
    template <class T>
    static bool pass(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q, Vec3<T>& entry, Vec3<T>& exit) {
        return with_closed_formula(s, [&]<class Formula>() {    // bridges stand where it runs straight
            const auto segment = Formula::wrap(s, p, q);
            if (!segment.touches) return false;
            entry = p + segment.departure * segment.lead;
            exit = q - segment.arrival * segment.tail;
            return true;
        });
    }

    // Entry, exit and their derivatives of passage j between its ends in ground.
    static void evaluate(Passage& passage, const Vec3d& p, const Vec3d& q) {
        using G = Gradient<6>;
        const Mat3d& R = passage.frame.R;
        const Vec3d a = R.transpose() * (p - passage.frame.c), b = R.transpose() * (q - passage.frame.c);
        Vec3<G> ga, gb, entry, exit;
        for (int i = 0; i < 3; ++i) {
            ga[i] = G::variable(a[i], i);
            gb[i] = G::variable(b[i], 3 + i);
        }
        passage.touches = pass(*passage.surface, ga, gb, entry, exit);
        if (!passage.touches) return;
        Mat3d D[4];
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) {
                D[0](i, k) = entry[i].g[k];
                D[1](i, k) = entry[i].g[3 + k];
                D[2](i, k) = exit[i].g[k];
                D[3](i, k) = exit[i].g[3 + k];
            }
        passage.entry = passage.frame.c + R * value(entry);
        passage.exit = passage.frame.c + R * value(exit);
        passage.entry_p = R * D[0] * R.transpose();
        passage.entry_q = R * D[1] * R.transpose();
        passage.exit_p = R * D[2] * R.transpose();
        passage.exit_q = R * D[3] * R.transpose();
    }

    // The path over the surfaces that are `on`; takes off those that it does not touch.
    bool settle(const Vec3d& p, const Vec3d& q, std::vector<char>& on, std::vector<Vec3d>& at) {
        for (Passage& passage : passages) passage.touches = false;
        for (bool again = true; again;) {
            again = false;
            std::vector<Passage*> chain;
            for (std::size_t j = 0; j < passages.size(); ++j)
                if (on[j]) chain.push_back(&passages[j]);
            if (!bring_together(p, q, chain, at)) {
                for (std::size_t j = 0; j < passages.size(); ++j)
                    if (on[j] && !passages[j].touches) on[j] = false, again = true;
                if (!again) return false;
            }
        }
        return true;
    }

    // Switches surfaces on that the straight runs of the path touch. True if there are any.
    bool find_touched(const Vec3d& p, const Vec3d& q, std::vector<char>& on) {
        bool found = false;
        for (std::size_t j = 0; j < passages.size(); ++j) {
            if (on[j]) continue;
            Vec3d from = p, to = q;
            for (std::size_t k = 0; k < j; ++k)
                if (on[k] && passages[k].touches) from = passages[k].exit;
            for (std::size_t k = passages.size(); k-- > j + 1;)
                if (on[k] && passages[k].touches) to = passages[k].entry;
            const SurfaceFrame& frame = passages[j].frame;
            Vec3<double> entry, exit;
            if (pass(*passages[j].surface, scalars(frame.R.transpose() * (from - frame.c)),
                     scalars(frame.R.transpose() * (to - frame.c)), entry, exit)) {
                on[j] = true;
                passages[j].entry = passages[j].exit = frame.c + frame.R * 0.5 * (value(entry) + value(exit));
                found = true;
            }
        }
        return found;
    }

    // Fixed-point sweeps, which contract, then Newton. False if that fails, or a surface is not touched.
    bool bring_together(const Vec3d& p, const Vec3d& q, const std::vector<Passage*>& chain, std::vector<Vec3d>& at) {
        constexpr int sweeps = 6, most = 60;
        at.clear();
        for (std::size_t j = 0; j + 1 < chain.size(); ++j) at.push_back(0.5 * (chain[j]->exit + chain[j + 1]->entry));
        const std::size_t n = at.size();
        double before = 1e300;
        for (int iteration = 0; iteration < most; ++iteration) {
            bool all = true;
            for (std::size_t j = 0; j < chain.size(); ++j) {
                evaluate(*chain[j], j ? at[j - 1] : p, j < n ? at[j] : q);
                all = all && chain[j]->touches;
            }
            if (!all) return false;
            if (n == 0) return true;
            Vector miss(3 * static_cast<Eigen::Index>(n));
            for (std::size_t j = 0; j < n; ++j)
                miss.segment<3>(3 * static_cast<Eigen::Index>(j)) =
                    0.5 * (chain[j]->exit + chain[j + 1]->entry) - at[j];
            inverse = slope(chain).inverse();
            const double size = miss.norm();
            if (size < kSettled) return true;
            // sweeps again where Newton's step did not pay
            const bool newton = iteration >= sweeps && size < before;
            before = size;
            if (newton) miss = inverse * miss;
            for (std::size_t j = 0; j < n; ++j) at[j] += miss.segment<3>(3 * static_cast<Eigen::Index>(j));
        }
        return before < 1e-11;    // as far as rounding allows
    }

    static Matrix slope(const std::vector<Passage*>& chain) {
        const auto n = static_cast<Eigen::Index>(chain.size()) - 1;
        Matrix K = Matrix::Identity(3 * n, 3 * n);
        for (Eigen::Index j = 0; j < n; ++j) {
            const Passage &a = *chain[static_cast<std::size_t>(j)], &b = *chain[static_cast<std::size_t>(j) + 1];
            K.block<3, 3>(3 * j, 3 * j) -= 0.5 * (a.exit_q + b.entry_p);
            if (j > 0) K.block<3, 3>(3 * j, 3 * j - 3) -= 0.5 * a.exit_p;
            if (j + 1 < n) K.block<3, 3>(3 * j, 3 * j + 3) -= 0.5 * b.entry_q;
        }
        return K;
    }

    // The fixed point along the motion: every step with the slope held gives one more derivative.
    void differentiate(const Vec3<TimeJet>& p, const Vec3<TimeJet>& q, const std::vector<Vec3d>& at) {
        const std::size_t n = at.size();
        y.clear();
        if (n == 0) return;
        for (const Vec3d& v : at) y.push_back(jets(v, Vec3d::Zero(), Vec3d::Zero()));
        std::vector<Vec3<TimeJet>> entry(n + 1), exit(n + 1);
        for (int step = 0; step < 2; ++step) {
            for (std::size_t j = 0; j <= n; ++j) {
                const SurfaceFrame& frame = passages[j].frame;
                pass(*passages[j].surface, frame.to_local(j ? y[j - 1] : p), frame.to_local(j < n ? y[j] : q), entry[j],
                     exit[j]);
                entry[j] = frame.to_ground(entry[j]);
                exit[j] = frame.to_ground(exit[j]);
            }
            Matrix miss(3 * static_cast<Eigen::Index>(n), 3);
            for (std::size_t j = 0; j < n; ++j) {
                const Vec3<TimeJet> m = (exit[j] + entry[j + 1]) * 0.5 - y[j];
                const auto rows = 3 * static_cast<Eigen::Index>(j);
                miss.block<3, 1>(rows, 0) = value(m);
                miss.block<3, 1>(rows, 1) = rate(m);
                miss.block<3, 1>(rows, 2) = acceleration(m);
            }
            const Matrix correction = inverse * miss;
            for (std::size_t j = 0; j < n; ++j) {
                const auto rows = 3 * static_cast<Eigen::Index>(j);
                y[j] = y[j] + jets(correction.block<3, 1>(rows, 0), correction.block<3, 1>(rows, 1),
                                   correction.block<3, 1>(rows, 2));
            }
        }
    }
};

}    // namespace opensim_inertia
