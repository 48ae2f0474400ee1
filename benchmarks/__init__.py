"""Speed and memory of the engine on frozen cases."""
