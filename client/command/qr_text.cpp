#include "client/command/qr_text.hpp"

#include <qrencode.h>

#include <memory>

namespace obsync::client {

namespace {

constexpr int quiet_zone = 2;
constexpr const char* black_on_white = "\x1b[30;107m";
constexpr const char* as_before = "\x1b[0m";

bool dark(const QRcode& code, int x, int y) {
  if (x < 0 || y < 0 || x >= code.width || y >= code.width) return false;
  return (code.data[y * code.width + x] & 1) != 0;
}

const char* half_blocks(bool upper, bool lower) {
  if (upper) return lower ? "█" : "▀";
  return lower ? "▄" : " ";
}

}  // namespace

std::optional<std::string> qr_text(const std::string& content) {
  const std::unique_ptr<QRcode, decltype(&QRcode_free)> code(
      QRcode_encodeString8bit(content.c_str(), 0, QR_ECLEVEL_L), &QRcode_free);
  if (!code) return std::nullopt;
  std::string out;
  for (int y = -quiet_zone; y < code->width + quiet_zone; y += 2) {
    out += black_on_white;
    for (int x = -quiet_zone; x < code->width + quiet_zone; ++x) {
      out += half_blocks(dark(*code, x, y), dark(*code, x, y + 1));
    }
    out += as_before;
    out += "\n";
  }
  return out;
}

}  // namespace obsync::client
