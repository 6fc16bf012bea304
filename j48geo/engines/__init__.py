"""Score and evaluate rows outside this process: batch scorers, Spark and MLflow."""
