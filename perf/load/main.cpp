// obsync_load SCENARIO --server URL --device ID --secret-file FILE [--count N] [--size BYTES] [--in-flight K]
// [--ca FILE] [--seed N]: one scenario against a running server, its numbers as one line of JSON. `route
// --route NAME` times one route, `route-names` lists them, `enrol --token-file FILE` makes the credential of
// the others.
#include <CLI/CLI.hpp>

#include <fstream>
#include <iostream>
#include <map>

#include "perf/load/routes.hpp"
#include "perf/load/scenarios.hpp"
#include "wire/json_writer.hpp"

namespace {

using namespace obsync;

const std::map<std::string, perf::numbers (*)(const perf::load&)> scenarios{
    {"notes", perf::send_notes},    {"batches", perf::send_batches}, {"edits", perf::follow_edits},
    {"chunks", perf::move_chunks},  {"posts", perf::post_versions},  {"account", perf::ask_account},
    {"history", perf::grow_history}};

std::string read_line(const std::string& path) {
  std::ifstream in(path);
  std::string out;
  std::getline(in, out);
  return out;
}

int enrol(const perf::server_address& at, const std::string& token, const std::string& secret_file) {
  const auto who = perf::load_device::enrol(at, token);
  std::ofstream(secret_file) << who.secret.hex() << "\n";
  std::cout << who.device.hex() << "\n";
  return 0;
}

void print(const perf::numbers& measured) {
  wire::json_writer out;
  out.begin_object();
  for (const auto& [name, value] : measured) out.key(name).number(value);
  std::cout << out.end_object().take() << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"loads an obsync server with signed devices"};
  perf::load how;
  std::string scenario, route, token_file, device, secret_file;
  app.add_option("scenario", scenario)->required();
  app.add_option("--server", how.at.url);
  app.add_option("--ca", how.at.ca_file);
  app.add_option("--token-file", token_file);
  app.add_option("--device", device);
  app.add_option("--secret-file", secret_file);
  app.add_option("--count", how.count)->check(CLI::PositiveNumber);
  app.add_option("--size", how.size)->check(CLI::PositiveNumber);
  app.add_option("--in-flight", how.in_flight)->check(CLI::PositiveNumber);
  app.add_option("--seed", how.seed);
  app.add_option("--route", route);
  app.add_flag("--cold", how.cold);
  app.add_option("--warm-up", how.warm_up)->check(CLI::NonNegativeNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    if (scenario == "route-names") {
      for (const std::string& name : perf::route_names()) std::cout << name << "\n";
      return 0;
    }
    if (scenario == "enrol") return enrol(how.at, read_line(token_file), secret_file);
    const auto id = device_id::parse(device);
    const auto secret = crypto::secret32::parse(read_line(secret_file));
    if (!id || !secret) throw std::runtime_error("the device or its secret is not one");
    how.who = {*id, *secret};
    if (scenario != "route" && !scenarios.contains(scenario)) throw std::runtime_error("unknown scenario");
    print(scenario == "route" ? perf::time_route(how, route) : scenarios.at(scenario)(how));
    return 0;
  } catch (const std::exception& failure) {
    std::cerr << "obsync_load: " << failure.what() << "\n";
    return 1;
  }
}
