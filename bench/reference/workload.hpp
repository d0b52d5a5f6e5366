// A workload in the Standard Workload Format, plain text, as the jobs that a simulation needs of it.
//
// Requested processors, else allocated ones; requested time, else the runtime, and never less than the
// runtime (the rule "extend"). Jobs without processors or runtime, or wider than the machine, are left
// out. Times are whole seconds since the submission of the first job that is simulated.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

using Seconds = std::int64_t;

struct Job {
  std::int64_t id;
  Seconds submit;
  Seconds runtime;
  Seconds estimate;
  std::int64_t procs;
  Seconds start = -1;
};

enum class Estimates { exact, requested };

// All of a file, or of standard input for "-".
inline std::string readAll(const std::string& path) {
  std::FILE* file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (file == nullptr) throw std::runtime_error("cannot open " + path);
  std::string text;
  std::vector<char> block(1 << 20);
  while (std::size_t got = std::fread(block.data(), 1, block.size(), file)) text.append(block.data(), got);
  if (file != stdin) std::fclose(file);
  return text;
}

// The first nine columns of a row; false where there are fewer.
inline bool readColumns(const char* at, const char* lineEnd, std::array<std::int64_t, 9>& columns) {
  for (auto& column : columns) {
    while (at < lineEnd && (*at == ' ' || *at == '\t')) ++at;
    if (at == lineEnd) return false;
    column = std::strtoll(at, nullptr, 10);
    while (at < lineEnd && *at != ' ' && *at != '\t') ++at;
  }
  return true;
}

inline std::vector<Job> readJobs(const std::string& text, std::int64_t capacity, Estimates estimates) {
  std::vector<Job> jobs;
  std::array<std::int64_t, 9> row{};
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = std::min(text.find('\n', begin), text.size());
    bool isRow = text[begin] != ';' && readColumns(text.data() + begin, text.data() + end, row);
    begin = end + 1;
    if (!isRow) continue;
    auto [id, submit, wait, runtime, allocated, cpuTime, memory, requestedProcs, requestedTime] = row;
    std::int64_t procs = requestedProcs > 0 ? requestedProcs : allocated;
    if (procs <= 0 || runtime <= 0 || procs > capacity) continue;
    Seconds estimate = estimates == Estimates::exact ? runtime : std::max(requestedTime, runtime);
    jobs.push_back({id, submit, runtime, estimate, procs});
  }
  std::stable_sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.submit < b.submit; });
  Seconds origin = jobs.empty() ? 0 : jobs.front().submit;
  for (Job& job : jobs) job.submit -= origin;
  return jobs;
}
