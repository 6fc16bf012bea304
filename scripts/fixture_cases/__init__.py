"""What scripts/make_fixtures makes, one module a part of fixtures/.

``trees`` has the folders of one tree text each, ``saved_models`` the .model files. ``data_sets``
has the rows they are made of and ``live`` the Wekas that run.
"""
