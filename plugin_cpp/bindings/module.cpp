// The thin layer between Python and the kernel.
#include <nanobind/nanobind.h>

void bind_paths(nanobind::module_& m);
void bind_state(nanobind::module_& m);
void bind_kernel(nanobind::module_& m);
void bind_derivatives(nanobind::module_& m);

NB_MODULE(_kernel, m) {
    m.doc() = "Mass points on musculotendon paths: Jacobians, added mass, quadratic velocity vector and gravity.";
    bind_paths(m);
    bind_state(m);
    bind_kernel(m);
    bind_derivatives(m);
}
