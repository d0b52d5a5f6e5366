// FCFS, EASY and conservative backfilling over one pool of processors, each as its rule reads.
//
// Jobs are named by their place in the trace, which is the order of arrival. The driver (simulate.cpp)
// tells a discipline of one instant in this order: `advance`, every `end`, `settleEnds`, every `arrive`,
// `settle`. A discipline starts a job by calling `starter`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "profile.hpp"
#include "workload.hpp"

constexpr Seconds never = std::numeric_limits<Seconds>::max();

using JobIndex = std::size_t;
using Starter = std::function<void(JobIndex)>;

class Discipline {
 public:
  Discipline(const std::vector<Job>& jobs, Starter starter) : jobs_(jobs), starter_(std::move(starter)) {}
  virtual ~Discipline() = default;

  virtual void advance(Seconds now) { now_ = now; }
  virtual void end(JobIndex job) = 0;
  virtual void settleEnds() {}
  virtual void arrive(JobIndex job) = 0;
  virtual void settle() = 0;
  // When something starts although nothing ends or arrives.
  virtual Seconds wakeAt() const { return never; }

 protected:
  Seconds now_ = 0;
  const std::vector<Job>& jobs_;
  Starter starter_;
};

// Strictly in order of arrival.
class Fcfs : public Discipline {
 public:
  Fcfs(const std::vector<Job>& jobs, std::int64_t capacity, Starter starter)
      : Discipline(jobs, std::move(starter)), free_(capacity) {}

  void end(JobIndex job) override { free_ += jobs_[job].procs; }
  void arrive(JobIndex job) override { queue_.push_back(job); }

  void settle() override {
    while (!queue_.empty() && jobs_[queue_.front()].procs <= free_) {
      free_ -= jobs_[queue_.front()].procs;
      starter_(queue_.front());
      queue_.pop_front();
    }
  }

 private:
  std::int64_t free_;
  std::deque<JobIndex> queue_;
};

// Aggressive backfilling: only the head of the queue holds a promise, the shadow time.
class Easy : public Discipline {
 public:
  Easy(const std::vector<Job>& jobs, std::int64_t capacity, Starter starter)
      : Discipline(jobs, std::move(starter)), free_(capacity) {}

  void end(JobIndex job) override {
    free_ += jobs_[job].procs;
    running_.erase({jobs_[job].start + jobs_[job].estimate, job});
  }
  void arrive(JobIndex job) override { queue_.push_back(job); }

  void settle() override {
    auto head = queue_.begin();
    while (head != queue_.end() && jobs_[*head].procs <= free_) start(*head++);
    head = queue_.erase(queue_.begin(), head);
    if (head == queue_.end() || free_ == 0) return;
    auto [shadow, extra] = promise(jobs_[*head].procs);
    auto kept = head + 1;
    auto candidate = kept;
    for (; candidate != queue_.end() && free_ > 0; ++candidate) {
      const Job& job = jobs_[*candidate];
      bool endsByShadow = now_ + job.estimate <= shadow;
      if (job.procs <= free_ && (endsByShadow || job.procs <= extra)) {
        if (!endsByShadow) extra -= job.procs;
        start(*candidate);
      } else {
        *kept++ = *candidate;
      }
    }
    queue_.erase(kept, candidate);
  }

 private:
  void start(JobIndex job) {
    free_ -= jobs_[job].procs;
    running_.insert({now_ + jobs_[job].estimate, job});
    starter_(job);
  }

  // The shadow time of a head that needs so many processors, and what is free beside it then.
  std::pair<Seconds, std::int64_t> promise(std::int64_t procs) const {
    Seconds shadow = now_;
    std::int64_t free = free_;
    for (const auto& [estimatedEnd, job] : running_) {
      if (free >= procs && estimatedEnd > shadow) break;
      shadow = estimatedEnd;
      free += jobs_[job].procs;
    }
    return {shadow, free - procs};
  }

  std::int64_t free_;
  std::vector<JobIndex> queue_;
  std::set<std::pair<Seconds, JobIndex>> running_;
};

// Every waiting job holds a promise; the schedule is compressed when a job ends before its estimate.
class Conservative : public Discipline {
 public:
  Conservative(const std::vector<Job>& jobs, std::int64_t capacity, Starter starter)
      : Discipline(jobs, std::move(starter)), profile_(capacity), planned_(jobs.size()) {}

  void advance(Seconds now) override {
    now_ = now;
    profile_.advance(now);
  }

  void end(JobIndex job) override {
    Seconds estimatedEnd = jobs_[job].start + jobs_[job].estimate;
    if (estimatedEnd == now_) return;
    profile_.release(jobs_[job].procs, now_, estimatedEnd);
    isEarly_ = true;
  }

  void settleEnds() override {
    if (isEarly_) compress();
    isEarly_ = false;
    settle();
  }

  void arrive(JobIndex job) override {
    queue_.push_back(job);
    place(job);
    due_.insert({planned_[job], job});
  }

  void settle() override {
    while (wakeAt() == now_) {
      JobIndex job = due_.begin()->second;
      due_.erase(due_.begin());
      queue_.erase(std::lower_bound(queue_.begin(), queue_.end(), job));
      starter_(job);
    }
  }

  Seconds wakeAt() const override { return due_.empty() ? never : due_.begin()->first; }

 private:
  // In order of arrival, each job is taken out of the profile and put where it is earliest.
  void compress() {
    for (JobIndex job : queue_) {
      Seconds before = planned_[job];
      profile_.release(jobs_[job].procs, before, before + jobs_[job].estimate);
      place(job);
      if (planned_[job] == before) continue;
      due_.erase({before, job});
      due_.insert({planned_[job], job});
    }
  }

  void place(JobIndex job) {
    const Job& it = jobs_[job];
    planned_[job] = profile_.earliest(it.procs, it.estimate, now_);
    profile_.reserve(it.procs, planned_[job], planned_[job] + it.estimate);
  }

  Profile profile_;
  std::vector<JobIndex> queue_;
  std::vector<Seconds> planned_;
  std::set<std::pair<Seconds, JobIndex>> due_;
  bool isEarly_ = false;
};
