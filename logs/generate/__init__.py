"""How the reconstructed rows are made: solve integer plans, verify them exactly, place rows, write, report."""
