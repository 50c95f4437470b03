// The extension module quantiplan._core.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <typeinfo>

#include "bindings.hpp"
#include "objects.hpp"
#include "structure.hpp"

namespace quantiplan::python {

// The classes of exceptions are Python's (quantiplan/_errors.py), one for each code.
void bind_errors(nb::module_& module) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      nb::list problems;
      for (const Problem& problem : error.problems())
        problems.append(nb::make_tuple(problem.place, problem.message));
      const nb::object exception =
          nb::module_::import_("quantiplan._errors")
              .attr("from_library")(static_cast<int>(error.code()), problems);
      PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
    } catch (const std::bad_cast&) {
      PyErr_SetString(PyExc_TypeError, "found an argument of another type than is expected");
    }
  });
  module.def("version", [] { return std::string(version()); });
  module.def("option_names", [] {
    nb::list names;
    for (const OptionEntry& entry : option_table())
      names.append(nb::make_tuple(std::string(entry.name), std::string(entry.help)));
    return names;
  });
  nb::class_<StructureHandle>(module, "Structure");
  module.def("structure", [](const ReadModel& read, nb::object order) {
    return StructureHandle{structure_in_python(read.model, std::move(order))};
  });
}

}  // namespace quantiplan::python

NB_MODULE(_core, module) {
  using namespace quantiplan::python;
  // Where a script ends, its functions and the answers that they keep may hold each other: nobody's fault.
  nb::set_leak_warnings(nb::cast<bool>(nb::module_::import_("sys").attr("flags").attr("dev_mode")));
  bind_errors(module);
  bind_model(module);
  bind_distribution(module);
  bind_policy(module);
  bind_accounts(module);
  bind_criteria(module);
  bind_queries(module);
}
