"""What a model learns from rows: kernels, calibration, and choices made on regrown trees."""
