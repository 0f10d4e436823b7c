// The framing of a chunks/get answer. Parts are read by their Content-Length, never by searching for the
// boundary.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/ids.hpp"
#include "core/result.hpp"

namespace obsync::wire {

// Everything before a part's bytes, for a chunk of `size` bytes, or for one the server does not have.
std::string part_head(std::string_view boundary, const chunk_sid& sid, std::uint64_t size);
std::string missing_part_head(std::string_view boundary, const chunk_sid& sid);
// After a part's bytes.
inline constexpr std::string_view part_end = "\r\n";
std::string final_boundary(std::string_view boundary);

// The boundary of a `multipart/mixed; boundary=...` content type.
std::optional<std::string> boundary_of(std::string_view content_type);

// Reads one answer that is whole in memory, part after part.
class multipart_reader {
 public:
  struct part {
    chunk_sid sid;
    bool missing = false;
    std::string_view body;  // inside the text given to the constructor
  };

  multipart_reader(std::string_view text, std::string boundary);
  // The next part; nothing after the final boundary; errc::invalid for broken framing.
  result<std::optional<part>> next();

 private:
  std::string_view rest_;
  std::string boundary_;
  bool ended_ = false;
};

}  // namespace obsync::wire
