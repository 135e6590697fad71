"""Kernels: arrays in, arrays out. NumPy, SciPy and statsmodels only."""
