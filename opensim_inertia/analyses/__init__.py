"""What a user asks of an inertial model: one folder for each analysis."""
