"""What scripts/make_fixtures makes, one module a part of fixtures/.

``trees`` has the folders of one tree text each, ``saved_models`` the .model files, ``arff_files``
the ARFF files with Weka's parse, ``sensor_trees`` the trees of sensor tools. ``data_sets`` has the
rows that trees are made of and ``live`` the Wekas that run.
"""
