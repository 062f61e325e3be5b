// Storage in which one call of the kernel works, kept for the next one.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "opensim_inertia/dynamics/carrier_sum.hpp"
#include "opensim_inertia/dynamics/carrier_terms.hpp"
#include "opensim_inertia/dynamics/forces_abreast.hpp"
#include "opensim_inertia/dynamics/mass_speeds.hpp"
#include "opensim_inertia/dynamics/straight_terms.hpp"

namespace opensim_inertia {

struct Workspace {
    LaidMuscle<double> laid;
    DividedMuscle<double> divided;
    CarrierColumns carriers;
    CarrierTerms terms;
    MassSpeeds speeds;
    StraightTerms straight;
    CarrierSum sum;
    std::vector<FrozenMass> frozen;    // of all muscles, one for each body
    MuscleForces<double> forces;
    ForcesAbreast group;

    Workspace(int bodies, int speeds) : sum(bodies, speeds) {}
};

// As many as there are calls at a time.
class WorkspacePool {
  public:
    WorkspacePool(int bodies, int speeds) : bodies_(bodies), speeds_(speeds) {}

    // A workspace of one's own, which goes back to the pool with this object.
    class Loan {
      public:
        explicit Loan(WorkspacePool& pool) : pool_(pool), own_(pool.take()) {}
        Loan(const Loan&) = delete;
        Loan& operator=(const Loan&) = delete;
        ~Loan() { pool_.give_back(std::move(own_)); }
        Workspace* operator->() const { return own_.get(); }
        Workspace& operator*() const { return *own_; }

      private:
        WorkspacePool& pool_;
        std::unique_ptr<Workspace> own_;
    };

  private:
    int bodies_, speeds_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Workspace>> free_;

    std::unique_ptr<Workspace> take() {
        {
            const std::lock_guard lock(mutex_);
            if (!free_.empty()) {
                auto last = std::move(free_.back());
                free_.pop_back();
                return last;
            }
        }
        return std::make_unique<Workspace>(bodies_, speeds_);
    }

    void give_back(std::unique_ptr<Workspace> workspace) {
        const std::lock_guard lock(mutex_);
        free_.push_back(std::move(workspace));
    }
};

}    // namespace opensim_inertia
