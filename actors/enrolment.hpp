// What making a device takes, shared by the two actors that do it.
#pragma once

#include <memory>

#include "actors/device_directory.hpp"
#include "core/clock.hpp"
#include "core/random.hpp"
#include "crypto/secret.hpp"
#include "store/catalog.hpp"
#include "store/secrets.hpp"

namespace obsync::actors {

struct enrolment_deps {
  std::shared_ptr<const clock> time;
  std::shared_ptr<random_source> random;
  crypto::secret32 server_key;  // wraps device secrets at rest
  // Told before the device is: connections look here, and would not wait for the front to have heard.
  std::shared_ptr<device_directory> directory = std::make_shared<device_directory>();
};

struct new_device {
  store::device_row row;
  crypto::secret32 secret;  // told to the device once
};

// A device with a fresh id and secret; nothing is stored yet.
inline new_device make_device(const enrolment_deps& deps, const account_id& account,
                              const wire::device_card& card, wire::device_state state) {
  new_device made;
  deps.random->fill(made.secret.raw);
  made.row.account = account;
  made.row.info.id = random_id<device_id>(*deps.random);
  made.row.info.card = card;
  made.row.info.created_ms = deps.time->now_ms();
  made.row.info.state = state;
  made.row.wrapped_secret = store::wrap_secret(deps.server_key, made.row.info.id, made.secret.view());
  return made;
}

}  // namespace obsync::actors
