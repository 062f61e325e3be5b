// How a muscle's mass is spread over its material coordinates.
#pragma once

#include <vector>

namespace opensim_inertia {

struct MassDistribution {
    double total = 0;
    bool continuous = true;               // uniform over chi and xi in [0, 1]; else point masses
    std::vector<double> chi, xi, mass;    // point masses

    static MassDistribution uniform(double total) {
        MassDistribution d;
        d.total = total;
        return d;
    }

    static MassDistribution points(std::vector<double> chi, std::vector<double> xi, std::vector<double> mass) {
        MassDistribution d;
        d.continuous = false;
        for (double m : mass) d.total += m;
        d.chi = std::move(chi);
        d.xi = std::move(xi);
        d.mass = std::move(mass);
        return d;
    }
};

}    // namespace opensim_inertia
