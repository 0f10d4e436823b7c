#include "tests/e2e/browser.hpp"

namespace obsync::test {

raw_answer browser::get(const std::string& target) {
  return send("GET", target, {});
}

raw_answer browser::post(const std::string& target) {
  return send("POST", target, "X-Obsync-Csrf: " + cookie("__Host-obsync_csrf") + "\r\n");
}

raw_answer browser::send(const std::string& method, const std::string& target,
                         const std::string& header_lines) {
  std::string text = method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
  std::string jar;
  for (const auto& [name, value] : cookies_) jar += (jar.empty() ? "" : "; ") + name + "=" + value;
  if (!jar.empty()) text += "Cookie: " + jar + "\r\n";
  const std::string request = text + header_lines + "\r\n";
  const raw_answer answer = test::exchange(port_, request);
  keep_cookies(answer);
  return answer;
}

std::string browser::cookie(const std::string& name) const {
  const auto found = cookies_.find(name);
  return found == cookies_.end() ? "" : found->second;
}

void browser::keep_cookies(const raw_answer& answer) {
  for (const auto& [name, line] : answer.headers) {
    if (name != "Set-Cookie") continue;
    const std::string pair = line.substr(0, line.find(';'));
    const std::size_t equals = pair.find('=');
    if (line.find("Max-Age=0;") != std::string::npos) {
      cookies_.erase(pair.substr(0, equals));
    } else {
      cookies_[pair.substr(0, equals)] = pair.substr(equals + 1);
    }
  }
}

}  // namespace obsync::test
