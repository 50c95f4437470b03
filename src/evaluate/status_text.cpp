#include "quantiplan/answer.hpp"

namespace quantiplan {

std::string_view to_text(Status status) {
  switch (status) {
    case Status::not_called:
      return "not_called";
    case Status::solved:
      return "solved";
    case Status::limit_reached:
      return "limit_reached";
    case Status::interrupted:
      return "interrupted";
    case Status::unsettled:
      return "unsettled";
  }
  return "";
}

std::string_view to_text(Certificate certificate) {
  switch (certificate) {
    case Certificate::none:
      return "none";
    case Certificate::exact:
      return "exact";
    case Certificate::bracket:
      return "bracket";
    case Certificate::tie:
      return "tie";
  }
  return "";
}

}  // namespace quantiplan
