#!/bin/sh
# Checks every include and pragma under a source tree against the arrows between the folders:
#   examples, benchmarks, tests -> study -> layers, optim -> autograd -> autograd/kernels
# A folder cases/ sees the folder above it and is seen by study and tests alone.
# Prints each offending line as file:line: text: why, and exits 1 if there is one.
# Usage: arrows.sh ROOT
set -eu
cd "$1"
files=$(find autograd layers optim study examples benchmarks tests -name '*.h' -o -name '*.cpp' | sort)
[ -n "$files" ] || { echo "arrows.sh: no sources under $1" >&2; exit 1; }

# shellcheck disable=SC2086  # no name has a space
awk '
BEGIN {
  may["kernels"] = " kernels "
  may["autograd"] = may["kernels"] "autograd "
  may["layers"] = may["autograd"] "layers "
  may["optim"] = may["autograd"] "optim "
  may["autograd/cases"] = " autograd autograd/cases "
  may["layers/cases"] = may["autograd/cases"] "layers layers/cases "
  may["study"] = may["autograd"] may["layers/cases"] "optim study "
  may["examples"] = may["autograd"] "layers optim study examples "
  may["benchmarks"] = may["autograd"] "layers optim study benchmarks "
  may["tests"] = may["study"] "tests "
}
function offend(why) {
  print FILENAME ":" FNR ": " $0 ": " why
  offences = 1
}
function module(path) {
  if (path ~ /^autograd\/kernels\//) return "kernels"
  if (path ~ /^(autograd|layers)\/cases\//) return substr(path, 1, index(path, "cases") + 4)
  sub(/\/.*/, "", path)
  return path
}
{ from = module(FILENAME) }
/^[ \t]*#[ \t]*include[ \t]*"/ {
  path = $0
  sub(/^[^"]*"/, "", path)
  sub(/".*/, "", path)
  if (path ~ /^headwise\//)
    sub(/^headwise\//, "", path)
  else if (from == "tests" && path ~ /^tests\//)
    ;
  else
    offend("an include of ours begins with headwise/")
  if (path ~ /\// && index(may[from], " " module(path) " ") == 0)
    offend(from " must not include " module(path))
}
/^[ \t]*#[ \t]*include[ \t]*<headwise\// { offend("an include of ours is in quotes") }
/^[ \t]*#[ \t]*include[ \t]*<omp\.h>|^[ \t]*#[ \t]*pragma[ \t]+omp|_Pragma\("omp/ {
  if (from !~ /^(kernels|tests|benchmarks)$/) offend("OpenMP lives in autograd/kernels alone")
}
/^[ \t]*#[ \t]*include[ \t]*<(unsupported\/)?Eigen\// {
  if (from !~ /^(kernels|tests|benchmarks)$/ && FILENAME != "autograd/eigen.h")
    offend("Eigen lives in autograd/kernels and autograd/eigen.h alone")
}
END { exit offences }
' $files
