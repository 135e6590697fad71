"""The demo cases: their text, the pictures and the clip, and how they become a log."""
