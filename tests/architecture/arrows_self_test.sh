#!/bin/sh
# Shows that arrows.sh can fail: every line below breaks one rule and must be reported with its file and line.
set -eu
arrows=$(dirname "$0")/arrows.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/autograd/kernels" "$tree/autograd/cases" "$tree/layers/cases" "$tree/optim" "$tree/study" "$tree/examples" "$tree/benchmarks" \
  "$tree/tests"
echo '#include "headwise/autograd/tensor.h"' > "$tree/layers/fine.h"
echo '#include "headwise/autograd/cases/cases.h"' > "$tree/layers/cases/fine.cpp"
echo '#include "tests/catch.h"' > "$tree/tests/fine.cpp"
echo '#include "headwise/layers/cases/cases.h"' > "$tree/study/fine.cpp"
sh "$arrows" "$tree" || { echo "a clean tree was refused"; exit 1; }

must_report() {
  printf '// first line\n%s\n' "$2" > "$tree/$1"
  if report=$(sh "$arrows" "$tree"); then
    echo "not reported: $1: $2"
    exit 1
  fi
  case "$report" in
    "$1:2: $2: "*) ;;
    *) echo "reported without file, line or text: $report"; exit 1 ;;
  esac
  rm "$tree/$1"
}

must_report autograd/kernels/a.h '#include "headwise/autograd/tensor.h"'
must_report autograd/kernels/a.cpp '#include "headwise/layers/linear.h"'
must_report autograd/a.h '#include "headwise/layers/linear.h"'
must_report autograd/a.cpp '#  include "headwise/study/task.h"'
must_report layers/a.h '#include "headwise/optim/adam.h"'
must_report layers/a.cpp '#include "headwise/study/task.h"'
must_report optim/a.h '#include "headwise/layers/module.h"'
must_report optim/a.cpp '#include "headwise/study/task.h"'
must_report autograd/a.cpp '#include "headwise/autograd/cases/cases.h"'
must_report autograd/cases/a.cpp '#include "headwise/layers/linear.h"'
must_report layers/a.cpp '#include "headwise/layers/cases/cases.h"'
must_report examples/a.cpp '#include "headwise/autograd/cases/cases.h"'
must_report study/a.cpp '#include "headwise/tests/catch.h"'
must_report study/a.h '#include "headwise/examples/a.h"'
must_report examples/a.cpp '#include "headwise/benchmarks/a.h"'
must_report layers/a.cpp '#include "linear.h"'
must_report layers/a.cpp '#include "layers/linear.h"'
must_report layers/a.cpp '#include <headwise/layers/linear.h>'
must_report optim/a.cpp '#pragma omp parallel for'
must_report layers/a.cpp '#include <omp.h>'
must_report study/a.cpp '  _Pragma("omp simd")'
must_report autograd/a.cpp '#include <Eigen/Core>'
