// The texts of `obsync help`.
#pragma once

#include <string>

namespace obsync::client {

bool is_help_topic(const std::string& word);
// The overview for an empty topic, else the page of a verb.
std::string help_text(const std::string& topic);

}  // namespace obsync::client
