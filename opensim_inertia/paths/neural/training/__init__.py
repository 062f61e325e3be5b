"""How networks are trained, with PyTorch: evaluation needs none of this."""
