#!/bin/sh
# Checks every include and pragma under a source tree against the arrows between the folders:
#   examples, benchmarks, tests -> study -> layers, optim -> autograd -> autograd/kernels
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
  may["study"] = may["autograd"] "layers optim study "
  may["examples"] = may["study"] "examples "
  may["benchmarks"] = may["study"] "benchmarks "
  may["tests"] = may["study"] "tests "
}
function offend(why) {
  print FILENAME ":" FNR ": " $0 ": " why
  offences = 1
}
function module(path) {
  if (path ~ /^autograd\/kernels\//) return "kernels"
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
