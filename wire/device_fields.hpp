// Pieces several routes share: how devices, policies and previews read and write. Included by wire's .cpp
// files only.
#pragma once

#include "wire/device.hpp"
#include "wire/json_fields.hpp"
#include "wire/json_writer.hpp"
#include "wire/pairing.hpp"
#include "wire/setup.hpp"

namespace obsync::wire {

// The members name, platform, app_version, in this order.
void read_card(json_fields& in, device_card& out);
void write_card(json_writer& out, const device_card& value);

// Every member of a device, without the braces.
void write_device_members(json_writer& out, const device_info& value);

// The member `policy`; absent and null both mean not given.
void read_policy(json_fields& in, std::optional<device_policy>& out);
void write_policy(json_writer& out, const device_policy& value);

// The member `vault`; absent means not given.
void read_preview(json_fields& in, std::optional<vault_preview>& out);
// A member holding an uncompressed P-256 point: 87 base64url characters that begin as 0x04 does.
void read_point(json_fields& in, const char* name, std::string& out);

}  // namespace obsync::wire
