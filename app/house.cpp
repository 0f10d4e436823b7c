#include "app/house.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <caf/actor_system.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "actors/control.hpp"
#include "actors/front.hpp"
#include "actors/messages.hpp"
#include "app/actor_config.hpp"
#include "app/actor_set.hpp"
#include "app/control_socket.hpp"
#include "app/dashboard_files.hpp"
#include "app/plugin.hpp"
#include "app/start_wait.hpp"
#include "app/stores.hpp"
#include "core/log.hpp"
#include "http/listener.hpp"
#include "http/server.hpp"
#include "http/tls_identity.hpp"
#include "store/clean_mark.hpp"

namespace obsync::app {

namespace {

namespace net = boost::asio;

http::edge_rules edge_rules_of(const config::server_settings& settings) {
  http::edge_rules rules;
  rules.cloudflare = settings.edge == config::edge_mode::cloudflare;
  for (const config::network& each : settings.trusted_proxies)
    if (const auto made = http::ip_network::make(each.address, each.bits)) rules.trusted.push_back(*made);
  if (settings.trusted_proxies.empty()) rules.trusted = http::private_networks();
  return rules;
}

http::http_options http_options_of(const config::settings& settings) {
  http::http_options options;
  options.connections_max = static_cast<std::size_t>(settings.server.max_connections);
  options.head_timeout = settings.server.head_timeout;
  options.idle_timeout = settings.server.idle_timeout;
  options.body_rate_min = static_cast<std::uint64_t>(settings.server.body_rate_min);
  options.inline_chunk_bytes_max = static_cast<std::uint64_t>(settings.store.inline_limit);
  options.slice_bytes = static_cast<std::size_t>(settings.blob.slice);
  options.admission_bytes = static_cast<std::uint64_t>(settings.server.admission_budget);
  options.preauth_bytes = static_cast<std::uint64_t>(settings.server.preauth_budget);
  options.edge = edge_rules_of(settings.server);
  return options;
}

class built_house final : public house {
 public:
  built_house(const config::settings& settings, const surroundings& around, stores opened)
      : settings_(settings),
        around_(around),
        stores_(std::move(opened)),
        is_first_start_(stores_.devices.empty()),
        actor_config_(settings),
        io_(1) {}

  ~built_house() override { tear_down(); }

  // Everything that can fail, after the stores.
  status start() {
    if (!settings_.tls.certificate.empty()) {
      auto identity = http::tls_identity::load({settings_.tls.certificate, settings_.tls.key});
      if (!identity) return identity.error();
      identity_ = std::move(*identity);
    }
    system_ = std::make_unique<caf::actor_system>(actor_config_);
    auto actors = spawn_actors(
        *system_, settings_, around_, stores_, state_, requests_,
        {load_plugin(settings_.server.plugin_dir), load_dashboard(settings_.server.dashboard_dir)});
    if (!actors) return actors.error();
    actors_ = std::move(*actors);
    stores_.took.done("actors");
    door_ = actors::make_door(actors_.front, actors_.directory);
    server_ = std::make_unique<http::server>(http_options_of(settings_), *door_, *around_.random, requests_);
    auto listening =
        http::listen(io_, settings_.server.listen.host, settings_.server.listen.port, *server_, identity_);
    if (!listening) {
      error reason = listening.error();
      reason.detail = "server.listen = " + settings_.server.listen.host + ":" +
                      std::to_string(settings_.server.listen.port) + ": " + reason.detail;
      log::line(log::level::error, "listen_failed").add("reason", reason.detail);
      return reason;
    }
    listener_ = std::move(*listening);
    open_control();
    stores_.took.done("sockets");
    return {};
  }

  std::uint16_t port() const override { return listener_->port(); }

  void run() override {
    open_doors_when_safe();
    listener_->start();
    log::line(log::level::info, "serve_start")
        .add("listen", settings_.server.listen.host + ":" + std::to_string(port()))
        .add("tls", identity_ ? "yes" : "no")
        .add("decision", stores_.clean_stop_ms ? "clean" : "recovering");
    stores_.took.write_log();
    std::vector<std::thread> helpers;
    for (std::int64_t i = 0; i < settings_.server.io_threads; ++i)
      helpers.emplace_back([this] { io_.run(); });
    stopped_.wait(false);
    drain();
    io_.stop();
    for (std::thread& helper : helpers) helper.join();
    tear_down();
    log::line(log::level::info, "serve_stop").add("decision", settled_ ? "clean" : "unclean");
  }

  void reload_certificate() override {
    if (identity_) identity_->reload();
  }

  void stop() override {
    stopped_ = true;
    stopped_.notify_all();
  }

 private:
  // The operator's socket, made last: whoever finds it finds a server.
  void open_control() {
    control_door_ = actors::make_control_door(actors_.control);
    auto made = listen_for_operator(io_, control_path(settings_.store.journal_dir), *control_door_);
    if (made) {
      control_ = std::move(*made);
    } else {
      // Devices do not need it.
      log::line(log::level::warn, "control_unavailable").add("reason", made.error().detail);
    }
  }

  void open_doors_when_safe() {
    const std::int64_t wait_ms = start_wait_ms(stores_.clean_stop_ms, around_.time->now_ms());
    if (is_first_start_ || wait_ms == 0) return state_->set_started();
    start_timer_.expires_after(std::chrono::milliseconds(wait_ms));
    start_timer_.async_wait([this](const boost::system::error_code& cancelled) {
      if (cancelled) return;
      state_->set_started();
      log::line(log::level::info, "readiness").add("decision", "ready");
    });
  }

  void drain() {
    state_->set_stopping();
    log::line(log::level::info, "serve_stop").add("decision", "draining");
    if (control_) control_->close();
    listener_->wind_down();
    caf::anon_send(actors_.front, actors::release_polls{});
    if (!server_->wait_empty(settings_.server.shutdown_grace)) {
      listener_->cut();
      server_->wait_empty(std::chrono::seconds(2));
    }
    settle();
  }

  // Horizons become exact on disk, so that the next start needs no wait.
  void settle() {
    caf::scoped_actor self{*system_};
    self->request(actors_.front, std::chrono::seconds(10), actors::settle{})
        .receive([this](const actors::settled& all) { settled_ = all.durable; }, [](const caf::error&) {});
    // Where its pass has come to; a disk that hangs under it holds up no stop.
    self->request(actors_.scrubber, std::chrono::seconds(5), actors::settle{})
        .receive([](const actors::settled&) {}, [](const caf::error&) {});
    if (state_->is_faulted()) settled_ = false;
    if (!settled_ || !state_->started()) return;
    const std::string folder = settings_.store.journal_dir + "/v1";
    if (const status left = store::leave_clean_mark(*stores_.files, folder, around_.time->now_ms()); !left)
      settled_ = false;
  }

  // Actors before the io_context: a call that dies with its actor posts its 503 there.
  void tear_down() {
    if (!system_) return;
    actors_.end();
    door_.reset();
    control_door_.reset();
    system_.reset();
  }

  config::settings settings_;
  const surroundings around_;
  std::shared_ptr<request_log> requests_ = std::make_shared<request_log>(around_.time);
  std::shared_ptr<actors::health> state_ = std::make_shared<actors::health>();
  stores stores_;
  const bool is_first_start_;  // nobody was ever let in, so nothing can be replayed
  actor_config actor_config_;
  // Destroyed after the actors, for their last answers are posted to it.
  net::io_context io_;
  net::executor_work_guard<net::io_context::executor_type> work_{io_.get_executor()};
  net::steady_timer start_timer_{io_};
  std::shared_ptr<http::tls_identity> identity_;
  std::unique_ptr<http::server> server_;
  std::shared_ptr<http::listener> listener_;
  std::unique_ptr<control_socket> control_;
  std::unique_ptr<caf::actor_system> system_;
  actor_set actors_;
  std::unique_ptr<actors::door> door_;
  std::unique_ptr<actors::control_door> control_door_;
  std::atomic<bool> stopped_{false};
  bool settled_ = false;
};

}  // namespace

result<std::unique_ptr<house>> build_house(const config::settings& settings) {
  const surroundings around;
  auto opened = open_stores(settings, around);
  if (!opened) return opened.error();
  auto made = std::make_unique<built_house>(settings, around, std::move(*opened));
  if (const status started = made->start(); !started) return started.error();
  return std::unique_ptr<house>(std::move(made));
}

}  // namespace obsync::app
