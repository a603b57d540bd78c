"""The parts of scripts/load."""
