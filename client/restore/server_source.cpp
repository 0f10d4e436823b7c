#include "client/restore/server_source.hpp"

#include "client/remote/remote_text.hpp"
#include "wire/limits.hpp"

namespace obsync::client {

error local_error(const remote_error& why) {
  switch (why.what) {
    case remote_error::kind::unreachable:
      return {errc::unavailable, text_of(why)};
    case remote_error::kind::stopped:
      return {errc::shutting_down, "stopped"};
    case remote_error::kind::not_obsync:
    case remote_error::kind::malformed:
      return {errc::corrupt, text_of(why)};
    case remote_error::kind::refused:
      break;
  }
  return {why.refusal == wire::refusal::unknown_chunk ? errc::not_found : errc::denied, text_of(why)};
}

status server_source::visit(const std::function<status(const wire::change&)>& take) {
  for (sequence since = 0;;) {
    const auto page = server_.changes(since, 0, wire::page_items_max);
    if (!page) return local_error(page.error());
    for (const wire::change& one : page->changes)
      if (const status taken = take(one); !taken) return taken;
    newest_ = page->seq;
    // A page that leads nowhere would have us ask for it for ever.
    if (page->seq >= page->head_seq || page->seq <= since) return {};
    since = page->seq;
  }
}

result<sealed_chunks> server_source::chunks(const std::vector<chunk_sid>& sids) {
  if (sids.size() > 1) {
    auto many = server_.get_chunks(sids);
    if (!many) return local_error(many.error());
    return std::move(*many);
  }
  sealed_chunks out;
  for (const chunk_sid& sid : sids) {
    auto one = server_.get_chunk(sid);
    const bool lacks = !one && one.error().refusal == wire::refusal::unknown_chunk;
    if (!one && !lacks) return local_error(one.error());
    out.push_back(lacks ? std::nullopt : std::optional(std::move(*one)));
  }
  return out;
}

std::string server_source::name_of(const device_id& device) {
  if (!devices_) {
    devices_.emplace();
    // A copy gets a plainer name where the server does not say.
    if (const auto list = server_.devices()) {
      for (const auto& one : list->devices) devices_->emplace(one.id, one.card.name);
    }
  }
  const auto found = devices_->find(device);
  return found == devices_->end() ? std::string() : found->second;
}

}  // namespace obsync::client
