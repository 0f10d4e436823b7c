// A listener on loopback with a scripted door behind it, for tests of what happens on sockets.
#pragma once

#include <gtest/gtest.h>
#include <boost/asio/connect.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/random.hpp"
#include "crypto/digest.hpp"
#include "http/listener.hpp"

namespace obsync::http {

namespace net = boost::asio;
using net::ip::tcp;

// Swallows a large upload and answers with its length and hash.
class counting_upload final : public actors::upload {
 public:
  explicit counting_upload(std::size_t refuse_after) : refuse_after_(refuse_after) {}
  void write(bytes slice, std::function<void(wire::outcome<void>)> done) override {
    total_ += slice.size();
    if (total_ > refuse_after_) return done(wire::failure{wire::refusal::storage_full, "full"});
    hash_.update(slice);
    done({});
  }
  void finish(std::function<void(actors::reply)> done) override {
    done(actors::ok(std::to_string(total_) + " " + hash_.finish().hex(), 201));
  }

 private:
  std::size_t refuse_after_;
  std::size_t total_ = 0;
  crypto::sha256_stream hash_;
};

// Answers by route, on the caller's thread; keeps long polls until told.
class scripted_door final : public actors::door {
 public:
  void submit(actors::call_ptr incoming) override {
    switch (incoming->req.where) {
      case actors::route::livez:
        return incoming->answer(actors::ok("alive"));
      case actors::route::account:
        return incoming->answer(
            actors::ok(incoming->req.address + " " + incoming->req.country.value_or("-")));
      case actors::route::heartbeat:
        return incoming->answer(actors::ok(std::to_string(static_cast<int>(incoming->req.body_is)) + ":" +
                                           std::to_string(incoming->req.body.size())));
      case actors::route::chunk_put: {
        incoming->proved = 7;
        if (incoming->req.body_is != actors::body_state::streamed)
          return incoming->answer(actors::refuse(wire::refusal::volume_full, "full"));
        actors::reply go;
        go.body = std::make_shared<counting_upload>(refuse_after);
        return incoming->answer(std::move(go));
      }
      case actors::route::chunk_get: {
        actors::reply out;
        out.body = actors::chunk_body{bytes{'0', '1', '2', '3', '4'}, 5};
        if (file) out.body = actors::chunk_body{file, file_size};
        return incoming->answer(std::move(out));
      }
      case actors::route::changes: {
        const std::lock_guard lock(mutex);
        parked.push_back(std::move(incoming));
        return changed.notify_all();
      }
      default:
        return;  // dropped: its destructor answers
    }
  }

  bool expects(const actors::credentials& signer) const override { return signer.device == "known"; }

  std::size_t refuse_after = SIZE_MAX;
  std::shared_ptr<disk_file> file;  // what a chunk is, instead of five bytes
  std::uint64_t file_size = 0;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<actors::call_ptr> parked;
};

class connection_world : public testing::Test {
 protected:
  void start(http_options options = {}, std::shared_ptr<tls_identity> identity = nullptr) {
    server_ = std::make_unique<server>(options, door_, random_);
    auto made = listen(io_, "127.0.0.1", 0, *server_, std::move(identity));
    ASSERT_TRUE(made);
    listener_ = *made;
    listener_->start();
    thread_ = std::thread([this] { io_.run(); });
  }

  ~connection_world() override {
    if (listener_) listener_->wind_down();
    if (listener_) listener_->cut();
    if (server_) server_->wait_empty(std::chrono::seconds(5));
    io_.stop();
    if (thread_.joinable()) thread_.join();
    door_.parked.clear();
  }

  tcp::socket connect() {
    tcp::socket socket(peer_io_);
    socket.connect({net::ip::address_v4::loopback(), listener_->port()});
    return socket;
  }

  // Everything the server says until it closes.
  static std::string read_all(tcp::socket& socket) {
    std::string out;
    boost::system::error_code ended;
    net::read(socket, net::dynamic_buffer(out), ended);
    return out;
  }

  std::string exchange(const std::string& text) {
    tcp::socket socket = connect();
    boost::system::error_code ignored;
    net::write(socket, net::buffer(text), ignored);
    return read_all(socket);
  }

  // The oldest poll that waits, taken out; nothing when none comes.
  actors::call_ptr next_parked() {
    std::unique_lock lock(door_.mutex);
    if (!door_.changed.wait_for(lock, std::chrono::seconds(20), [&] { return !door_.parked.empty(); }))
      return nullptr;
    const actors::call_ptr oldest = door_.parked.front();
    door_.parked.erase(door_.parked.begin());
    return oldest;
  }

  static std::string head(const std::string& line, const std::string& more = {}) {
    return line + " HTTP/1.1\r\nHost: a\r\nX-Obsync-Device: known\r\n" + more + "\r\n";
  }
  static inline const std::string last = "Connection: close\r\n";

  seeded_random random_{5};
  scripted_door door_;
  net::io_context io_;
  net::executor_work_guard<net::io_context::executor_type> work_{io_.get_executor()};
  net::io_context peer_io_;
  std::unique_ptr<server> server_;
  std::shared_ptr<listener> listener_;
  std::thread thread_;
};

inline const std::string chunk_path = "/v1/chunks/" + std::string(64, 'a');

}  // namespace obsync::http
