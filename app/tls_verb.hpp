// `obsyncd tls self-signed`: a private certificate authority and a server certificate, for a server that has
// no public name.
#pragma once

#include <string>
#include <vector>

namespace obsync::app {

// `words` after the verb; the exit status.
int tls_verb(const std::vector<std::string>& words);

}  // namespace obsync::app
