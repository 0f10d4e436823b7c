// obsyncd: the server's program. Exit status: 0 done, 1 refused or failed, 2 bad arguments or configuration.
#include "app/command_line.hpp"

int main(int argc, char** argv) {
  return obsync::app::run_command_line({argv + 1, argv + argc});
}
