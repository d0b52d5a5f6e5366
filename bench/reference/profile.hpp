// Free processors as a step function of time on [now, forever): a sorted vector of steps, each valid up
// to the next one, the last for ever. Neighbouring steps always differ.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "workload.hpp"

class Profile {
 public:
  explicit Profile(std::int64_t capacity) : capacity_(capacity), steps_{{0, capacity}} {}

  // Forgets what was before `now`.
  void advance(Seconds now) {
    std::size_t current = stepAt(now);
    steps_[current].time = now;
    steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(current));
  }

  // The earliest start, not before `from`, at which so many processors are free for so long.
  Seconds earliest(std::int64_t procs, Seconds duration, Seconds from) const {
    Seconds start = from;
    for (std::size_t i = stepAt(from); i < steps_.size() && steps_[i].time < start + duration; ++i) {
      if (steps_[i].free >= procs) continue;
      if (i + 1 == steps_.size()) throw std::logic_error("nothing ends what is in the way");
      start = steps_[i + 1].time;
    }
    return start;
  }

  void reserve(std::int64_t procs, Seconds start, Seconds end) { change(-procs, start, end); }

  void release(std::int64_t procs, Seconds start, Seconds end) { change(procs, start, end); }

 private:
  struct Step {
    Seconds time;
    std::int64_t free;
  };

  // The last step that begins at `time` or before it.
  std::size_t stepAt(Seconds time) const {
    auto after = std::upper_bound(steps_.begin(), steps_.end(), time,
                                  [](Seconds t, const Step& step) { return t < step.time; });
    return static_cast<std::size_t>(after - steps_.begin()) - 1;
  }

  void insertAt(std::size_t i, Step step) {
    steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(i), step);
  }

  void change(std::int64_t procs, Seconds start, Seconds end) {
    if (start >= end) return;
    std::size_t first = stepAt(start);
    if (steps_[first].time < start) {
      insertAt(first + 1, {start, steps_[first].free});
      ++first;
    }
    std::size_t i = first;
    for (; i < steps_.size() && steps_[i].time < end; ++i) {
      steps_[i].free += procs;
      if (steps_[i].free < 0 || steps_[i].free > capacity_) throw std::logic_error("free out of range");
    }
    if (i == steps_.size() || steps_[i].time > end) insertAt(i, {end, steps_[i - 1].free - procs});
    mergeWithPrevious(i);
    mergeWithPrevious(first);
  }

  void mergeWithPrevious(std::size_t i) {
    if (i > 0 && steps_[i - 1].free == steps_[i].free) {
      steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  std::int64_t capacity_;
  std::vector<Step> steps_;
};
