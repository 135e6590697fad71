"""The report: one self-contained HTML page about a slice, for people without the app. No Streamlit, no script."""
