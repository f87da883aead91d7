// Catch2's main for every test program; Catch2 3 brings its own.
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_MAIN
#include "tests/catch.h"
#endif
