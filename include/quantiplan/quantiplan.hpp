// Everything a user may include, in one line.
#pragma once

#include "quantiplan/answer.hpp"
#include "quantiplan/distribution.hpp"
#include "quantiplan/domains.hpp"
#include "quantiplan/episodes.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/report.hpp"
#include "quantiplan/run.hpp"
#include "quantiplan/solve.hpp"
#include "quantiplan/value.hpp"
#include "quantiplan/visible.hpp"
