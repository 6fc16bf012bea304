"""The nearby-leaf average: leaf estimates over the leaves a case might fall into."""
