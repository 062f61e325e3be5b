"""Mass that swings on its own: bellies across their paths, and masses on springs on segments."""
