"""What is wrong with a model, a motion and external loads, found before anything is solved: see ``findings``."""
