// How large things may grow, which files there are, and what their text may not say.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/tidy/source_tree.hpp"

namespace obsync::tidy {

inline constexpr std::size_t file_lines_max = 500;
inline constexpr std::size_t function_lines_max = 70;
inline constexpr std::size_t readme_lines_max = 20;

struct function_span {
  std::string name;  // the word before its first parenthesis
  std::size_t first_line = 0;
  std::size_t lines = 0;
};

// Functions outermost in namespaces and classes, found by their braces: good enough for code that
// clang-format laid out, and no parser. Lambdas count with the function they stand in.
std::vector<function_span> functions_of(const source_file& file);

// `ratchet` maps `path name` to the length a known long function may not exceed; it only ever shrinks.
void check_function_lengths(const source_file& file, const std::map<std::string, std::size_t>& ratchet,
                            breaches& out);
void check_file_length(const source_file& file, breaches& out);
void check_file_kind(const source_file& file, breaches& out);

// Clocks and randomness enter through constructors.
void check_ambient_state(const source_file& file, breaches& out);

// Every code folder carries a README.md of at most twenty lines.
void check_folder_readmes(const std::vector<source_file>& tree, breaches& out);

// No text names a document that is not here, nor a path of the machine it was written on.
void check_mentions(const source_file& file, const std::vector<source_file>& tree, const std::string& root,
                    breaches& out);

}  // namespace obsync::tidy
