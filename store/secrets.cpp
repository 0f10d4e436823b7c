#include "store/secrets.hpp"

#include <array>

#include "crypto/digest.hpp"

namespace obsync::store {

namespace {

constexpr std::string_view server_key_name = "server.key";
constexpr std::string_view setup_token_name = "setup-token";
constexpr std::size_t file_bytes = 65;  // 64 hex digits and a line end

result<crypto::secret32> read_secret(disk& on, const std::string& path) {
  const auto file = on.open(path);
  if (!file.ok()) return file.error();
  std::array<std::uint8_t, file_bytes + 1> content{};
  const auto got = (*file)->read_at(0, content);
  const std::string_view text = as_text({content.data(), got.ok() ? *got : 0});
  std::optional<crypto::secret32> secret;
  if (text.size() == file_bytes && text.back() == '\n') secret = crypto::secret32::parse(text.substr(0, 64));
  crypto::wipe(content.data(), content.size());
  if (!got.ok()) return got.error();
  if (!secret) return error{errc::corrupt, "a secret's file does not hold 64 hex digits and a line end"};
  return *secret;
}

// Under another name first: a crash must not leave half a secret under the right one.
status write_secret(disk& on, const std::string& folder, const std::string& path,
                    const crypto::secret32& secret) {
  const std::string temp = path + ".new";
  if (const status gone = on.remove(temp); !gone.ok() && gone.error().code != errc::not_found) return gone;
  const auto file = on.create(temp);
  if (!file.ok()) return file.error();
  std::string text = secret.hex() + "\n";
  const status written = (*file)->write_at(0, as_bytes(text));
  crypto::wipe(text.data(), text.size());
  if (!written.ok()) return written;
  if (const status synced = (*file)->sync(); !synced.ok()) return synced;
  if (const status renamed = on.rename(temp, path); !renamed.ok()) return renamed;
  return on.sync_folder(folder);
}

result<crypto::secret32> load(disk& on, const std::string& folder, std::string_view name,
                              random_source& random) {
  const std::string path = folder + "/" + std::string(name);
  auto found = read_secret(on, path);
  if (found.ok() || found.error().code != errc::not_found) return found;
  crypto::secret32 fresh;
  random.fill(fresh.raw);
  if (const status written = write_secret(on, folder, path, fresh); !written.ok()) return written.error();
  return fresh;
}

bytes mask_of(const crypto::secret32& server_key, const device_id& device) {
  return crypto::hkdf(server_key.view(), as_bytes("obsync/v1/wrap"), device.view(), digest::size);
}

}  // namespace

result<crypto::secret32> load_server_key(disk& on, const std::string& folder, random_source& random) {
  return load(on, folder, server_key_name, random);
}

result<crypto::secret32> load_setup_token(disk& on, const std::string& folder, random_source& random) {
  return load(on, folder, setup_token_name, random);
}

result<crypto::secret32> read_setup_token(disk& on, const std::string& folder) {
  return read_secret(on, folder + "/" + std::string(setup_token_name));
}

digest wrap_secret(const crypto::secret32& server_key, const device_id& device, byte_view secret) {
  OBSYNC_ASSERT(secret.size() == digest::size);
  bytes mask = mask_of(server_key, device);
  digest out;
  for (std::size_t at = 0; at < out.raw.size(); ++at) {
    out.raw[at] = static_cast<std::uint8_t>(mask[at] ^ secret[at]);
  }
  crypto::wipe(mask.data(), mask.size());
  return out;
}

crypto::secret32 unwrap_secret(const crypto::secret32& server_key, const device_id& device,
                               const digest& wrapped) {
  digest plain = wrap_secret(server_key, device, wrapped.view());
  crypto::secret32 out;
  out.raw = plain.raw;
  crypto::wipe(plain.raw.data(), plain.raw.size());
  return out;
}

}  // namespace obsync::store
