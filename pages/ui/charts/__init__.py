"""Charts: a frame in, an Altair chart out. No Streamlit."""
