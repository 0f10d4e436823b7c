#include "app/control_socket.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/write.hpp>

#include <atomic>
#include <chrono>
#include <optional>

#include "app/control_way.hpp"
#include "core/log.hpp"

namespace obsync::app {

namespace {

namespace net = boost::asio;
using boost::system::error_code;
using local = net::local::stream_protocol;

constexpr std::chrono::seconds conversation_max{15};
constexpr int conversations_max = 8;

// Who is at the other end, if it may be there: the server's own user or root.
std::optional<std::int64_t> operator_at(local::socket& socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
  if (peer.uid != 0 && peer.uid != ::geteuid()) return std::nullopt;
  return std::int64_t{peer.uid};
}

using strand = net::strand<net::io_context::executor_type>;
using open_count = std::shared_ptr<std::atomic<int>>;

// One question and its answer. Lives as long as somebody waits for something.
class conversation : public std::enable_shared_from_this<conversation> {
 public:
  conversation(local::socket socket, const strand& on, std::int64_t uid, actors::control_door& door,
               open_count open)
      : socket_(std::move(socket)), on_(on), timer_(on), uid_(uid), door_(door), open_(std::move(open)) {
    ++*open_;
  }
  ~conversation() { --*open_; }

  void run() {
    timer_.expires_after(conversation_max);
    timer_.async_wait([self = shared_from_this()](const error_code& cancelled) {
      if (!cancelled) self->end();
    });
    net::async_read_until(socket_, net::dynamic_buffer(line_, wire::control_request_bytes_max), '\n',
                          [self = shared_from_this()](const error_code& failed, std::size_t size) {
                            self->on_line(failed, size);
                          });
  }

  void turn_away() {
    write(wire::to_json(
        wire::failure{wire::refusal::overloaded, "too many operators are talking to the server; try again"}));
  }

  // From any thread.
  void reply(std::string json) {
    net::post(
        on_, [self = shared_from_this(), text = std::move(json)]() mutable { self->write(std::move(text)); });
  }

 private:
  class waiting_call final : public actors::control_call {
   public:
    waiting_call(wire::control_request asked, std::int64_t uid, std::shared_ptr<conversation> with)
        : control_call(std::move(asked), uid), with_(std::move(with)) {}
    ~waiting_call() override {
      if (!answered_.exchange(true))
        with_->reply(wire::to_json(wire::failure{wire::refusal::not_ready, "the server is shutting down"}));
    }

   private:
    void deliver(std::string json) override { with_->reply(std::move(json)); }
    std::shared_ptr<conversation> with_;
  };

  void on_line(const error_code& failed, std::size_t size) {
    if (failed == net::error::not_found)
      return write(wire::to_json(wire::failure{wire::refusal::body_too_large, "the request is too long"}));
    if (failed) return end();
    auto asked = wire::from_json<wire::control_request>(std::string_view(line_).substr(0, size - 1));
    if (!asked) return write(wire::to_json(asked.error()));
    door_.submit(std::make_shared<waiting_call>(std::move(*asked), uid_, shared_from_this()));
  }

  void write(std::string json) {
    answer_ = std::move(json) + "\n";
    net::async_write(socket_, net::buffer(answer_),
                     [self = shared_from_this()](const error_code&, std::size_t) { self->end(); });
  }

  void end() {
    error_code ignored;
    timer_.cancel();
    socket_.close(ignored);
  }

  local::socket socket_;
  strand on_;
  net::steady_timer timer_;
  std::int64_t uid_;
  actors::control_door& door_;
  open_count open_;
  std::string line_;
  std::string answer_;
};

class acceptor : public std::enable_shared_from_this<acceptor> {
 public:
  acceptor(net::io_context& io, local::acceptor socket, actors::control_door& door)
      : io_(io), on_(net::make_strand(io)), socket_(std::move(socket)), pause_(on_), door_(door) {}

  void start() {
    net::post(on_, [self = shared_from_this()] { self->accept(); });
  }
  void stop() {
    net::post(on_, [self = shared_from_this()] {
      error_code ignored;
      self->pause_.cancel();
      self->socket_.close(ignored);
    });
  }

 private:
  void accept() {
    strand each = net::make_strand(io_);
    socket_.async_accept(each, net::bind_executor(on_, [self = shared_from_this(), each](
                                                           const error_code& failed, local::socket peer) {
                           self->on_accept(failed, std::move(peer), each);
                         }));
  }

  void on_accept(const error_code& failed, local::socket peer, const strand& each) {
    if (!socket_.is_open()) return;
    if (failed) {
      // Out of descriptors, most likely: trying again at once would spin.
      pause_.expires_after(std::chrono::milliseconds(100));
      pause_.async_wait([self = shared_from_this()](const error_code& cancelled) {
        if (!cancelled) self->accept();
      });
      return;
    }
    const auto uid = operator_at(peer);
    if (!uid) log::line(log::level::warn, "operator").add("decision", "foreign_user");
    if (uid) {
      const bool busy = *open_ >= conversations_max;
      auto made = std::make_shared<conversation>(std::move(peer), each, *uid, door_, open_);
      net::post(each, [made, busy] { busy ? made->turn_away() : made->run(); });
    }
    accept();
  }

  net::io_context& io_;
  strand on_;
  local::acceptor socket_;
  net::steady_timer pause_;
  actors::control_door& door_;
  open_count open_ = std::make_shared<std::atomic<int>>(0);
};

class listening_socket final : public control_socket {
 public:
  listening_socket(std::shared_ptr<acceptor> on, std::string path)
      : on_(std::move(on)), path_(std::move(path)) {}
  ~listening_socket() override { close(); }
  void close() override {
    if (!on_) return;
    on_->stop();
    on_.reset();
    ::unlink(path_.c_str());
  }

 private:
  std::shared_ptr<acceptor> on_;
  std::string path_;
};

status remove_leftover(const std::string& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) return {};
  if (!S_ISSOCK(found.st_mode)) return error{errc::exists, path + " is in the way of the operator's socket"};
  if (::unlink(path.c_str()) != 0) return error{errc::denied, path + " cannot be removed"};
  return {};
}

}  // namespace

std::string control_path(const std::string& journal_dir) {
  return journal_dir + "/v1/control";
}

result<std::unique_ptr<control_socket>> listen_for_operator(net::io_context& io, const std::string& path,
                                                            actors::control_door& door) {
  const auto way = control_way::to(path);
  if (!way) return way.error();
  if (const status removed = remove_leftover(path); !removed) return removed.error();
  error_code failed;
  local::acceptor socket(io);
  socket.open(local{}, failed);
  // The folder is 0700, so nobody else gets here before the mode is set.
  if (!failed) socket.bind(local::endpoint(way->name()), failed);
  if (!failed && ::chmod(path.c_str(), 0600) != 0) failed = net::error::access_denied;
  if (!failed) socket.listen(conversations_max, failed);
  if (failed) return error{errc::denied, path + ": " + failed.message()};
  auto on = std::make_shared<acceptor>(io, std::move(socket), door);
  on->start();
  return std::unique_ptr<control_socket>(std::make_unique<listening_socket>(std::move(on), path));
}

}  // namespace obsync::app
