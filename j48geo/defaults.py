"""Numbers that hold where nobody says otherwise: each stands here and nowhere else.

The module imports nothing, so that a help text can name them at no cost.
"""

from __future__ import annotations

MP = 10.0
"""The product m p(c) of the m-estimate; the m is then 10 / p(c)."""

LABELS_M = 2.0
"""The m of labels for more than two classes (`scripts/studies/label-study-results.md`)."""

SIGMA = 0.3
"""The error of measurement that the nearby-leaf average allows for, in standard deviations."""

SHRINKAGE = 25.0
"""λ of hierarchical shrinkage, in cases, where a leaf answers alone."""

LEAF_SHRINKAGE = 5.0
"""λ of the leaf values that the nearby-leaf average may use."""

TAU_GLOBAL = 0.10
"""Bandwidth of GDK as a share of the range of distances (ABD07 section 4.1)."""

TAU_LOCAL = 0.05
"""The same of LDK, within a separator or a leaf."""

FPR = 0.1
"""False positive rate up to which the partial AUC of an evaluation goes."""
