#!/bin/sh
# A bracket or semicolon in a test case's name makes ctest take the names after it for one: those tests would never run.
# Usage: test_names.sh FOLDER
set -eu
if grep -rnE 'TEST_CASE\("[^"]*[][;]' "$1"; then
  echo "the names above hold a bracket or a semicolon"
  exit 1
fi
