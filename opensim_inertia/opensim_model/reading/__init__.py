"""Reading of models and their states into arrays."""
