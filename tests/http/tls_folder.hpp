// A certificate, its key and its authority in a scratch folder, and a peer that believes that authority.
#pragma once

#include <gtest/gtest.h>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/clock.hpp"
#include "crypto/certificate.hpp"
#include "http/tls_files.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::http {

class tls_folder {
 public:
  tls_folder() { renew("localhost"); }

  // Another certificate of the same authority, with a key of its own.
  void renew(const std::string& name) {
    const auto key = crypto::make_private_key();
    const auto made = crypto::issue_certificate(authority_, key, {name}, system_clock{}.now_s());
    write("server.key", key.text);
    write("server.crt", *made);
  }

  // As a tool that renews certificates does: beside, then over the old one.
  void write(const std::string& name, const std::string& text, std::filesystem::perms mode = owner_only) {
    const std::string beside = scratch_ / (name + ".new");
    std::ofstream(beside, std::ios::binary) << text;
    std::filesystem::permissions(beside, mode);
    std::filesystem::rename(beside, scratch_ / name);
  }

  tls_files files() const { return {scratch_ / "server.crt", scratch_ / "server.key"}; }
  std::string text(const std::string& name) const {
    std::ifstream file(scratch_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  const std::string& authority() const { return authority_.certificate; }

  static constexpr auto owner_only = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;

 private:
  test::scratch_folder scratch_;
  crypto::certified_key authority_ = crypto::make_authority("test", system_clock{}.now_s());
};

// Speaks TLS to a port of this machine, believing one authority. Blocking.
class tls_peer {
 public:
  tls_peer(std::uint16_t port, const std::string& authority) : wire_(io_, trusting(context_, authority)) {
    wire_.lowest_layer().connect({boost::asio::ip::address_v4::loopback(), port});
  }

  boost::system::error_code greet(const std::string& name = "localhost") {
    boost::system::error_code failed;
    wire_.set_verify_callback(boost::asio::ssl::host_name_verification(name));
    wire_.handshake(boost::asio::ssl::stream_base::client, failed);
    return failed;
  }

  void say(const std::string& text) {
    boost::system::error_code ignored;
    boost::asio::write(wire_, boost::asio::buffer(text), ignored);
  }

  // Everything until the end; `ended` is eof only for an end that was said.
  std::string read_all(boost::system::error_code* ended = nullptr) {
    std::string out;
    boost::system::error_code code;
    boost::asio::read(wire_, boost::asio::dynamic_buffer(out), code);
    if (ended != nullptr) *ended = code;
    return out;
  }

  std::string read(std::size_t count) {
    std::string out(count, ' ');
    boost::asio::read(wire_, boost::asio::buffer(out));
    return out;
  }

  auto& wire() { return wire_; }

 private:
  static boost::asio::ssl::context& trusting(boost::asio::ssl::context& context,
                                             const std::string& authority) {
    context.add_certificate_authority(boost::asio::buffer(authority));
    context.set_verify_mode(boost::asio::ssl::verify_peer);
    return context;
  }

  boost::asio::io_context io_;
  boost::asio::ssl::context context_{boost::asio::ssl::context::tls_client};
  boost::asio::ssl::stream<boost::asio::ip::tcp::socket> wire_;
};

}  // namespace obsync::http
