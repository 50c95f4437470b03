// A preference order written in Python: an object with initial(), update(wealth, reward) and
// key(wealth), of which greater is better; wealths are hashable, and each is handed out once.
//
// Every step asks the interpreter, so this is for small problems. What was asked once is kept.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "quantiplan/structure.hpp"

namespace quantiplan::python {

struct StructureHandle {
  std::shared_ptr<Structure> structure;
};

std::shared_ptr<Structure> structure_in_python(const Model& model, nanobind::object order);

}  // namespace quantiplan::python
