"""A whole house on one machine: servers, secrets, ports and processes, started and ended by their ids."""
