// Plain data that describe the kernel's objects: numbers of some shape, words, lists, and records of named
// entries. Python gives it as dicts, lists and arrays (bindings/plain_data.cpp), a model file as JSON (json.hpp).
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace opensim_inertia {

// Of data that are nested more deeply than this nothing is read.
constexpr int kDeepest = 16;

struct Data {
    struct Numbers {
        std::vector<double> values;        // rows first
        std::vector<std::size_t> shape;    // without axes: one number
    };
    using List = std::vector<Data>;
    struct Record {
        std::vector<std::string> names;
        std::vector<Data> entries;
    };

    std::variant<Numbers, std::string, List, Record> content;

    static Data number(double x) { return {Numbers{{x}, {}}}; }

    // A list, or an array if its entries are numbers of one shape.
    static Data list(List entries) {
        Numbers all{{}, {entries.size()}};
        for (const Data& entry : entries) {
            const auto* numbers = std::get_if<Numbers>(&entry.content);
            if (!numbers || numbers->shape != std::get<Numbers>(entries.front().content).shape)
                return {std::move(entries)};
            all.values.insert(all.values.end(), numbers->values.begin(), numbers->values.end());
        }
        if (!entries.empty()) {
            const auto& shape = std::get<Numbers>(entries.front().content).shape;
            all.shape.insert(all.shape.end(), shape.begin(), shape.end());
        }
        return {std::move(all)};
    }
};

}    // namespace opensim_inertia
