"""Compiled kernels of the engine and the tables they read and write."""
