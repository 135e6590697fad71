"""Settings of every test."""

from hypothesis import settings

# A busy machine is no fault of the code: time is measured in benchmarks/, never in the suite.
settings.register_profile("scoreproof", deadline=None)
settings.load_profile("scoreproof")
