// A program of ours run for real: spawned with its output in a file, signalled, waited for. One thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace obsync::test {

class process {
 public:
  // Starts `program` with `arguments`; standard output and error go to `output_path`, `input` to its standard
  // input. `environment` adds NAME=value to this process's own.
  process(const std::string& program, const std::vector<std::string>& arguments, std::string output_path,
          const std::string& input = {}, const std::vector<std::string>& environment = {});
  process(const process&) = delete;
  process& operator=(const process&) = delete;
  process(process&& other) noexcept;
  // Kills it when it still runs.
  ~process();

  void signal(int number) const;
  // SIGKILL and wait.
  void kill();
  // The exit status (128 + signal when killed by one); nothing when it still runs after `at_most`.
  std::optional<int> wait(std::chrono::milliseconds at_most = std::chrono::minutes(2));
  bool running();
  pid_t pid() const { return pid_; }
  // As the system counts them, for a process that runs; 0 when it does not.
  std::size_t open_descriptors() const;
  std::int64_t peak_resident_bytes() const;
  // Everything it has said so far.
  std::string output() const;
  // Waits until its output holds `text`; false after `at_most` or when it ended without.
  bool wait_for_output(const std::string& text, std::chrono::milliseconds at_most = std::chrono::minutes(1));

 private:
  pid_t pid_ = -1;
  std::string output_path_;
  std::optional<int> status_ = {};
};

// Calls `holds` every few milliseconds until it is true or the time is over; what it said last.
template <class Condition>
bool eventually(Condition holds, std::chrono::milliseconds at_most = std::chrono::minutes(1));

// Runs to the end: exit status and all output.
struct finished {
  int status = -1;
  std::string output;
};
finished run_to_end(const std::string& program, const std::vector<std::string>& arguments,
                    const std::string& output_path, const std::string& input = {},
                    const std::vector<std::string>& environment = {});

}  // namespace obsync::test

#include <thread>

template <class Condition>
bool obsync::test::eventually(Condition holds, std::chrono::milliseconds at_most) {
  const auto deadline = std::chrono::steady_clock::now() + at_most;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}
