"""The kernel and how it is built: paths and wrap surfaces in the form that C++ takes."""
