// One file, or one folder, on its way to the server: read, sealed, posted, remembered. One thread; internal
// to this folder.
#pragma once

#include <optional>
#include <string>

#include "client/engine/action.hpp"
#include "client/sync/chunk_transfer.hpp"
#include "client/sync/session.hpp"

namespace obsync::client {

struct content_to_post {
  listed_content listed;
  content_id content;
  std::int64_t size = 0;
  double mtime_ms = 0;
  file_mark mark;
};

// A version that waits for its answer.
struct sealed_post {
  file_id id;
  wire::version_post post;
  content_to_post content;
};

class publishing {
 public:
  // `act` outlives this.
  publishing(sync_session& session, const push& act) : session_(session), act_(act) {}

  // The whole act, request by request.
  void run();

  // The same in two halves, for files of this folder that are posted together: the chunks go to `sink`, and
  // the answer comes from whoever sent the post. Nothing when the file could not be read; the log knows why.
  std::optional<sealed_post> prepare(const chunk_sink& sink);
  void complete(sealed_post sent, const remote_result<wire::version_answer>& answer);

 private:
  std::optional<content_to_post> from_disk(const chunk_sink& sink);
  std::optional<content_to_post> from_disk();
  std::optional<content_to_post> from_state();
  wire::file_manifest manifest_of(const content_to_post& content, const std::string& path) const;
  sealed_post seal(content_to_post content);
  void post(content_to_post content);
  // True when the act has ended; false when it is to be tried again with the chunks the server lacks.
  bool settle(const sealed_post& sent, const remote_result<wire::version_answer>& answer, bool is_last);
  void remember(const sealed_post& sent, const wire::version_answer& answer);
  void finish(const base_record& record);
  bool post_copy(const push::copy& copy);
  void folder();
  std::nullopt_t fault(const error& why);
  std::nullopt_t fault(const transfer_error& why);

  sync_session& session_;
  const push& act_;
  chunk_knowledge there_;
};

}  // namespace obsync::client
