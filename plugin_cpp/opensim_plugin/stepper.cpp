// Simbody's integrators, which OpenSim's Manager uses, for Python: functions in C that make many steps in one call and
// give the states as plain arrays. Nothing here knows the muscles' inertia.
#include <Simbody.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

#if defined(_WIN32)
#define OPENSIM_INERTIA_EXPORT extern "C" __declspec(dllexport)
#else
#define OPENSIM_INERTIA_EXPORT extern "C" __attribute__((visibility("default")))
#endif

namespace {

using SimTK::Integrator;

/// Steps shorter than this share of the time to simulate, so many in a row, will not come to its end.
constexpr double kShortest = 1e-13;
constexpr int kStalled = 50;

std::shared_ptr<Integrator> make_integrator(const std::string& method, const SimTK::System& system) {
    if (method == "runge_kutta_merson") return std::make_shared<SimTK::RungeKuttaMersonIntegrator>(system);
    if (method == "cpodes") return std::make_shared<SimTK::CPodesIntegrator>(system);
    throw std::invalid_argument("there is no integrator '" + method + "'");
}

/// One run of an integrator, and what went wrong in it.
class Run {
  public:
    std::string error;

    void begin(const SimTK::System& system, const SimTK::State& start, double end, const std::string& method,
               double accuracy, double constraint_tolerance, double longest_step, double first_step) {
        end_ = end;
        start_ = advanced_ = start.getTime();
        integrator_ = make_integrator(method, system);
        integrator_->setFinalTime(end);    // CPODES must know it from the beginning
        integrator_->setAccuracy(accuracy);
        integrator_->setConstraintTolerance(constraint_tolerance);
        integrator_->setReturnEveryInternalStep(true);
        integrator_->setAllowInterpolation(method == "cpodes");    // with its own order; the other's is lower
        if (std::isfinite(longest_step)) integrator_->setMaximumStepSize(longest_step);
        if (first_step > 0) integrator_->setInitialStepSize(first_step);
        stepper_ = std::make_unique<SimTK::TimeStepper>(system, *integrator_);
        stepper_->setReportAllSignificantStates(true);
        stepper_->initialize(start);
    }

    /// Writes the states at `reports` (ascending, none after the end), or after every step where their count is
    /// negative; `most` limits steps and rows. Counts in `rows` what it has written.
    void advance(const double* reports, int report_count, int most, double* times, double* y, int& rows) {
        for (int step = 0; step < most && time() < end_; ++step) {
            const double before = time();
            stepper_->stepTo(rows < report_count ? reports[rows] : end_);
            check_progress();
            if (integrator_->isSimulationOver() && integrator_->getTerminationReason() != Integrator::ReachedFinalTime)
                throw std::runtime_error(Integrator::getTerminationReasonString(integrator_->getTerminationReason()));
            if (report_count < 0 ? time() > before : rows < report_count && time() >= reports[rows]) {
                times[rows] = time();
                write_state(y + rows * std::size_t(integrator_->getState().getNY()));
                ++rows;
            }
        }
    }

    void write_state(double* y) const {
        const SimTK::Vector& now = integrator_->getState().getY();
        for (int i = 0; i < now.size(); ++i) y[i] = now[i];
    }
    double time() const { return integrator_->getTime(); }
    double next_step() const { return integrator_->getPredictedNextStepSize(); }
    int evaluations() const { return integrator_->getNumRealizations(); }

  private:
    double end_ = 0, start_ = 0, advanced_ = 0;
    int short_steps_ = 0;

    /// Steps may become shorter and shorter where the model cannot be evaluated any further.
    void check_progress() {
        if (integrator_->isStateInterpolated()) return;    // within a step
        const double advanced = integrator_->getAdvancedTime();
        short_steps_ = advanced - advanced_ < kShortest * (end_ - start_) && advanced < end_ ? short_steps_ + 1 : 0;
        advanced_ = advanced;
        if (short_steps_ > kStalled) throw std::runtime_error("the steps become too short");
    }

    std::shared_ptr<Integrator> integrator_;
    std::unique_ptr<SimTK::TimeStepper> stepper_;
};

}    // namespace

/// A run, to be deleted, also where it could not begin: then its error says why.
OPENSIM_INERTIA_EXPORT Run* opensim_inertia_run(const SimTK::MultibodySystem* system, const SimTK::State* start,
                                                double end, const char* method, double accuracy,
                                                double constraint_tolerance, double longest_step, double first_step) {
    auto run = std::make_unique<Run>();
    try {
        run->begin(*system, *start, end, method, accuracy, constraint_tolerance, longest_step, first_step);
    } catch (const std::exception& error) {
        run->error = error.what();
    }
    return run.release();
}

/// As Run::advance; returns the number of rows. After an error the run goes no further.
OPENSIM_INERTIA_EXPORT int opensim_inertia_run_advance(Run* run, const double* reports, int report_count, int most,
                                                       double* times, double* y) {
    int rows = 0;
    try {
        run->advance(reports, report_count, most, times, y, rows);
    } catch (const std::exception& error) {
        run->error = error.what();
    }
    return rows;
}

OPENSIM_INERTIA_EXPORT const char* opensim_inertia_run_error(const Run* run) { return run->error.c_str(); }
OPENSIM_INERTIA_EXPORT void opensim_inertia_run_state(const Run* run, double* y) { run->write_state(y); }
OPENSIM_INERTIA_EXPORT double opensim_inertia_run_time(const Run* run) { return run->time(); }
OPENSIM_INERTIA_EXPORT double opensim_inertia_run_next_step(const Run* run) { return run->next_step(); }
OPENSIM_INERTIA_EXPORT int opensim_inertia_run_evaluations(const Run* run) { return run->evaluations(); }
OPENSIM_INERTIA_EXPORT void opensim_inertia_run_delete(Run* run) { delete run; }
