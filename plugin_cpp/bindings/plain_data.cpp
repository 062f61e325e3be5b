#include "plain_data.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include "opensim_inertia/description/muscles.hpp"

namespace {

oi::Data plain_data(nb::handle object, int depth = 0) {
    if (depth > oi::kDeepest) throw nb::value_error("kernel: the data are nested too deeply");
    if (nb::isinstance<nb::dict>(object)) {
        oi::Data::Record record;
        for (const auto& [name, entry] : nb::borrow<nb::dict>(object)) {
            record.names.emplace_back(nb::cast<nb::str>(name).c_str());
            record.entries.push_back(plain_data(entry, depth + 1));
        }
        return {std::move(record)};
    }
    if (nb::isinstance<nb::str>(object)) return {std::string(nb::borrow<nb::str>(object).c_str())};
    if (nb::isinstance<nb::list>(object) || nb::isinstance<nb::tuple>(object)) {
        oi::Data::List entries;
        for (nb::handle entry : object) entries.push_back(plain_data(entry, depth + 1));
        return oi::Data::list(std::move(entries));
    }
    if (nb::isinstance<nb::float_>(object) || nb::isinstance<nb::int_>(object))
        return oi::Data::number(nb::cast<double>(object));
    if (nb::ndarray_check(object)) {
        const auto array = nb::cast<nb::ndarray<const double, nb::c_contig, nb::device::cpu>>(object);
        oi::Data::Numbers numbers{{array.data(), array.data() + array.size()}, {}};
        for (std::size_t axis = 0; axis < array.ndim(); ++axis) numbers.shape.push_back(array.shape(axis));
        return {std::move(numbers)};
    }
    const std::string kind = nb::cast<std::string>(nb::str(nb::handle(object.type()).attr("__name__")));
    throw nb::type_error(("kernel: plain data are dicts, lists, arrays, words and numbers, not " + kind).c_str());
}

}    // namespace

oi::MaterialMap<> map_from(const PlainRecord& map) {
    const oi::Data data = plain_data(map);
    return oi::read_map({data, "the material map"});
}

oi::WrapSurface surface_from(const PlainRecord& surface) {
    const oi::Data data = plain_data(surface);
    return oi::read_surface({data, "the surface"});
}

std::vector<oi::Muscle> muscles_from(const PlainRecords& muscles) {
    std::vector<oi::Muscle> read;
    for (nb::handle muscle : muscles) {
        const oi::Data data = plain_data(muscle);
        read.push_back(oi::read_muscle({data, "muscle " + std::to_string(read.size())}));
    }
    return read;
}
