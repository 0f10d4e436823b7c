// Two devices that made a history, and the archive a server would make of it.
#pragma once

#include "client/restore/past_vault.hpp"
#include "client/restore/server_source.hpp"
#include "tests/support/memory_file.hpp"
#include "tests/support/sync_world.hpp"
#include "wire/archive_writer.hpp"

namespace obsync::client::testing {

using text_map = std::map<std::string, std::string>;

inline crypto::secret32 world_key() {
  crypto::secret32 key;
  key.raw.fill(7);  // that of tests/support/sync_world.hpp
  return key;
}

// As `obsyncd export` writes it, without and with --history.
inline bytes archive_of(const memory_server& server, bool history) {
  test::memory_file to;
  wire::archive_writer out(to);
  EXPECT_TRUE(out.begin({std::string(wire::archive_from_server), {}, server.state.head}));
  for (const auto& [id, file] : server.state.files) {
    EXPECT_TRUE(out.begin_file({id, file.domain, file.heads}));
    for (auto one = file.versions.rbegin(); one != file.versions.rend(); ++one) {
      const bool is_head = std::find(file.heads.begin(), file.heads.end(), one->id) != file.heads.end();
      if (!is_head && !history) continue;
      EXPECT_TRUE(out.version(*one, history));
    }
    EXPECT_TRUE(out.end_file());
  }
  EXPECT_TRUE(out.end_index({}));
  for (const chunk_sid& sid : out.names()) {
    const bytes& body = server.state.chunks.at(sid);
    EXPECT_TRUE(out.begin_chunk(sid, body.size()));
    EXPECT_TRUE(out.chunk_part(body) && out.end_chunk());
  }
  EXPECT_TRUE(out.finish());
  return to.data;
}

inline past_vault read_past(version_source& source, const vault_keys& keys,
                            std::optional<std::int64_t> at_ms = {}) {
  history_reader reader(keys, at_ms);
  EXPECT_TRUE(source.visit([&](const wire::change& one) {
    reader.take(one);
    return status{};
  }));
  return reader.finish([&](const device_id& device) { return source.name_of(device); });
}

inline std::vector<std::string> paths_of(const past_vault& past) {
  std::vector<std::string> out;
  for (const past_file& one : past.files) out.push_back(one.path);
  return out;
}

class RestoreWorld : public ::testing::Test {
 protected:
  std::int64_t now() const { return server.state.now_ms; }
  past_vault past(std::optional<std::int64_t> at_ms = {}) {
    server_source source(*a.remote);
    return read_past(source, keys, at_ms);
  }
  // Both write the same file without knowing of each other.
  void make_conflict() {
    a.folder.write("note.md", "the beginning");
    a.round();
    b.round();
    a.folder.write("note.md", "laptop's");
    b.folder.write("note.md", "tablet's");
    // The laptop is faster by a moment, and the tablet never gets to see it.
    bool met = false;
    b.remote->before = [&](const std::string& call) -> std::optional<remote_error> {
      if (call == "post_version" && !std::exchange(met, true)) a.round();
      if (!met || call == "post_version") return std::nullopt;
      return remote_error{remote_error::kind::unreachable, {}, "gone", {}};
    };
    b.round();
    b.remote->before = {};
    ASSERT_TRUE(met);
  }

  memory_server server;
  device a{server, 1, "laptop"};
  device b{server, 2, "tablet"};
  vault_keys keys{world_key()};
};

}  // namespace obsync::client::testing
