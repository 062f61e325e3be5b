#include "model_match.hpp"

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
    return {&v[0], &v[0] + Vector::size()};
}

// None for a property of another type.
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

std::string change(const DescribedParts& was, const Objects& objects) {
    int now = 0;
    const std::string within = was.object + "/";
    for (auto i = objects.lower_bound(within); i != objects.end() && i->first.compare(0, within.size(), within) == 0; ++i)
        ++now;
    if (now == was.count) return "";
    return "'" + was.object + "' had " + std::to_string(was.count) + " parts, such as path points, and has " +
           std::to_string(now);
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
    for (const DescribedProperty& was : outline.properties) note(change(was, objects));
    for (const DescribedParts& was : outline.parts) note(change(was, objects));
    if (changes.empty()) return;
    std::string text = "the model has been changed since its inertial muscles were described: ";
    for (std::size_t i = 0; i < std::min(kNamed, changes.size()); ++i) text += (i ? "; " : "") + changes[i];
    if (changes.size() > kNamed) text += "; and " + std::to_string(changes.size() - kNamed) + " more changes";
    throw OpenSim::Exception(text + ". Change the model that was exported instead, and export it anew with "
                                    "opensim_inertia (InertialModel.export, or opensim-inertia export)");
}

}    // namespace opensim_inertia::native
