// All of headwise/layers.
#pragma once

#include "headwise/layers/dropout.h"
#include "headwise/layers/embedding.h"
#include "headwise/layers/gradcheck.h"
#include "headwise/layers/init.h"
#include "headwise/layers/layer_norm.h"
#include "headwise/layers/linear.h"
#include "headwise/layers/module.h"
#include "headwise/layers/multi_head_attention.h"
#include "headwise/layers/observation.h"
