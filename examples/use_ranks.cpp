// One query, solved by all processes that mpirun started: each gets the answer, one tells it.
#include <iostream>
#include <quantiplan/mpi.hpp>
#include <quantiplan/quantiplan.hpp>

void solve_together() {
  using namespace quantiplan;
  const Model model = generate("garnet", {{"states", "200"}, {"horizon", "10"}});
  Options options;
  options.ranks = join_mpi(MPI_COMM_WORLD);
  options.representation = Representation::dense;
  const Answer answer = solve(model, {.taus = {Rational(1, 10)}}, options);
  if (options.ranks->rank() > 0) return;
  std::cout << "at least " << to_text(*answer.results.front().quantile) << ", "
            << options.ranks->size() << " processes, "
            << (answer.work.sent_bytes > 0 ? "the work was shared\n" : "nothing was sent\n");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  solve_together();
  MPI_Finalize();
}
