#include "actors/dashboard_pages.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>

namespace obsync::actors {
namespace {

std::string shipped(const std::string& name) {
  std::ifstream file(std::string(OBSYNC_SOURCE_DIR) + "/dashboard/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

bool contains(const std::string& text, const std::string& pattern) {
  return std::regex_search(text, std::regex(pattern, std::regex::icase));
}

TEST(DashboardPages, EveryFileTravelsWithThePoliciesAndItsType) {
  const dashboard_pages pages({{"index.html", "<p>"}, {"app.css", "p{}"}, {"lib.js", ";"}});
  const reply page = pages.answer("index.html");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(std::get<text_body>(page.body).content_type, "text/html; charset=utf-8");
  ASSERT_EQ(page.headers.size(), 3u);
  EXPECT_EQ(
      page.headers[0].second,
      "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; "
      "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'");
  EXPECT_EQ(std::get<text_body>(pages.answer("app.css").body).content_type, "text/css; charset=utf-8");
  EXPECT_EQ(std::get<text_body>(pages.answer("lib.js").body).content_type, "text/javascript; charset=utf-8");
}

TEST(DashboardPages, AFileThatIsNotThereIsDashboardUnavailable) {
  EXPECT_EQ(dashboard_pages().answer("app.js").decision, "dashboard_unavailable");
}

TEST(ShippedDashboard, HasNothingInlineAndNothingFromElsewhere) {
  const std::string page = shipped("index.html");
  EXPECT_FALSE(contains(page, "<script(?![^>]* src=)"));
  EXPECT_FALSE(contains(page, "<style"));
  EXPECT_FALSE(contains(page, " style="));
  EXPECT_FALSE(contains(page, " on[a-z]+="));
  for (const char* const name : {"index.html", "app.css", "app.js", "lib.js"}) {
    std::string text = shipped(name);
    // The name of a vocabulary, not an address anything is fetched from.
    text = std::regex_replace(text, std::regex("http://www.w3.org/2000/svg"), "");
    EXPECT_FALSE(contains(text, "https?://")) << name;
  }
}

TEST(ShippedDashboard, NeverPutsTextInAsHtml) {
  for (const char* const name : {"app.js", "lib.js"})
    EXPECT_FALSE(contains(shipped(name),
                          "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|eval\\(|new Function|"
                          "setAttribute\\(\"style|setHTML|srcdoc"))
        << name;
}

}  // namespace
}  // namespace obsync::actors
