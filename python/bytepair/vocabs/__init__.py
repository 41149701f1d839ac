"""What the bundled tokenizers are made of: their recipes, and the data (README.md)."""
