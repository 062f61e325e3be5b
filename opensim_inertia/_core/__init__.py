"""What every other folder may use: errors, checks of arguments, provenance of results, optional packages, numerics."""
