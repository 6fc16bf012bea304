"""What shorter runs of the tests leave out: ``sh scripts/test`` and ``sh scripts/test --quick``.

An entry is a file, or a test with all its parameters. Measure on idle cores, with
``--durations=50``.
"""

from __future__ import annotations

__all__ = ["SLOW", "VERY_SLOW"]

VERY_SLOW = (
    "tests/cli/test_grow_evaluate.py::test_a_random_evaluation_is_wekas_letter_for_letter",
    "tests/cli/test_proba.py::test_shrunken_leaves_are_kept_in_the_file",
    "tests/cli/test_streams.py::test_each_row_is_answered_as_it_comes_and_as_in_a_whole_file",
    "tests/export/test_consumers.py::test_a_c_program_says_what_predict_says",
    "tests/export/test_consumers.py::test_a_javascript_function_says_what_predict_says",
    "tests/export/test_consumers.py"
    "::test_a_select_says_what_predict_says_where_no_value_is_missing_on_the_path",
    "tests/export/test_consumers.py"
    "::test_a_select_with_distributions_says_what_predict_says_on_every_row",
    "tests/export/test_consumers.py"
    "::test_the_report_of_a_float_program_counts_the_rows_that_it_answers_otherwise",
    "tests/geometry/test_real_trees.py::test_every_tree_is_measured_as_the_plain_loops_do",
    "tests/growing/test_edges_live.py"
    "::test_a_file_at_the_edge_gives_wekas_tree_or_is_refused_as_there",
    "tests/growing/test_j48_live.py::test_a_grown_tree_is_wekas_letter_for_letter",
    "tests/read/j48/test_diagnosis.py::test_a_hostile_text_is_refused_in_time",
    "tests/read/repair/test_choose_repairs.py::test_a_damaged_tree_is_the_same_tree_or_an_error",
    "tests/report/test_browser.py"
    "::test_a_large_tree_opens_at_its_heaviest_parts_and_can_be_searched",
    "tests/report/test_browser.py::test_a_report_opens_wide_and_narrow_light_and_dark",
    "tests/score/test_gauss_transform.py::test_a_sum_does_not_depend_on_the_other_targets",
    "tests/score/test_kernel_density.py"
    "::test_estimates_of_every_real_tree_are_those_of_algorithm_3",
    "tests/score/test_nearby.py::test_every_engine_is_the_definition_on_random_trees",
    "tests/test_compilation_places.py",
    "tests/weka/test_weka_live.py::test_wrappers_answer_as_weka_does_or_not_at_all",
)
"""What takes five seconds and more: ``sh scripts/test --all`` alone runs it.

The golden run and the examples of the guide are not listed, since any change may break them.
"""

SLOW = (
    "tests/cli/test_app.py::test_nothing_is_coloured",
    "tests/cli/test_app.py::test_output_is_utf_8_whatever_the_locale",
    "tests/cli/test_app.py::test_the_model_or_the_data_may_be_standard_input",
    "tests/cli/test_evaluate.py::test_cross_validation_is_drawn",
    "tests/cli/test_explain.py::test_applying_the_change_gives_the_class_that_was_told",
    "tests/cli/test_explain.py::test_it_does_under_every_measure",
    "tests/cli/test_grow_evaluate.py::test_a_text_is_printed_whole_but_for_the_times",
    "tests/cli/test_hostile.py::test_numbers_at_the_ends_of_the_doubles_are_answered_or_refused",
    "tests/cli/test_plot.py",
    "tests/cli/test_rank.py::test_blocks_and_standard_input_give_what_a_whole_file_gives",
    "tests/cli/test_signals.py::test_a_signal_while_writing_leaves_the_old_file_and_nothing_else",
    "tests/cli/test_signals.py::test_ctrl_c_while_the_program_is_still_imported_is_silent",
    "tests/cli/test_streams.py",
    "tests/cli/test_terminal.py::test_a_wide_table_goes_on_in_another_line",
    "tests/cli/test_terminal.py::test_colour_is_for_terminals_and_not_with_no_color",
    "tests/cli/test_threads.py",
    "tests/cli/test_tuning.py::test_tuned_is_what_the_choice_gives_by_hand",
    "tests/core/test_counts.py::test_counts_of_rows_are_those_of_plain_loops",
    "tests/core/test_descent.py::test_counts_and_routes_are_those_of_single_nodes",
    "tests/core/test_json_values.py::test_indented_json_is_that_of_the_standard_library",
    "tests/core/test_json_values.py::test_inside_of_something_it_is_moved_to_the_right",
    "tests/core/test_routing.py::test_a_case_has_one_leaf_unless_a_missing_value_is_asked_for",
    "tests/core/test_routing.py::test_a_tree_deeper_than_the_stack_of_python_is_walked",
    "tests/core/test_routing.py::test_every_value_takes_the_branch_of_the_definition",
    "tests/core/test_routing.py::test_routes_are_those_of_one_case_at_a_time",
    "tests/core/test_routing_numba.py",
    "tests/core/test_rows_by_leaf.py::test_counts_are_those_of_all_rows_at_once",
    "tests/core/test_rows_by_leaf.py::test_parts_add_up_in_any_order",
    "tests/data/test_arff_corpus.py::test_every_file_is_read_as_weka_reads_it",
    "tests/data/test_arff_engines.py",
    "tests/data/test_grammar.py::test_a_wheel_brings_the_tables_of_every_grammar",
    "tests/data/test_grammar.py::test_programs_that_start_together_may_all_be_the_first",
    "tests/decide/test_cost_steps.py::test_every_state_has_the_labels_of_least_cost_at_its_ratio",
    "tests/decide/test_costs.py"
    "::test_raw_labels_have_the_least_cost_of_all_labellings_for_any_number_of_classes",
    "tests/decide/test_evaluation.py::test_intervals_on_the_logit_scale_keep_their_level",
    "tests/decide/test_evaluation.py::test_the_area_is_scikit_learns_and_that_of_the_curve",
    "tests/decide/test_evaluation_sums.py::test_an_evaluation_does_not_depend_on_partitions",
    "tests/decide/test_evaluation_sums.py"
    "::test_counted_cases_have_the_area_and_the_intervals_of_single_ones",
    "tests/decide/test_labellings.py"
    "::test_in_its_interval_no_labelling_costs_less_and_outside_it_some_other_does",
    "tests/decide/test_labellings.py::test_the_area_is_scikit_learns_on_leaf_scores",
    "tests/decide/test_labellings.py::test_the_hull_of_all_labellings_is_the_optimal_ones",
    "tests/decide/test_roc.py::test_every_point_has_scikit_learns_precision_recall_and_f",
    "tests/decide/test_score_tables.py::test_the_sums_of_a_ranking_do_not_depend_on_slices",
    "tests/engines/test_equality.py",
    "tests/engines/test_recipes.py",
    "tests/engines/test_row_counts.py",
    "tests/engines/test_sorting.py",
    "tests/engines/test_spark.py",
    "tests/export/test_consumers.py",
    "tests/export/test_formats.py::test_an_export_of_another_package_is_listed_and_used",
    "tests/export/test_formats.py::test_every_consumer_answers_any_tree_as_predict_does",
    "tests/export/test_formats.py::test_hostile_names_and_labels_change_nothing",
    "tests/export/test_formats.py::test_postgresql_takes_hostile_names",
    "tests/export/test_sql_numbers.py",
    "tests/geometry/test_distance.py",
    "tests/geometry/test_distance_numba.py",
    "tests/geometry/test_explanation.py"
    "::test_a_case_that_some_change_flips_is_told_one_and_the_smallest",
    "tests/geometry/test_explanation.py::test_applying_the_change_gives_the_class_it_names",
    "tests/geometry/test_explanation.py"
    "::test_no_change_told_for_a_class_is_smaller_than_the_smallest",
    "tests/geometry/test_faces.py",
    "tests/geometry/test_midgap.py::test_levels_and_single_nodes_give_the_same_faces",
    "tests/geometry/test_midgap.py::test_no_training_case_changes_its_leaf",
    "tests/geometry/test_projection.py",
    "tests/growing/test_criterion_trees.py::test_the_gain_ratio_alone_is_j48",
    "tests/growing/test_engines.py",
    "tests/model/test_blocks.py",
    "tests/model/test_cross_validation.py"
    "::test_it_is_repeated_to_the_last_digit_and_not_optimistic",
    "tests/model/test_engine_choice.py",
    "tests/model/test_tuning.py::test_a_fold_gives_every_candidate_what_the_definition_gives_it",
    "tests/model/test_tuning.py::test_other_rows_or_folds_make_every_method_honest",
    "tests/model/test_tuning.py::test_the_choice_is_the_best_of_all_candidates_asked_one_by_one",
    "tests/modelfile/test_modelfile_fuzz.py",
    "tests/read/j48/test_reader.py::test_a_split_of_many_values_takes_time_in_proportion",
    "tests/read/java/test_reader.py::test_spoilt_files_are_refused_or_read_as_trees_that_answer",
    "tests/read/repair/test_choose_repairs.py::test_damaged_texts_of_weka_give_the_same_tree_or_an_error",
    "tests/read/test_text_fuzz.py",
    "tests/read/j48/test_tree_builder.py::test_a_command_reads_no_tree_that_the_grammar_forbids",
    "tests/read/j48/test_tree_builder.py::test_neither_depth_nor_size_is_limited",
    "tests/replaying/test_replay.py::test_a_changed_count_is_found",
    "tests/replaying/test_replay.py::test_what_weka_would_print_replays",
    "tests/report/test_browser.py",
    "tests/report/test_page.py::test_several_trees_are_refused_and_a_fitted_model_is_not",
    "tests/report/test_page.py::test_the_command_writes_the_page_and_tells_how",
    "tests/report/test_page.py::test_the_page_tells_all_without_a_script",
    "tests/score/test_gauss_transform.py::test_fast_equals_direct_at_all_scales",
    "tests/score/test_geometric.py::test_with_more_classes_the_score_is_minus_h_or_the_literal_one",
    "tests/score/test_kernel_density.py::test_estimates_of_random_trees_are_those_of_algorithm_3",
    "tests/score/test_kernel_sums.py::test_every_method_is_the_definition",
    "tests/score/test_leaf_estimates.py"
    "::test_estimates_of_all_classes_sum_to_one_and_are_those_of_each",
    "tests/score/test_leaf_estimates.py::test_raw_and_laplace_estimates_are_wekas_distributions",
    "tests/score/test_nearby.py",
    "tests/score/test_prediction.py::test_answers_are_those_of_the_recursion",
    "tests/score/test_prediction.py"
    "::test_answers_from_stored_totals_are_those_of_the_recursion_to_the_bit",
    "tests/score/test_prediction.py::test_weights_that_cannot_round_leave_nothing_to_a_tolerance",
    "tests/score/test_probabilities.py::test_every_distribution_sums_to_one_and_none_is_nan",
    "tests/score/test_recalibration.py::test_the_order_stays_and_nothing_is_certain",
    "tests/score/test_shrinkage.py::test_every_leaf_has_what_the_definition_gives_it",
    "tests/score/test_shrinkage.py::test_what_comes_out_are_probabilities",
    "tests/score/test_shrinkage.py"
    "::test_without_strength_the_leaf_speaks_and_with_all_of_it_the_root",
    "tests/score/test_uncertainty.py::test_no_class_of_a_text_alone_is_wrong",
    "tests/show/test_arff.py::test_what_is_written_is_read_back",
    "tests/show/test_block_text.py",
    "tests/show/test_figures.py",
    "tests/show/test_slice.py",
    "tests/show/test_text.py::test_numbers_are_never_cut",
    "tests/sklearn/test_grown_tree.py::test_every_check_of_scikit_learn_passes",
    "tests/sklearn/test_loaded_tree.py::test_only_checks_whose_data_has_other_columns_fail",
    "tests/sklearn/test_loaded_tree.py::test_they_pass_with_a_tree_of_as_many_columns",
    "tests/studies/test_reproduce.py",
    "tests/studies/test_tuning_study.py",
    "tests/test_compilation.py::test_whether_a_loop_was_compiled_before_is_known_without_numba",
    "tests/test_docs.py::test_what_a_page_shows_is_what_the_program_prints",
    "tests/test_bounds.py",
    "tests/test_large.py",
    "tests/test_plugins.py",
    "tests/test_score_plugins.py",
)
"""What takes about a second and more: ``sh scripts/test --quick`` leaves it out, and the above.

Tests that need Weka or the corpus are left out there anyway, by their marks.
"""
