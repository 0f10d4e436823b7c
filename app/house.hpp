// The whole server, built from its settings: stores, actors, sockets. Builds everything and decides nothing.
// The order of building is the order of the data's way; stopping runs it backwards, each part drained before
// the next.
#pragma once

#include <cstdint>
#include <memory>

#include "config/settings.hpp"
#include "core/result.hpp"

namespace obsync::app {

class house {
 public:
  virtual ~house() = default;
  // The port it listens on.
  virtual std::uint16_t port() const = 0;
  // Answers requests until `stop`. Blocks; returns when everything is drained and durable.
  virtual void run() = 0;
  // Reads the TLS certificate and its key again, where there are any. Any thread.
  virtual void reload_certificate() = 0;
  // Ends run(). Any thread, also a signal's.
  virtual void stop() = 0;
};

// Opens the stores (making them at the first start), starts the actors and binds the listener. errc::exists
// when the store is in use or the address is taken; errc::unsupported for a store of a newer version.
result<std::unique_ptr<house>> build_house(const config::settings& settings);

}  // namespace obsync::app
