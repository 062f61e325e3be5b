"""Independent references that the tests compare the package against; nothing here imports the package's kernel."""
