// An HTTP server for tests, on a free port of this machine: every request goes to one function, on the thread
// of its connection. Answers are raw text, so that a test can also say what no server should.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace obsync::test {

struct tiny_request {
  std::string method;
  std::string target;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

class tiny_server {
 public:
  // Returns the bytes to send; an empty text hangs up instead.
  using handler = std::function<std::string(const tiny_request&)>;

  explicit tiny_server(handler answer);
  tiny_server(const tiny_server&) = delete;
  tiny_server& operator=(const tiny_server&) = delete;
  ~tiny_server();

  std::uint16_t port() const { return port_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  int connections() const { return connections_; }
  // Hangs up on everybody who is connected now.
  void drop_connections();

 private:
  void accept_loop();
  void serve(std::shared_ptr<boost::asio::ip::tcp::socket> socket);

  const handler answer_;
  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::uint16_t port_;
  std::atomic<int> connections_{0};
  std::atomic<bool> closing_{false};
  std::mutex mutex_;
  std::vector<std::shared_ptr<boost::asio::ip::tcp::socket>> sockets_;
  std::vector<std::thread> threads_;
  std::thread acceptor_thread_;
};

// A whole answer with its framing.
std::string http_text(int status, const std::string& body,
                      const std::string& content_type = "application/json");

}  // namespace obsync::test
