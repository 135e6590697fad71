"""What pages are made of: `kit` mixes Streamlit with the core, `charts` turns frames into charts without Streamlit."""
