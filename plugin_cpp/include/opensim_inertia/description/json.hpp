// JSON as plain data. Infinity is a number, as Python writes it; null is not supported.
#pragma once

#include <charconv>
#include <stdexcept>
#include <string_view>

#include "opensim_inertia/description/data.hpp"

namespace opensim_inertia {

// Raises std::invalid_argument, which says where the text is no JSON.
class JsonReader {
  public:
    explicit JsonReader(std::string_view text) : text_(text) {}

    Data read() {
        Data data = value(0);
        skip_space();
        if (at_ < text_.size()) fail("it goes on after its end");
        return data;
    }

  private:
    std::string_view text_;
    std::size_t at_ = 0;

    [[noreturn]] void fail(const std::string& what) const {
        throw std::invalid_argument("at character " + std::to_string(at_) + ", " + what);
    }

    void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

    bool take(std::string_view expected) {
        if (text_.substr(at_, expected.size()) != expected) return false;
        at_ += expected.size();
        return true;
    }

    void need(char c) {
        skip_space();
        if (at_ == text_.size()) fail("it ends too early");
        if (text_[at_] != c) fail(std::string("'") + c + "' is expected, not '" + text_[at_] + "'");
        ++at_;
    }

    // Whether a list or record ends here; else a comma is taken, but before the first entry.
    bool ends(char end, bool is_first) {
        skip_space();
        if (take({&end, 1})) return true;
        if (!is_first) need(',');
        return false;
    }

    Data value(int depth) {
        if (depth > kDeepest) fail("the data are nested too deeply");
        skip_space();
        if (take("{")) return record(depth);
        if (take("[")) return list(depth);
        if (take("\"")) return {word()};
        if (take("true")) return Data::number(1);
        if (take("false")) return Data::number(0);
        return number();
    }

    Data record(int depth) {
        Data::Record found;
        while (!ends('}', found.names.empty())) {
            need('"');
            found.names.push_back(word());
            need(':');
            found.entries.push_back(value(depth + 1));
        }
        return {std::move(found)};
    }

    Data list(int depth) {
        Data::List found;
        while (!ends(']', found.empty())) found.push_back(value(depth + 1));
        return Data::list(std::move(found));
    }

    Data number() {
        double x = 0;
        const char *begin = text_.data() + at_, *end = text_.data() + text_.size();
        const auto [rest, error] = std::from_chars(begin, end, x);
        if (error != std::errc()) fail(begin == end ? "it ends too early" : "a number is expected");
        at_ += static_cast<std::size_t>(rest - begin);
        return Data::number(x);
    }

    // Up to its closing quotation mark.
    std::string word() {
        std::string found;
        while (!take("\"")) {
            if (at_ == text_.size()) fail("it ends within a word");
            const char c = text_[at_++];
            found += c == '\\' ? escaped() : c;
        }
        return found;
    }

    char escaped() {
        constexpr std::string_view kLetters = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
        const std::size_t which = at_ < text_.size() ? kLetters.find(text_[at_]) : std::string_view::npos;
        if (which == std::string_view::npos) fail("an unknown escape is in a word");
        ++at_;
        return kMeant[which];
    }
};

}    // namespace opensim_inertia
