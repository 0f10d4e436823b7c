// Chunked transfer coding, decoded as the bytes come, by the protocol's limits: a size line of at most 64
// bytes with 1 to 16 hex digits, trailers of at most 8192 bytes, which are ignored.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace obsync::http {

class chunked_decoder {
 public:
  enum class progress {
    more,    // everything given was used, the body goes on
    done,    // the body has ended; bytes behind it were not used
    broken,  // the framing is invalid
  };

  // Appends decoded bytes to `out` and says how many bytes of `input` were used.
  progress feed(std::string_view input, std::string& out, std::size_t& used);

 private:
  enum class state { size_line, data, data_end, trailers };
  progress take_line(std::string_view input, std::size_t& used, std::size_t most);
  bool begin_chunk();

  state state_ = state::size_line;
  std::string line_;        // the line being collected, CRLF included at its end
  std::uint64_t left_ = 0;  // bytes of the present chunk still to come
  std::size_t trailer_bytes_ = 0;
};

}  // namespace obsync::http
