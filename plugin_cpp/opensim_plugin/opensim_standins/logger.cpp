// What OpenSim's header templates log from within the plugin goes nowhere: what it has to say it says by exceptions.
// These two functions of OpenSim 4.6 are gone in 4.6.1, which formats without spdlog; compiled hidden, they are the
// plugin's own, so that it needs neither.
#include <OpenSim/Common/Logger.h>

namespace OpenSim {

bool Logger::shouldLog(Level) { return false; }

spdlog::logger& Logger::getDefaultLogger() {
    static char nothing;
    return reinterpret_cast<spdlog::logger&>(nothing);    // never asked for anything
}

}    // namespace OpenSim
