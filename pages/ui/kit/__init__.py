"""The parts of a page; the only place where Streamlit meets the core."""
