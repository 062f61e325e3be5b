// Tables of numbers as text, as Python's repr writes them: the shortest digits that are read back to the same bits.
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "arrays.hpp"

namespace {

// Longest: a sign, 17 digits and a point, "e-308" or up to four zeros before the digits.
constexpr std::size_t kLongest = 32;
// Python writes an exponent for numbers below 10^kLowest and from 10^kHighest on.
constexpr int kLowest = -4, kHighest = 16;

// Appends `value` to `text`.
void append(std::string& text, double value) {
    if (!std::isfinite(value)) {
        text += std::isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf";
        return;
    }
    std::array<char, kLongest> buffer;
    char* const end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value), std::chars_format::scientific).ptr;
    const std::string_view all(buffer.data(), static_cast<std::size_t>(end - buffer.data()));    // d.ddde+xx or de+xx
    const std::size_t mark = all.find('e');
    int exponent = 0;
    std::from_chars(buffer.data() + mark + 2, end, exponent);
    if (all[mark + 1] == '-') exponent = -exponent;
    if (std::signbit(value)) text += '-';
    if (exponent < kLowest || exponent >= kHighest) {
        text += all;
        return;
    }
    std::string digits(1, all[0]);
    if (mark > 1) digits += all.substr(2, mark - 2);
    const int count = static_cast<int>(digits.size());
    if (exponent < 0) {
        text += "0.";
        text.append(static_cast<std::size_t>(-exponent - 1), '0');
        text += digits;
    } else if (count <= exponent + 1) {
        text += digits;
        text.append(static_cast<std::size_t>(exponent + 1 - count), '0');
        text += ".0";
    } else {
        const auto whole = static_cast<std::size_t>(exponent + 1);
        text += std::string_view(digits).substr(0, whole);
        text += '.';
        text += std::string_view(digits).substr(whole);
    }
}

nb::bytes rows_as_text(const In<2>& values) {
    const std::size_t rows = values.shape(0), columns = values.shape(1);
    std::string text;
    {
        nb::gil_scoped_release release;
        text.reserve(rows * columns * 20);
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t column = 0; column < columns; ++column) {
                append(text, values(row, column));
                text += column + 1 < columns ? '\t' : '\n';
            }
    }
    return nb::bytes(text.data(), text.size());
}

}    // namespace

void bind_text(nb::module_& m) { m.def("rows_as_text", &rows_as_text, nb::arg("values")); }
