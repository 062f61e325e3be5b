// The thin layer between Python and the kernel.
#include <nanobind/nanobind.h>

void bind_paths(nanobind::module_& m);
void bind_state(nanobind::module_& m);
void bind_kernel(nanobind::module_& m);
void bind_derivatives(nanobind::module_& m);
void bind_swinging(nanobind::module_& m);
void bind_text(nanobind::module_& m);
void bind_samples(nanobind::module_& m);

NB_MODULE(_kernel, m) {
    m.doc() =
        R"(Mass points on musculotendon paths: Jacobians, added mass, quadratic velocity vector and gravity.

Nothing here remembers a call: a kernel, its muscles and a state are immutable, and whatever a muscle's path needs from
outside travels with the state. One kernel may be used from several threads at once; the methods of :class:`Kernel`
release the GIL while they compute.

The order of arguments is the same everywhere: the state or states, accelerations, the rest, and last ``which``: the
numbers of the muscles (None: all of them). ``remarks`` are two lists: the numbers of the muscles whose fibres are held at
their shortest length, and for each doubt about a path the number of the state, among those of the call, of the muscle,
and a word: "divided", "fast" or "inside"; all in ascending order, each once.)";
    // When it exits, Python does not collect all objects that refer to one another.
    nanobind::set_leak_warnings(false);
    bind_paths(m);
    bind_state(m);
    bind_kernel(m);
    bind_derivatives(m);
    bind_swinging(m);
    bind_text(m);
    bind_samples(m);
}
