#include "app/tls_verb.hpp"

#include <ctime>
#include <iostream>
#include <optional>

#include "app/certificate_folder.hpp"
#include "core/clock.hpp"

namespace obsync::app {

namespace {

constexpr const char* usage = "usage: obsyncd tls self-signed --name HOST [--name HOST ...] --out DIR\n";

struct wishes {
  std::vector<std::string> names;
  std::string folder;
};

// `--name X` and `--name=X`; nothing for words that fit neither.
std::optional<wishes> read_words(const std::vector<std::string>& words) {
  wishes out;
  for (std::size_t i = 1; i < words.size(); ++i) {
    std::string option = words[i];
    std::string value;
    if (const auto equals = option.find('='); equals != std::string::npos) {
      value = option.substr(equals + 1);
      option.resize(equals);
    } else if (++i < words.size()) {
      value = words[i];
    }
    if (value.empty()) return std::nullopt;
    if (option == "--name") {
      out.names.push_back(value);
    } else if (option == "--out" && out.folder.empty()) {
      out.folder = value;
    } else {
      return std::nullopt;
    }
  }
  if (out.folder.empty()) return std::nullopt;
  return out;
}

std::string day_of(std::int64_t unix_s) {
  const auto time = static_cast<std::time_t>(unix_s);
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& each : names) out += (out.empty() ? "" : ", ") + each;
  return out;
}

void tell(const issued_certificate& made) {
  const std::string& in = made.folder;
  std::cout << (made.renewed ? "renewed the certificate for " : "made a certificate for ")
            << listed(made.names) << ", valid until " << day_of(made.expires_s) << "\n";
  if (made.renewed) {
    std::cout << "A running server takes it by itself, with the next connection.\n";
    return;
  }
  const std::string& host = made.names.front();
  const std::string shown = host.find(':') == std::string::npos ? host : "[" + host + "]";
  std::cout << "\n"
            << "  " << in << "/server.crt and server.key: for the server\n"
            << "  " << in << "/ca.crt: for your devices; no secret\n"
            << "  " << in << "/ca.key: whoever has it can pass for your server; only renewals need it\n\n"
            << "In obsyncd.conf (the server's user must be able to read server.key):\n\n"
            << "[server]\nlisten = \"0.0.0.0:8443\"\n"
            << "[tls]\ncertificate = \"" << in << "/server.crt\"\nkey = \"" << in << "/server.key\"\n\n"
            << "On each device, after copying ca.crt there (join and recover take --ca as well):\n\n"
            << "obsync init --server https://" << shown << ":8443 --ca ca.crt ...\n\n"
            << "On phones, install ca.crt as a trusted authority in the system's settings.\n"
            << "To renew, run this again with the same --out.\n";
}

}  // namespace

int tls_verb(const std::vector<std::string>& words) {
  const auto wanted = words.empty() || words.front() != "self-signed" ? std::nullopt : read_words(words);
  if (!wanted) {
    std::cerr << usage;
    return 2;
  }
  const auto made = fill_certificate_folder(wanted->folder, wanted->names, system_clock{}.now_s());
  if (!made) {
    std::cerr << "obsyncd: " << made.error().detail << "\n";
    return made.error().code == errc::invalid ? 2 : 1;
  }
  tell(*made);
  return 0;
}

}  // namespace obsync::app
