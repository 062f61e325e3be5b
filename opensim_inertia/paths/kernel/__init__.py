"""Input and evaluation of the kernel, the C++ code that integrates muscle mass along paths."""
