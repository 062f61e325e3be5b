// Plain data and JSON, and muscles read from them.
#include <doctest/doctest.h>

#include "opensim_inertia/description/json.hpp"
#include "opensim_inertia/description/muscles.hpp"

using namespace opensim_inertia;

namespace {

Data parsed(const std::string& text) { return JsonReader(text).read(); }

// What is said of data that cannot be read so.
template <class F>
std::string refusal(const std::string& text, F&& read) {
    try {
        const Data data = parsed(text);
        read(DataNode(data, "it"));
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

std::string refusal(const std::string& text) {
    return refusal(text, [](const DataNode&) {});
}

const std::string kMuscle = R"({"name": "vas", "mass": 0.3,
    "map": {"phi": 0.6, "slack": 0, "proximal": 0.25, "shortest": 0, "hold_width": 0, "aponeurosis": 0.125},
    "points": [{"kind": "fixed", "body": 0, "station": [1, 2, 3]},
               {"kind": "conditional", "body": 1, "station": [0, 0, 1], "coordinate": 4, "range": [-Infinity, 0.5]},
               {"kind": "moving", "body": 1, "rotation": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "origin": [0, 0, 2],
                "functions": [{"coordinate": 1, "range": [-1, 1], "breaks": [0.5], "pieces": [[1, 2], [3, 4]]},
                              {"coordinate": -1, "range": [-1, 1], "breaks": [], "pieces": [[0.5]]},
                              {"coordinate": -1, "range": [-1, 1], "breaks": [], "pieces": [[0.25]]}]},
               {"kind": "fixed", "body": 2, "station": [4, 5, 6]}],
    "sites": [{"surface": {"kind": "cylinder", "size": [0.03], "smoothing": 0.001, "turn": -1, "quadrant": [0, 1, 0],
                           "long_way": true},
               "body": 1, "rotation": [[0, -1, 0], [1, 0, 0], [0, 0, 1]], "origin": [4, 5, 6], "first": 1, "last": 3}],
    "frozen": [{"body": 2, "numbers": [0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9]}], "path_is_given": false})";

}    // namespace

TEST_CASE("lists of numbers of one shape are arrays, others are lists") {
    const auto shape = [](const std::string& text) { return std::get<Data::Numbers>(parsed(text).content).shape; };
    CHECK(shape("1.5").empty());
    CHECK(shape("[]") == std::vector<std::size_t>{0});
    CHECK(shape("[1, 2]") == std::vector<std::size_t>{2});
    CHECK(shape("[[1, 2, 3], [4, 5, 6]]") == std::vector<std::size_t>{2, 3});
    CHECK(shape("[[], [], []]") == std::vector<std::size_t>{3, 0});
    CHECK(std::get<Data::Numbers>(parsed("[[1, 2], [true, -3e2]]").content).values ==
          std::vector<double>{1, 2, 1, -300});
    CHECK(std::holds_alternative<Data::List>(parsed("[[1, 2], [3]]").content));
    CHECK(std::holds_alternative<Data::List>(parsed("[1, \"a\"]").content));
}

TEST_CASE("words keep what is escaped in them") {
    CHECK(std::get<std::string>(parsed(R"("a\"\\\n b")").content) == "a\"\\\n b");
}

TEST_CASE("what is no JSON is refused, and where") {
    CHECK(refusal("") == "at character 0, it ends too early");
    CHECK(refusal("[1, 2") == "at character 5, it ends too early");
    CHECK(refusal("[1 2]") == "at character 3, ',' is expected, not '2'");
    CHECK(refusal("{\"a\" 1}") == "at character 5, ':' is expected, not '1'");
    CHECK(refusal("{a: 1}") == "at character 1, '\"' is expected, not 'a'");
    CHECK(refusal("[null]") == "at character 1, a number is expected");
    CHECK(refusal("\"abc") == "at character 4, it ends within a word");
    CHECK(refusal(R"("\u0041")") == "at character 2, an unknown escape is in a word");
    CHECK(refusal("1 2") == "at character 2, it goes on after its end");
    CHECK(refusal(std::string(100000, '[')) == "at character 17, the data are nested too deeply");
}

TEST_CASE("numbers are read as they are asked for") {
    CHECK(refusal("-0.5", [](const DataNode& n) { n.number(0); }) ==
          "in it, a number of at least 0 is expected, not -0.5");
    CHECK(refusal("2", [](const DataNode& n) { n.number(0, 1); }) ==
          "in it, a number of at least 0 and at most 1 is expected, not 2");
    CHECK(refusal("Infinity", [](const DataNode& n) { n.number(); }) == "in it, a finite number is expected");
    CHECK(refusal("nan", [](const DataNode& n) { n.number_or_infinity(); }) == "in it, a number is expected, not nan");
    CHECK(refusal("1e10", [](const DataNode& n) { n.integer(0); }) ==
          "in it, a whole number from 0 is expected, not 1e+10");
    CHECK(refusal("[1]", [](const DataNode& n) { n.number(); }) == "in it, a number is expected");
    CHECK(refusal("[1, 2]", [](const DataNode& n) { n.matrix(2); }) ==
          "in it, rows of numbers of one length are expected");
    CHECK(refusal("[[1], [2]]", [](const DataNode& n) { n.matrix(2, 2); }) == "in it, 2 columns are expected, not 1");
    CHECK(refusal("[1, 2]", [](const DataNode& n) { n.list(); }) == "in it, a list is expected");
    CHECK(refusal("[1, 2]", [](const DataNode& n) { Fields fields(n); }) ==
          "in it, a record of named entries is expected");
}

TEST_CASE("a muscle is what its record says") {
    const Data data = parsed(kMuscle);
    const Muscle muscle = read_muscle({data, "muscle 0"});
    CHECK(muscle.path.name == "vas");
    CHECK(muscle.mass.continuous);
    CHECK(muscle.mass.total == 0.3);
    CHECK(muscle.map.proximal == 0.25);
    CHECK(muscle.map.aponeurosis == 0.125);
    REQUIRE(muscle.path.points.size() == 4);
    const PathPoint &first = muscle.path.points[0], &second = muscle.path.points[1], &third = muscle.path.points[2],
                    &last = muscle.path.points[3];
    CHECK(first.station == Vec3d(1, 2, 3));
    CHECK(first.condition == -1);
    CHECK(second.condition == 4);
    CHECK(std::isinf(second.low));
    CHECK(second.high == 0.5);
    REQUIRE(third.moving.size() == 3);
    CHECK(third.moving[0](0.25).f == doctest::Approx(1 + 2 * (0.25 - 0.5)));
    CHECK(third.moving[0](0.75).f == doctest::Approx(3 + 4 * (0.75 - 0.5)));
    CHECK(third.moving[2](7.0).f == 0.25);
    CHECK(last.station == Vec3d(4, 5, 6));
    REQUIRE(muscle.path.sites.size() == 1);
    const WrapSite& site = muscle.path.sites[0];
    CHECK(site.surface.kind == &kCylinder);
    CHECK(site.surface.turn == -1);
    CHECK(site.surface.long_way);
    CHECK(site.surface.rotation(0, 1) == -1);
    CHECK(site.surface.origin == Vec3d(4, 5, 6));
    CHECK(site.first == 1);
    CHECK(site.last == 3);
    REQUIRE(muscle.frozen.size() == 1);
    const FrozenMass& frozen = muscle.frozen[0];
    CHECK(frozen.body == 2);
    CHECK(frozen.mass == 0.5);
    CHECK(frozen.moment == Vec3d(1, 2, 3));
    Mat3d inertia;    // trace of the second moments on the diagonal, less these
    inertia << 11, -7, -8, -7, 10, -9, -8, -9, 9;
    CHECK(frozen.inertia == inertia);
}
