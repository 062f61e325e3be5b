"""Musculotendon paths, and the kernel that integrates mass along them."""
