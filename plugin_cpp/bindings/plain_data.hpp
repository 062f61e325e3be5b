// The kernel's objects from Python's dicts, lists, arrays, words and numbers. Raises TypeError for other objects, and
// oi::DescriptionError (ValueError) for missing, unknown or impossible entries.
#pragma once

#include <nanobind/nanobind.h>

#include "opensim_inertia/muscle/muscle.hpp"

namespace nb = nanobind;
namespace oi = opensim_inertia;

// As Python's types say it.
using PlainRecord = nb::typed<nb::mapping, nb::str, nb::object>;
using PlainRecords = nb::typed<nb::sequence, PlainRecord>;

oi::MaterialMap<> map_from(const PlainRecord& map);
oi::WrapSurface surface_from(const PlainRecord& surface);
std::vector<oi::Muscle> muscles_from(const PlainRecords& muscles);
