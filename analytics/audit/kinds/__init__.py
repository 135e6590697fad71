"""Kinds of check: each file declares `KINDS`, and a new file is a new kind."""
