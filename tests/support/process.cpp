#include "tests/support/process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

extern char** environ;

namespace obsync::test {

namespace {

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// A pipe that already holds all of `text`: what our programs read from standard input is short.
int filled_pipe(const std::string& text) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
  if (::write(ends[1], text.data(), text.size()) != static_cast<ssize_t>(text.size())) std::abort();
  ::close(ends[1]);
  return ends[0];
}

}  // namespace

process::process(const std::string& program, const std::vector<std::string>& arguments,
                 std::string output_path, const std::string& input,
                 const std::vector<std::string>& environment)
    : output_path_(std::move(output_path)) {
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = environment;
  for (char** one = environ; *one != nullptr; ++one) variables.emplace_back(*one);
  const auto argv = pointers_to(words);
  const auto envp = pointers_to(variables);
  const int in = filled_pipe(input);
  const int out = ::open(output_path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(in, 0);
    ::dup2(out, 1);
    ::dup2(out, 2);
    ::execve(program.c_str(), argv.data(), envp.data());
    ::_exit(127);
  }
  ::close(in);
  ::close(out);
}

process::process(process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      output_path_(std::move(other.output_path_)),
      status_(other.status_) {}

process::~process() {
  if (pid_ > 0 && running()) kill();
}

void process::signal(int number) const {
  ::kill(pid_, number);
}

void process::kill() {
  signal(SIGKILL);
  wait();
}

bool process::running() {
  if (status_) return false;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return true;
  status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return false;
}

std::optional<int> process::wait(std::chrono::milliseconds at_most) {
  eventually([this] { return !running(); }, at_most);
  return status_;
}

std::size_t process::open_descriptors() const {
  std::error_code failed;
  const std::filesystem::directory_iterator all("/proc/" + std::to_string(pid_) + "/fd", failed);
  return failed ? 0 : static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

std::int64_t process::peak_resident_bytes() const {
  std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
  for (std::string word; status >> word;) {
    std::int64_t kibibytes = 0;
    if (word == "VmHWM:" && status >> kibibytes) return kibibytes << 10;
  }
  return 0;
}

std::string process::output() const {
  std::ifstream file(output_path_, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool process::wait_for_output(const std::string& text, std::chrono::milliseconds at_most) {
  const auto said = [&] { return output().find(text) != std::string::npos; };
  eventually([&] { return said() || !running(); }, at_most);
  return said();
}

finished run_to_end(const std::string& program, const std::vector<std::string>& arguments,
                    const std::string& output_path, const std::string& input,
                    const std::vector<std::string>& environment) {
  process one(program, arguments, output_path, input, environment);
  const auto status = one.wait();
  return {status.value_or(-1), one.output()};
}

}  // namespace obsync::test
