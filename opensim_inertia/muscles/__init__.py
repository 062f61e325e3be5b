"""What muscles weigh, and how their mass is strained along the path."""
