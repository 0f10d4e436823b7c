#include "client/format/vault_keys.hpp"

#include <gtest/gtest.h>

#include "client/format/derived_ids.hpp"
#include "client/format/recovery_credential.hpp"
#include "tests/support/vectors.hpp"

namespace obsync::client {
namespace {

using test::vector_bytes;
using test::vector_id;
using test::vector_text;

vault_keys published_vault() {
  return vault_keys(*crypto::secret32::from(vector_bytes("/published/vault/vrk")));
}

TEST(VaultKeys, DeriveThePublishedKeysOfBothDomains) {
  const vault_keys keys = published_vault();
  for (const std::string at : {"/published/vault/domains/0", "/published/vault/domains/1"}) {
    const domain_keys& domain = keys.domain(vector_id<domain_id>(at + "/id"));
    EXPECT_EQ(domain.domain_key.hex(), vector_text(at + "/K_d"));
    EXPECT_EQ(domain.manifest_key.hex(), vector_text(at + "/K_m"));
  }
  EXPECT_EQ(keys.map_key().hex(), vector_text("/published/domain_map/K_map"));
}

TEST(VaultKeys, AreDerivedOnceForADomain) {
  const vault_keys keys = published_vault();
  const domain_id domain{{1}}, other{{2}};
  const domain_keys* const first = &keys.domain(domain);
  keys.domain(other);
  EXPECT_EQ(&keys.domain(domain), first);
  EXPECT_EQ(first->id, domain);
}

TEST(DerivedIds, MatchTheKnownFolderAndPauseRecords) {
  const vault_keys keys = published_vault();
  const std::string folder = "/derived_unpublished/folder_record",
                    pause = "/derived_unpublished/pause_control_id";
  const domain_keys& domain = keys.domain(vector_id<domain_id>(folder + "/domain"));
  EXPECT_EQ(folder_file_id(domain, vector_text(folder + "/path")), vector_id<file_id>(folder + "/file_id"));
  EXPECT_EQ(pause_file_id(domain, vector_id<file_id>(pause + "/target")),
            vector_id<file_id>(pause + "/file_id"));
}

TEST(DerivedIds, OfAConflictCopyDependOnFileLoserAndDomain) {
  const vault_keys keys = published_vault();
  const domain_keys& domain = keys.domain(domain_id{{1}});
  const file_id id = conflict_copy_file_id(domain, file_id{{1}}, version_id{{1}});
  EXPECT_EQ(id, conflict_copy_file_id(domain, file_id{{1}}, version_id{{1}}));
  EXPECT_NE(id, conflict_copy_file_id(domain, file_id{{2}}, version_id{{1}}));
  EXPECT_NE(id, conflict_copy_file_id(domain, file_id{{1}}, version_id{{2}}));
  EXPECT_NE(id, conflict_copy_file_id(keys.domain(domain_id{{2}}), file_id{{1}}, version_id{{1}}));
}

TEST(RecoveryCredential, MatchesTheKnownProofAndVerifier) {
  const std::string at = "/derived_unpublished/account_recovery";
  const auto root = *crypto::secret32::from(vector_bytes(at + "/vrk"));
  EXPECT_EQ(recovery_proof(root).hex(), vector_text(at + "/proof"));
  EXPECT_EQ(recovery_verifier(root).hex(), vector_text(at + "/verifier"));
}

}  // namespace
}  // namespace obsync::client
