#include "app/dashboard_files.hpp"

#include <map>

#include "app/file_text.hpp"
#include "core/log.hpp"

namespace obsync::app {

namespace {

constexpr std::size_t page_bytes_max = 1u << 20;
constexpr const char* page_names[] = {"index.html", "app.css", "app.js", "lib.js"};

}  // namespace

std::shared_ptr<const actors::dashboard_pages> load_dashboard(const std::string& folder) {
  std::map<std::string, std::string, std::less<>> pages;
  for (const char* const name : page_names) {
    auto text = file_text(folder + "/" + name);
    if (text && text->size() <= page_bytes_max) {
      pages.emplace(name, std::move(*text));
    } else {
      log::line(log::level::warn, "dashboard_file_missing").add("file", name);
    }
  }
  if (!pages.empty())
    log::line(log::level::info, "dashboard_loaded").add("files", static_cast<std::int64_t>(pages.size()));
  return std::make_shared<const actors::dashboard_pages>(std::move(pages));
}

}  // namespace obsync::app
