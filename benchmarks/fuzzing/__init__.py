"""Mutation of good logs: samples, ways to spoil them, and what must hold of every spoiled one."""
