#include "tests/support/front_process.hpp"

#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/assert.hpp"

namespace obsync::test {

namespace {

namespace net = boost::asio;

std::string shipped(const std::string& name) {
  std::ifstream file(std::string(OBSYNC_SOURCE_DIR) + "/deploy/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Everywhere; a text that is not there means that the shipped file changed and this one has to.
void replace(std::string& in, const std::string& what, const std::string& by) {
  OBSYNC_ASSERT(in.find(what) != std::string::npos);
  for (std::size_t at = 0; (at = in.find(what, at)) != std::string::npos; at += by.size())
    in.replace(at, what.size(), by);
}

// Nobody's at this moment.
std::uint16_t free_port() {
  net::io_context io;
  net::ip::tcp::acceptor acceptor(io, {net::ip::address_v4::loopback(), 0});
  return acceptor.local_endpoint().port();
}

bool listens(std::uint16_t port) {
  net::io_context io;
  net::ip::tcp::socket socket(io);
  boost::system::error_code failed;
  socket.connect({net::ip::address_v4::loopback(), port}, failed);
  return !failed;
}

const char* program_of(front_kind kind) {
  return kind == front_kind::caddy ? "/usr/bin/caddy" : "/usr/sbin/nginx";
}

}  // namespace

std::string name_of(front_kind kind) {
  return kind == front_kind::caddy ? "caddy" : "nginx";
}

front_process::front_process(front_kind kind, std::string folder, std::string certificate, std::string key)
    : kind_(kind), folder_(std::move(folder)), certificate_(std::move(certificate)), key_(std::move(key)) {
  std::filesystem::create_directories(folder_);
}

bool front_process::installed() const {
  return std::filesystem::exists(program_of(kind_));
}

std::string front_process::url(const std::string& host) const {
  return "https://" + host + ":" + std::to_string(port_);
}

std::string front_process::caddy_configuration(std::uint16_t server_port) const {
  std::string text = shipped("Caddyfile");
  replace(text, "sync.example.org {",
          url("localhost") + ", " + url("[::1]") + " {\n\ttls " + certificate_ + " " + key_);
  replace(text, "127.0.0.1:8080", "127.0.0.1:" + std::to_string(server_port));
  return "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n" + text;
}

std::string front_process::nginx_configuration(std::uint16_t server_port) const {
  std::string text = shipped("nginx.conf");
  replace(text, "listen 443 ", "listen 127.0.0.1:" + std::to_string(port_) + " ");
  replace(text, "listen [::]:443 ", "listen [::1]:" + std::to_string(port_) + " ");
  replace(text, "/etc/letsencrypt/live/sync.example.org/fullchain.pem", certificate_);
  replace(text, "/etc/letsencrypt/live/sync.example.org/privkey.pem", key_);
  replace(text, "sync.example.org", "localhost");
  replace(text, "/var/log/nginx/obsync.log", folder_ + "/access.log");
  replace(text, "127.0.0.1:8080", "127.0.0.1:" + std::to_string(server_port));
  std::string around =
      "daemon off;\nmaster_process off;\npid " + folder_ + "/pid;\nerror_log stderr;\nevents {}\nhttp {\n";
  for (const char* what : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"})
    around += std::string(what) + "_temp_path " + folder_ + "/" + what + ";\n";
  return around + text + "}\n";
}

bool front_process::start(std::uint16_t server_port) {
  port_ = free_port();
  const std::string configuration = folder_ + "/configuration";
  const bool caddy = kind_ == front_kind::caddy;
  std::ofstream(configuration) << (caddy ? caddy_configuration(server_port)
                                         : nginx_configuration(server_port));
  const std::vector<std::string> arguments =
      caddy ? std::vector<std::string>{"run", "--adapter", "caddyfile", "--config", configuration}
            : std::vector<std::string>{"-p", folder_, "-e", "stderr", "-c", configuration};
  process_ = std::make_unique<process>(
      program_of(kind_), arguments, folder_ + "/output", std::string(),
      std::vector<std::string>{"HOME=" + folder_, "XDG_DATA_HOME=" + folder_, "XDG_CONFIG_HOME=" + folder_});
  if (eventually([this] { return listens(port_) || !process_->running(); }) && process_->running())
    return true;
  std::fprintf(stderr, "%s did not start:\n%s", name_of(kind_).c_str(), process_->output().c_str());
  return false;
}

}  // namespace obsync::test
