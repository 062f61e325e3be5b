"""Where musculotendon paths lie, how they move, and the kernel that sums mass along them."""
