#include "model_match.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

namespace opensim_inertia::native {

using namespace SimTK;

namespace {

using Objects = std::map<std::string, const OpenSim::Component*>;

// Relative to the larger number, or absolute where both are small.
constexpr double kEqual = 1e-9, kSmall = 1e-3;

// Changes that are named; the others are counted.
constexpr std::size_t kNamed = 3;

template <class Vector>
std::vector<double> entries(const OpenSim::AbstractProperty& property) {
    const Vector& v = OpenSim::Property<Vector>::getAs(property).getValue();
    std::vector<double> numbers(&v[0], &v[0] + Vector::size());
    for (double& number : numbers)
        if (std::isnan(number)) number = 0;
    return numbers;
}

// None for a property of another type. A contact hint that is left out is NaN, and zero here.
std::vector<double> values(const OpenSim::AbstractProperty& property) {
    using OpenSim::Property;
    if (Property<double>::isA(property)) return {Property<double>::getAs(property).getValue()};
    if (Property<Vec3>::isA(property)) return entries<Vec3>(property);
    if (Property<Vec6>::isA(property)) return entries<Vec6>(property);
    return {};
}

bool equal(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i] && !(std::abs(a[i] - b[i]) <= kEqual * std::max({std::abs(a[i]), std::abs(b[i]), kSmall})))
            return false;
    return true;
}

std::string shown(const std::vector<double>& numbers) {
    std::ostringstream text;
    text.precision(10);
    for (std::size_t i = 0; i < numbers.size(); ++i) text << (i ? " " : "") << numbers[i];
    return text.str();
}

std::string change(const DescribedProperty& was, const Objects& objects) {
    const auto found = objects.find(was.object);
    if (found == objects.end()) return "there is no '" + was.object + "' any more";
    if (!found->second->hasProperty(was.property)) return "'" + was.object + "' has no " + was.property + " any more";
    const std::vector<double> now = values(found->second->getPropertyByName(was.property));
    if (equal(was.values, now)) return "";
    return was.property + " of '" + was.object + "' was " + shown(was.values) + " and is " + shown(now);
}

// What a path consists of; a muscle may be replaced by one of another class, which has other parts besides.
bool is_of_path(const OpenSim::Component& part) {
    for (const char* name :
         {"PathPoint", "ConditionalPathPoint", "MovingPathPoint", "PathWrap", "Scholz2015GeometryPathObstacle"})
        if (part.getConcreteClassName() == name) return true;
    return false;
}

bool is_within(const std::string& object, const std::string& owner) {
    return object == owner || object.compare(0, owner.size() + 1, owner + "/") == 0;
}

std::string change(const DescribedParts& was, const Objects& objects) {
    int now = 0;
    for (auto i = objects.lower_bound(was.object);
         i != objects.end() && i->first.compare(0, was.object.size(), was.object) == 0; ++i)
        now += is_within(i->first, was.object) && is_of_path(*i->second);
    if (now == was.count) return "";
    return "'" + was.object + "' had " + std::to_string(was.count) + " path points and wraps and has " +
           std::to_string(now);
}

// Muscles that have been taken out of the model; their mass stays, and need not fit anything.
std::vector<std::string> removed(const Outline& outline, const Objects& objects) {
    std::vector<std::string> found;
    for (const DescribedParts& muscle : outline.parts)
        if (!objects.count(muscle.object)) found.push_back(muscle.object);
    return found;
}

}    // namespace

void check_model(const Outline& outline, const OpenSim::Component& model) {
    Objects objects;
    objects[model.getAbsolutePathString()] = &model;
    for (const OpenSim::Component& c : model.getComponentList<OpenSim::Component>())
        objects[c.getAbsolutePathString()] = &c;
    std::vector<std::string> changes;
    const auto note = [&](std::string what) {
        if (!what.empty()) changes.push_back(std::move(what));
    };
    const std::vector<std::string> gone = removed(outline, objects);
    const auto is_gone = [&](const std::string& object) {
        return std::any_of(gone.begin(), gone.end(),
                           [&](const std::string& owner) { return is_within(object, owner); });
    };
    for (const DescribedProperty& was : outline.properties)
        if (!is_gone(was.object)) note(change(was, objects));
    for (const DescribedParts& was : outline.parts)
        if (!is_gone(was.object)) note(change(was, objects));
    if (changes.empty()) return;
    std::string text = "the model has been changed since its inertial muscles were described: ";
    for (std::size_t i = 0; i < std::min(kNamed, changes.size()); ++i) text += (i ? "; " : "") + changes[i];
    if (changes.size() > kNamed) text += "; and " + std::to_string(changes.size() - kNamed) + " more changes";
    throw OpenSim::Exception(text +
                             ". Change the model that was exported instead, and export it anew with "
                             "opensim_inertia (InertialModel.export, or opensim-inertia export)");
}

}    // namespace opensim_inertia::native
