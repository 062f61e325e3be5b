// Forces of muscles on paths that are straight from point to point, at several states at once; their parts by udot and
// by gravity; and forces that pull against the path's length.
//
// An element leads from a node to the next in the direction e; l is its length, S the length at which it starts and L
// the path's. A sample of the mass at the distance c from its start moves with its ends as straight_terms.hpp says; the
// mass is summed as muscle/continuous_mass.hpp sums it. States at which a path has other points than at the others are
// laid by themselves.
#pragma once

#include "opensim_inertia/dynamics/states_abreast.hpp"
#include "opensim_inertia/muscle/muscle.hpp"

namespace opensim_inertia {

class StraightForces {
  public:
    using V = Abreast;
    using States = StatesAbreast;

    // A value with its first and second time derivative; `through_udot` is the part of the second by udot.
    struct alignas(sizeof(V)) Jet {
        V v, d, dd, through_udot;
    };
    Jet length;
    alignas(sizeof(V)) Mask held;    // at which fibres are held at their shortest length

    // All forces; their parts by udot and gravity; and those of a unit of force against the length.
    enum Kind { kAll, kInertia, kWeight, kLength, kKinds };

    // Lays the path at all states at which it has the points that it has at state `as`, which are `alike`.
    OPENSIM_INERTIA_INLINED void lay(const States& states, const Path& path, int as) {
        alike = Mask{} == Mask{};
        knots_.resize(std::max(knots_.size(), path.points.size()));
        points_ = 0;
        for (const PathPoint& point : path.points) {
            const bool is_there = point.active(states.states[as]->q);
            if (point.condition >= 0)
                for (int l = 0; l < kAbreast; ++l)
                    if (point.active(states.states[l]->q) != is_there) drop(l);
            if (!is_there) continue;
            place(states, point, knots_[points_]);
            if (points_ == 0 || !is_one(as)) ++points_;
        }
        length = Jet{};
        count_ = points_ == 0 ? 0 : points_ - 1;
        links_.resize(std::max(links_.size(), count_));
        for (std::size_t k = 0; k < count_; ++k) connect(links_[k], knots_[k], knots_[k + 1]);
    }
    alignas(sizeof(V)) Mask alike;
    bool is_alike(int l) const { return at(alike, l); }
    bool is_held(int l) const { return at(held, l); }

    // Lays the belly on it; whether it fits.
    OPENSIM_INERTIA_INLINED bool lay_belly(const MaterialMap<>& map) {
        if (count_ == 0) return false;
        const V L = length.v;
        V b = map.phi * L - map.slack, first = V{} + map.phi, second{};
        held = Mask{};
        if (map.hold_width > 0) {
            held = b < map.shortest + map.hold_width;
            if (any(held)) hold(map, b, first, second);
        }
        fibre_ = of_length(b, first, second);
        const V rest = L - b;
        proximal_ = of_length(map.proximal * rest, map.proximal * (1 - first), -map.proximal * second);
        aponeurosis_ = of_length(map.aponeurosis * rest, map.aponeurosis * (1 - first), -map.aponeurosis * second);
        fibre_first_ = first;
        proximal_first_ = map.proximal * (1 - first);
        aponeurosis_first_ = map.aponeurosis * (1 - first);
        const Mask fits = (b > 0) & (b <= L * (1 + 1e-12));
        return !any(alike & (fits == Mask{}));
    }

    // Forces on the points of so much mass, with their parts or without; none at states that are not alike.
    OPENSIM_INERTIA_INLINED void find(double total, const Three<double>& g, bool with_parts) {
        const Mask chi_is_z = aponeurosis_.v <= fibre_.v;
        const Jet p = choose(chi_is_z, aponeurosis_, fibre_), b = choose(chi_is_z, fibre_, aponeurosis_);
        const V p_first = chi_is_z ? aponeurosis_first_ : fibre_first_,
                b_first = chi_is_z ? fibre_first_ : aponeurosis_first_;
        const Mask is_line = (p.v > 0) == Mask{};
        const V zero{}, one = zero + 1.0, per_b = 1 / b.v, per_p = is_line ? zero : 1 / p.v,
                        end = is_line ? b.v : p.v + b.v;
        const V zones[4] = {zero, is_line ? zero : p.v, b.v, end};
        const auto lowest_z = [&](const V& c) OPENSIM_INERTIA_INLINED_LAMBDA -> V {
            const V z = (c - b.v) * per_p;
            return is_line | (z < 0) ? zero : z;
        };
        const auto highest_z = [&](const V& c) OPENSIM_INERTIA_INLINED_LAMBDA -> V {
            const V z = c * per_p;
            return is_line | (z > 1) ? one : z;
        };
        // material along which the distance from the belly's end stays, at this moment only
        const V slip_longer = -p.v * per_b;
        const V slip_rate = p.d + slip_longer * b.d, slip_first = p_first + slip_longer * b_first;
        V along_length{}, slipping{}, weight_along_length{}, inertia_along_length{};
        for (std::size_t i = 0; i < points_; ++i)
            for (int kind = 0; kind < (with_parts ? kKinds : 1); ++kind) knots_[i].force[kind] = Three<V>{};
        for (std::size_t k = 0; k < count_; ++k) {
            Link& link = links_[k];
            Knot &here = knots_[k], &next = knots_[k + 1];
            const bool is_last = k + 1 == count_;
            for (V& pull : link.pull) pull = zero;
            const V low_end = link.start.v - proximal_.v,
                    high_end = is_last ? end : links_[is_last ? k : k + 1].start.v - proximal_.v;
            const V from = low_end > 0 ? low_end : zero, to = high_end < end ? high_end : end;
            if (k > 0) {
                // mass that slides past a corner, see muscle/continuous_mass.hpp
                const Mask is_within = (low_end > 0) & (low_end < end);
                if (any(is_within)) {
                    const V low = lowest_z(low_end), width = highest_z(low_end) - low, mean = low + 0.5 * width;
                    const V longer = (low_end - p.v * mean) * per_b;
                    const V speed = proximal_.d - link.start.d + mean * p.d + longer * b.d;
                    const V flux = width * per_b * (speed * speed + slip_rate * slip_rate * width * width * (1.0 / 12));
                    const V turning = is_within ? total * flux : zero;
                    here.force[kAll] = here.force[kAll] + turning * (link.e - links_[k - 1].e);
                }
            }
            // moments of the mass over the distance c and the belly's coordinate z
            V mass = zero, of_c = zero, of_z = zero, of_cc = zero, of_cz = zero, of_zz = zero;
            for (int zone = 0; zone < 3; ++zone) {
                const V low = from > zones[zone] ? from : zones[zone],
                        high = to < zones[zone + 1] ? to : zones[zone + 1];
                const Mask is_some = high > low;
                if (!any(is_some)) continue;
                const V extent = is_some ? high - low : zero, share = (0.5 * total) * per_b * extent;
                for (const double x : kTwoPoints) {
                    const V c = low + extent * x, z_low = lowest_z(c), width = highest_z(c) - z_low,
                            z = z_low + 0.5 * width, m = share * width;
                    mass = mass + m;
                    of_c = of_c + m * c;
                    of_z = of_z + m * z;
                    of_cc = of_cc + m * c * c;
                    of_cz = of_cz + m * c * z;
                    of_zz = of_zz + m * (z * z + width * width * (1.0 / 12));
                }
            }
            const Mask is_some = mass > 0;
            if (!any(is_some)) continue;
            const V per = is_some ? 1 / mass : zero, c = of_c * per, z = of_z * per;
            const V spread_all = of_cc - c * of_c, cz = of_cz - c * of_z;
            const V spread = spread_all > 0 ? spread_all : zero, slant = spread_all > 0 ? cz / spread_all : zero;
            const V apart = of_zz - z * of_z - slant * cz;
            slipping = slipping + (apart > 0 ? apart : zero);
            // its mean place, and how the place changes along the path
            const V longer = (c - p.v * z) * per_b, spread_longer = (1 - p.v * slant) * per_b;
            const V by_length = proximal_first_ + p_first * z + b_first * longer,
                    spread_by_length = p_first * slant + b_first * spread_longer;
            const V s = c + proximal_.v - link.start.v, s_rate = proximal_.d - link.start.d + p.d * z + b.d * longer,
                    s_second = proximal_.dd - link.start.dd + p.dd * z + b.dd * longer;
            const V i = link.per_length, i_rate = -link.length.d * i * i,
                    i_second = -link.length.dd * i * i - 2 * link.length.d * i_rate * i;
            const V t = s * i, t_rate = s_rate * i + s * i_rate,
                    t_second = s_second * i + 2 * s_rate * i_rate + s * i_second;
            const V r_rate = p.d * slant + b.d * spread_longer, r_second = p.dd * slant + b.dd * spread_longer;
            const V tau = i, tau_rate = r_rate * i + i_rate, tau_second = r_second * i + 2 * r_rate * i_rate + i_second;
            const Three<V> at = here.acceleration + t * link.second + (2 * t_rate) * link.rate + t_second * link.r;
            const Three<V> force = mass * Three<V>{at.x - g.x, at.y - g.y, at.z - g.z};
            const Three<V> spread_force =
                spread * (tau * link.second + (2 * tau_rate) * link.rate + tau_second * link.r);
            exert(here.force[kAll], next.force[kAll], force, t * force + tau * spread_force, link.e);
            const V pull = dot(link.e, force);
            along_length = along_length + by_length * pull + spread_by_length * dot(link.e, spread_force);
            link.pull[0] = -pull;
            if (with_parts) {
                const V of_t = mass * t, of_tt = of_t * t + spread * tau * tau, along = mass * by_length,
                        along_squared = along * by_length + spread * spread_by_length * spread_by_length;
                const Three<V> together = here.through_udot - link.start.through_udot * link.e;
                const V turning_along = dot(link.e, link.through_udot);
                const Three<V> turning = link.through_udot - turning_along * link.e;
                const Three<V> inertia = mass * together + of_t * turning + (along * length.through_udot) * link.e;
                exert(here.force[kInertia], next.force[kInertia], inertia, of_t * together + of_tt * turning, link.e);
                const Three<V> weight{-mass * g.x, -mass * g.y, -mass * g.z};
                exert(here.force[kWeight], next.force[kWeight], weight, t * weight, link.e);
                inertia_along_length =
                    inertia_along_length + along * dot(link.e, together) + along_squared * length.through_udot;
                const V weight_pull = dot(link.e, weight);
                weight_along_length = weight_along_length + by_length * weight_pull;
                link.pull[1] = -dot(link.e, inertia);
                link.pull[2] = -weight_pull;
            }
        }
        V pull = along_length + slipping * slip_first * (p.dd + slip_longer * b.dd), inertia_pull{}, weight_pull{};
        if (with_parts) {
            inertia_pull = inertia_along_length + slipping * slip_first * slip_first * length.through_udot;
            weight_pull = weight_along_length;
        }
        for (std::size_t k = count_; k-- > 0;) {
            const Link& link = links_[k];
            stretch(k, kAll, pull * link.e);
            pull = pull + link.pull[0];
            if (with_parts) {
                stretch(k, kInertia, inertia_pull * link.e);
                stretch(k, kWeight, weight_pull * link.e);
                stretch(k, kLength, link.e);
                inertia_pull = inertia_pull + link.pull[1];
                weight_pull = weight_pull + link.pull[2];
            }
        }
        if (any(alike == Mask{}))
            for (std::size_t i = 0; i < points_; ++i)
                for (int kind = 0; kind < (with_parts ? kKinds : 1); ++kind)
                    for (int c = 0; c < 3; ++c) {
                        V& x = knots_[i].force[kind][c];
                        x = alike ? x : zero;
                    }
    }

    // Adds one kind of force, times a factor if there is one.
    OPENSIM_INERTIA_INLINED void add_to(CarriedAbreast& sum, Kind kind, const V* factor = nullptr) const {
        for (std::size_t k = 0; k < points_; ++k) {
            const Knot& knot = knots_[k];
            const Three<V> force = factor ? *factor * knot.force[kind] : knot.force[kind];
            sum.add(knot.body, cross(knot.arm, force), force);
            for (int i = 0; i < knot.slides; ++i) sum.pull(knot.speed[i], dot(knot.slide[i], force));
        }
    }

  private:
    struct Knot {
        int body, slides;
        int speed[3];         // along which it slides in its body
        Three<V> slide[3];    // per unit speed, in ground
        Three<V> arm, position, velocity, acceleration, through_udot;
        Three<V> force[kKinds];
    };
    struct Link {
        Three<V> r, rate, second, through_udot, e;    // from its first node to the other
        V per_length;
        Jet length, start;
        V pull[3];    // on the lengths before it: of all, of udot, of gravity
    };

    static constexpr double kCoincident = 1e-9;    // [m] nodes nearer than this are one
    static constexpr double kTwoPoints[2] = {0.21132486540518711775, 0.78867513459481288225};

    std::size_t points_ = 0, count_ = 0;    // of points, and of elements between them
    std::vector<Knot> knots_;               // as many as there are points, or more
    std::vector<Link> links_;
    Jet fibre_, proximal_, aponeurosis_;                                       // B, A and P of the material map
    alignas(sizeof(V)) V fibre_first_, proximal_first_, aponeurosis_first_;    // their derivatives by L

    static bool at(const Mask& mask, int l) { return number(mask, l) != 0; }

    OPENSIM_INERTIA_INLINED void drop(int l) { set_number(alike, l, 0); }

    OPENSIM_INERTIA_INLINED Jet of_length(const V& v, const V& first, const V& second) const {
        return {v, first * length.d, first * length.dd + second * length.d * length.d, first * length.through_udot};
    }
    OPENSIM_INERTIA_INLINED static Jet choose(const Mask& mask, const Jet& a, const Jet& b) {
        return {mask ? a.v : b.v, mask ? a.d : b.d, mask ? a.dd : b.dd, mask ? a.through_udot : b.through_udot};
    }

    // MaterialMap::fibre_length where fibres are held, with derivatives.
    OPENSIM_INERTIA_INLINED void hold(const MaterialMap<>& map, V& b, V& first, V& second) const {
        const V zero{}, one = zero + 1.0;
        V x = (b - map.shortest) * (1 / map.hold_width);
        x = x < -1 ? -one : x;
        const V y = x * x, rest = 1 - y;
        const V P = 5.0 / 32 + x * 0.5 + y * (0.5 - y * (1.0 / 6) + y * y * (1.0 / 30)) * (15.0 / 16);
        b = held ? map.shortest + P * map.hold_width : b;
        first = held ? map.phi * (0.5 + (15.0 / 16) * x * (1 - y * (2.0 / 3) + y * y * 0.2)) : first;
        second = held ? (map.phi * map.phi / map.hold_width) * ((15.0 / 16) * rest * rest) : zero;
        const Mask is_whole = b > length.v;
        b = is_whole ? length.v : b;
        first = is_whole ? one : first;
        second = is_whole ? zero : second;
    }

    // Whether the node after the last is where the one before it is, at state `as`; other states at which it is not,
    // are dropped.
    OPENSIM_INERTIA_INLINED bool is_one(int as) {
        const Three<V> apart = knots_[points_].position - knots_[points_ - 1].position;
        const V square = dot(apart, apart);
        const auto is_near = [&](int l) OPENSIM_INERTIA_INLINED_LAMBDA {
            return number(square, l) < kCoincident * kCoincident;
        };
        for (int l = 0; l < kAbreast; ++l)
            if (is_near(l) != is_near(as)) drop(l);
        return is_near(as);
    }

    // A path point; node.hpp says the same of one state.
    OPENSIM_INERTIA_INLINED void place(const States& states, const PathPoint& point, Knot& knot) const {
        const auto& body = states.bodies[static_cast<std::size_t>(point.body)];
        knot.body = point.body;
        knot.slides = 0;
        Three<V> station, slip{}, slip_second{};
        if (point.moving.empty())
            for (int c = 0; c < 3; ++c) station[c] = V{} + point.station[c];
        else
            move(states, point, knot, station, slip, slip_second);
        knot.arm = body.to_ground(station);
        const Three<V> turn = cross(body.omega, knot.arm);
        knot.position = body.position + knot.arm;
        knot.velocity = body.velocity + turn;
        knot.acceleration = body.acceleration + (cross(body.alpha, knot.arm) + cross(body.omega, turn));
        knot.through_udot = body.through_udot + cross(body.alpha_through_udot, knot.arm);
        if (knot.slides == 0) return;
        const Three<V> slip_in_ground = body.to_ground(slip);
        knot.velocity = knot.velocity + slip_in_ground;
        knot.acceleration = knot.acceleration + (2.0 * cross(body.omega, slip_in_ground) + body.to_ground(slip_second));
        for (int i = 0; i < knot.slides; ++i) {
            V udot{};
            for (int l = 0; l < kAbreast; ++l) set_number(udot, l, states.states[l]->udot[knot.speed[i]]);
            knot.slide[i] = body.to_ground(knot.slide[i]);
            knot.through_udot = knot.through_udot + udot * knot.slide[i];
        }
    }

    // Its station, and how that moves in the body.
    OPENSIM_INERTIA_INLINED static void move(const States& states, const PathPoint& point, Knot& knot,
                                             Three<V>& station, Three<V>& slip, Three<V>& slip_second) {
        for (int c = 0; c < 3; ++c) station[c] = V{} + point.moving_origin[c];
        for (int i = 0; i < 3; ++i) {
            const ScalarFunction& function = point.moving[static_cast<std::size_t>(i)];
            V f{}, df{}, rate{}, second{};
            for (int l = 0; l < kAbreast; ++l) {
                const State<double>& s = *states.states[l];
                const int q = function.coordinate;
                const auto y = function(q < 0 ? 0.0 : s.q[q]);
                set_number(f, l, y.f);
                set_number(df, l, q < 0 ? 0.0 : y.df);
                set_number(rate, l, q < 0 ? 0.0 : y.df * s.u[q]);
                set_number(second, l, q < 0 ? 0.0 : y.ddf * s.u[q] * s.u[q] + y.df * s.udot[q]);
            }
            const Three<double> along = three(point.moving_rotation.col(i));
            const auto add = [&](Three<V>& sum, const V& x) OPENSIM_INERTIA_INLINED_LAMBDA {
                sum = sum + Three<V>{x * along.x, x * along.y, x * along.z};
            };
            add(station, f);
            add(slip, rate);
            add(slip_second, second);
            if (function.coordinate < 0) continue;
            knot.speed[knot.slides] = function.coordinate;
            knot.slide[knot.slides] = {df * along.x, df * along.y, df * along.z};
            ++knot.slides;
        }
    }

    OPENSIM_INERTIA_INLINED void connect(Link& link, const Knot& a, const Knot& b) {
        link.r = b.position - a.position;
        link.rate = b.velocity - a.velocity;
        link.second = b.acceleration - a.acceleration;
        link.through_udot = b.through_udot - a.through_udot;
        V l = dot(link.r, link.r);
        for (int i = 0; i < kAbreast; ++i) set_number(l, i, std::sqrt(number(l, i)));
        link.per_length = 1 / l;
        link.e = link.per_length * link.r;
        const V rate = dot(link.e, link.rate);
        link.length = {l, rate, dot(link.e, link.second) + (dot(link.rate, link.rate) - rate * rate) * link.per_length,
                       dot(link.e, link.through_udot)};
        link.start = length;
        length.v = length.v + link.length.v;
        length.d = length.d + link.length.d;
        length.dd = length.dd + link.length.dd;
        length.through_udot = length.through_udot + link.length.through_udot;
    }

    // A force on an element's samples of which so much turns it.
    OPENSIM_INERTIA_INLINED static void exert(Three<V>& on_first, Three<V>& on_next, const Three<V>& force,
                                              const Three<V>& turning, const Three<V>& e) {
        const Three<V> across = turning - dot(e, turning) * e;
        on_first = on_first + (force - across);
        on_next = on_next + across;
    }

    OPENSIM_INERTIA_INLINED void stretch(std::size_t k, int kind, const Three<V>& pull) {
        knots_[k].force[kind] = knots_[k].force[kind] - pull;
        knots_[k + 1].force[kind] = knots_[k + 1].force[kind] + pull;
    }
};

}    // namespace opensim_inertia
