// The tables of catalog.db, step by step. docs/format.md explains every column. Internal to store/.
#pragma once

#include "store/database.hpp"

namespace obsync::store {

extern const schema catalog_schema;
inline constexpr const char* catalog_file_name = "catalog.db";

}  // namespace obsync::store
