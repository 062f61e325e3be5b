"""The kernel (C++ code that integrates muscle mass along paths): description of its input, and evaluation."""
