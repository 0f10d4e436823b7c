// Drives one fuzz target over its seeds in an ordinary build: each file of the folders named, whole and, as a
// cheap way to meet every truncation, each beginning of it. Fails when there are no seeds; a finding aborts.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t truncations_max = 2048;

void run(const std::filesystem::path& seed) {
  std::ifstream in(seed, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const std::size_t step = whole.size() / truncations_max + 1;
  for (std::size_t size = 0; size < whole.size(); size += step) {
    // A copy of exactly this length, so that a sanitizer sees a read past its end.
    const std::string beginning = whole.substr(0, size);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(beginning.data()), beginning.size());
  }
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(whole.data()), whole.size());
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t seeds = 0;
  for (int i = 1; i < count; ++i) {
    for (const auto& entry : std::filesystem::directory_iterator(arguments[i])) {
      if (!entry.is_regular_file()) continue;
      run(entry.path());
      ++seeds;
    }
  }
  std::printf("%zu seeds\n", seeds);
  return seeds > 0 ? 0 : 1;
}
