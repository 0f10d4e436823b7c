#include "client/remote/http_remote.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "client/remote/answers.hpp"
#include "wire/limits.hpp"
#include "wire/multipart.hpp"

namespace obsync::client {

namespace {

constexpr std::uint64_t changes_answer_bytes_max = 16u << 20;
constexpr std::uint64_t listing_answer_bytes_max = 64u << 20;
constexpr std::uint64_t part_framing_bytes_max = 512;

class http_remote final : public remote {
 public:
  explicit http_remote(caller& calls) : calls_(calls) {}

  remote_result<wire::account_info> account() override {
    return read_answer<wire::account_info>(calls_.perform(get_call("/v1/account")));
  }

  remote_result<wire::change_page> changes(sequence since, std::int64_t wait_s, std::int64_t limit) override {
    for (;;) {
      call what = get_call("/v1/changes?since=" + std::to_string(since) + "&wait=" + std::to_string(wait_s) +
                           "&limit=" + std::to_string(limit));
      what.wait_s = wait_s;
      what.answer_bytes_max = changes_answer_bytes_max;
      what.answer_bytes_expected = wire::changes_page_bytes_max;
      auto outcome = calls_.perform(what);
      if (!outcome && outcome.error().answer_too_large && limit > 1) {
        limit /= 2;
        continue;
      }
      return read_answer<wire::change_page>(std::move(outcome));
    }
  }

  remote_result<wire::file_record> file(const file_id& file) override {
    call what = get_call("/v1/files/" + file.hex());
    what.answer_bytes_max = wire::file_record_bytes_max;
    what.answer_bytes_expected = changes_answer_bytes_max;
    return read_answer<wire::file_record>(calls_.perform(what));
  }

  remote_result<wire::version_record> version(const file_id& file, const version_id& version) override {
    call what = get_call("/v1/files/" + file.hex() + "/versions/" + version.hex());
    what.answer_bytes_max = changes_answer_bytes_max;
    return read_answer<wire::version_record>(calls_.perform(what));
  }

  remote_result<std::vector<chunk_sid>> missing(const std::vector<chunk_sid>& sids) override {
    std::vector<chunk_sid> absent;
    for (std::size_t at = 0; at < sids.size(); at += wire::exists_sids_max) {
      const auto end = std::min(sids.size(), at + wire::exists_sids_max);
      wire::exists_request request;
      request.sids.assign(sids.begin() + static_cast<std::ptrdiff_t>(at),
                          sids.begin() + static_cast<std::ptrdiff_t>(end));
      const std::string body = wire::to_json(request);
      auto answer =
          read_answer<wire::exists_answer>(calls_.perform(post_call("/v1/chunks/exists", body, true)));
      if (!answer) return answer.error();
      absent.insert(absent.end(), answer->missing.begin(), answer->missing.end());
    }
    return absent;
  }

  remote_result<void> put_chunk(const chunk_sid& sid, byte_view sealed) override {
    const std::string name = sid.hex();
    call what{.method = "PUT",
              .target = "/v1/chunks/" + name,
              .body = sealed,
              .content_type = "application/octet-stream",
              .signed_hash = name};
    auto answer = read_answer<wire::put_answer>(calls_.perform(what));
    if (!answer) return answer.error();
    if (answer->sid != sid) return malformed("the server confirmed another chunk than the one sent");
    return {};
  }

  remote_result<bytes> get_chunk(const chunk_sid& sid) override {
    call what = get_call("/v1/chunks/" + sid.hex());
    what.answer_bytes_max = wire::chunk_sealed_bytes_max;
    what.answer_bytes_expected = wire::chunk_sealed_bytes_max;
    auto outcome = calls_.perform(what);
    if (!outcome) return outcome.error().reason;
    return std::move(outcome->body);
  }

  remote_result<fetched_chunks> get_chunks(const std::vector<chunk_sid>& sids) override {
    const std::string body = wire::to_json(wire::get_request{sids});
    call what = post_call("/v1/chunks/get", body, true);
    what.answer_bytes_max = wire::batch_answer_bytes_max + (sids.size() + 1) * part_framing_bytes_max;
    what.answer_bytes_expected = wire::batch_answer_bytes_max;
    auto outcome = calls_.perform(what);
    if (!outcome) return outcome.error().reason;
    return read_parts(*outcome, sids);
  }

  remote_result<wire::version_answer> post_version(const file_id& file,
                                                   const wire::version_post& post) override {
    // A repeat carries the same version id, and the server answers it with what it already has.
    const std::string body = wire::to_json(post);
    return read_answer<wire::version_answer>(
        calls_.perform(post_call("/v1/files/" + file.hex() + "/versions", body, true)));
  }

  std::optional<wire::batch_limits> batch_limits() override {
    const std::lock_guard lock(mutex_);
    ask_what_is_offered();
    return offered_ ? offered_->batch : std::nullopt;
  }

  std::optional<epoch_id> epoch() override {
    const std::lock_guard lock(mutex_);
    ask_what_is_offered();
    return offered_ ? offered_->epoch : std::nullopt;
  }

  remote_result<wire::batch_answer> batch(const wire::batch_request& what) override {
    // A repeat finds the chunks stored, and carries the same version ids.
    const std::string body = wire::to_body(what);
    call sent = post_call("/v1/batch", body, true);
    sent.content_type = "application/octet-stream";
    auto answer = read_answer<wire::batch_answer>(calls_.perform(sent));
    if (!answer) return answer.error();
    if (answer->chunks.size() != what.chunks.size() || answer->posts.size() != what.posts.size())
      return malformed("the server answered another number of items than were sent");
    return answer;
  }

  remote_result<wire::device_list> devices() override {
    call what = get_call("/v1/devices");
    what.answer_bytes_max = listing_answer_bytes_max;
    return read_answer<wire::device_list>(calls_.perform(what));
  }

  remote_result<void> heartbeat(const wire::heartbeat_request& request) override {
    const std::string body = wire::to_json(request);
    return read_nothing(calls_.perform(post_call("/v1/devices/heartbeat", body, false)));
  }

  std::uint64_t bytes_sent() const override { return calls_.bytes_sent(); }
  std::uint64_t bytes_received() const override { return calls_.bytes_received(); }

 private:
  // A server that answers, and says nothing of itself, offers nothing. One that does not answer is asked
  // again.
  void ask_what_is_offered() {
    const std::uint64_t unanswered = calls_.unanswered();
    if (offered_ && unanswered == unanswered_) return;
    auto answer = read_answer<wire::capabilities>(calls_.perform(get_call("/v1/capabilities")));
    unanswered_ = unanswered;
    if (answer) {
      offered_ = std::move(*answer);
    } else if (answer.error().refusal == wire::refusal::not_found) {
      offered_.emplace();
    }
  }

  static remote_result<fetched_chunks> read_parts(const http_answer& answer,
                                                  const std::vector<chunk_sid>& sids) {
    auto boundary = wire::boundary_of(answer.content_type);
    if (!boundary) return malformed("the answer to chunks/get is not multipart");
    wire::multipart_reader reader(as_text(answer.body), *boundary);
    fetched_chunks chunks;
    for (const chunk_sid& sid : sids) {
      auto part = reader.next();
      if (!part) return malformed("broken multipart framing: " + part.error().detail);
      if (!*part || (*part)->sid != sid) return malformed("chunks came back in another order than asked");
      if ((*part)->missing) {
        chunks.emplace_back(std::nullopt);
      } else {
        const byte_view body = as_bytes((*part)->body);
        chunks.emplace_back(bytes(body.begin(), body.end()));
      }
    }
    auto end = reader.next();
    if (!end || *end) return malformed("more chunks came back than were asked for");
    return chunks;
  }

  caller& calls_;
  std::mutex mutex_;
  std::optional<wire::capabilities> offered_;
  std::uint64_t unanswered_ = 0;  // when that was asked
};

}  // namespace

std::unique_ptr<remote> make_http_remote(caller& calls) {
  return std::make_unique<http_remote>(calls);
}

}  // namespace obsync::client
