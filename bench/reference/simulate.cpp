// The yardstick of bench/simulate.ts: a plain simulator of one pool of processors, written from the rules
// of src/queue/README.md alone. Neither naive on purpose nor tuned: what the standard library offers,
// and every rule in the words it is written in.
//
//   c++ -std=c++17 -O2 -o simulate simulate.cpp
//   simulate TRACE.swf --procs N --discipline fcfs|easy|conservative --estimates exact|requested [--quiet]
//
// TRACE.swf may be "-", standard input. Writes job_id,submit,start,end,procs in order of submission
// (nothing with --quiet), and to standard error how long reading and simulating took.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <queue>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "disciplines.hpp"
#include "workload.hpp"

namespace {

struct Options {
  std::string trace;
  std::int64_t procs = 0;
  std::string discipline = "easy";
  Estimates estimates = Estimates::requested;
  bool isQuiet = false;
};

Estimates estimatesOf(const std::string& word) {
  if (word == "exact") return Estimates::exact;
  if (word == "requested") return Estimates::requested;
  throw std::invalid_argument("estimates are exact or requested, not " + word);
}

Options optionsOf(const std::vector<std::string>& words) {
  Options options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--quiet") {
      options.isQuiet = true;
    } else if (word.rfind("--", 0) != 0) {
      options.trace = word;
    } else if (++i == words.size()) {
      throw std::invalid_argument(word + " needs a value");
    } else if (word == "--procs") {
      options.procs = std::stoll(words[i]);
    } else if (word == "--discipline") {
      options.discipline = words[i];
    } else if (word == "--estimates") {
      options.estimates = estimatesOf(words[i]);
    } else {
      throw std::invalid_argument("unknown option " + word);
    }
  }
  if (options.trace.empty() || options.procs <= 0) throw std::invalid_argument("needs a trace and --procs");
  return options;
}

std::unique_ptr<Discipline> disciplineOf(const Options& options, const std::vector<Job>& jobs,
                                         Starter starter) {
  const std::string& name = options.discipline;
  if (name == "fcfs") return std::make_unique<Fcfs>(jobs, options.procs, std::move(starter));
  if (name == "easy") return std::make_unique<Easy>(jobs, options.procs, std::move(starter));
  if (name == "conservative") return std::make_unique<Conservative>(jobs, options.procs, std::move(starter));
  throw std::invalid_argument("unknown discipline " + name);
}

// Gives every job its start. Instants are visited in order; within one, first all ends, then arrivals.
void simulate(std::vector<Job>& jobs, const Options& options) {
  using End = std::pair<Seconds, JobIndex>;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends;
  Seconds now = 0;
  auto discipline = disciplineOf(options, jobs, [&](JobIndex job) {
    jobs[job].start = now;
    ends.push({now + jobs[job].runtime, job});
  });
  JobIndex next = 0;
  for (;;) {
    Seconds arrival = next < jobs.size() ? jobs[next].submit : never;
    Seconds end = ends.empty() ? never : ends.top().first;
    now = std::min({arrival, end, discipline->wakeAt()});
    if (now == never) return;
    discipline->advance(now);
    for (; !ends.empty() && ends.top().first == now; ends.pop()) discipline->end(ends.top().second);
    discipline->settleEnds();
    for (; next < jobs.size() && jobs[next].submit == now; ++next) discipline->arrive(next);
    discipline->settle();
  }
}

void writeJobs(const std::vector<Job>& jobs) {
  std::puts("job_id,submit,start,end,procs");
  for (const Job& job : jobs) {
    std::printf("%lld,%lld,%lld,%lld,%lld\n", static_cast<long long>(job.id),
                static_cast<long long>(job.submit), static_cast<long long>(job.start),
                static_cast<long long>(job.start + job.runtime), static_cast<long long>(job.procs));
  }
}

double millisecondsSince(std::chrono::steady_clock::time_point beganAt) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - beganAt).count();
}

void run(const Options& options) {
  auto readingBeganAt = std::chrono::steady_clock::now();
  std::vector<Job> jobs = readJobs(readAll(options.trace), options.procs, options.estimates);
  double readMs = millisecondsSince(readingBeganAt);
  auto simulationBeganAt = std::chrono::steady_clock::now();
  simulate(jobs, options);
  double simulationMs = millisecondsSince(simulationBeganAt);
  if (!options.isQuiet) writeJobs(jobs);
  std::fprintf(stderr, "jobs %zu read_ms %.3f simulation_ms %.3f\n", jobs.size(), readMs, simulationMs);
}

}  // namespace

int main(int count, char** words) {
  try {
    run(optionsOf({words + 1, words + count}));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "simulate: %s\n", error.what());
    return 1;
  }
}
