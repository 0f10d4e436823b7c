#include "client/home/binding.hpp"

#include <charconv>

#include "client/home/record.hpp"

namespace obsync::client {

namespace {

constexpr std::string_view title = "obsync-binding 1";

std::optional<std::uint64_t> number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Reads fields one after the other and remembers the first that fails.
class field_reader {
 public:
  explicit field_reader(const record& from) : from_(from) {}

  template <class T, class Parse>
  void read(const char* name, T& out, Parse parse) {
    if (failed_) return;
    const auto text = from_.get(name);
    if (!text) {
      failed_ = text.error();
      return;
    }
    auto value = parse(*text);
    if (!value) {
      failed_ = error{errc::corrupt, std::string(title) + ": broken value of " + name};
      return;
    }
    out = *std::move(value);
  }

  const std::optional<error>& failed() const { return failed_; }

 private:
  const record& from_;
  std::optional<error> failed_;
};

std::optional<std::string> text_as_is(const std::string& text) {
  return text;
}

std::optional<std::string> absolute_path(const std::string& text) {
  if (!text.starts_with('/')) return std::nullopt;
  return text;
}

}  // namespace

std::string to_text(const binding& value) {
  record out{std::string(title)};
  out.set("server", value.server.url());
  if (value.ca_file) out.set("ca_file", *value.ca_file);
  out.set("account", value.account.hex());
  out.set("device", value.device.hex());
  out.set("device_secret", value.device_secret.hex());
  out.set("vault_key", value.vault_key.hex());
  out.set("device_name", value.device_name);
  out.set("folder", value.folder);
  out.set("folder_device", std::to_string(value.root.device));
  out.set("folder_inode", std::to_string(value.root.inode));
  return out.text();
}

result<binding> parse_binding(std::string_view text) {
  const auto from = record::parse(title, text);
  if (!from) return from.error();
  binding out;
  out.ca_file = from->find("ca_file");
  field_reader reader(*from);
  reader.read("server", out.server, parse_endpoint);
  reader.read("account", out.account, account_id::parse);
  reader.read("device", out.device, device_id::parse);
  reader.read("device_secret", out.device_secret, crypto::secret32::parse);
  reader.read("vault_key", out.vault_key, crypto::secret32::parse);
  reader.read("device_name", out.device_name, text_as_is);
  reader.read("folder", out.folder, absolute_path);
  reader.read("folder_device", out.root.device, number);
  reader.read("folder_inode", out.root.inode, number);
  if (reader.failed()) return *reader.failed();
  return out;
}

}  // namespace obsync::client
