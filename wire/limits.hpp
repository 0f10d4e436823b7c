// The numbers of protocol v1. Changing one makes us incompatible.
#pragma once

#include <cstdint>

namespace obsync::wire {

inline constexpr std::uint64_t json_body_bytes_max = 4u << 20;
inline constexpr std::uint64_t small_json_body_bytes_max = 16u << 10;  // setup and pairing claim
inline constexpr std::uint64_t chunk_plain_bytes_max = 8u << 20;
inline constexpr std::uint64_t chunk_sealed_bytes_max = chunk_plain_bytes_max + 16;
inline constexpr std::uint64_t batch_answer_bytes_max = 32u << 20;  // sum of chunk sizes in one chunks/get
inline constexpr std::uint64_t body_rate_bytes_per_second_min = 16u << 10;
inline constexpr std::uint64_t drained_bytes_max = 1u << 20;
inline constexpr std::uint64_t preauth_body_bytes_max = 64u << 20;

// Additions to the protocol, told in /v1/capabilities.
inline constexpr std::uint64_t batch_body_bytes_max = 16u << 20;
inline constexpr std::uint64_t batch_index_bytes_max = json_body_bytes_max;
inline constexpr std::uint64_t batch_chunk_bytes_max = 64u << 10;  // of ciphertext
inline constexpr std::size_t batch_chunks_max = 256;
inline constexpr std::size_t batch_posts_max = 256;

inline constexpr std::size_t exists_sids_max = 4096;
inline constexpr std::size_t get_sids_max = 64;
inline constexpr std::size_t version_parents_max = 64;
inline constexpr std::size_t version_sids_max = 65536;
inline constexpr std::size_t file_heads_max = 64;
inline constexpr std::size_t manifest_base64_chars_max = 1u << 20;
inline constexpr std::size_t json_depth_max = 64;

inline constexpr std::int64_t page_items_max = 1000;
inline constexpr std::uint64_t changes_page_bytes_max = 8u << 20;
inline constexpr std::uint64_t file_record_bytes_max = 450u << 20;
inline constexpr std::int64_t poll_wait_s_max = 55;

inline constexpr std::int64_t clock_skew_s_max = 300;
inline constexpr std::int64_t nonce_memory_s = 600;
inline constexpr std::int64_t pairing_life_s = 600;
inline constexpr std::int64_t pairing_memory_s = 3600;  // how long a swept pairing still answers
inline constexpr std::size_t swept_pairings_max = 256;
inline constexpr std::int64_t recovery_hold_ms = 604'800'000;
inline constexpr std::int64_t sign_in_sighting_s = 900;

inline constexpr std::size_t name_chars_max = 64;
inline constexpr std::size_t app_version_chars_max = 32;
inline constexpr std::size_t approve_envelope_chars_max = 8192;
inline constexpr std::size_t preview_envelope_chars_max = 2048;
inline constexpr std::size_t preview_envelope_bytes_min = 16;

}  // namespace obsync::wire
