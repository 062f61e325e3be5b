// Plain data and JSON.
#include <doctest/doctest.h>

#include "opensim_inertia/description/data_node.hpp"
#include "opensim_inertia/description/json.hpp"

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
