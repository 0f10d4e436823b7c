#include "actors/blob_writer.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/send.hpp>

#include <unordered_map>

#include "actors/messages.hpp"
#include "actors/spawn.hpp"
#include "core/log.hpp"
#include "wire/chunk.hpp"

namespace obsync::actors {

namespace {

using slice_done = std::function<void(wire::outcome<void>)>;
using finish_done = std::function<void(reply)>;

// Answers itself when it dies unanswered, so that a connection never waits for a writer that is gone.
struct slice_job {
  std::uint64_t upload = 0;
  bytes slice;
  slice_done done;
  ~slice_job() {
    if (done) done(wire::failure{wire::refusal::io_error, "the writer has stopped"});
  }
};

struct finish_job {
  std::uint64_t upload = 0;
  finish_done done;
  ~finish_job() {
    if (done) done(refuse(wire::refusal::io_error, "the writer has stopped"));
  }
};

using slice_job_ptr = std::shared_ptr<slice_job>;
using finish_job_ptr = std::shared_ptr<finish_job>;
struct abandon_upload {
  std::uint64_t upload = 0;
};

}  // namespace

}  // namespace obsync::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::slice_job_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::finish_job_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::abandon_upload)

namespace obsync::actors {

namespace {

// The connection's end of one upload.
class upload_handle final : public upload {
 public:
  upload_handle(caf::actor writer, std::uint64_t number) : writer_(std::move(writer)), number_(number) {}
  ~upload_handle() override { caf::anon_send(writer_, abandon_upload{number_}); }

  void write(bytes slice, slice_done done) override {
    auto job = std::make_shared<slice_job>();
    job->upload = number_;
    job->slice = std::move(slice);
    job->done = std::move(done);
    caf::anon_send(writer_, std::move(job));
  }

  void finish(finish_done done) override {
    auto job = std::make_shared<finish_job>();
    job->upload = number_;
    job->done = std::move(done);
    caf::anon_send(writer_, std::move(job));
  }

 private:
  caf::actor writer_;
  std::uint64_t number_;
};

struct blob_writer_state {
  static inline const char* name = "blob_writer";

  struct entry {
    std::unique_ptr<store::blob_upload> body;
    store::room::reservation space;
    chunk_sid sid;
  };

  blob_writer_limits limits;
  blob_writer_deps deps;
  std::unordered_map<std::uint64_t, entry> uploads;
  std::uint64_t next_number = 1;

  void on_begin(timed<blob_writer_state>* self, upload_call& task);
  void on_slice(slice_job& job);
  void on_finish(finish_job& job);
  erased on_erase(const erase_blob_folder& step) const;
};

void blob_writer_state::on_begin(timed<blob_writer_state>* self, upload_call& task) {
  if (uploads.size() >= limits.uploads_max) {
    task.call->answer(refuse(wire::refusal::overloaded, "too many uploads are under way"));
    return;
  }
  const std::uint64_t size = task.call->req.content_length;
  entry made;
  made.sid = task.sid;
  const result<bool> present = deps.blobs->has(task.account, task.sid);
  if (!present) {
    task.call->answer(refuse(wire::refusal::io_error, "the chunk store could not be read"));
    return;
  }
  if (!*present) {
    auto reserved = deps.space->reserve(task.account, static_cast<std::int64_t>(size));
    if (!reserved) {
      task.call->answer(refuse(reserved.error()));
      return;
    }
    made.space = std::move(*reserved);
  }
  auto begun = deps.blobs->begin(task.account, task.sid, size);
  if (!begun) {
    task.call->answer(refuse(begun.error()));
    return;
  }
  made.body = std::move(*begun);
  const std::uint64_t number = next_number++;
  uploads.emplace(number, std::move(made));
  reply go_ahead;
  go_ahead.body = std::make_shared<upload_handle>(caf::actor_cast<caf::actor>(self), number);
  task.call->answer(std::move(go_ahead));
}

void blob_writer_state::on_slice(slice_job& job) {
  const auto found = uploads.find(job.upload);
  if (found == uploads.end()) return;
  wire::outcome<void> outcome = found->second.body->write(job.slice);
  std::exchange(job.done, nullptr)(std::move(outcome));
}

void blob_writer_state::on_finish(finish_job& job) {
  const auto found = uploads.find(job.upload);
  if (found == uploads.end()) return;
  wire::outcome<store::put_result> outcome = found->second.body->finish();
  if (outcome && *outcome == store::put_result::created) found->second.space.keep();
  const chunk_sid sid = found->second.sid;
  uploads.erase(found);
  if (!outcome) {
    std::exchange(job.done, nullptr)(refuse(outcome.error()));
    return;
  }
  const int status = *outcome == store::put_result::created ? 201 : 200;
  std::exchange(job.done, nullptr)(ok(wire::to_json(wire::put_answer{sid}), status));
}

erased blob_writer_state::on_erase(const erase_blob_folder& step) const {
  const status done = deps.blobs->erase(step.account, step.folder);
  if (done) return {true, true};
  log::line(log::level::error, "erase_failed").add("kind", obsync::name(done.error().code));
  return {};
}

caf::behavior blob_writer(timed<blob_writer_state>* self, const blob_writer_limits& limits,
                          const blob_writer_deps& deps) {
  self->state.limits = limits;
  self->state.deps = deps;
  log_unexpected(self, blob_writer_state::name);
  return {
      [self](upload_call& task) {
        const call_ptr call = task.call;
        guarded(blob_writer_state::name, call, [&] { self->state.on_begin(self, task); });
      },
      [self](const slice_job_ptr& job) {
        guarded(blob_writer_state::name, nullptr, [&] { self->state.on_slice(*job); });
      },
      [self](const finish_job_ptr& job) {
        guarded(blob_writer_state::name, nullptr, [&] { self->state.on_finish(*job); });
      },
      [self](abandon_upload gone) { self->state.uploads.erase(gone.upload); },
      [self](const erase_blob_folder& step) { return self->state.on_erase(step); },
  };
}

}  // namespace

caf::actor spawn_blob_writer(caf::actor_system& system, placement where, const blob_writer_limits& limits,
                             blob_writer_deps deps) {
  return spawn_placed(system, where, blob_writer, limits, std::move(deps));
}

}  // namespace obsync::actors
