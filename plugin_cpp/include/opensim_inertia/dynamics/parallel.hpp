// Work on many states by several threads. States are independent, so that results do not depend on the number of
// threads.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <thread>
#include <vector>

namespace opensim_inertia {

// A thread is worth its start for no fewer states than these.
constexpr std::size_t kStatesPerThread = 8;

// As many as there are processors, or OMP_NUM_THREADS if that is less, for so many states.
inline std::size_t thread_count(std::size_t states) {
    std::size_t most = std::max(1U, std::thread::hardware_concurrency());
    if (const char* wanted = std::getenv("OMP_NUM_THREADS")) {
        const long number = std::strtol(wanted, nullptr, 10);
        if (number > 0) most = std::min(most, static_cast<std::size_t>(number));
    }
    return std::clamp(states / kStatesPerThread, std::size_t{1}, most);
}

// Calls work(thread, first, last) for neighbouring ranges of the states, each in a thread. Raises what the first of
// them raises.
template <class Work>
void share_states(std::size_t states, std::size_t threads, const Work& work) {
    std::vector<std::exception_ptr> errors(threads);
    const auto guarded = [&](std::size_t thread) {
        try {
            work(thread, states * thread / threads, states * (thread + 1) / threads);
        } catch (...) {
            errors[thread] = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(guarded, thread);
    guarded(0);
    for (std::thread& other : others) other.join();
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
}

}    // namespace opensim_inertia
