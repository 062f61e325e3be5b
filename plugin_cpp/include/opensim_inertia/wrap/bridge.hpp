// Several surfaces on one string, with straight runs from one to the next.
//
// A bridge is the middle of such a straight run. It is the fixed point of  y_j = (exit_j + entry_(j+1)) / 2, where
// surface j is wrapped from y_(j-1) to y_j: then both neighbours see the same line, and each string is a single wrap.
// Found in double; derivatives by the implicit function theorem, through the same formula.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <vector>

#include "opensim_inertia/scalar/gradient.hpp"
#include "opensim_inertia/wrap/surface_frame.hpp"
#include "opensim_inertia/wrap/wrap_formulas.hpp"

namespace opensim_inertia {

// A surface that a string passes, seen in ground.
template <class Real>
struct Passage {
    const WrapSurface* surface;
    Mat<Real> R;    // of the surface's frame to ground, and its origin there
    Vec<Real> c;
    int number = -1;    // among the strings of a path
    bool touches = false;
    Vec<Real> entry = Vec<Real>::Zero(), exit = Vec<Real>::Zero();    // tangent points
    // their derivatives with respect to the ends before and after
    Mat<Real> entry_p = Mat<Real>::Zero(), entry_q = entry_p, exit_p = entry_p, exit_q = entry_p;

    Passage(const WrapSurface& which, const Mat<Real>& rotation, const Vec<Real>& origin)
        : surface(&which), R(rotation), c(origin) {}

    // Tangent points in the surface's frame; false where the string is straight.
    template <class T>
    static bool pass(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q, Vec3<T>& entry, Vec3<T>& exit) {
        return with_closed_formula(s, [&]<class Formula>() {    // bridges stand where it runs straight
            const auto wrap = Formula::wrap(s, p, q);
            if (!wrap.touches) return false;
            entry = p + wrap.departure * wrap.lead;
            exit = q - wrap.arrival * wrap.tail;
            return true;
        });
    }

    // Entry and exit between ends in ground, and their derivatives.
    void evaluate(const Vec<Real>& p, const Vec<Real>& q, bool with_derivatives = true) {
        if (with_derivatives)
            find<Gradient<6, Real>>(p, q);
        else
            find<Real>(p, q);
    }

  private:
    template <class T>
    void find(const Vec<Real>& p, const Vec<Real>& q) {
        constexpr bool derives = kOrder<T> > kOrder<Real>;
        const Vec<Real> seen[2] = {R.transpose() * (p - c), R.transpose() * (q - c)};
        Vec3<T> ends[2], on[2];
        for (int end = 0; end < 2; ++end)
            for (int i = 0; i < 3; ++i) {
                ends[end][i] = T(seen[end][i]);
                if constexpr (derives) ends[end][i].g.template segment<3>(3 * end) = R.col(i).array();
            }
        touches = pass(*surface, ends[0], ends[1], on[0], on[1]);
        if (!touches) return;
        entry = c + R * real(on[0]);
        exit = c + R * real(on[1]);
        if constexpr (derives) {
            Mat<Real>* by_ends[2][2] = {{&entry_p, &entry_q}, {&exit_p, &exit_q}};
            for (int place = 0; place < 2; ++place)
                for (int end = 0; end < 2; ++end) {
                    Mat<Real> D;
                    for (int i = 0; i < 3; ++i)
                        D.row(i) = on[place][i].g.template segment<3>(3 * end).matrix().transpose();
                    *by_ends[place][end] = R * D;
                }
        }
    }
};

// 1 - d(fixed-point map)/dy for passages in a row.
template <class Real, class PassageAt>
MatrixOf<Real> bridge_jacobian(std::size_t bridges, const PassageAt& passage) {
    const auto n = static_cast<Eigen::Index>(bridges);
    MatrixOf<Real> K = MatrixOf<Real>::Identity(3 * n, 3 * n);
    for (Eigen::Index j = 0; j < n; ++j) {
        const Passage<Real>&a = passage(static_cast<std::size_t>(j)), &b = passage(static_cast<std::size_t>(j) + 1);
        K.template block<3, 3>(3 * j, 3 * j) -= 0.5 * (a.exit_q + b.entry_p);
        if (j > 0) K.template block<3, 3>(3 * j, 3 * j - 3) -= 0.5 * a.exit_p;
        if (j + 1 < n) K.template block<3, 3>(3 * j, 3 * j + 3) -= 0.5 * b.entry_q;
    }
    return K;
}

// Finds which surfaces are touched, and the bridges between them.
class BridgeSearch {
  public:
    std::vector<Passage<double>> passages;
    std::vector<Vec3d> at;    // the bridges
    Matrix inverse;           // (3 bridges)^2, of 1 - d(fixed-point map)/dy

    // False if the wraps do not come together.
    bool solve(const Vec3d& p, const Vec3d& q) {
        if (switch_on_as_touched(p, q, kGraze)) return true;
        // over all of them, then over fewer, where the rest bends the path by nothing
        for (unsigned set = 1U << passages.size(); set-- > 0;)
            if (lay_over(p, q, set) && largest_bend_left_out(p, q) < kGraze) return true;
        // no path keeps out of all: past one that lets go as soon as it is touched
        return switch_on_as_touched(p, q, std::numeric_limits<double>::infinity());
    }

  private:
    static constexpr double kSettled = 1e-13;    // [m]
    static constexpr double kGraze = 1e-5;       // [m] of a bend
    static constexpr int kMostRounds = 8, kSweeps = 6, kMostSteps = 60;

    // `most`: the bend [m] of a surface that may be left out if it comes on and goes off again.
    bool switch_on_as_touched(const Vec3d& p, const Vec3d& q, double most) {
        std::vector<char> on(passages.size(), false), tried;
        for (int round = 0; round < kMostRounds; ++round) {
            if (!settle(p, q, on)) return false;
            if (round > 0 && on == tried) return largest_bend_left_out(p, q) < most;
            tried = on;
            if (!find_touched(p, q, on)) return true;
        }
        return false;
    }

    // The path over the surfaces that are `on`; takes off those that it does not touch.
    bool settle(const Vec3d& p, const Vec3d& q, std::vector<char>& on) {
        for (auto& passage : passages) passage.touches = false;
        for (bool again = true; again;) {
            again = false;
            std::vector<Passage<double>*> chain;
            for (std::size_t j = 0; j < passages.size(); ++j)
                if (on[j]) chain.push_back(&passages[j]);
            if (!bring_together(p, q, chain)) {
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
            const Passage<double> passed = pass_run(p, q, j);
            if (!passed.touches) continue;
            passages[j].entry = passages[j].exit = 0.5 * (passed.entry + passed.exit);
            on[j] = found = true;
        }
        return found;
    }

    // A surface that is not touched, passed by the straight run of the path beside it.
    Passage<double> pass_run(Vec3d from, Vec3d to, std::size_t j) const {
        for (std::size_t k = 0; k < j; ++k)
            if (passages[k].touches) from = passages[k].exit;
        for (std::size_t k = passages.size(); k-- > j + 1;)
            if (passages[k].touches) to = passages[k].entry;
        Passage<double> passed = passages[j];
        passed.evaluate(from, to, false);
        return passed;
    }

    // Fixed-point sweeps without derivatives, then Newton. False if that fails, or a surface is not touched.
    bool bring_together(const Vec3d& p, const Vec3d& q, const std::vector<Passage<double>*>& chain) {
        begin(chain);
        double before = 1e300;
        for (int iteration = 0; iteration < kMostSteps; ++iteration) {
            const bool derives = iteration >= kSweeps;
            Vector miss = find_miss(p, q, chain, derives);
            if (!std::ranges::all_of(chain, touched)) return false;
            if (at.empty()) return true;
            const double size = miss.norm();
            if (size < kSettled && !derives) find_miss(p, q, chain, true);
            if (size < kSettled || derives) invert(chain);
            if (size < kSettled) return true;
            // sweeps again where Newton's step did not pay
            const bool newton = derives && size < before;
            before = size;
            move(newton ? Vector(inverse * miss) : miss);
        }
        return before < 1e-11;    // as far as rounding allows
    }

    static bool touched(const Passage<double>* passage) { return passage->touches; }

    // Bridges in the middle of what is known of the passages beside them.
    void begin(const std::vector<Passage<double>*>& chain) {
        at.clear();
        for (std::size_t j = 0; j + 1 < chain.size(); ++j) at.push_back(0.5 * (chain[j]->exit + chain[j + 1]->entry));
    }

    void invert(const std::vector<Passage<double>*>& chain) {
        const Matrix K = bridge_jacobian<double>(at.size(), [&](std::size_t j) -> auto& { return *chain[j]; });
        inverse = at.size() == 1 ? Matrix(Mat3d(K).inverse()) : Matrix(K.inverse());
    }

    // The path over the surfaces of a set, of which it touches some. What the surfaces are at first wrapped between
    // decides whether they come together: each between the ends, or on from the one before or after.
    bool lay_over(const Vec3d& p, const Vec3d& q, unsigned set) {
        for (const Start start : {Start::between_ends, Start::onwards, Start::backwards}) {
            std::vector<Passage<double>*> chain;
            for (std::size_t j = 0; j < passages.size(); ++j) {
                passages[j].touches = false;
                if (set >> j & 1U) chain.push_back(&passages[j]);
            }
            lay_first(p, q, chain, start);
            while (bring_together_carefully(p, q, chain)) {
                if (std::ranges::all_of(chain, touched)) return true;
                std::erase_if(chain, std::not_fn(touched));    // bridges stand between those that it touches
            }
            if (chain.size() < 2) break;
        }
        for (auto& passage : passages) passage.touches = false;
        return false;
    }

    enum class Start { between_ends, onwards, backwards };

    static void lay_first(Vec3d p, Vec3d q, const std::vector<Passage<double>*>& chain, Start start) {
        for (std::size_t k = 0; k < chain.size(); ++k) {
            Passage<double>& passage = *chain[start == Start::backwards ? chain.size() - 1 - k : k];
            evaluate(passage, p, q, false);
            if (start == Start::onwards) p = passage.exit;
            if (start == Start::backwards) q = passage.entry;
        }
    }

    double largest_bend_left_out(const Vec3d& p, const Vec3d& q) const {
        double largest = 0;
        for (std::size_t j = 0; j < passages.size(); ++j) {
            if (passages[j].touches) continue;
            const Passage<double> left_out = pass_run(p, q, j);
            if (left_out.touches) largest = std::max(largest, (left_out.exit - left_out.entry).norm());
        }
        return largest;
    }

    // A surface that is not touched hands on the middle of the straight run past it.
    static void evaluate(Passage<double>& passage, const Vec3d& p, const Vec3d& q, bool with_derivatives) {
        passage.evaluate(p, q, with_derivatives);
        if (passage.touches) return;
        passage.entry = passage.exit = 0.5 * (p + q);
        passage.entry_p = passage.entry_q = passage.exit_p = passage.exit_q = 0.5 * Mat3d::Identity();
    }

    // How far the bridges are from their fixed point.
    Vector find_miss(const Vec3d& p, const Vec3d& q, const std::vector<Passage<double>*>& chain, bool derives) {
        const std::size_t n = at.size();
        for (std::size_t j = 0; j < chain.size(); ++j)
            evaluate(*chain[j], j ? at[j - 1] : p, j < n ? at[j] : q, derives);
        Vector miss(3 * static_cast<Eigen::Index>(n));
        for (std::size_t j = 0; j < n; ++j)
            miss.segment<3>(3 * static_cast<Eigen::Index>(j)) = 0.5 * (chain[j]->exit + chain[j + 1]->entry) - at[j];
        return miss;
    }

    void move(const Vector& step) {
        for (std::size_t j = 0; j < at.size(); ++j) at[j] += step.segment<3>(3 * static_cast<Eigen::Index>(j));
    }

    // Damped fixed-point sweeps, then Newton's steps, shortened where they do not pay. False if that fails.
    bool bring_together_carefully(const Vec3d& p, const Vec3d& q, const std::vector<Passage<double>*>& chain) {
        constexpr double damping = 0.7, longest = 0.02, shortest = 1e-4;
        begin(chain);
        Vector miss = find_miss(p, q, chain, false);
        double share = 1;
        for (int iteration = 0; iteration < kMostSteps && share > shortest; ++iteration) {
            const double size = miss.norm();
            const bool newton = iteration >= kSweeps;
            if (size < kSettled && !newton) find_miss(p, q, chain, true);
            if (size < kSettled || newton) invert(chain);
            if (size < kSettled) return true;
            Vector step = newton ? Vector(inverse * miss) : Vector(miss * damping);
            step *= share * std::min(1.0, longest / step.norm());
            const std::vector<Vec3d> here = at;
            move(step);
            miss = find_miss(p, q, chain, iteration + 1 >= kSweeps);
            if (!newton || miss.norm() < size) {
                share = std::min(1.0, 2 * share);
                continue;
            }
            at = here;
            miss = find_miss(p, q, chain, true);
            if (size < 1e-11) return true;    // as far as rounding allows
            share *= 0.5;
        }
        return false;
    }
};

// The bridges of a string at a state, with all of their derivatives.
template <class Real>
class Bridges {
  public:
    std::vector<Passage<Real>> passages;       // those that the path touches, in their order along it
    std::vector<SurfaceFrame<Real>> frames;    // of these
    std::vector<Vec3<TimeJet<Real>>> y;        // the bridges between them
    MatrixOf<Real> inverse;                    // (3 bridges)^2, of 1 - d(fixed-point map)/dy

    void add(const WrapSurface& surface, const SurfaceFrame<Real>& frame, int number) {
        passages.push_back(Passage<Real>(surface, frame.R, frame.c));
        passages.back().number = number;
        frames.push_back(frame);
    }

    // Finds which surfaces are touched, and the bridges between them. False if the wraps do not come together.
    bool solve(const Vec3<TimeJet<Real>>& p, const Vec3<TimeJet<Real>>& q) {
        BridgeSearch search;
        for (const Passage<Real>& passage : passages)
            search.passages.push_back(
                Passage<double>(*passage.surface, passage.R.unaryExpr(to_double), values<Real>(passage.c)));
        if (!search.solve(value(p), value(q))) return false;
        std::size_t kept = 0;
        for (std::size_t j = 0; j < passages.size(); ++j)
            if (search.passages[j].touches) {
                frames[kept] = frames[j];
                const int number = passages[j].number;
                if constexpr (Differentiating<Real>)
                    passages[kept] = passages[j];
                else
                    passages[kept] = search.passages[j];
                passages[kept++].number = number;
            }
        passages.erase(passages.begin() + static_cast<std::ptrdiff_t>(kept), passages.end());
        frames.resize(kept);
        differentiate(p, q, search);
        return true;
    }

    // The block of `inverse` by which bridge j follows the miss of bridge k.
    template <class Index>
    auto between(Index j, Index k) const {
        return inverse.template block<3, 3>(3 * static_cast<Eigen::Index>(j), 3 * static_cast<Eigen::Index>(k));
    }

    // Calls f(j, at, frame, tangent point, its derivatives by both ends of its string) for both tangent points beside
    // each bridge j. `at`: the string's number.
    template <class F>
    void each_tangent_point(const F& f) const {
        for (std::size_t j = 0; j < y.size(); ++j)
            for (std::size_t at = j; at < j + 2; ++at) {
                const Passage<Real>& on = passages[at];
                if (at == j)
                    f(j, at, frames[at], on.exit, std::array{on.exit_p, on.exit_q});
                else
                    f(j, at, frames[at], on.entry, std::array{on.entry_p, on.entry_q});
            }
    }

    // How far bridges move: the squares of a bridge's derivatives by the places of the ends and of the surfaces,
    // summed; the largest of all bridges.
    double stretch() const
        requires(!Differentiating<Real>)
    {
        const Mat3d one = Mat3d::Identity();
        const auto n = static_cast<Eigen::Index>(y.size());
        double largest = 0;
        for (Eigen::Index j = 0; j < n; ++j) {
            const auto of_miss = [&](Eigen::Index k) -> Mat3d { return 0.5 * between(j, k); };
            double sum = (of_miss(0) * passages.front().exit_p).squaredNorm() +
                         (of_miss(n - 1) * passages.back().entry_q).squaredNorm();
            for (Eigen::Index k = 0; k <= n; ++k) {
                const Passage<double>& on = passages[static_cast<std::size_t>(k)];
                Mat3d moved = Mat3d::Zero();
                if (k < n) moved += of_miss(k) * (one - on.exit_p - on.exit_q);
                if (k > 0) moved += of_miss(k - 1) * (one - on.entry_p - on.entry_q);
                sum += moved.squaredNorm();
            }
            largest = std::max(largest, sum);
        }
        return largest;
    }

  private:
    static constexpr auto to_double = [](const Real& x) { return value(x); };

    // The fixed point along the motion: every step with the Jacobian held gives one more derivative.
    void differentiate(const Vec3<TimeJet<Real>>& p, const Vec3<TimeJet<Real>>& q, const BridgeSearch& search) {
        using T = TimeJet<Real>;
        const std::size_t n = search.at.size();
        y.clear();
        if (n == 0) return;
        for (const Vec3d& v : search.at) y.push_back(jets<Real>(v.cast<Real>()));
        std::vector<Vec3<T>> entry(n + 1), exit(n + 1);
        for (int step = 0; step < kOrder<T>; ++step) {
            for (std::size_t j = 0; j <= n; ++j) {
                const SurfaceFrame<Real>& frame = frames[j];
                Passage<Real>::pass(*passages[j].surface, frame.to_local(j ? y[j - 1] : p),
                                    frame.to_local(j < n ? y[j] : q), entry[j], exit[j]);
                entry[j] = frame.to_ground(entry[j]);
                exit[j] = frame.to_ground(exit[j]);
            }
            std::vector<T> miss;
            for (std::size_t j = 0; j < n; ++j)
                for (int i = 0; i < 3; ++i) miss.push_back((exit[j][i] + entry[j + 1][i]) * 0.5 - y[j][i]);
            for (std::size_t j = 0; j < n; ++j)
                for (std::size_t i = 0; i < 3; ++i)
                    for (std::size_t k = 0; k < 3 * n; ++k) {
                        T& moved = y[j][static_cast<int>(i)];
                        moved = moved + miss[k] * search.inverse(static_cast<Eigen::Index>(3 * j + i),
                                                                 static_cast<Eigen::Index>(k));
                    }
        }
        inverse = search.inverse.template cast<Real>();
        if constexpr (Differentiating<Real>) {
            for (std::size_t j = 0; j <= n; ++j) passages[j].evaluate(real(j ? y[j - 1] : p), real(j < n ? y[j] : q));
            // 1 / K = M + M (1 - K M) to first order about M = 1 / value(K)
            const MatrixOf<Real> K = bridge_jacobian<Real>(n, [&](std::size_t j) -> auto& { return passages[j]; });
            const MatrixOf<Real> KM = K * inverse;
            const MatrixOf<Real> rest = MatrixOf<Real>::Identity(KM.rows(), KM.cols()) - KM;
            inverse += MatrixOf<Real>(inverse * rest);
        }
    }
};

}    // namespace opensim_inertia
