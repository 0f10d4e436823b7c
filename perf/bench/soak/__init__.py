"""A family that lives with obsync for hours, while things go wrong, and whose last word is looked for all along."""
