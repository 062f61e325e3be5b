"""Musculotendon paths, and the kernel that integrates muscle mass along paths."""
