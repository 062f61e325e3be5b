#include "description.hpp"

#include <algorithm>
#include <cstdio>

#include "opensim_inertia/wrap/path_network.hpp"
#include "token_reader.hpp"

namespace opensim_inertia::native {

namespace {

constexpr int kMost = 1 << 20;

class Parser {
  public:
    explicit Parser(const std::string& text) : in_(text) {}

    Description read() {
        read_header();
        Outline& outline = out_.outline;
        in_.place = "gravity";
        in_.expect("gravity");
        outline.gravity = numbers<3>();
        outline.bodies = names("bodies");
        outline.coordinates = names("coordinates");
        in_.place = "rotations";
        in_.expect("rotations");
        for (std::size_t n = in_.count(); n > 0; --n) read_rotation();
        in_.place = "what segments gave up";
        in_.expect("segments");
        for (std::size_t n = in_.count(); n > 0; --n) read_given_up();
        in_.place = "muscles";
        in_.expect("muscles");
        for (std::size_t n = in_.count(); n > 0; --n) out_.muscles.push_back(muscle());
        read_model();
        in_.place = "its last word";
        in_.expect("end");
        in_.end();
        return std::move(out_);
    }

  private:
    TokenReader in_;
    Description out_;

    int bodies() const { return static_cast<int>(out_.outline.bodies.size()); }
    int coordinates() const { return static_cast<int>(out_.outline.coordinates.size()); }

    void read_header() {
        in_.expect("inertial-muscles");
        const int version = in_.integer(0, kMost);
        if (version != kVersion)
            in_.fail("version " + std::to_string(version) + " is not the version " + std::to_string(kVersion) +
                     " that this plugin reads: export the model with the version of opensim_inertia that the plugin "
                     "was built from");
        const std::string_view written = in_.word();
        char found[17];
        std::snprintf(found, sizeof found, "%016llx", static_cast<unsigned long long>(in_.checksum()));
        if (written != found) in_.fail("the checksum is wrong: the text was cut off, or changed after it was written");
    }

    std::string name() { return std::string(in_.word()); }

    std::vector<std::string> names(const char* what) {
        in_.place = what;
        in_.expect(what);
        std::vector<std::string> found;
        for (std::size_t n = in_.count(); n > 0; --n) found.push_back(name());
        return found;
    }

    template <std::size_t n>
    std::array<double, n> numbers() {
        std::array<double, n> found;
        for (double& x : found) x = in_.number();
        return found;
    }

    Vec3d vector() {
        const Numbers3 x = numbers<3>();
        return {x[0], x[1], x[2]};
    }

    Mat3d rotation() {
        Mat3d R;
        for (int i = 0; i < 9; ++i) R(i / 3, i % 3) = in_.number();
        if (!(R * R.transpose()).isIdentity(1e-9)) in_.fail("a rotation matrix is expected");
        return R;
    }

    double not_negative() {
        const double x = in_.number();
        if (x < 0) in_.fail("a number of at least 0 is expected, not " + std::to_string(x));
        return x;
    }

    ScalarFunction function(int first_coordinate) {
        ScalarFunction f;
        f.coordinate = in_.integer(first_coordinate, coordinates() - 1);
        f.low = in_.number_or_infinity();
        f.high = in_.number_or_infinity();
        for (std::size_t n = in_.count(); n > 0; --n) f.breaks.push_back(in_.number());
        if (!std::is_sorted(f.breaks.begin(), f.breaks.end())) in_.fail("a function's breaks must increase");
        f.terms = in_.count();
        for (std::size_t i = (f.breaks.size() + 1) * f.terms; i > 0; --i) f.pieces.push_back(in_.number());
        return f;
    }

    void read_rotation() {
        SharedRotation joint;
        RotationRates rates;
        joint.body = name();
        joint.rotation = numbers<9>();
        joint.origin = numbers<3>();
        rates.second = function(0);
        rates.third = function(0);
        rates.cosine = vector();
        rates.sine = vector();
        for (int b = 0; b < bodies(); ++b) joint.carries.push_back(in_.integer(-1, 1));
        out_.outline.rotations.push_back(std::move(joint));
        out_.rates.push_back(std::move(rates));
    }

    void read_given_up() {
        RigidMass share;
        share.body = in_.integer(0, bodies() - 1);
        share.mass = -not_negative();
        share.moment = -vector();
        const auto I = numbers<6>();
        share.inertia << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
        share.inertia *= -1;
        out_.given_up.push_back(share);
    }

    Muscle muscle() {
        Muscle found;
        found.path.name = name();
        in_.place = "muscle '" + found.path.name + "'";
        const double total = not_negative();
        if (const std::size_t points = in_.count()) {
            std::vector<double> chi, xi, mass;
            for (std::size_t i = 0; i < points; ++i) {
                chi.push_back(fraction());
                xi.push_back(fraction());
                mass.push_back(not_negative());
            }
            found.mass = MassDistribution::points(std::move(chi), std::move(xi), std::move(mass));
        } else {
            found.mass = MassDistribution::uniform(total);
        }
        const auto map = numbers<6>();
        found.map = MaterialMap<>{map[0], map[1], map[2], map[3], map[4], map[5]};
        std::vector<std::shared_ptr<const PolynomialBasis>> bases;
        for (std::size_t n = in_.count(); n > 0; --n) bases.push_back(basis());
        for (std::size_t n = in_.count(); n > 0; --n) found.path.points.push_back(point(bases));
        if (found.path.points.size() < 2) in_.fail("a path has at least two points");
        const int last = static_cast<int>(found.path.points.size()) - 1;
        for (std::size_t n = in_.count(); n > 0; --n) found.path.sites.push_back(site(last));
        return found;
    }

    double fraction() {
        const double x = in_.number();
        if (x < 0 || x > 1) in_.fail("a fraction from 0 to 1 is expected, not " + std::to_string(x));
        return x;
    }

    std::shared_ptr<const PolynomialBasis> basis() {
        auto found = std::make_shared<PolynomialBasis>();
        for (std::size_t n = in_.count(); n > 0; --n) found->coordinates.push_back(in_.integer(0, coordinates() - 1));
        const auto variables = static_cast<Eigen::Index>(found->coordinates.size());
        found->centre.resize(variables);
        found->scale.resize(variables);
        for (double& x : found->centre) x = in_.number();
        for (double& x : found->scale)
            if (!((x = in_.number()) > 0)) in_.fail("a polynomial's scale must be positive");
        found->exponents.resize(static_cast<Eigen::Index>(in_.count()), variables);
        for (int& e : found->exponents.reshaped<Eigen::RowMajor>()) e = in_.integer(0, kHighestPower);
        return found;
    }

    PathPoint point(const std::vector<std::shared_ptr<const PolynomialBasis>>& bases) {
        PathPoint p;
        const std::string_view kind = in_.word();
        p.body = in_.integer(0, bodies() - 1);
        if (kind == "polynomial") {
            if (bases.empty()) in_.fail("a polynomial point needs terms");
            p.basis = bases[static_cast<std::size_t>(in_.integer(0, static_cast<int>(bases.size()) - 1))];
            p.coefficients.resize(3, p.basis->exponents.rows());
            for (double& c : p.coefficients.reshaped<Eigen::RowMajor>()) c = in_.number();
            return p;
        }
        if (kind == "moving") {
            p.moving_rotation = rotation();
            p.moving_origin = vector();
            for (int i = 0; i < 3; ++i) p.moving.push_back(function(-1));
            return p;
        }
        p.station = vector();
        if (kind == "conditional") {
            p.condition = in_.integer(0, coordinates() - 1);
            p.low = in_.number_or_infinity();
            p.high = in_.number_or_infinity();
        } else if (kind != "fixed") {
            in_.fail("a point is fixed, conditional, moving or polynomial, not '" + std::string(kind.substr(0, 40)) +
                     "'");
        }
        return p;
    }

    WrapSite site(int last_point) {
        WrapSite found;
        WrapSurface& s = found.surface;
        const std::string_view kind = in_.word();
        const auto known = std::ranges::find(kSurfaces, kind, &SurfaceTraits::name);
        if (known == std::end(kSurfaces)) in_.fail("there is no surface '" + std::string(kind.substr(0, 40)) + "'");
        s.kind = known->kind;
        const int sizes = in_.integer(known->least_sizes, known->sizes);
        for (int i = 0; i < sizes; ++i) s.size[i] = not_negative();
        for (int i = 0; i < known->least_sizes; ++i)
            if (s.size[i] == 0) in_.fail("a " + std::string(kind) + " has no size");
        s.smoothing = not_negative();
        s.turn = in_.integer(-1, 1);
        s.active = vector();
        s.long_way = in_.flag();
        s.body = in_.integer(0, bodies() - 1);
        s.rotation = rotation();
        s.origin = vector();
        found.first = in_.integer(0, last_point);
        found.last = in_.integer(found.first, last_point);
        if (in_.flag()) {
            auto networks = std::make_shared<PathNetwork>();
            networks->planar = in_.flag();
            if (networks->planar && !known->planar) in_.fail("no planar network leads over a " + std::string(kind));
            networks->position = network(networks->planar ? 4 : 7, networks->planar ? 2 : 3);
            networks->length = network(networks->planar ? 3 : 6, 1);
            s.network = std::move(networks);
        }
        return found;
    }

    Network network(int inputs, int outputs) {
        Network found;
        int width = inputs;
        for (std::size_t n = in_.count(); n > 0; --n) {
            const auto rows = static_cast<int>(in_.count());
            Network::Layer layer{Matrix(rows, width), Vector(rows)};
            for (int i = 0; i < rows; ++i)
                for (int j = 0; j < width; ++j) layer.weight(i, j) = in_.number();
            for (int i = 0; i < rows; ++i) layer.bias[i] = in_.number();
            found.layers.push_back(std::move(layer));
            width = rows;
        }
        if (found.layers.empty() || width != outputs) in_.fail("a network's last layer has the wrong size");
        return found;
    }

    void read_model() {
        in_.place = "the model's properties";
        in_.expect("properties");
        for (std::size_t n = in_.count(); n > 0; --n) {
            DescribedProperty p;
            p.object = name();
            p.property = name();
            for (std::size_t k = in_.count(); k > 0; --k) p.values.push_back(in_.number_or_infinity());
            out_.outline.properties.push_back(std::move(p));
        }
        in_.place = "the model's parts";
        in_.expect("parts");
        for (std::size_t n = in_.count(); n > 0; --n) {
            DescribedParts p;
            p.object = name();
            p.count = in_.integer(0, kMost);
            out_.outline.parts.push_back(std::move(p));
        }
    }
};

}    // namespace

Description read_description(const std::string& text) { return Parser(text).read(); }

}    // namespace opensim_inertia::native
