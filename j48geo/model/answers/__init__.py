"""What a model answers: predictions, probabilities, rankings, explanations, evaluations, costs."""
