"""Class probabilities from the distance to the boundary: the kernels of ABD07."""
