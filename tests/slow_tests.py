"""What the quick run leaves out: ``sh scripts/test --quick``."""

from __future__ import annotations

__all__ = ["SLOW"]

SLOW = (
    "tests/cli/test_app.py::test_nothing_is_coloured",
    "tests/cli/test_app.py::test_the_model_or_the_data_may_be_standard_input",
    "tests/cli/test_evaluate.py::test_cross_validation_is_drawn",
    "tests/cli/test_explain.py::test_applying_the_change_gives_the_class_that_was_told",
    "tests/cli/test_explain.py::test_it_does_under_every_measure",
    "tests/cli/test_grow_evaluate.py::test_a_text_of_the_corpus_is_printed_whole_but_for_the_times",
    "tests/cli/test_plotting.py",
    "tests/cli/test_rank.py::test_blocks_and_standard_input_give_what_a_whole_file_gives",
    "tests/cli/test_streams.py",
    "tests/cli/test_tuning.py::test_tuned_is_what_the_choice_gives_by_hand",
    "tests/core/test_routing.py::test_routes_are_those_of_one_case_at_a_time",
    "tests/core/test_routing_numba.py",
    "tests/data/test_arff_engines.py",
    "tests/decide/test_labellings.py"
    "::test_in_its_interval_no_labelling_costs_less_and_outside_it_some_other_does",
    "tests/decide/test_labellings.py::test_the_hull_of_all_labellings_is_the_optimal_ones",
    "tests/decide/test_roc.py::test_every_point_has_scikit_learns_precision_recall_and_f",
    "tests/export/test_consumers.py",
    "tests/export/test_formats.py::test_an_export_of_another_package_is_listed_and_used",
    "tests/export/test_formats.py::test_every_consumer_answers_any_tree_as_predict_does",
    "tests/export/test_formats.py::test_hostile_names_and_labels_change_nothing",
    "tests/export/test_formats.py::test_postgresql_takes_hostile_names",
    "tests/geometry/test_counterfactual.py"
    "::test_a_case_that_some_change_flips_is_told_one_and_the_smallest",
    "tests/geometry/test_counterfactual.py::test_applying_the_change_gives_the_class_it_names",
    "tests/geometry/test_distance.py",
    "tests/geometry/test_distance_numba.py",
    "tests/geometry/test_faces.py",
    "tests/geometry/test_projection.py",
    "tests/model/test_crossing.py::test_it_is_repeated_to_the_last_digit_and_not_optimistic",
    "tests/model/test_tuning.py::test_other_rows_or_folds_make_every_method_honest",
    "tests/model/test_tuning.py::test_the_choice_is_the_best_of_all_candidates_asked_one_by_one",
    "tests/read/test_lookalikes.py::test_a_hostile_text_is_refused_in_time",
    "tests/read/test_pasted.py::test_a_damaged_tree_is_the_same_tree_or_an_error",
    "tests/read/test_pasted.py::test_damaged_texts_of_weka_give_the_same_tree_or_an_error",
    "tests/read/test_text_fuzz.py",
    "tests/score/test_printed.py::test_no_class_of_a_text_alone_is_wrong",
    "tests/test_compiled_places.py",
    "tests/report/test_browser.py",
    "tests/report/test_page.py::test_several_trees_are_refused_and_a_fitted_model_is_not",
    "tests/report/test_page.py::test_the_command_writes_the_page_and_tells_how",
    "tests/score/test_density.py::test_estimates_of_random_trees_are_those_of_algorithm_3",
    "tests/score/test_geometric.py::test_with_more_classes_the_score_is_minus_h_or_the_literal_one",
    "tests/score/test_kernel_sums.py::test_every_method_is_the_definition",
    "tests/score/test_nearby.py::test_every_engine_is_the_definition_on_larger_trees",
    "tests/score/test_nearby.py::test_every_engine_is_the_definition_on_random_trees",
    "tests/score/test_nearby.py"
    "::test_small_work_never_loads_numba_and_large_work_does_if_it_is_there",
    "tests/score/test_nearby.py::test_the_loop_is_plain_python_too",
    "tests/score/test_nearby.py::test_weights_sum_to_one_and_nothing_is_ever_unknown",
    "tests/score/test_predict.py::test_answers_are_those_of_the_recursion",
    "tests/score/test_probabilities.py::test_every_distribution_sums_to_one_and_none_is_nan",
    "tests/score/test_shrinkage.py::test_every_leaf_has_what_the_definition_gives_it",
    "tests/show/test_arff_out.py::test_what_is_written_is_read_back",
    "tests/show/test_plots.py",
    "tests/show/test_plots_slice.py",
    "tests/sklearn/test_grown.py::test_every_check_of_scikit_learn_passes",
    "tests/sklearn/test_loaded.py::test_only_checks_whose_data_has_other_columns_fail",
    "tests/sklearn/test_loaded.py::test_they_pass_with_a_tree_of_as_many_columns",
    "tests/test_docs.py::test_what_a_page_shows_is_what_the_program_prints",
    "tests/test_plugins.py",
    "tests/test_score_plugins.py",
    "tests/test_tuning_study.py",
)
"""Files, or tests with all their parameters, of about a second and more.

Those that need Weka or the corpus are left out anyway, by their marks.
"""
