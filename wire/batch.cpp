#include "wire/batch.hpp"

#include <array>

#include "wire/limits.hpp"
#include "wire/version_fields.hpp"

namespace obsync::wire {

namespace {

constexpr std::size_t prefix_bytes = 4;
// Upper bounds of the fixed parts, so that writing never reallocates.
constexpr std::size_t chunk_entry_bytes = 128;
constexpr std::size_t answer_entry_bytes = 512;

std::string index_of(const batch_request& value) {
  std::size_t expected = 64 + value.chunks.size() * chunk_entry_bytes;
  for (const batch_post& one : value.posts) expected += 64 + written_size(one.post);
  json_writer out(expected);
  out.begin_object().key("chunks").begin_array();
  for (const batch_chunk& one : value.chunks) {
    out.begin_object().key("sid").id(one.sid);
    out.key("size").integer(static_cast<std::int64_t>(one.sealed.size())).end_object();
  }
  out.end_array().key("posts").begin_array();
  for (const batch_post& one : value.posts) {
    out.begin_object().key("file_id").id(one.file);
    write_post(out, one.post);
    out.end_object();
  }
  return out.end_array().end_object().take();
}

std::string prefix_of(std::size_t length) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>((length >> shift) & 0xFF));
  return out;
}

// The index's length, or nothing when the body is shorter than it says.
std::optional<std::size_t> index_length(std::string_view body) {
  if (body.size() < prefix_bytes) return std::nullopt;
  std::size_t length = 0;
  for (std::size_t i = 0; i < prefix_bytes; ++i) length = length << 8 | static_cast<std::uint8_t>(body[i]);
  if (length > body.size() - prefix_bytes) return std::nullopt;
  return length;
}

struct chunk_entry {
  chunk_sid sid;
  std::int64_t size = 0;
};

struct index {
  std::vector<chunk_entry> chunks;
  std::vector<outcome<batch_post>> posts;
};

outcome<batch_post> read_one_post(const json_value& item) {
  json_fields::note first;
  json_fields in(&item, first);
  batch_post out;
  in.id("file_id", out.file);
  read_post(in, out.post);
  if (first) return std::move(*first);
  return out;
}

void read_index(json_fields& in, index& out) {
  const json_value* const chunks = in.array("chunks");
  const json_value* const posts = in.array("posts");
  if (in.failed()) return;
  if (chunks->Size() > batch_chunks_max || posts->Size() > batch_posts_max)
    return in.fail(refusal::batch_too_large, "a batch holds at most 256 chunks and 256 posts");
  in.list("chunks", out.chunks, [](json_fields& item, chunk_entry& entry) {
    item.id("sid", entry.sid);
    item.integer("size", entry.size);
  });
  for (const json_value& item : posts->GetArray()) out.posts.push_back(read_one_post(item));
}

void write_refusal(json_writer& out, const failure& value) {
  out.key("status").integer(status_of(value.code));
  out.key("error").plain(name(value.code));
  out.key("detail").string(value.detail);
  if (!value.members.empty()) out.raw(value.members);
}

// What an item says went wrong, in this build's words.
failure read_refusal(const json_value& item, std::int64_t status) {
  failure out{status >= 500 ? refusal::io_error : refusal::bad_request, {}};
  const auto word = item.FindMember("error");
  const auto detail = item.FindMember("detail");
  if (detail != item.MemberEnd() && detail->value.IsString()) out.detail = text_of(detail->value);
  if (word == item.MemberEnd() || !word->value.IsString()) return out;
  if (const auto known = parse_refusal(text_of(word->value))) {
    out.code = *known;
  } else {
    out.detail = std::string(text_of(word->value)) + ": " + out.detail;
  }
  json_fields::note unread;
  json_fields in(&item, unread);
  std::vector<chunk_sid> missing;
  in.ids("missing", version_sids_max, missing);
  if (!unread) {
    json_writer members;
    members.key("missing").ids(missing);
    out.members = members.take();
  }
  return out;
}

// Reads the items of an array; a success has further members that `read_rest` reads.
template <class Value, class Read>
void read_items(json_fields& in, const char* name, std::vector<outcome<Value>>& out, Read read_rest) {
  const json_value* const items = in.array(name);
  if (items == nullptr) return;
  out.reserve(items->Size());
  for (const json_value& value : items->GetArray()) {
    json_fields item = in.nested(value);
    std::int64_t status = 0;
    item.integer("status", status);
    if (in.failed()) return;
    if (status != 200 && status != 201) {
      out.emplace_back(read_refusal(value, status));
      continue;
    }
    Value stored;
    stored.created = status == 201;
    read_rest(item, stored);
    out.emplace_back(std::move(stored));
  }
}

}  // namespace

std::string to_body(const batch_request& value) {
  const std::string index = index_of(value);
  std::size_t total = prefix_bytes + index.size();
  for (const batch_chunk& one : value.chunks) total += one.sealed.size();
  std::string out;
  out.reserve(total);
  out += prefix_of(index.size());
  out += index;
  for (const batch_chunk& one : value.chunks) out += as_text(one.sealed);
  return out;
}

outcome<received_batch> read_batch(std::string_view body) {
  const auto length = index_length(body);
  if (!length)
    return failure{refusal::length_mismatch, "the body is shorter than the length of its index says"};
  if (*length > batch_index_bytes_max)
    return failure{refusal::body_too_large, "the index of a batch is at most 4 MiB"};
  auto read = read_json<index>(body.substr(prefix_bytes, *length), read_index);
  if (!read) return read.error();
  received_batch out;
  out.posts = std::move(read->posts);
  std::string_view rest = body.substr(prefix_bytes + *length);
  for (const chunk_entry& entry : read->chunks) {
    const auto size = static_cast<std::uint64_t>(entry.size);
    if (size > rest.size())
      return failure{refusal::length_mismatch, "the body is shorter than the sizes of its chunks"};
    out.chunks.push_back({entry.sid, as_bytes(rest.substr(0, size))});
    rest.remove_prefix(size);
  }
  if (!rest.empty())
    return failure{refusal::length_mismatch, "the body is longer than the sizes of its chunks"};
  return out;
}

std::string to_json(const batch_answer& value) {
  json_writer out((value.chunks.size() + value.posts.size()) * answer_entry_bytes);
  out.begin_object().key("chunks").begin_array();
  for (const auto& one : value.chunks) {
    out.begin_object();
    one ? void(out.key("status").integer(one->created ? 201 : 200)) : write_refusal(out, one.error());
    out.end_object();
  }
  out.end_array().key("posts").begin_array();
  for (const auto& one : value.posts) {
    out.begin_object();
    if (one) {
      out.key("status").integer(one->created ? 201 : 200);
      write_answer(out, one->answer);
    } else {
      write_refusal(out, one.error());
    }
    out.end_object();
  }
  return out.end_array().end_object().take();
}

template <>
outcome<batch_answer> from_json(std::string_view text) {
  return read_json<batch_answer>(text, [](json_fields& in, batch_answer& out) {
    read_items(in, "chunks", out.chunks, [](json_fields&, batch_stored&) {});
    read_items(in, "posts", out.posts,
               [](json_fields& item, batch_posted& stored) { read_answer(item, stored.answer); });
  });
}

}  // namespace obsync::wire
