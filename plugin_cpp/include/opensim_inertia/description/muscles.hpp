// Muscles, their paths and wrap surfaces from plain data, for Python and the OpenSim plugin. The data are written by
// `opensim_inertia/paths/kernel/description.py`. Raises DescriptionError. `Path::check` checks the numbers of bodies
// and coordinates against a state.
#pragma once

#include <algorithm>
#include <memory>
#include <tuple>

#include "opensim_inertia/description/data_node.hpp"
#include "opensim_inertia/muscle/muscle.hpp"
#include "opensim_inertia/wrap/wrap_formulas.hpp"

namespace opensim_inertia {

// A function of the coordinate of this number, -1 for none.
inline ScalarFunction read_function(const DataNode& node, int first_coordinate,
                                    int last_coordinate = std::numeric_limits<int>::max()) {
    Fields fields(node);
    ScalarFunction f;
    f.coordinate = fields["coordinate"].integer(first_coordinate, last_coordinate);
    const DataNode breaks = fields["breaks"];
    std::tie(f.low, f.high) = fields["range"].range();
    f.breaks = breaks.numbers();
    if (!std::ranges::is_sorted(f.breaks)) breaks.fail("a function's breaks must increase");
    const Matrix pieces = fields["pieces"].matrix(static_cast<Eigen::Index>(f.breaks.size()) + 1);
    f.terms = static_cast<std::size_t>(pieces.cols());
    f.pieces.assign(pieces.data(), pieces.data() + pieces.size());
    fields.end();
    return f;
}

inline PathPoint read_point(const DataNode& node) {
    Fields fields(node);
    const DataNode kind_node = fields["kind"];
    const std::string& kind = kind_node.word();
    PathPoint p;
    p.body = fields["body"].integer(0);
    if (kind == "moving") {
        p.moving_rotation = fields["rotation"].rotation();
        p.moving_origin = fields["origin"].vector3();
        const DataNode functions = fields["functions"];
        for (const DataNode& function : functions.list()) p.moving.push_back(read_function(function, -1));
        if (p.moving.size() != 3) functions.fail("three functions are expected");
    } else if (kind == "conditional" || kind == "fixed") {
        p.station = fields["station"].vector3();
        if (kind == "conditional") {
            p.condition = fields["coordinate"].integer(0);
            std::tie(p.low, p.high) = fields["range"].range();
        }
    } else {
        kind_node.fail("a point is fixed, conditional or moving, not '" + kind.substr(0, 40) + "'");
    }
    fields.end();
    return p;
}

inline Network read_network(const DataNode& node, int inputs, int outputs) {
    Network network;
    Eigen::Index width = inputs;
    for (const DataNode& each : node.list()) {
        Fields fields(each);
        const DataNode weight = fields["weight"];
        const auto rows = static_cast<Eigen::Index>(weight.length());
        if (rows == 0) weight.fail("a layer has at least one output");
        network.layers.push_back({weight.matrix(rows, width), fields["bias"].vector(rows)});
        width = rows;
        fields.end();
    }
    if (network.layers.empty() || width != outputs) node.fail("a network's last layer has the wrong size");
    return network;
}

inline std::shared_ptr<const PathNetwork> read_networks(const DataNode& node, const SurfaceTraits& kind) {
    Fields fields(node);
    auto networks = std::make_shared<PathNetwork>();
    if (!kind.planar) node.fail("a planar network does not serve a " + std::string(kind.name));
    networks->position = read_network(fields["position"], 4, 2);
    networks->length = read_network(fields["length"], 3, 1);
    fields.end();
    return networks;
}

// Without its place, which is a wrap site's.
inline WrapSurface read_surface(const DataNode& node) {
    Fields fields(node);
    const DataNode kind = fields["kind"], size = fields["size"];
    const auto known = std::ranges::find(kSurfaces, kind.word(), [](const SurfaceTraits* each) { return each->name; });
    if (known == std::end(kSurfaces)) kind.fail("there is no surface '" + kind.word().substr(0, 40) + "'");
    WrapSurface s;
    s.kind = *known;
    const std::vector<double>& lengths = size.numbers();
    const auto least = static_cast<std::size_t>(s.kind->least_sizes), most = static_cast<std::size_t>(s.kind->sizes);
    if (lengths.size() < least || lengths.size() > most)
        size.fail("the size of a " + kind.word() + " is of " + std::to_string(least) +
                  (least < most ? " to " + std::to_string(most) : "") + " numbers, not of " +
                  std::to_string(lengths.size()));
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (lengths[i] < 0 || (i < least && lengths[i] == 0)) size.fail("a " + kind.word() + " has no such size");
        s.size[static_cast<int>(i)] = lengths[i];
    }
    s.smoothing = fields["smoothing"].number(0);
    s.turn = fields["turn"].integer(-1, 1);
    s.active = fields["quadrant"].vector3();
    s.long_way = fields["long_way"].flag();
    if (const std::optional<DataNode> network = fields.find("network")) s.network = read_networks(*network, *s.kind);
    fields.end();
    return s;
}

inline WrapSite read_site(const DataNode& node, int last_point) {
    Fields fields(node);
    WrapSite site;
    site.surface = read_surface(fields["surface"]);
    site.surface.body = fields["body"].integer(0);
    site.surface.rotation = fields["rotation"].rotation();
    site.surface.origin = fields["origin"].vector3();
    site.first = fields["first"].integer(0, last_point);
    site.last = fields["last"].integer(site.first, last_point);
    fields.end();
    return site;
}

inline MaterialMap<> read_map(const DataNode& node) {
    Fields fields(node);
    MaterialMap<> map;
    map.phi = fields["phi"].number();
    map.slack = fields["slack"].number();
    map.proximal = fields["proximal"].number();
    map.shortest = fields["shortest"].number();
    map.hold_width = fields["hold_width"].number();
    map.aponeurosis = fields["aponeurosis"].number();
    fields.end();
    return map;
}

// Point masses.
inline MassDistribution read_lumps(const DataNode& node) {
    Fields fields(node);
    std::vector<double> columns[3];
    for (int i = 0; i < 3; ++i) {
        const DataNode column = fields[i == 0 ? "chi" : i == 1 ? "xi" : "masses"];
        columns[i] = column.numbers();
        for (double x : columns[i])
            if (x < 0 || (i < 2 && x > 1)) column.fail(i < 2 ? "fractions lie in [0, 1]" : "no mass is negative");
    }
    const auto& [chi, xi, masses] = columns;
    if (chi.size() != masses.size() || xi.size() != masses.size())
        node.fail(std::to_string(chi.size()) + " and " + std::to_string(xi.size()) + " fractions do not go with " +
                  std::to_string(masses.size()) + " masses");
    fields.end();
    return MassDistribution::points(chi, xi, masses);
}

inline FrozenMass read_frozen(const DataNode& node) {
    Fields fields(node);
    const int body = fields["body"].integer(0);
    const Vector numbers = fields["numbers"].vector(FrozenMass::kNumbers);
    fields.end();
    return FrozenMass::of(body, numbers.data());
}

inline Muscle read_muscle(const DataNode& node) {
    Fields unnamed(node);
    Muscle muscle;
    muscle.path.name = unnamed["name"].word();
    Fields fields(node.called("muscle '" + muscle.path.name + "'"));
    fields["name"];
    muscle.map = read_map(fields["map"]);
    if (const std::optional<DataNode> lumps = fields.find("lumps"))
        muscle.mass = read_lumps(*lumps);
    else
        muscle.mass = MassDistribution::uniform(fields["mass"].number(0));
    const DataNode points = fields["points"], sites = fields["sites"];
    for (const DataNode& point : points.list()) muscle.path.points.push_back(read_point(point));
    if (muscle.path.points.size() < 2) points.fail("a path has at least two points");
    const int last = static_cast<int>(muscle.path.points.size()) - 1;
    for (const DataNode& site : sites.list()) muscle.path.sites.push_back(read_site(site, last));
    for (const DataNode& part : fields["frozen"].list()) muscle.frozen.push_back(read_frozen(part));
    muscle.path.is_given = fields["path_is_given"].flag();
    if (muscle.path.is_given && !muscle.path.sites.empty())
        sites.fail("a path that is given cannot be led over surfaces");
    fields.end();
    return muscle;
}

}    // namespace opensim_inertia
