#include "headwise/autograd/grad_mode.h"

namespace headwise::op_mode {
namespace {

thread_local uint8_t mode = recording;

}  // namespace

uint8_t current() { return mode; }
void set(uint8_t which, bool on) { mode = static_cast<uint8_t>(on ? mode | which : mode & ~which); }
Scope::Scope(uint8_t which, bool on) : which_(which), before_((mode & which) != 0) { set(which, on); }
Scope::~Scope() { set(which_, before_); }

}  // namespace headwise::op_mode
