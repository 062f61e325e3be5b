// A node of plain data, read strictly: an unexpected entry raises an error that names its place.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <tuple>

#include "opensim_inertia/description/data.hpp"
#include "opensim_inertia/scalar/types.hpp"

namespace opensim_inertia {

// A description from which nothing can be made; says where and why.
struct DescriptionError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

class DataNode {
  public:
    static constexpr double kInfinity = std::numeric_limits<double>::infinity();

    // The data must outlive the node.
    DataNode(const Data& data, std::string place) : data_(&data), place_(std::move(place)) {}

    // The same, called otherwise in errors.
    DataNode called(std::string place) const { return {*data_, std::move(place)}; }

    [[noreturn]] void fail(const std::string& what) const { throw DescriptionError("in " + place_ + ", " + what); }

    const std::string& word() const {
        const auto* found = std::get_if<std::string>(&data_->content);
        if (!found) fail("a word is expected");
        return *found;
    }

    double number_or_infinity() const { return numbers_of_shape({}).values.front(); }

    // A finite number in a range.
    double number(double low = -kInfinity, double high = kInfinity) const {
        const double x = number_or_infinity();
        if (!std::isfinite(x)) fail("a finite number is expected");
        if (x < low || x > high) {
            const std::string upper = high < kInfinity ? " and at most " + shown(high) : "";
            fail("a number of at least " + shown(low) + upper + " is expected, not " + shown(x));
        }
        return x;
    }

    int integer(int low, int high = std::numeric_limits<int>::max()) const { return whole(number(), low, high); }

    bool flag() const { return integer(0, 1) == 1; }

    // A row of numbers that may be infinite.
    const std::vector<double>& numbers_or_infinities() const {
        const auto& found = numbers_with_axes(1);
        return found.values;
    }

    const std::vector<double>& numbers() const {
        const std::vector<double>& found = numbers_or_infinities();
        for (double x : found)
            if (!std::isfinite(x)) fail("finite numbers are expected");
        return found;
    }

    std::vector<int> integers(int low, int high = std::numeric_limits<int>::max()) const {
        std::vector<int> found;
        for (double x : numbers()) found.push_back(whole(x, low, high));
        return found;
    }

    // The lower and the upper end of a range, which may be infinite.
    std::tuple<double, double> range() const {
        const std::vector<double>& ends = numbers_or_infinities();
        expect_length("numbers", ends.size(), 2);
        return {ends[0], ends[1]};
    }

    Vector vector(Eigen::Index size) const {
        const std::vector<double>& found = numbers();
        expect_length("numbers", found.size(), static_cast<std::size_t>(size));
        return VecMap(found.data(), size);
    }

    Vec3d vector3() const { return vector(3); }

    // Finite numbers (rows, columns), as many columns as there are if that is -1.
    Matrix matrix(Eigen::Index rows, Eigen::Index columns = -1) const {
        const auto& found = numbers_with_axes(2);
        const auto width = static_cast<Eigen::Index>(found.shape.size() > 1 ? found.shape[1] : 0);
        expect_length("rows", found.shape.front(), static_cast<std::size_t>(rows));
        if (columns >= 0 && rows > 0)
            expect_length("columns", static_cast<std::size_t>(width), static_cast<std::size_t>(columns));
        for (double x : found.values)
            if (!std::isfinite(x)) fail("finite numbers are expected");
        return RowMap(found.values.data(), rows, width);
    }

    Mat3d rotation() const {
        const Mat3d R = matrix(3, 3);
        if (!(R * R.transpose()).isIdentity(1e-9)) fail("a rotation matrix is expected");
        return R;
    }

    std::vector<DataNode> list() const {
        std::vector<DataNode> found;
        if (const auto* numbers = std::get_if<Data::Numbers>(&data_->content); !numbers || !numbers->values.empty())
            for (const Data& entry : entries())
                found.emplace_back(entry, place_ + "[" + std::to_string(found.size()) + "]");
        return found;
    }

    // The entries of a record whose names are not known before.
    std::vector<std::pair<std::string, DataNode>> entries_by_name() const {
        std::vector<std::pair<std::string, DataNode>> found;
        const Data::Record& all = record();
        for (std::size_t i = 0; i < all.names.size(); ++i)
            found.emplace_back(all.names[i], DataNode(all.entries[i], place_ + ", " + all.names[i]));
        return found;
    }

    // As many rows or entries as there are.
    std::size_t length() const {
        if (const auto* numbers = std::get_if<Data::Numbers>(&data_->content); numbers && !numbers->shape.empty())
            return numbers->shape.front();
        return entries().size();
    }

  private:
    friend class Fields;

    const Data* data_;
    std::string place_;

    static std::string shown(double x) {
        std::ostringstream text;
        text << x;
        return text.str();
    }

    int whole(double x, int low, int high) const {
        if (x != std::floor(x) || x < low || x > high)
            fail("a whole number from " + std::to_string(low) +
                 (high < std::numeric_limits<int>::max() ? " to " + std::to_string(high) : "") + " is expected, not " +
                 shown(x));
        return static_cast<int>(x);
    }

    void expect_length(const char* what, std::size_t is, std::size_t wanted) const {
        if (is != wanted) fail(std::to_string(wanted) + " " + what + " are expected, not " + std::to_string(is));
    }

    const Data::List& entries() const {
        const auto* found = std::get_if<Data::List>(&data_->content);
        if (!found) fail("a list is expected");
        return *found;
    }

    const Data::Numbers& numbers_of_shape(const std::vector<std::size_t>& shape) const {
        const auto* found = std::get_if<Data::Numbers>(&data_->content);
        if (!found || found->shape != shape) fail("a number is expected");
        if (std::isnan(found->values.front())) fail("a number is expected, not nan");
        return *found;
    }

    const Data::Record& record() const {
        const auto* found = std::get_if<Data::Record>(&data_->content);
        if (!found) fail("a record of named entries is expected");
        return *found;
    }

    // An array of so many axes; one without entries counts as any.
    const Data::Numbers& numbers_with_axes(std::size_t axes) const {
        const auto* found = std::get_if<Data::Numbers>(&data_->content);
        if (!found || found->shape.empty() || (found->shape.size() != axes && !found->values.empty()))
            fail(axes == 1 ? "a list of numbers is expected" : "rows of numbers of one length are expected");
        for (double x : found->values)
            if (std::isnan(x)) fail("numbers are expected, not nan");
        return *found;
    }
};

// The entries of a record by their names, each of which must be read.
class Fields {
  public:
    explicit Fields(DataNode node) : node_(std::move(node)), record_(&node_.record()), read_(record_->names.size()) {}

    DataNode operator[](std::string_view name) {
        std::optional<DataNode> found = find(name);
        if (!found) node_.fail("there is no '" + std::string(name) + "'");
        return *found;
    }

    std::optional<DataNode> find(std::string_view name) {
        const auto at = std::ranges::find(record_->names, name);
        if (at == record_->names.end()) return {};
        const auto i = static_cast<std::size_t>(at - record_->names.begin());
        read_[i] = true;
        return DataNode(record_->entries[i], node_.place_ + ", " + record_->names[i]);
    }

    const DataNode& node() const { return node_; }

    // Raises for an entry that nobody has asked for.
    void end() const {
        for (std::size_t i = 0; i < read_.size(); ++i)
            if (!read_[i]) node_.fail("'" + record_->names[i].substr(0, 40) + "' is not known");
    }

  private:
    DataNode node_;
    const Data::Record* record_;
    std::vector<bool> read_;
};

}    // namespace opensim_inertia
