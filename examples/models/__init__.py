"""The models of examples, built by code: pendulums, a finger, a hopper, a reaching arm, a knee of splines, a standing
body."""
