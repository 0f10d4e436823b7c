// Holds docs/format.md and the code to each other.
#include "store/blob_layout.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "crypto/digest.hpp"
#include "store/catalog_schema.hpp"
#include "store/secrets.hpp"
#include "store/small_schema.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::store {
namespace {

std::string document() {
  std::ifstream file(std::string(OBSYNC_SOURCE_DIR) + "/docs/format.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

// The text from the heading up to the next one of the same or a higher level.
std::string section(const std::string& text, const std::string& heading) {
  const std::size_t start = text.find("\n" + heading + "\n");
  if (start == std::string::npos) return {};
  const std::size_t level = heading.find(' ');
  std::size_t end = start + heading.size();
  while ((end = text.find("\n#", end + 1)) != std::string::npos) {
    if (text.find(' ', end) - end - 1 <= level) break;
  }
  return text.substr(start, end - start);
}

// Every column of the database stands in backquotes in its table's section.
void check_columns(const schema& of, const std::string& file, const std::string& text) {
  test::scratch_folder folder;
  const auto on = open_for_writing({folder.path(), file, 1 << 20}, of);
  ASSERT_TRUE(on.ok());
  const std::string chapter = section(text, "## " + file);
  ASSERT_FALSE(chapter.empty());
  sql::statement columns(**on,
                         "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c "
                         "WHERE t.type = 'table'");
  sql::cursor row = columns.query();
  int count = 0;
  while (row.next()) {
    const std::string table = section(chapter, "### " + row.text(0));
    EXPECT_NE(table.find("`" + row.text(1) + "`"), std::string::npos) << row.text(0) << "." << row.text(1);
    ++count;
  }
  EXPECT_GT(count, 5);
}

TEST(Format, DocumentsEveryColumnOfBothDatabases) {
  check_columns(catalog_schema, catalog_file_name, document());
  check_columns(small_schema, small_file_name, document());
}

TEST(Format, DocumentsTheNewestVersionOfEachSchema) {
  const std::string versions = section(document(), "## Versions");
  EXPECT_NE(versions.find("| catalog.db | " + std::to_string(catalog_schema.version()) + " |"),
            std::string::npos);
  EXPECT_NE(versions.find("| small.db | " + std::to_string(small_schema.version()) + " |"),
            std::string::npos);
}

// The golden bytes below are those of the document.
void expect_documented(const std::string& text) {
  EXPECT_NE(document().find(text), std::string::npos) << text;
}

TEST(Format, WrapsASecretAsInTheExample) {
  const std::string key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
  const std::string device = "202122232425262728292a2b2c2d2e2f";
  const std::string secret = "404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f";
  const std::string wrapped = "0935a1fe3761bf2854e917016ec12995864da844937bea43e8a1b6b952507c20";
  for (const std::string& part : {key, device, secret, wrapped}) expect_documented("`" + part + "`");
  EXPECT_EQ(wrap_secret(*crypto::secret32::parse(key), *device_id::parse(device),
                        crypto::secret32::parse(secret)->view())
                .hex(),
            wrapped);
}

TEST(Format, NamesAChunkAsInTheExample) {
  const auto sid = *chunk_sid::from(crypto::sha256(as_bytes("obsync")).view());
  const auto account = *account_id::parse("202122232425262728292a2b2c2d2e2f");
  expect_documented("<blobs>/v1/" + blob_folder_name(sid.raw[0]) + "/" + blob_file_name(account, sid) + "\n");
}

TEST(BlobLayout, ReadsOnlyTheNamesItWrites) {
  const account_id account = *account_id::parse("202122232425262728292a2b2c2d2e2f");
  const chunk_sid sid = *chunk_sid::from(crypto::sha256(as_bytes("obsync")).view());
  const std::string name = blob_file_name(account, sid);
  EXPECT_EQ(parse_blob_file_name(name), std::pair(account, sid));
  std::string upper = name;
  upper[1] = 'E';
  for (const std::string& other : {std::string(), sid.hex(), sid.hex() + ".", name + "0", "0" + name, upper,
                                   sid.hex() + "-" + account.hex(), name.substr(0, name.size() - 1)}) {
    EXPECT_EQ(parse_blob_file_name(other), std::nullopt) << other;
  }
}

}  // namespace
}  // namespace obsync::store
