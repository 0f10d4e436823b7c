"""Measures obsync: servers, devices, vaults and the scenarios that load them."""
