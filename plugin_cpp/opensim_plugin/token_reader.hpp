// Words and numbers out of a text, one after the other. What is not as expected is an error that says where.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace opensim_inertia::native {

class TokenReader {
  public:
    explicit TokenReader(std::string_view text) : rest_(text) {}

    // Named in errors: what is being read.
    std::string place = "its first words";

    std::string_view word() {
        skip_space();
        if (rest_.empty()) fail("it ends too early");
        const std::size_t end = std::min(rest_.find_first_of(kSpace), rest_.size());
        const std::string_view found = rest_.substr(0, end);
        rest_.remove_prefix(end);
        return found;
    }

    void expect(std::string_view wanted) {
        const std::string_view found = word();
        if (found != wanted) fail("'" + std::string(wanted) + "' is expected, not " + quoted(found));
    }

    int integer(int low, int high) {
        const std::string_view found = word();
        int value = 0;
        const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), value);
        if (error != std::errc() || end != found.data() + found.size() || value < low || value > high)
            fail("an integer from " + std::to_string(low) + " to " + std::to_string(high) + " is expected, not " +
                 quoted(found));
        return value;
    }

    // Of things that take at least one word each, so that the text can hold them.
    std::size_t count() { return static_cast<std::size_t>(integer(0, static_cast<int>(most_words()))); }

    double number() {
        const double value = number_or_infinity();
        if (!std::isfinite(value)) fail("a finite number is expected");
        return value;
    }

    double number_or_infinity() {
        const std::string_view found = word();
        double value = 0;
        const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), value);
        if (error != std::errc() || end != found.data() + found.size() || std::isnan(value))
            fail("a number is expected, not " + quoted(found));
        return value;
    }

    bool flag() { return integer(0, 1) == 1; }

    void end() {
        skip_space();
        if (!rest_.empty()) fail("it goes on after its end");
    }

    // FNV-1a of the words that are left, each followed by a space.
    std::uint64_t checksum() const {
        TokenReader words(rest_);
        std::uint64_t sum = 14695981039346656037ULL;
        const auto add = [&](char c) { sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211ULL; };
        for (words.skip_space(); !words.rest_.empty(); words.skip_space()) {
            for (char c : words.word()) add(c);
            add(' ');
        }
        return sum;
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error("the description cannot be read: in " + place + ", " + what);
    }

  private:
    static constexpr std::string_view kSpace = " \t\r\n";

    std::string_view rest_;

    void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(kSpace), rest_.size())); }

    std::size_t most_words() const { return std::min<std::size_t>(rest_.size() / 2 + 1, 1 << 30); }

    static std::string quoted(std::string_view found) {
        return "'" + std::string(found.substr(0, 40)) + (found.size() > 40 ? "...'" : "'");
    }
};

}    // namespace opensim_inertia::native
