#include "tests/sim/sim_device.hpp"

#include <algorithm>

#include "crypto/digest.hpp"
#include "wire/batch.hpp"
#include "wire/signing.hpp"

namespace obsync::test {

namespace {

constexpr std::size_t under_way_max = 6;
constexpr std::size_t accepted_max = 64;
constexpr std::size_t files_max = 6;

bytes bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}

}  // namespace

sim_device::sim_device(sim_server& server, sim_account& account, client::credential who, std::uint64_t seed,
                       sim_probes& probes)
    : server_(server), account_(account), who_(std::move(who)), random_(seed), probes_(probes) {}

void sim_device::act() {
  if (under_way_.size() >= under_way_max) return;
  const std::uint64_t what = draw(100);
  if (what < 30) return put(500 + draw(4'000));
  if (what < 36) return put(70'000 + draw(60'000));
  if (what < 70) return post();
  if (what < 76) return batch();
  if (what < 86) return poll();
  if (what < 93) return fetch();
  if (what < 97) return send_again();
  vanish();
}

void sim_device::send(const std::string& method, const std::string& target, bytes body,
                      std::function<std::string(const sim_call&)> hear, const std::string& signed_hash) {
  pending out;
  out.sent.body = std::move(body);
  const std::string timestamp = std::to_string(server_.time().now_s());
  const std::string nonce = random_id<request_nonce>(random_).hex();
  const std::string hash = signed_hash.empty() ? crypto::sha256(out.sent.body).hex() : signed_hash;
  const crypto::hmac_key key(who_.secret.view());
  out.sent.request.method = method;
  out.sent.request.target = target;
  out.sent.request.headers = {
      {std::string(wire::header_device), who_.device.hex()},
      {std::string(wire::header_timestamp), timestamp},
      {std::string(wire::header_nonce), nonce},
      {std::string(wire::header_signature), wire::sign(key, {method, target, timestamp, nonce, hash}).hex()}};
  out.sent.request.body = out.sent.body;
  out.call = server_.submit(out.sent.request);
  out.hear = std::move(hear);
  under_way_.push_back(std::move(out));
}

std::string sim_device::listen() {
  for (auto at = under_way_.begin(); at != under_way_.end();) {
    if (!at->call->has_answer()) {
      ++at;
      continue;
    }
    const pending done = std::move(*at);
    at = under_way_.erase(at);
    for (const char one : done.call->decision() + std::to_string(done.call->status()))
      digest_ = (digest_ ^ static_cast<std::uint8_t>(one)) * 1'099'511'628'211u;
    if (done.call->status() >= 500 && done.call->status() != 503 && done.call->status() != 507 &&
        done.call->decision() != "io_error")
      return "an answer nobody can explain: " + done.call->decision() + " " + done.call->text();
    if (done.call->status() == 507) count("a full disk was answered with 507");
    if (auto wrong = done.hear(*done.call); !wrong.empty()) return wrong;
    if (done.call->status() < 300) {
      accepted_.push_back(done.sent);
      accepted_.back().request.body = {};
      if (accepted_.size() > accepted_max) accepted_.pop_front();
    }
  }
  return {};
}

void sim_device::hang_up() {
  for (const pending& one : under_way_) one.call->vanish();
  under_way_.clear();
}

chunk_sid sim_device::make_chunk(std::size_t size) {
  bytes body(size);
  random_.fill(body);
  const chunk_sid sid{crypto::sha256(body).raw};
  account_.made(sid, std::move(body));
  return sid;
}

void sim_device::put(std::size_t size) {
  const bool again = !chunks_.empty() && draw(8) == 0;
  const chunk_sid sid = again ? chunks_[draw(chunks_.size())] : make_chunk(size);
  send(
      "PUT", "/v1/chunks/" + sid.hex(), *account_.body_of(sid),
      [this, sid, size, sent_ms = server_.time().now_ms()](const sim_call& call) -> std::string {
        if (call.status() >= 300) return {};
        account_.stored(sid, sent_ms);
        chunks_.push_back(sid);
        if (size > 64 << 10) count("a large chunk was stored");
        return {};
      },
      sid.hex());
}

std::pair<version_id, sim_version> sim_device::make_version(wire::version_post& post) {
  const bool fresh = files_.empty() || (files_.size() < files_max && draw(4) == 0);
  if (fresh) files_.push_back(random_id<file_id>(random_));
  sim_version out;
  out.file = files_[draw(files_.size())];
  const auto tip = tips_.find(out.file);
  if (tip != tips_.end() && draw(6) != 0) post.parents = {tip->second};
  post.deleted = !post.parents.empty() && draw(8) == 0;
  if (!post.deleted)
    for (std::uint64_t i = 0; i < draw(3) && !chunks_.empty(); ++i) {
      const std::size_t recent = std::min<std::size_t>(chunks_.size(), 6);
      post.sids.push_back(chunks_[chunks_.size() - 1 - draw(recent)]);
    }
  post.domain = domain_id{{1}};
  post.bytes = 1;
  post.manifest_ct.resize(100 + draw(400));
  random_.fill(post.manifest_ct);
  random_.fill(post.manifest_nonce.raw);
  post.id = wire::identify_version(out.file, post.parents, post.manifest_ct, post.sids);
  out.parents = post.parents;
  out.sids = post.sids;
  out.deleted = post.deleted;
  out.ts_ms = server_.time().now_ms();
  account_.posting(post.id, out);
  return {post.id, out};
}

std::string sim_device::hear_posted(const sim_call& call, const version_id& id) {
  if (call.decision() == "missing_chunks") count("a version named a chunk that was collected");
  // A 4xx is a decision: it was not stored, and never will be. After 503 and 507 nobody knows.
  if (call.status() >= 400 && call.status() < 500) account_.never_was(id);
  if (call.status() >= 300) return {};
  const auto answer = wire::from_json<wire::version_answer>(call.text());
  if (!answer.ok() || answer->id != id) return "a version's answer is not about it";
  if (answer->conflicted()) count("a conflict was made");
  tips_[account_.versions().at(id).file] = id;
  if (!account_.told(id, answer->seq)) return "a number was given twice";
  return {};
}

void sim_device::post() {
  wire::version_post post;
  const auto [id, made] = make_version(post);
  send("POST", "/v1/files/" + made.file.hex() + "/versions", bytes_of(wire::to_json(post)),
       [this, id = id](const sim_call& call) { return hear_posted(call, id); });
}

void sim_device::batch() {
  wire::batch_request request;
  std::vector<chunk_sid> sids;
  std::vector<version_id> ids;
  for (int i = 0; i < 3; ++i) {
    sids.push_back(make_chunk(300 + draw(500)));
    request.chunks.push_back({sids.back(), *account_.body_of(sids.back())});
    wire::version_post post;
    const auto [id, made] = make_version(post);
    ids.push_back(id);
    request.posts.push_back({made.file, post});
  }
  send("POST", "/v1/batch", bytes_of(wire::to_body(request)),
       [this, sids, ids, sent_ms = server_.time().now_ms()](const sim_call& call) -> std::string {
         if (call.status() >= 300) return {};
         const auto answer = wire::from_json<wire::batch_answer>(call.text());
         if (!answer.ok()) return "a batch's answer cannot be read";
         for (std::size_t i = 0; i < sids.size(); ++i)
           if (answer->chunks[i].ok()) account_.stored(sids[i], sent_ms);
         for (std::size_t i = 0; i < ids.size(); ++i)
           if (answer->posts[i].ok() && !account_.told(ids[i], answer->posts[i]->answer.seq))
             return "a number was given twice in a batch";
         count("a batch was answered");
         return {};
       });
}

std::string sim_device::hear_changes(const sim_call& call) {
  if (call.status() >= 300) return {};
  const auto page = wire::from_json<wire::change_page>(call.text());
  if (!page.ok()) return "a page of changes cannot be read";
  for (const wire::change& one : page->changes) {
    if (!account_.knows(one.version.id)) return "a change that nobody of this account made";
    if (!account_.told(one.version.id, one.seq)) return "the feed changed a number";
    if (std::find(files_.begin(), files_.end(), one.file) == files_.end() && files_.size() < files_max)
      files_.push_back(one.file);
    tips_[one.file] = one.version.id;
  }
  since_ = page->seq;
  if (!page->changes.empty()) count("a poll brought changes");
  return {};
}

void sim_device::poll() {
  const std::string wait = draw(2) == 0 ? "&wait=20" : "";
  send("GET", "/v1/changes?since=" + std::to_string(since_) + wait, {},
       [this](const sim_call& call) { return hear_changes(call); });
}

void sim_device::fetch() {
  if (chunks_.empty()) return;
  const chunk_sid sid = chunks_[draw(chunks_.size())];
  send("GET", "/v1/chunks/" + sid.hex(), {}, [this, sid](const sim_call& call) -> std::string {
    const auto got = call.chunk();
    if (call.status() != 200 || !got) return {};
    count("a chunk was fetched");
    return *got == *account_.body_of(sid) ? "" : "a chunk came back with other bytes";
  });
}

// As an eavesdropper would.
void sim_device::send_again() {
  if (accepted_.empty()) return;
  sent_request again = accepted_[draw(accepted_.size())];
  again.request.body = again.body;
  pending out;
  out.call = server_.submit(again.request);
  out.sent = std::move(again);
  out.hear = [this](const sim_call& call) -> std::string {
    if (call.status() < 300) return "a request was accepted twice";
    count("a replayed request was refused");
    return {};
  };
  under_way_.push_back(std::move(out));
}

void sim_device::vanish() {
  if (under_way_.empty()) return;
  const auto at = under_way_.begin() + static_cast<std::ptrdiff_t>(draw(under_way_.size()));
  if (at->call->is_uploading()) count("a device vanished in the middle of an upload");
  at->call->vanish();
  under_way_.erase(at);
}

}  // namespace obsync::test
