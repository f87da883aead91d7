// All of headwise/optim.
#pragma once

#include "headwise/optim/adam.h"
#include "headwise/optim/optimiser.h"
#include "headwise/optim/sgd.h"
