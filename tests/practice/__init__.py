"""Tests of interview practice."""
