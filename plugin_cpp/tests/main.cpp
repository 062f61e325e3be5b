// Tests of the kernel without Python: doctest runs what the other files register.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
