#include "app/certificate_check.hpp"

#include "http/tls_files.hpp"

namespace obsync::app {

status check_certificate(const config::settings& settings) {
  if (settings.tls.certificate.empty()) return {};
  const auto loaded = http::load_tls({settings.tls.certificate, settings.tls.key});
  if (!loaded) return loaded.error();
  return {};
}

}  // namespace obsync::app
