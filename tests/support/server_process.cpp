#include "tests/support/server_process.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace obsync::test {

namespace {

const std::string program = std::string(OBSYNC_BINARY_DIR) + "/obsyncd";

std::string log_path(const std::string& folder, int start) {
  return folder + "/server." + std::to_string(start) + ".log";
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

server_process::server_process(std::string folder, std::vector<std::string> options)
    : folder_(std::move(folder)), options_(std::move(options)) {}

std::vector<std::string> server_process::arguments() const {
  std::vector<std::string> out = {
      "serve", "--store.journal_dir=" + folder_ + "/journal", "--store.blobs_dir=" + folder_ + "/blobs",
      "--store.free_watermark=1%,16MiB", "--server.listen=127.0.0.1:" + std::to_string(port_)};
  out.insert(out.end(), options_.begin(), options_.end());
  return out;
}

bool server_process::launch() {
  const std::string log_file = log_path(folder_, ++starts_);
  process_ = std::make_unique<process>(program, arguments(), log_file);
  const std::string sign = "event=serve_start listen=127.0.0.1:";
  if (!process_->wait_for_output(sign)) return false;
  const std::string said = process_->output();
  port_ = static_cast<std::uint16_t>(std::stoi(said.substr(said.find(sign) + sign.size())));
  return true;
}

bool server_process::start() {
  if (launch() && eventually([this] { return is_ready(); })) return true;
  std::fprintf(stderr, "the server did not become ready:\n%s", process_->output().c_str());
  return false;
}

bool server_process::is_ready() const {
  std::vector<std::string> asking = arguments();
  asking.front() = "healthcheck";
  return run_to_end(program, asking, "/dev/null").status == 0;
}

std::string server_process::url() const {
  const bool tls = std::any_of(options_.begin(), options_.end(), [](const std::string& option) {
    return option.starts_with("--tls.certificate=");
  });
  return (tls ? "https://localhost:" : "http://127.0.0.1:") + std::to_string(port_);
}

int server_process::stop() {
  process_->signal(SIGTERM);
  return process_->wait().value_or(-1);
}

std::string server_process::setup_token() const {
  std::string token = read_file(folder_ + "/journal/v1/setup-token");
  token.resize(64);
  return token;
}

finished server_process::operate(std::vector<std::string> words, const std::string& input) const {
  words.push_back("--store.journal_dir=" + folder_ + "/journal");
  return run_to_end(program, words, folder_ + "/operator." + std::to_string(++operations_) + ".log", input);
}

std::string server_process::invite(const std::string& name, const std::vector<std::string>& more) const {
  std::vector<std::string> words{"account", "invite", "--name", name, "--json"};
  words.insert(words.end(), more.begin(), more.end());
  const finished said = operate(words);
  constexpr std::string_view before = "{\"token\":\"";
  return said.output.starts_with(before) ? said.output.substr(before.size(), 64) : "";
}

std::string server_process::log() const {
  std::string out;
  for (int i = 1; i <= starts_; ++i) out += read_file(log_path(folder_, i));
  return out;
}

}  // namespace obsync::test
