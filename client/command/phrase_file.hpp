// The recovery words on disk.
#pragma once

#include <string>

#include "client/command/console.hpp"
#include "core/result.hpp"
#include "crypto/secret.hpp"

namespace obsync::client {

// A new file, mode 0600, durable on return. errc::exists when there is one, unless it holds these very words.
// True when it was made now.
result<bool> write_phrase_file(const std::string& path, const crypto::secret32& vault_key);

// The key whose words the file holds; `-` reads them from the console, over as many lines as they take.
result<crypto::secret32> read_phrase_file(const std::string& path, console& io);

// The words in numbered lines, for a person to copy.
std::string numbered_phrase(const crypto::secret32& vault_key);

}  // namespace obsync::client
