"""Readers, one log format each, and the warehouse that builds a store from what they read."""
