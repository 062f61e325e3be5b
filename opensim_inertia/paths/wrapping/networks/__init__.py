"""Networks for the wrap sites of a model: their samples, their training, and the cache in which they are kept."""
