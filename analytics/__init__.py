"""Questions over a store, one per file. No Streamlit, no charts."""
