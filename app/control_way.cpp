#include "app/control_way.hpp"

#include <fcntl.h>
#include <sys/un.h>
#include <unistd.h>

#include <utility>

namespace obsync::app {

result<control_way> control_way::to(const std::string& path) {
  if (path.size() < sizeof(sockaddr_un{}.sun_path)) return control_way(path, -1);
  const std::size_t slash = path.rfind('/');
  const int folder = ::open(path.substr(0, slash).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return error{errc::not_found, path.substr(0, slash) + " cannot be opened"};
  return control_way("/proc/self/fd/" + std::to_string(folder) + path.substr(slash), folder);
}

control_way::control_way(control_way&& other) noexcept
    : name_(std::move(other.name_)), folder_(std::exchange(other.folder_, -1)) {}

control_way::~control_way() {
  if (folder_ >= 0) ::close(folder_);
}

}  // namespace obsync::app
