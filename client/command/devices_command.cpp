#include <algorithm>
#include <ctime>

#include "client/command/bound_folder.hpp"
#include "client/command/json_text.hpp"

namespace obsync::client {

namespace {

constexpr retry_policy some_patience{.attempts_max = 3};
constexpr std::size_t id_prefix_chars_min = 4;

std::string time_text(std::optional<std::int64_t> ms) {
  if (!ms) return "never";
  const std::time_t seconds = *ms / 1000;
  std::tm parts{};
  if (::gmtime_r(&seconds, &parts) == nullptr) return "?";
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &parts);
  return text.data();
}

std::string as_json(const wire::device_list& list, const device_id& own) {
  std::string items;
  for (const wire::device_info& device : list.devices) {
    json_object out;
    out.add("device_id", device.id.hex()).add("name", device.card.name).add("platform", device.card.platform);
    out.add("state", wire::name(device.state)).add("this_device", device.id == own);
    if (device.last_seen_ms) {
      out.add("last_seen_ms", *device.last_seen_ms);
    } else {
      out.add_null("last_seen_ms");
    }
    items += (items.empty() ? "" : ",") + out.text();
  }
  return "[" + items + "]";
}

void print(console& io, const wire::device_list& list, const device_id& own) {
  for (const wire::device_info& device : list.devices) {
    io.say(device.id.hex() + "  " + std::string(wire::name(device.state)) + "  " + device.card.name + " (" +
           device.card.platform + ", " + device.card.app_version + ")  seen " +
           time_text(device.last_seen_ms) + (device.id == own ? "  <- this device" : ""));
  }
}

// The one device that `text` means: by id, by the beginning of an id, or by name.
result<wire::device_info> pick(const wire::device_list& list, const std::string& text) {
  std::vector<const wire::device_info*> found;
  for (const wire::device_info& device : list.devices) {
    const std::string id = device.id.hex();
    if (id == text) return device;
    const bool prefix = text.size() >= id_prefix_chars_min && id.starts_with(text);
    const bool named = device.card.name == text && device.state != wire::device_state::revoked;
    if (prefix || named) found.push_back(&device);
  }
  if (found.size() == 1) return *found.front();
  if (found.empty()) return error{errc::not_found, "no device is called " + text + "; see `obsync devices`"};
  std::string many = "several devices are called " + text + "; name one by its id:";
  for (const auto* device : found) many += "\n  " + device->id.hex() + "  " + device->card.name;
  return error{errc::invalid, many};
}

}  // namespace

int run_devices(const arguments& args, command_context& context) {
  auto folder = find_bound_folder(args);
  if (!folder) return give_up(context.io, folder.error());
  auto link = link_to(folder->bound, context, some_patience);
  if (!link) return give_up(context.io, link.error());
  const stop_request::listener listener(context.stop, [&] { (*link)->stop(); });
  const auto list = (*link)->as_device().devices();
  if (!list) return give_up(context.io, list.error());
  if (args.json) {
    context.io.say(as_json(*list, folder->bound.device));
  } else {
    print(context.io, *list, folder->bound.device);
  }
  return exit_done;
}

int run_revoke(const arguments& args, command_context& context) {
  auto folder = find_bound_folder(args);
  if (!folder) return give_up(context.io, folder.error());
  auto link = link_to(folder->bound, context, some_patience);
  if (!link) return give_up(context.io, link.error());
  const stop_request::listener listener(context.stop, [&] { (*link)->stop(); });
  const auto list = (*link)->as_device().devices();
  if (!list) return give_up(context.io, list.error());
  const auto device = pick(*list, args.device);
  if (!device) return give_up(context.io, device.error());

  const bool own = device->id == folder->bound.device;
  if (!args.yes && context.io.in_is_terminal) {
    const std::string whom = own ? "THIS device" : "\"" + device->card.name + "\" (" + device->id.hex() + ")";
    if (!context.io.confirm("Take access away from " + whom + "?")) {
      context.io.say("nothing was changed");
      return exit_not_done;
    }
  }
  const auto revoked = (*link)->routes().revoke(device->id);
  if (!revoked) return give_up(context.io, revoked.error());
  context.io.say("revoked " + device->card.name + " (" + device->id.hex() +
                 "). What it has downloaded stays on it; the vault key it holds is not changed.");
  return exit_done;
}

}  // namespace obsync::client
